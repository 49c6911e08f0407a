"""Operations: proposals that wait for a click, and the rows ("entries") that operations write.

An entry is known by tenant, form and number, and belongs to one person, under whose key it is sealed. A proposal is sealed
under the key of whoever asked. Nothing is written but through `carry_out`: the proposal is used up, the entries change and
the outcome is kept in one transaction, so that no operation runs twice and none leaves no trace.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import Row, func, insert, select, update

from state.stores.rows import Body
from state.stores.sql.tables import entries, person_keys, proposals, series
from state.stores.sql.transaction import Transaction, count_up, with_key
from state.stores.sql.types import clock, later

OPEN, USED, CANCELLED, UNDONE = "open", "used", "cancelled", "undone"


@dataclass(frozen=True)
class Entry:
    """A row of a workflow. `before` is its body before the newest change; None where it was new then."""

    tenant: str
    form: str
    number: int
    person: str
    body: Body
    revision: int
    deleted: bool = False
    before: Body | None = None
    made_at: datetime | None = None
    changed_at: datetime | None = None


@dataclass(frozen=True)
class Pending:
    """A proposal: what `person` asked for in `tenant`, exactly. `status` is open, used, cancelled, undone or erased.

    `late` is the store's own word on whether its time has passed. `outcome` is what came of it; None before it was used.
    """

    id: str
    tenant: str
    person: str
    form: str
    body: Body
    status: str = OPEN
    made_at: datetime | None = None
    expires_at: datetime | None = None
    late: bool = False
    outcome: Body | None = None


@dataclass(frozen=True)
class EntryWrite:
    """An entry as it is to be. `revision` is the one that was seen: 0 makes a new entry; any other must still hold."""

    tenant: str
    form: str
    number: int
    person: str
    body: Body
    revision: int = 0
    deleted: bool = False


@dataclass(frozen=True)
class OperationResult:
    """A proposal carried out: `outcome` is kept with it, `undone` names an earlier one that this takes back."""

    proposal: str
    writes: tuple[EntryWrite, ...] = ()
    outcome: Mapping[str, Any] = field(default_factory=dict)
    undone: str = ""


Came = Literal["done", "closed", "changed"]
"""Carried out; not open any more, or too late; or an entry is not what was seen. Only the first one wrote anything."""


PROPOSALS = with_key(proposals).add_columns((proposals.c.expires_at <= clock()).label("late"))
LAST = func.coalesce(proposals.c.ended_at, proposals.c.made_at)
"""When a proposal was made or came to its end."""


class Changed(Exception):
    """An entry is not what was seen: the transaction is given up."""


def propose(transaction: Transaction, pending: Pending, seconds: float) -> Pending:
    """Keep a proposal, open for so many seconds, and return it. One whose id is known is returned as it is: it is kept once."""
    new = transaction.insert(proposals).values(
        name=pending.id, tenant=pending.tenant, form=pending.form, status=OPEN, made_at=clock(),
        expires_at=later(round(seconds, 3)),
        **transaction.sealed(pending.person, f"proposals:{pending.id}", {"person": pending.person, "body": pending.body}),
    )  # fmt: skip
    transaction.run(new.on_conflict_do_nothing(index_elements=["name"]))
    return proposal(transaction, pending.id) or pending


def proposal(transaction: Transaction, name: str) -> Pending | None:
    """Return a proposal by its id; None where there is none, or its person was erased."""
    row = transaction.run(PROPOSALS.where(proposals.c.name == name)).first()
    return _pending(transaction, row) if row else None


def proposals_of(transaction: Transaction, person: str, form: str, limit: int = 50) -> list[Pending]:
    """Return a person's proposals of a form, those that were made or came to their end last first."""
    mine = PROPOSALS.where(person_keys.c.person == transaction.vault.index(person), proposals.c.form == form)
    rows = transaction.run(mine.order_by(LAST.desc(), proposals.c.id.desc()).limit(limit))
    return [p for row in rows if (p := _pending(transaction, row))]


def withdraw(transaction: Transaction, name: str) -> bool:
    """Cancel an open proposal; False where it was not open."""
    gone = update(proposals).where(proposals.c.name == name, proposals.c.status == OPEN)
    return transaction.run(gone.values(status=CANCELLED, ended_at=clock())).rowcount == 1


def last_entry(transaction: Transaction, tenant: str, form: str) -> int:
    """Return the highest number that an entry of this tenant and form was given; 0 before the first."""
    given = select(series.c.last).where(series.c.prefix == series_of_entries(tenant, form))
    return int(transaction.run(given).scalar() or 0)


