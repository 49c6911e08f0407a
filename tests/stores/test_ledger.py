"""The contract of proposals and entries: used once, in time, by one; written whole or not at all; gone with their person."""

import asyncio
from dataclasses import replace

import pytest

from state.stores.ledger import EntryWrite, OperationResult, Pending
from state.stores.store import Store
from tests.stores.conftest import Ground
from tests.stores.helpers import ALEX, DANA

TENANT, FORM = "T0NORTH", "expenses"


def asked(name: str = "p1", who: str = ALEX) -> Pending:
    """A proposal as an operation makes it."""
    return Pending(name, TENANT, who, FORM, {"calls": [{"operation": "add", "arguments": {"amount": "3.50"}}]})


def row(number: int = 1, revision: int = 0, who: str = ALEX, *, deleted: bool = False, **body: object) -> EntryWrite:
    """An entry as it is to be."""
    return EntryWrite(TENANT, FORM, number, who, {"item": "coffee", **body}, revision, deleted)


async def done(store: Store, name: str, *writes: EntryWrite, undone: str = "") -> str:
    """Propose and carry out at once."""
    await store.propose(asked(name), 60)
    return await store.carry_out(OperationResult(name, writes, {"told": name}, undone))


async def test_a_proposal_is_read_as_it_was_made(store: Store) -> None:
    """Who asked, in which tenant and for what exactly is kept; it is open and has a time at which it ends."""
    made = await store.propose(asked(), 60)
    known = await store.proposal("p1")
    assert known == made
    assert (known.tenant, known.person, known.form, known.status) == (TENANT, ALEX, FORM, "open")
    assert known.body == asked().body and known.outcome is None and not known.late
    assert known.made_at and known.expires_at and known.expires_at > known.made_at
    assert await store.proposal("p2") is None


async def test_a_known_proposal_is_not_made_anew(store: Store) -> None:
    """The same id again gives what stands, so that a repeated turn proposes once."""
    await store.propose(asked(), 60)
    again = await store.propose(replace(asked(), body={"calls": []}), 60)
    assert again.body == asked().body
    assert [p.id for p in await store.proposals_of(ALEX, FORM)] == ["p1"]


async def test_of_many_clicks_one_runs(ground: Ground) -> None:
    """Eight confirmations at the same time on two replicas write one entry."""
    stores = [await ground.open() for _ in range(2)]
    await stores[0].propose(asked(), 60)
    came = await asyncio.gather(*(stores[n % 2].carry_out(OperationResult("p1", (row(),))) for n in range(8)))
    assert sorted(came) == ["closed"] * 7 + ["done"]
    assert len(await stores[0].entries(TENANT, FORM)) == 1


@pytest.mark.parametrize("ended", ["late", "withdrawn", "used", "unknown"])
async def test_what_is_not_open_writes_nothing(store: Store, ended: str) -> None:
    """An expired, cancelled, used or unknown proposal is not carried out."""
    if ended != "unknown":
        await store.propose(asked(), -1 if ended == "late" else 60)
    if ended == "withdrawn":
        assert await store.withdraw("p1") and not await store.withdraw("p1")
    if ended == "used":
        assert await store.carry_out(OperationResult("p1")) == "done"
    assert await store.carry_out(OperationResult("p1", (row(),))) == "closed"
    assert await store.entries(TENANT, FORM) == []


async def test_an_entry_that_changed_meanwhile_stops_the_whole_deed(store: Store) -> None:
    """Where one of the entries is not what was seen, nothing is written and the proposal stays open."""
    assert await done(store, "p1", row(1), row(2)) == "done"
    assert await done(store, "p2", row(1, 1, item="tea")) == "done"
    await store.propose(asked("p3"), 60)
    assert await store.carry_out(OperationResult("p3", (row(2, 1, item="cake"), row(1, 1, item="soup")))) == "changed"
    assert [e.body["item"] for e in await store.entries(TENANT, FORM)] == ["coffee", "tea"]
    proposal = await store.proposal("p3")
    assert proposal and proposal.status == "open"


async def test_an_entry_keeps_what_it_was_before(store: Store) -> None:
    """A change counts the revision and keeps the body before it; a deleted entry is listed no more and still read."""
    await done(store, "p1", row(1))
    await done(store, "p2", row(1, 1, item="tea"))
    await done(store, "p3", row(1, 2, item="tea", deleted=True))
    known = await store.entry(TENANT, FORM, 1)
    assert known and (known.revision, known.deleted, known.body["item"]) == (3, True, "tea")
    assert known.before == {"item": "tea"}
    assert await store.entries(TENANT, FORM) == []


async def test_entries_are_a_tenants_and_a_persons(store: Store) -> None:
    """Newest first, of one person or of the tenant; another tenant's number is nobody's."""
    await done(store, "p1", row(1), row(2, who=DANA))
    assert [e.number for e in await store.entries(TENANT, FORM)] == [2, 1]
    assert [e.number for e in await store.entries(TENANT, FORM, ALEX)] == [1]
    assert await store.entry("T0SOUTH", FORM, 1) is None and await store.entries("T0SOUTH", FORM) == []


async def test_an_entry_stays_its_persons(store: Store) -> None:
    """A write that would make an entry somebody else's is refused."""
    await done(store, "p1", row(1))
    assert await done(store, "p2", row(1, 1, who=DANA)) == "changed"


async def test_numbers_are_given_once(ground: Ground) -> None:
    """Of those who want the same number at the same time on two replicas one gets it, each tenant and form by itself; none is left out."""
    stores = [await ground.open() for _ in range(2)]
    came = await asyncio.gather(*(done(stores[n % 2], f"p{n}", row()) for n in range(8)))
    assert sorted(came) == ["changed"] * 7 + ["done"]
    assert await done(stores[0], "later", row(3)) == "changed"
    assert await stores[1].last_entry(TENANT, FORM) == 1 and await stores[0].last_entry("T0SOUTH", FORM) == 0


async def test_a_deed_is_taken_back_once(store: Store) -> None:
    """Undoing marks the earlier deed in the same transaction; a second time it is refused."""
    await done(store, "p1", row(1))
    assert await done(store, "p2", row(1, 1, deleted=True), undone="p1") == "done"
    assert [(p.id, p.status) for p in await store.proposals_of(ALEX, FORM)] == [("p2", "used"), ("p1", "undone")]
    assert await done(store, "p3", row(1, 2), undone="p1") == "changed"


async def test_an_outcome_is_kept_with_its_proposal(store: Store) -> None:
    """What came of a proposal is read back with it."""
    await done(store, "p1", row(1))
    known = await store.proposal("p1")
    assert known and (known.status, known.outcome) == ("used", {"told": "p1"})


async def test_an_erased_persons_rows_are_gone(store: Store) -> None:
    """After an erasure the person's proposals and entries are nobody's, and an open proposal runs no more."""
    await done(store, "p1", row(1))
    await done(store, "p2", row(2, who=DANA))
    await store.propose(asked("p3"), 60)
    assert await store.erase(ALEX)
    assert await store.proposal("p1") is None and await store.proposals_of(ALEX, FORM) == []
    assert await store.entry(TENANT, FORM, 1) is None
    assert [e.number for e in await store.entries(TENANT, FORM)] == [2]
    assert await store.carry_out(OperationResult("p3", (row(3),))) == "closed"
