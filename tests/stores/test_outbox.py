"""The contract of the outbox: each piece of work once, each lane in order, and what follows in the same transaction."""

from dataclasses import replace
from datetime import timedelta

import pytest

from state.stores.errors import LeaseLost
from state.stores.rows import DeliveryFailure, Done, Posted
from state.stores.store import Store
from tests.stores.helpers import ALEX, LANE, TALK, post, put_out, said, taken, there, write


async def test_work_is_read_whole(store: Store) -> None:
    """A row is read as it was put in, with its lane, its person and when it is due."""
    await put_out(store, post("p1", text="✓ Leveraged product: No"))
    row = there(await store.next_outgoing(LANE))
    assert (row.key, row.lane, row.kind, row.person) == ("p1", LANE, "post", ALEX)
    assert (row.body, row.attempts, row.status) == ({"text": "✓ Leveraged product: No"}, 0, "new")
    assert row.due_at is not None and row.due_at <= await store.now()


async def test_work_for_later_waits_and_holds_back_what_is_behind_it(store: Store) -> None:
    """A row with a later time is not due before it, and rows behind it wait too."""
    later = await store.now() + timedelta(hours=1)
    row = post("p1")
    await put_out(store, type(row)(row.key, row.lane, row.kind, row.person, row.body, due_at=later), post("p2"))
    assert (await store.next_outgoing(LANE), (await store.sweep()).lanes) == (None, [])


async def test_a_failed_row_is_tried_again(store: Store) -> None:
    """A failed row keeps the count of its attempts; an unclear outcome is marked, to be looked up before anything is repeated."""
    await put_out(store, post())
    lease, row = await taken(store, LANE), there(await store.next_outgoing(LANE))
    await store.set_back(lease, row.id, DeliveryFailure("new", 0, attempts=1))
    again = await store.next_outgoing(LANE)
    assert again is not None and (again.attempts, again.status) == (1, "new")
    await store.set_back(lease, row.id, DeliveryFailure("unclear", 0, attempts=2))
    unclear = await store.next_outgoing(LANE)
    assert unclear is not None and (unclear.attempts, unclear.status) == (2, "unclear")


async def test_finish_remembers_where_a_card_stands(store: Store) -> None:
    """The place of a posted card is remembered, and the newest place counts."""
    await put_out(store, post("p1"), post("p2"))
    lease = await taken(store, LANE)
    for ts in ("1700000000.000100", "1700000001.000100"):
        row = there(await store.next_outgoing(LANE))
        await store.finish(lease, Done(row.id, Posted("card1", "D0ALEX", ts)))
    assert await store.posted("card1") == Posted("card1", "D0ALEX", "1700000001.000100")


async def test_finish_puts_what_follows_into_the_inbox(store: Store) -> None:
    """The answer to a finished piece of work waits in the inbox of its conversation."""
    await put_out(store, post())
    lease, row = await taken(store, LANE), there(await store.next_outgoing(LANE))
    await store.finish(lease, Done(row.id, incoming=said("reply1", text="And the quantity?")))
    incoming = await store.next_incoming(TALK)
    assert incoming is not None and (incoming.key, incoming.body) == ("reply1", {"text": "And the quantity?"})
    assert (await store.sweep()).lanes == [TALK]


async def test_a_conversation_goes_on_while_its_lane_is_worked_on(store: Store) -> None:
    """Holding an outbox lane does not keep a conversation's next turn waiting."""
    await put_out(store, post())
    await store.receive(said())
    await taken(store, LANE)
    assert (await store.sweep()).lanes == [TALK]
    await write(store, await taken(store, TALK), outgoing=[post("p2")])


async def test_newer_work_may_end_what_waits_in_a_lane(store: Store) -> None:
    """A row that makes a lane's open rows pointless ends them as superseded in its own commit; what is done, and other lanes, stay."""
    await put_out(store, post("p1", "cosmetic:c"), post("x1", "other"))
    lease, row = await taken(store, "cosmetic:c"), there(await store.next_outgoing("cosmetic:c"))
    await store.finish(lease, Done(row.id))
    await put_out(store, post("p2", "cosmetic:c"), post("p3", "cosmetic:c"))
    await put_out(store, replace(post("p4"), over="cosmetic:c"))
    assert await store.next_outgoing("cosmetic:c") is None
    statuses = [one.row["status"] async for one in store.everything(ALEX) if one.table == "outbox"]
    assert statuses == ["done", "new", "superseded", "superseded", "new"]
    newest = await store.next_outgoing(LANE)
    assert newest is not None and newest.key == "p4"


async def test_who_holds_a_lane_cannot_finish_what_was_superseded(store: Store) -> None:
    """A row that was superseded while somebody worked on it is not finished a second time."""
    await put_out(store, post("p1", "cosmetic:c"))
    lease, row = await taken(store, "cosmetic:c"), there(await store.next_outgoing("cosmetic:c"))
    await put_out(store, replace(post("p2"), over="cosmetic:c"))
    with pytest.raises(LeaseLost):
        await store.finish(lease, Done(row.id))


async def test_older_open_work_of_a_lane_is_told(store: Store) -> None:
    """A row is behind a lane while one that was put out before it is open there; what came later does not count."""
    await put_out(store, post("p1"), post("x1", "other"), post("p2"))
    other = await store.next_outgoing("other")
    lease, first = await taken(store, LANE), await store.next_outgoing(LANE)
    assert other is not None and first is not None
    assert await store.behind(LANE, other.id)
    await store.finish(lease, Done(first.id))
    assert not await store.behind(LANE, other.id)


async def test_a_card_that_takes_a_message_over_is_the_only_one_there(store: Store) -> None:
    """Once another card has its message, a card is gone from there."""
    await put_out(store, post("p1"), post("p2"))
    lease = await taken(store, LANE)
    for posted in (Posted("c1", "D1", "1.0"), Posted("c2", "D1", "1.0", over="c1")):
        row = there(await store.next_outgoing(LANE))
        await store.finish(lease, Done(row.id, posted))
    assert await store.posted("c1") == Posted("c1", "D1", "1.0", gone=True)
    assert await store.posted("c2") == Posted("c2", "D1", "1.0")
