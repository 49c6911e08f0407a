"""The contract of proof: a record's whole story outlives what it must, and what is on hold does not go."""

from datetime import timedelta

import pytest

from state.stores.errors import OnHold
from state.stores.rights import Terms
from state.stores.rows import Done, OutboxRow
from state.stores.store import Store
from tests.chain import verify_all
from tests.stores.helpers import ALEX, DANA, OTHER, TALK, filed, post, step, taken, write

NUMBER = "PA-2026-000001"
YEAR = timedelta(days=366)


async def request(store: Store, who: str = ALEX, draft: str = "d1", where: str = TALK, number: str = NUMBER) -> None:
    """A turn that files a draft and shows its receipt, beside a post of no draft."""
    lease = await taken(store, where)
    after, event = step(None, draft, who, where, reason="my own")
    row = OutboxRow(f"{draft}-ev/0", f"slack:{where}", "post", who, {"text": "Filed", "card": "c1"}, of=draft)
    aside = post(f"{draft}-aside", f"slack:{where}", who, text="no draft's")
    record = filed(number, draft, who, reason="my own")
    await write(store, lease, draft=after, events=[event], records=[record], outgoing=[row, aside], current=draft)
    await store.release(lease)
    lane = await taken(store, f"slack:{where}")
    while (waiting := await store.next_outgoing(lane.lane)) is not None:
        await store.finish(lane, Done(waiting.id))
    await store.release(lane)


async def all_over(store: Store, *, record: bool = True, **states: bool) -> int:
    """A day on which everything is over: records but those of states that are False, or all where `record` is False."""
    now = await store.now()
    later, earlier = now + timedelta(minutes=1), now - YEAR
    classes = {state: later if gone else earlier for state, gone in states.items()}
    touched = await store.expire(Terms("pa_dealing", later, earlier, later if record else earlier, classes, whole=True))
    await store.expire_rest(later, later, earlier)
    await store.purge()
    return touched


async def test_a_story_is_its_events_and_what_was_shown(store: Store) -> None:
    """In their order, with what wanted each; what belongs to no request is not in it, and of no such record there is none."""
    await request(store)
    account = await store.account(NUMBER)
    assert account and [e.body["reason"] for e in account.events] == ["my own"] and not account.kept
    assert [(s.event, s.kind, s.body["text"]) for s in account.shown] == [("d1-ev", "post", "Filed")]
    assert await store.account("PA-2026-000009") is None


async def test_a_story_stays_as_long_as_its_record(store: Store) -> None:
    """Draft, events and posts outlast their own time with the record, by its class, and go with it."""
    await request(store)
    assert await all_over(store, record=False) == 0 and await all_over(store, pending_manager=False) == 0
    account = await store.account(NUMBER)
    assert account and len(account.events) == len(account.shown) == 1
    assert await all_over(store) == 2
    account = await store.account(NUMBER)
    assert account and (account.events, account.shown, account.record.erased) == ((), (), True)
    assert (await store.audit()).faults == [] and (await verify_all(store)) == (1, [])


async def test_a_kept_record_keeps_its_story(store: Store) -> None:
    """Its person is erased, their draft reads as erased, and the record still tells all that happened until its own day."""
    await request(store)
    before = await store.account(NUMBER)
    erasure = await store.erase(ALEX, {"pa_dealing": 5, "pa_dealing/pending_manager": 7})
    after, record = await store.account(NUMBER), await store.record(NUMBER)
    assert before and after and after.kept and (after.events, after.shown) == (before.events, before.shown)
    assert record == before.record and (await store.events("d1"))[0].erased
    assert erasure and erasure.kept[0].until.year == (await store.now()).year + 7
    assert (await store.audit()).faults == []


async def test_what_is_on_hold_does_not_go(store: Store) -> None:
    """Not by retention, nor by an erasure, which takes what is not held; once the hold is lifted it goes as the rest would."""
    await request(store)
    await request(store, DANA, "d2", OTHER, "PA-2026-000002")
    hold = await store.hold("record", NUMBER, "U0LEGAL", "A claim")
    assert hold and (hold.by, hold.reason, hold.name) == ("U0LEGAL", "A claim", NUMBER)
    assert await store.hold("record", NUMBER, "U0LEGAL", "Again") is None and await store.holds() == [hold]
    assert await all_over(store) == 2 and await store.record("PA-2026-000002")
    erasure = await store.erase(ALEX)
    assert erasure and [(k.number, k.held) for k in erasure.kept] == [(NUMBER, True)]
    await all_over(store)
    account = await store.account(NUMBER)
    assert account and account.kept and len(account.events) == len(account.shown) == 1
    lifted = await store.lift("record", NUMBER, "U0LEGAL", "Settled")
    assert lifted and lifted.lifted_at and (lifted.lifted_by, lifted.lifted_why) == ("U0LEGAL", "Settled")
    assert await store.lift("record", NUMBER, "U0LEGAL", "Settled") is None and await store.holds() == []
    await all_over(store)
    record = await store.record(NUMBER)
    assert record and record.erased and (await store.audit()).faults == []
    told = [link.told for kind in ("held", "lifted") for link in await store.attested(kind)]
    assert [one["by"] for one in told] == ["U0LEGAL", "U0LEGAL"] and "claim" not in str(told)


async def test_who_is_on_hold_is_not_erased(store: Store) -> None:
    """Everything of the person stays, drafts that were never filed as well, until the hold is lifted."""
    await request(store)
    assert await store.hold("person", ALEX, "U0LEGAL", "A claim") and await store.on_hold(ALEX)
    with pytest.raises(OnHold):
        await store.erase(ALEX)
    assert await all_over(store) == 0
    account = await store.account(NUMBER)
    assert account and account.events and ALEX not in str([link.body for link in await store.attested("held")])
    await store.lift("person", ALEX, "U0LEGAL", "Settled")
    assert not await store.on_hold(ALEX) and await store.erase(ALEX)


async def test_who_read_is_a_link(store: Store) -> None:
    """It is the installation's, numbered, signed with the next checkpoint, and found again by its kind."""
    await request(store)
    link = await store.attest("read", {"by": "U0AUDIT", "rows": 1})
    assert await store.attested("read") == [link] and link.told == {"by": "U0AUDIT", "rows": 1}
    checkpoint = await store.checkpoint()
    assert checkpoint and checkpoint.heads["installation"] == (link.n, link.hash)
    key, signature = store.signature("text")
    assert key in store.public_keys and signature
