"""The contract of what an operator is told: what waits and since when, what is stuck and why, and what is sent again."""

from datetime import timedelta

import pytest

from state.stores.delivery import Reached
from state.stores.errors import LeaseLost
from state.stores.rows import DeliveryFailure, InboxRow, Lease, OutboxRow
from state.stores.store import Store
from tests.stores.helpers import ALEX, LANE, TALK, post, put_out, said, taken, there, turn

BLOCKED = DeliveryFailure("blocked", 3600, "not_in_channel", sent=0)


async def first(store: Store, lane: str = LANE) -> tuple[Lease, OutboxRow]:
    """A lane's lease, and its oldest row."""
    lease, row = await taken(store, lane), there(await store.next_outgoing(lane))
    return lease, row


async def test_what_waits_is_counted_by_class_of_lane(store: Store) -> None:
    """Due rows are counted by queue and class of lane, each with the time since which the oldest waits; what is for later is not."""
    later = await store.now() + timedelta(hours=1)
    for_later = OutboxRow("x1", "expire:1", "operate", ALEX, {}, due_at=later)
    await put_out(store, post("p1"), post("p2"), post("m1", "model:d1:1"), for_later)
    await store.receive(said())
    depths = {(d.queue, d.pool): d for d in await store.depths()}
    assert {name: d.count for name, d in depths.items()} == {
        ("inbox", "turns"): 1, ("outbox", "slack"): 2, ("outbox", "model"): 1,
    }  # fmt: skip
    now = await store.now()
    assert all(d.oldest is not None and d.oldest <= now for d in depths.values())


async def test_a_blocked_row_holds_its_lane_and_is_told_with_its_reason(store: Store) -> None:
    """What is blocked with a time for another try keeps its place: those behind it wait, nothing counts as old, and the reason is told."""
    await put_out(store, post("p1"), post("p2"))
    lease, row = await first(store)
    await store.set_back(lease, row.id, BLOCKED)
    assert (await store.next_outgoing(LANE), await store.dead()) == (None, [])
    (stuck,) = await store.stuck()
    assert (stuck.name, stuck.lane, stuck.kind, stuck.status) == (f"o{row.id}", LANE, "post", "blocked")
    assert (stuck.reason, stuck.holds, stuck.sent) == ("not_in_channel", True, 0)
    (depth,) = await store.depths()
    assert (depth.count, depth.held, depth.oldest) == (2, 2, None)
    assert await store.count_stuck() == {("outbox", "blocked", "not_in_channel"): 1}


async def test_what_is_set_aside_lets_the_lane_go_on(store: Store) -> None:
    """A row that is blocked for good leaves its lane to those behind it, and is told all the same."""
    await put_out(store, post("p1"), post("p2"))
    lease, row = await first(store)
    await store.set_back(lease, row.id, DeliveryFailure("blocked", None, "msg_too_long"))
    following = await store.next_outgoing(LANE)
    assert following is not None and following.key == "p2"
    assert [(s.reason, s.holds) for s in await store.stuck()] == [("msg_too_long", False)]


async def test_what_follows_from_a_setback_is_put_out_with_it(store: Store) -> None:
    """Notices and events that a setback brings stand in its own transaction, once each; a stale holder writes none of it."""
    await put_out(store, post("p1"))
    lease, row = await first(store)
    told = DeliveryFailure("blocked", 60, "is_archived", outgoing=(post("told", "slack:C0OPS"),), incoming=said("e1"))
    assert (await store.set_back(lease, row.id, told)) is not None
    assert (await store.set_back(lease, row.id, told)) is None
    assert (await store.sweep()).lanes == [TALK, "slack:C0OPS"]
    await store.release(lease)
    with pytest.raises(LeaseLost):
        await store.set_back(lease, row.id, BLOCKED)


async def test_rows_are_revived_in_their_old_order(store: Store) -> None:
    """What is revived is due at once, with its reason, its attempts forgotten; a row that has been delivered is not revived."""
    await put_out(store, post("p1"), post("p2"))
    lease, row = await first(store)
    await store.set_back(lease, row.id, DeliveryFailure("blocked", 3600, "not_in_channel", attempts=3, sent=0))
    stuck = await store.stuck()
    assert await store.revive(stuck) == 1
    again = there(await store.next_outgoing(LANE))
    assert (again.key, again.attempts, again.sent, again.reason, again.status) == ("p1", 0, 0, "not_in_channel", "new")
    assert (await store.revive(stuck), await store.stuck()) == (0, [])


async def test_dead_letters_of_both_queues_are_revived(store: Store) -> None:
    """An event and a post that were given up are handled and posted after all."""
    await store.receive(said())
    await put_out(store, post("p1"))
    lease, lane = await taken(store), await taken(store, LANE)
    incoming, outgoing = await store.next_incoming(TALK), await store.next_outgoing(LANE)
    assert incoming and outgoing
    await store.fail_incoming(lease, incoming.id, None, "KeyError")
    await store.set_back(lane, outgoing.id, DeliveryFailure("dead"))
    stuck = await store.stuck()
    assert [(s.queue, s.reason) for s in stuck] == [("inbox", "KeyError"), ("outbox", "")]
    assert await store.revive(stuck) == 2
    assert isinstance(await store.next_incoming(TALK), InboxRow) and await store.next_outgoing(LANE)


async def test_only_a_person_allows_another_blind_post(store: Store) -> None:
    """What may stand in Slack twice over is revived to be looked for; only when a person asks may it be sent once more."""
    await put_out(store, post("p1"))
    lease, row = await first(store)
    for asked, sent in ((False, 2), (True, 1)):
        await store.set_back(lease, row.id, DeliveryFailure("blocked", 3600, "unclear", sent=2))
        await store.revive(await store.stuck(), asked=asked)
        again = await store.next_outgoing(LANE)
        assert again is not None and again.sent == sent


async def test_everything_that_holds_a_lane_can_be_tried_once_more(store: Store) -> None:
    """A start tries again what holds a lane; what was set aside waits for a person."""
    await put_out(store, post("p1"), post("x1", "other"))
    lease, row = await first(store)
    other, second = await first(store, "other")
    await store.set_back(lease, row.id, BLOCKED)
    await store.set_back(other, second.id, DeliveryFailure("blocked", None, "msg_too_long"))
    assert await store.try_blocked() == 1
    again = await store.next_outgoing(LANE)
    assert again is not None and again.status == "blocked"


async def test_whether_slack_is_reached_is_remembered(store: Store) -> None:
    """When Slack last did what it was asked stays known while it does not, with the reason."""
    now = await store.now()
    await store.reached(Reached("T0NORTH", ok_at=now))
    await store.reached(Reached("T0NORTH", since=now, reason="http_500"))
    (known,) = await store.reaches()
    assert (known.ok_at, known.since, known.reason) == (now, now, "http_500")


async def test_open_drafts_and_a_days_tokens_are_told(store: Store) -> None:
    """Drafts that wait are counted by form, with the time since which the oldest does; a day's tokens are read without adding any."""
    draft = await turn(store)
    assert [(w.form, w.count, w.oldest) for w in await store.drafts_waiting()] == [("pa_dealing", 1, draft.updated_at)]
    await store.spend("2026-11-22", 70)
    assert (await store.spent("2026-11-22"), await store.spent("2026-11-23")) == (70, 0)
    await store.prove_writable()
    await store.prove_writable()
