"""Proposals and entries in SQL; what the methods promise is written in `state.stores.ledger`."""

from typing import Any

from sqlalchemy import Row, func, insert, update

from state.stores.ledger import CANCELLED, OPEN, UNDONE, USED, Body, Came, Deed, Entry, EntryWrite, Pending
from state.stores.sql.repository import Repository
from state.stores.sql.sealed import key_of, opened, with_key
from state.stores.sql.tables import entries, person_keys, proposals, series
from state.stores.sql.transaction import Transaction
from state.stores.sql.types import clock, later
from state.stores.vault import Erased, Vault

PROPOSALS = with_key(proposals).add_columns((proposals.c.expires_at <= clock()).label("late"))


LAST = func.coalesce(proposals.c.ended_at, proposals.c.made_at)
"""When something last became of a proposal."""


class _Changed(Exception):
    """An entry is not what was seen: the transaction is given up."""


class SqlLedger(Repository):
    """Reads and writes proposals and entries."""

    async def propose(self, pending: Pending, seconds: float) -> Pending:
        def write(transaction: Transaction) -> None:
            owner = transaction.key(pending.person)
            sealed = transaction.vault.seal(
                owner.key, f"proposals:{pending.id}", {"person": pending.person, "body": pending.body}
            )
            new = transaction.insert(proposals).values(
                name=pending.id, tenant=pending.tenant, form=pending.form, status=OPEN, made_at=clock(),
                expires_at=later(round(seconds, 3)), sealed_by=owner.id, sealed=sealed,
            )  # fmt: skip
            transaction.run(new.on_conflict_do_nothing(index_elements=["name"]))

        await self._write(write)
        known = await self.proposal(pending.id)
        return known or pending

    async def proposal(self, name: str) -> Pending | None:
        row = await self._first(PROPOSALS.where(proposals.c.name == name))
        return _pending(self._vault, row) if row else None

    async def proposals_of(self, person: str, form: str, limit: int = 50) -> list[Pending]:
        mine = PROPOSALS.where(person_keys.c.person == self._vault.index(person), proposals.c.form == form)
        rows = await self._all(mine.order_by(LAST.desc(), proposals.c.id.desc()).limit(limit))
        return [p for row in rows if (p := _pending(self._vault, row))]

    async def withdraw(self, name: str) -> bool:
        gone = update(proposals).where(proposals.c.name == name, proposals.c.status == OPEN)
        cancelled = gone.values(status=CANCELLED, ended_at=clock())
        return await self._write(lambda transaction: transaction.run(cancelled).rowcount) == 1

    async def carry_out(self, deed: Deed) -> Came:
        try:
            return await self._write(lambda transaction: _carry_out(transaction, deed))
        except _Changed:
            return "changed"

    async def next_entry(self, tenant: str, form: str) -> int:
        new = self._database.insert(series).values(prefix=series_of_entries(tenant, form), last=1)
        counted = new.on_conflict_do_update(index_elements=["prefix"], set_={"last": series.c.last + 1})
        last = counted.returning(series.c.last)
        return int(await self._write(lambda transaction: transaction.run(last).scalar_one()))

    async def entry(self, tenant: str, form: str, number: int) -> Entry | None:
        one = with_key(entries).where(entries.c.tenant == tenant, entries.c.form == form, entries.c.number == number)
        row = await self._first(one)
        return _entry(self._vault, row) if row else None

    async def entries(self, tenant: str, form: str, person: str = "", limit: int = 5000) -> list[Entry]:
        found = with_key(entries).where(
            entries.c.tenant == tenant, entries.c.form == form, entries.c.deleted.is_(False)
        )
        found = found.where(person_keys.c.person == self._vault.index(person)) if person else found
        rows = await self._all(found.order_by(entries.c.number.desc()).limit(limit))
        return [e for row in rows if (e := _entry(self._vault, row))]


def series_of_entries(tenant: str, form: str) -> str:
    """Return the name of the counter of a form's entries."""
    return f"entries:{tenant}:{form}"


def _carry_out(transaction: Transaction, deed: Deed) -> Came:
    if not _use(transaction, deed.proposal):
        return "closed"
    for write in deed.writes:
        _write(transaction, write)
    if deed.undone:
        _take_back(transaction, deed.undone)
    _keep_outcome(transaction, deed)
    return "done"


def _use(transaction: Transaction, name: str) -> bool:
    """Use an open proposal up, in time: of several that try, the database lets one through."""
    mine = (proposals.c.name == name, proposals.c.status == OPEN, proposals.c.expires_at > clock())
    used = transaction.run(update(proposals).where(*mine).values(status=USED, ended_at=clock()))
    return used.rowcount == 1


def _take_back(transaction: Transaction, name: str) -> None:
    done = (proposals.c.name == name, proposals.c.status == USED)
    undone = transaction.run(update(proposals).where(*done).values(status=UNDONE))
    if undone.rowcount != 1:
        raise _Changed


def _keep_outcome(transaction: Transaction, deed: Deed) -> None:
    row = transaction.run(with_key(proposals).where(proposals.c.name == deed.proposal)).one()
    key = key_of(transaction.vault, row)
    if key is None:
        raise _Changed
    sealed = transaction.vault.seal(key.key, f"outcomes:{deed.proposal}", dict(deed.outcome))
    transaction.run(update(proposals).where(proposals.c.name == deed.proposal).values(outcome=sealed))


def _write(transaction: Transaction, write: EntryWrite) -> None:
    """Make an entry, or change the one that was seen. Raises _Changed."""
    owner = transaction.key(write.person)
    where = (entries.c.tenant == write.tenant, entries.c.form == write.form, entries.c.number == write.number)
    known = transaction.run(with_key(entries).where(*where)).first()
    before = _entry(transaction.vault, known) if known else None
    if (known.revision if known else 0) != write.revision or (known and known.sealed_by != owner.id):
        raise _Changed
    body = {"person": write.person, "body": write.body, "before": before and before.body}
    identity = _identity(write.tenant, write.form, write.number, write.revision + 1)
    row = {
        "revision": write.revision + 1, "deleted": write.deleted, "changed_at": clock(), "sealed_by": owner.id,
        "sealed": transaction.vault.seal(owner.key, identity, body),
    }  # fmt: skip
    if known is None:
        names = {"tenant": write.tenant, "form": write.form, "number": write.number}
        transaction.run(insert(entries).values(**names, **row))
        return
    changed = transaction.run(update(entries).where(*where, entries.c.revision == write.revision).values(**row))
    if changed.rowcount != 1:
        raise _Changed


def _identity(tenant: str, form: str, number: int, revision: int) -> str:
    return f"entries:{tenant}:{form}:{number}:{revision}"


def _entry(vault: Vault, row: Row[Any]) -> Entry | None:
    said = opened(vault, row, _identity(row.tenant, row.form, row.number, row.revision))
    if isinstance(said, Erased):
        return None
    return Entry(
        row.tenant, row.form, row.number, said["person"], said["body"], row.revision, row.deleted, said["before"],
        row.made_at, row.changed_at,
    )  # fmt: skip


def _pending(vault: Vault, row: Row[Any]) -> Pending | None:
    said = opened(vault, row, f"proposals:{row.name}")
    key = key_of(vault, row)
    if isinstance(said, Erased) or key is None:
        return None
    outcome: Body | Erased | None = vault.open(key.key, f"outcomes:{row.name}", row.outcome) if row.outcome else None
    return Pending(
        row.name, row.tenant, said["person"], row.form, said["body"], row.status, row.made_at, row.expires_at,
        bool(row.late), None if isinstance(outcome, Erased) else outcome,
    )  # fmt: skip
