"""The contract of drafts and events: revisions without gaps, a chain of events, one transaction a turn."""

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from state.stores.errors import RevisionGap, StoreError, WasErased
from state.stores.rows import Current, Number, TurnWrites
from state.stores.store import Store
from tests.chain import verify, verify_all
from tests.stores.conftest import Ground
from tests.stores.helpers import ALEX, DANA, OTHER, TALK, said, step, taken, there, turn, values, write


async def test_a_turn_is_written_whole(store: Store) -> None:
    """After a turn the draft, its event, the conversation's pointer and the handled row are there together."""
    await store.receive(said())
    lease, row = await taken(store), there(await store.next_incoming(TALK))
    draft, event = step(None, security="GB00BP6MXD84")
    await write(store, lease, draft=draft, events=[event], current="d1", done=row.id)
    read = there(await store.draft("d1"))
    assert replace(read, last=0, head="", updated_at=None) == draft
    assert (read.last, await store.current(TALK)) == (1, Current("d1", 1))
    assert [(e.n, e.body, e.changes) for e in await store.events("d1")] == [(1, event.body, event.changes)]
    assert await store.next_incoming(TALK) is None


async def test_an_exception_inside_a_unit_writes_nothing(store: Store) -> None:
    """A turn that breaks leaves no trace, and its row is handled again."""
    await store.receive(said())
    lease, row = await taken(store), there(await store.next_incoming(TALK))

    def broken(number: Number) -> TurnWrites:
        raise ZeroDivisionError(number("PA-2026"))

    with pytest.raises(ZeroDivisionError):
        await store.write(lease, broken)
    draft, event = step(None)
    with pytest.raises(StoreError):
        await write(store, lease, draft=draft, events=[event], done=row.id, amended={"PA-2026-000009": "approved"})
    assert (await store.draft("d1"), await store.events("d1"), await store.next_incoming(TALK)) == (None, [], row)


async def test_nothing_is_known_of_what_was_never_written(store: Store) -> None:
    """Unknown drafts, conversations, cards, records and lanes read as nothing."""
    assert (await store.draft("d9"), await store.current(TALK), await store.posted("c9")) == (None, None, None)
    assert (await store.record("PA-2026-000009"), await store.next_outgoing("x")) == (None, None)
    assert (await store.events("d9"), await store.links("d9"), await store.drafts_of(ALEX)) == ([], [], [])
    with pytest.raises(KeyError):
        await verify(store, "d9")


@pytest.mark.parametrize("revision", [0, 2, 5])
async def test_a_revision_that_does_not_follow_is_refused(store: Store, revision: int) -> None:
    """A draft at revision 1 goes on to revision 2 and no other; after a refusal nothing has changed."""
    before, lease = await turn(store), await taken(store)
    draft, event = step(before, quantity=200)
    wrong = revision if revision != 2 else 1
    for work in (
        {"draft": replace(draft, revision=wrong), "events": [event]},
        {"draft": replace(draft, revision=wrong), "events": [replace(event, revision=wrong)]},
    ):
        with pytest.raises(RevisionGap):
            await write(store, lease, **work)
    assert (await store.draft("d1"), len(await store.events("d1"))) == (before, 1)


async def test_a_change_without_its_event_is_refused(store: Store) -> None:
    """No draft is written without an event, and no event without its draft."""
    before, lease = await turn(store), await taken(store)
    draft, event = step(before, quantity=200)
    for work in ({"draft": draft}, {"events": [event]}, {"draft": before}):
        with pytest.raises(RevisionGap):
            await write(store, lease, **work)
    assert await store.draft("d1") == before


async def test_an_event_without_changes_keeps_the_revision(store: Store) -> None:
    """What changes nothing is recorded at the revision that stands."""
    before, lease = await turn(store), await taken(store)
    draft, event = step(before, changed=False)
    await write(store, lease, draft=draft, events=[event])
    assert [(e.n, e.revision) for e in await store.events("d1")] == [(1, 1), (2, 1)]
    assert (await verify(store, "d1")).broken == ""


async def test_several_events_and_drafts_fit_in_one_turn(store: Store) -> None:
    """A turn may close one draft and begin another, each with its own events and chain."""
    before, lease = await turn(store), await taken(store)
    first, one = step(before, quantity=200)
    second, two = step(first, quantity=300)
    fresh, begun = step(None, "d2")
    await write(store, lease, draft=second, also=[fresh], events=[one, begun, two], current="d2")
    assert [(e.n, e.revision) for e in await store.events("d1")] == [(1, 1), (2, 2), (3, 3)]
    assert (await store.current(TALK), values(await store.draft("d1"))) == (Current("d2", 1), {"quantity": 300})
    assert await verify_all(store) == (2, [])


