"""The contract of erasure: what was personal is gone for ever, what must remain verifies, and the others notice nothing."""

import pytest

from state.stores.errors import LeaseLost, WasErased
from state.stores.store import Store
from tests.chain import verify
from tests.stores.conftest import Ground
from tests.stores.helpers import (
    ALEX,
    DANA,
    LANE,
    OTHER,
    TALK,
    filed,
    post,
    put_out,
    said,
    step,
    submit,
    taken,
    there,
    turn,
    values,
    write,
)  # fmt: skip


async def test_an_erased_persons_bodies_read_as_erased(store: Store) -> None:
    """Drafts, events and records of an erased person are still there, and say nothing but that they were erased."""
    await turn(store, quantity=200)
    lease = await taken(store)
    number = await submit(store, lease, answers={"quantity": 200})
    assert await store.erase(ALEX)
    draft, record = await store.draft("d1"), await store.record(number)
    assert draft and record
    assert (draft.erased, draft.person, draft.conversation, draft.body, draft.revision) == (True, "", "", {}, 2)
    assert (record.erased, record.person, record.body, record.state) == (True, "", {}, "pending_manager")
    assert [(e.erased, e.body, e.changes, e.revision) for e in await store.events("d1")] == [
        (True, {}, (), n) for n in (1, 2)
    ]


async def test_the_chain_of_an_erased_draft_verifies(store: Store) -> None:
    """After an erasure every link of the chain is as it was, and the check passes."""
    await turn(store, quantity=200)
    before = await store.links("d1")
    await store.erase(ALEX)
    assert (await store.links("d1"), await verify(store, "d1")) == (before, await verify(store, "d1"))
    assert (await verify(store, "d1")).broken == ""


async def test_open_rows_of_an_erased_person_come_to_an_end(store: Store) -> None:
    """Nothing of an erased person is handled, performed or listed any more, not even a dead letter."""
    await store.receive(said("Ev1"))
    lease, row = await taken(store), there(await store.next_incoming(TALK))
    await store.fail_incoming(lease, row.id, None)
    await store.receive(said("Ev2"))
    await store.release(lease)
    await put_out(store, post())
    await store.erase(ALEX)
    assert ((await store.sweep()).lanes, await store.dead()) == ([], [])
    assert (await store.next_incoming(TALK), await store.next_outgoing(LANE)) == (None, None)
    assert not await store.receive(said("Ev2"))


async def test_a_turn_under_way_cannot_bring_an_erased_draft_back(store: Store) -> None:
    """A turn that began before an erasure and ends after it writes nothing."""
    await store.receive(said())
    before, lease = await turn(store), await taken(store)
    row, (draft, event) = await store.next_incoming(TALK), step(before, quantity=200)
    assert row is not None
    await store.erase(ALEX)
    with pytest.raises(LeaseLost):
        await write(store, lease, draft=draft, events=[event], done=row.id)
    with pytest.raises(WasErased):
        await write(store, lease, draft=draft, events=[event])
    assert len(await store.events("d1")) == 1


async def test_an_erased_persons_lists_are_empty(store: Store) -> None:
    """Nothing leads from a person to what was erased, and their conversation is about nothing."""
    await turn(store)
    await submit(store, await taken(store))
    await store.erase(ALEX)
    assert (await store.drafts_of(ALEX), await store.records_of(ALEX), await store.current(TALK)) == ([], [], None)


async def test_a_person_who_comes_back_is_a_new_one(store: Store) -> None:
    """After an erasure the same person can begin anew, in the same conversation."""
    await turn(store)
    await store.erase(ALEX)
    await store.receive(said("Ev2", text="hello again"))
    lease = there(await store.take(TALK, 30))
    await store.release(lease)
    await turn(store, "d2", quantity=1)
    row, draft = await store.next_incoming(TALK), await store.draft("d2", await store.current(TALK))
    assert row is not None and row.body == {"text": "hello again"}
    assert (values(draft), [d.id for d in await store.drafts_of(ALEX)]) == ({"quantity": 1}, ["d2"])


async def test_others_notice_nothing(ground: Ground) -> None:
    """Another person's draft, record and rows are untouched, on every replica."""
    one, two = await ground.open(), await ground.open()
    await turn(one, "d1")
    await turn(one, "d2", DANA, OTHER, quantity=7)
    await write(one, await taken(one, OTHER), records=[filed("PA-2026-000001", "d2", DANA)])
    await one.receive(said("Ev1", "T0NORTH:D0DANA:", DANA))
    await one.erase(ALEX)
    record = await two.record("PA-2026-000001")
    assert values(await two.draft("d2")) == {"quantity": 7}
    assert (record and record.person, (await two.sweep()).lanes) == (DANA, ["T0NORTH:D0DANA:"])
    draft = await two.draft("d1")
    assert draft is not None and draft.erased


async def test_an_unknown_person_cannot_be_erased(store: Store) -> None:
    """Erasing somebody of whom nothing is known says so, and so does erasing twice."""
    assert not await store.erase(ALEX)
    await store.receive(said())
    assert await store.erase(ALEX)
    assert not await store.erase(ALEX)