def entry(transaction: Transaction, tenant: str, form: str, number: int) -> Entry | None:
    """Return an entry, also a deleted one; None where this tenant has none of that number, or its person was erased."""
    one = with_key(entries).where(entries.c.tenant == tenant, entries.c.form == form, entries.c.number == number)
    row = transaction.run(one).first()
    return _entry(transaction, row) if row else None


def entries_of(transaction: Transaction, tenant: str, form: str, person: str = "", limit: int = 5000) -> list[Entry]:
    """Return a tenant's entries that are not deleted, newest first; of one person where `person` is given."""
    found = with_key(entries).where(entries.c.tenant == tenant, entries.c.form == form, entries.c.deleted.is_(False))
    found = found.where(person_keys.c.person == transaction.vault.index(person)) if person else found
    rows = transaction.run(found.order_by(entries.c.number.desc()).limit(limit))
    return [e for row in rows if (e := _entry(transaction, row))]


def series_of_entries(tenant: str, form: str) -> str:
    """Return the name of the counter of a form's entries."""
    return f"entries:{tenant}:{form}"


def carry_out(transaction: Transaction, operation: OperationResult) -> Came:
    """Use the proposal up and write everything. Raises Changed, and nothing is written, where an entry is not what was seen,
    or a new one's number is not the next.

    Of several that try, the database lets one through. A number is given as it is written, so that none is left out.
    """
    mine = (proposals.c.name == operation.proposal, proposals.c.status == OPEN, proposals.c.expires_at > clock())
    if transaction.run(update(proposals).where(*mine).values(status=USED, ended_at=clock())).rowcount != 1:
        return "closed"
    for write in operation.writes:
        _write(transaction, write)
    if operation.undone:
        done = (proposals.c.name == operation.undone, proposals.c.status == USED)
        if transaction.run(update(proposals).where(*done).values(status=UNDONE)).rowcount != 1:
            raise Changed
    row = transaction.run(with_key(proposals).where(proposals.c.name == operation.proposal)).one()
    key = transaction.key_of(row)
    if key is None:
        raise Changed
    sealed = transaction.vault.seal(key, f"outcomes:{operation.proposal}", dict(operation.outcome))
    transaction.run(update(proposals).where(proposals.c.name == operation.proposal).values(outcome=sealed))
    return "done"


def _write(transaction: Transaction, write: EntryWrite) -> None:
    """Make an entry, or change the one that was seen. Raises Changed."""
    where = (entries.c.tenant == write.tenant, entries.c.form == write.form, entries.c.number == write.number)
    known = transaction.run(with_key(entries).where(*where)).first()
    before = _entry(transaction, known) if known else None
    if (known.revision if known else 0) != write.revision or (
        known and known.sealed_by != transaction.key(write.person).id
    ):
        raise Changed
    body = {"person": write.person, "body": write.body, "before": before and before.body}
    identity = _identity(write.tenant, write.form, write.number, write.revision + 1)
    row = {
        "revision": write.revision + 1, "deleted": write.deleted, "changed_at": clock(),
        **transaction.sealed(write.person, identity, body),
    }  # fmt: skip
    if known is None:
        if count_up(transaction, series_of_entries(write.tenant, write.form)) != write.number:
            raise Changed
        names = {"tenant": write.tenant, "form": write.form, "number": write.number}
        transaction.run(insert(entries).values(**names, **row))
        return
    changed = transaction.run(update(entries).where(*where, entries.c.revision == write.revision).values(**row))
    if changed.rowcount != 1:
        raise Changed


def _identity(tenant: str, form: str, number: int, revision: int) -> str:
    return f"entries:{tenant}:{form}:{number}:{revision}"


def _entry(transaction: Transaction, row: Row[Any]) -> Entry | None:
    said = transaction.opened(row, _identity(row.tenant, row.form, row.number, row.revision))
    if said is None:
        return None
    return Entry(
        row.tenant, row.form, row.number, said["person"], said["body"], row.revision, row.deleted, said["before"],
        row.made_at, row.changed_at,
    )  # fmt: skip


def _pending(transaction: Transaction, row: Row[Any]) -> Pending | None:
    said = transaction.opened(row, f"proposals:{row.name}")
    if said is None:
        return None
    outcome = transaction.opened(row, f"outcomes:{row.name}", "outcome") if row.outcome else None
    return Pending(
        row.name, row.tenant, said["person"], row.form, said["body"], row.status, row.made_at, row.expires_at,
        bool(row.late), outcome,
    )  # fmt: skip