async def test_a_conversation_points_to_drafts_that_exist(store: Store) -> None:
    """A pointer to a draft that nobody wrote is refused."""
    with pytest.raises(StoreError):
        await write(store, await taken(store), current="d9")
    assert await store.current(TALK) is None


async def test_a_draft_stays_its_persons(store: Store) -> None:
    """A draft cannot become another person's."""
    before, lease = await turn(store), await taken(store)
    draft, event = step(before)
    with pytest.raises(WasErased):
        await write(store, lease, draft=replace(draft, person=DANA), events=[event])
    assert await store.draft("d1") == before


def named(n: int) -> dict[str, Any]:
    """A field of its own for each turn."""
    return {f"field{n}": n}


async def test_parallel_turns_lose_nothing(ground: Ground) -> None:
    """Of eight turns that read and then write one draft at the same time, on several replicas, every one counts."""
    stores = [await ground.open() for _ in range(2)]

    async def one(n: int) -> None:
        store = stores[n % 2]
        while (lease := await store.take(TALK, 30)) is None:  # noqa: ASYNC110 (a lease can only be asked for)
            await asyncio.sleep(0.005)
        draft, event = step(await store.draft("d1"), **named(n))
        await asyncio.sleep(0)
        await write(store, lease, draft=draft, events=[event], current="d1")
        await store.release(lease)

    await asyncio.gather(*map(one, range(8)))
    draft = await stores[0].draft("d1")
    assert values(draft) == {f"field{n}": n for n in range(8)}
    assert (draft and draft.revision, (await verify(stores[0], "d1")).broken) == (8, "")


async def test_parallel_turns_from_other_lanes_cannot_overwrite(ground: Ground) -> None:
    """Of turns that change the same revision of a draft from different lanes, one counts and the others are told."""
    stores = [await ground.open() for _ in range(2)]
    before = await turn(stores[0])
    leases = [await taken(stores[0], f"lane{n}") for n in range(8)]

    async def one(n: int) -> None:
        draft, event = step(before, **named(n))
        await write(stores[n % 2], leases[n], draft=draft, events=[event])

    results = await asyncio.gather(*map(one, range(8)), return_exceptions=True)
    assert sorted(type(result).__name__ for result in results) == ["NoneType", *["RevisionGap"] * 7]
    draft = await stores[0].draft("d1")
    assert (draft and draft.revision, len(values(draft))) == (2, 1)


async def test_drafts_of_a_person_come_newest_first(store: Store) -> None:
    """A person's drafts are listed with the one begun last first, nobody else's among them, up to a limit."""
    for n, who in enumerate((ALEX, DANA, ALEX, ALEX)):
        await turn(store, f"d{n}", who, where=f"T0NORTH:D{n}:")
    await turn(store, "d0", where="T0NORTH:D0:", more=1)
    assert [draft.id for draft in await store.drafts_of(ALEX)] == ["d3", "d2", "d0"]
    assert [draft.id for draft in await store.drafts_of(ALEX, limit=1)] == ["d3"]
    status = (await store.drafts_of(ALEX))[0].status
    assert len(await store.drafts_of(ALEX, status=status)) == 3 and await store.drafts_of(ALEX, status="gone") == []


async def test_all_drafts_come_page_by_page(store: Store) -> None:
    """The ids of all drafts can be walked through a page at a time."""
    for n in range(5):
        await turn(store, f"d{n}", where=f"T0NORTH:D{n}:")
    assert await store.drafts(limit=3) == ["d0", "d1", "d2"]
    assert await store.drafts("d2", limit=3) == ["d3", "d4"]


async def test_each_conversation_has_its_own_draft(store: Store) -> None:
    """Two conversations of one person are about different drafts."""
    await turn(store, "d1", where=TALK)
    await turn(store, "d2", where=OTHER)
    assert (await store.current(TALK), await store.current(OTHER)) == (Current("d1", 1), Current("d2", 1))


async def test_a_cached_draft_counts_only_at_its_revision(ground: Ground) -> None:
    """With what `current` said, a replica that has not seen the newest turn still reads the newest draft."""
    one, two = await ground.open(), await ground.open()
    await turn(one, quantity=1)
    await one.draft("d1", await one.current(TALK))
    await turn(two, quantity=2)
    assert values(await one.draft("d1", await one.current(TALK))) == {"quantity": 2}
