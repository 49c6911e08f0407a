"""The contract of the log of tool calls: written with the turn or not at all, countable without its words, gone with its person."""

import pytest

from state.stores.errors import LeaseLost, RevisionGap
from state.stores.rows import ToolLogEntry
from state.stores.store import Store
from tests.stores.helpers import ALEX, DANA, step, taken, turn, write


def called(draft: str = "d1", who: str = ALEX, **more: object) -> ToolLogEntry:
    """A call as a turn logs it."""
    body = {"arguments": {"quantity": 200, "words": "buy 200"}, "result": {"status": "ok"}}
    call = ToolLogEntry(
        draft, who, "T0NORTH", "pa_dealing", 1, 1, "some-model", "set_trade", "ok", "", False, False, body
    )
    return call if not more else ToolLogEntry(**{**vars(call), **more})


async def test_calls_stand_beside_the_event_in_which_they_were_judged(store: Store) -> None:
    """Each call has its event's number, its place in it and the store's time, and reads as it was written."""
    before = await turn(store)
    lease, (draft, event) = await taken(store), step(before, quantity=200)
    second = called(tool="submit", status="success", idempotent=True, finalizes=True)
    await write(store, lease, draft=draft, events=[event], calls=[called(), second])
    first, again = await store.tool_calls("d1")
    assert ((first.n, first.place), (again.n, again.place)) == ((2, 0), (2, 1))
    assert first.body == called().body and first.person == ALEX and first.at is not None
    assert (again.tool, again.status, again.idempotent, again.finalizes) == ("submit", "success", True, True)
    assert await store.tool_calls("d2") == []


async def test_calls_are_written_with_their_turn_or_not_at_all(store: Store) -> None:
    """A turn that lost its lease leaves no call behind."""
    before, lease = await turn(store), await taken(store)
    draft, event = step(before, quantity=200)
    await store.release(lease)
    with pytest.raises(LeaseLost):
        await write(store, lease, draft=draft, events=[event], calls=[called()])
    assert await store.tool_calls("d1") == []


async def test_a_call_belongs_to_a_draft_of_its_turn(store: Store) -> None:
    """A call about a draft that is not written with it is refused."""
    before, lease = await turn(store), await taken(store)
    draft, event = step(before, quantity=200)
    with pytest.raises(RevisionGap):
        await write(store, lease, draft=draft, events=[event], calls=[called("d9")])


async def test_an_erased_persons_calls_can_be_counted_and_not_read(store: Store) -> None:
    """What a call said is gone with its person; which tool it was and what came of it remains, as does everybody else's."""
    lease = await taken(store)
    for who, name in ((ALEX, "d1"), (DANA, "d2")):
        draft, event = step(None, name, who, quantity=200)
        await write(store, lease, draft=draft, events=[event], calls=[called(name, who)])
    await store.erase(ALEX)
    (gone,), (kept,) = await store.tool_calls("d1"), await store.tool_calls("d2")
    assert (gone.erased, gone.person, gone.body, gone.tool, gone.status) == (True, "", {}, "set_trade", "ok")
    assert (kept.erased, kept.person, kept.body) == (False, DANA, called().body)
