"""Retention: what is older than its form allows is emptied, later removed. The chain of an emptied draft still verifies."""

from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, bindparam, case, delete, func, not_, or_, select, update

from state.stores.chain import digest
from state.stores.rights import Terms
from state.stores.sql.repository import Repository
from state.stores.sql.tables import (
    conversations,
    drafts,
    entries,
    events,
    inbox,
    leases,
    metadata,
    outbox,
    person_keys,
    posts,
    proposals,
    records,
    series,
    tombstones,
    tool_calls,
)
from state.stores.sql.transaction import Transaction
from state.stores.sql.types import clock

AT_ONCE = 100
"""Drafts of one transaction, so that nobody waits long."""
NOTHING = b""
EMPTY = {"sealed": NOTHING}


class Expiring(Repository):
    """Every step may be repeated, and left off in the middle."""

    async def claim_day(self, what: str, day: int) -> bool:
        new = self._database.insert(series).values(prefix=f"day:{what}", last=day)
        later = new.on_conflict_do_update(index_elements=["prefix"], set_={"last": day}, where=series.c.last < day)
        mine = later.returning(series.c.last)
        return await self._write(lambda transaction: transaction.run(mine).first() is not None)

    async def expire(self, terms: Terms) -> int:
        touched = 0
        for old, act in ((_old_drafts(terms), _empty), (_gone_drafts(terms), _remove)):
            while names := await self._step(old, act):
                touched += len(names)
                for name in names:
                    await self._cache.drop(name)
        touched += await self._write(lambda transaction: _empty_records(transaction, terms))
        await self._database.forget()
        return touched

    async def expire_rest(self, now: datetime, data: datetime, audit: datetime) -> int:
        gone = {"person": None, "wrapped": None, "destroyed_at": clock(), "destroy_at": None}

        def write(transaction: Transaction) -> int:
            due = transaction.run(select(person_keys.c.id).where(person_keys.c.destroy_at <= now)).scalars()
            keys = list(due)
            transaction.run(update(person_keys).where(person_keys.c.id.in_(keys)).values(gone))
            transaction.run(update(records).where(records.c.sealed_by.in_(keys)).values(kept_for=None, **EMPTY))
            _end_queues(transaction, data)
            _sweep(transaction)
            transaction.run(delete(tombstones).where(tombstones.c.at < audit))
            return len(keys)

        destroyed = await self._write(write)
        await self._database.forget()
        return destroyed

    async def _step(self, old: Select[Any], act: Any) -> list[str]:
        def write(transaction: Transaction) -> list[str]:
            names = list(transaction.run(old.limit(AT_ONCE).with_for_update()).scalars())
            if names:
                act(transaction, names)
            return names

        return await self._write(write)


def _old_drafts(terms: Terms) -> Select[Any]:
    """Drafts whose words have stayed long enough."""
    full = func.length(drafts.c.sealed) > 0
    return select(drafts.c.name).where(drafts.c.form == terms.form, drafts.c.updated_at < terms.data, full)


def _gone_drafts(terms: Terms) -> Select[Any]:
    """Emptied drafts of which nothing has to be audited any more: no record of theirs holds anything."""
    kept = select(records.c.draft).where(func.length(records.c.sealed) > 0)
    old = (drafts.c.form == terms.form, drafts.c.updated_at < terms.audit, func.length(drafts.c.sealed) == 0)
    return select(drafts.c.name).where(*old, drafts.c.name.not_in(kept))


def _empty(transaction: Transaction, names: list[str]) -> None:
    """Drop the bodies of drafts, events and tool calls, and keep the events' digests. Nothing leads to them any more."""
    void = _void(transaction)
    theirs = select(events.c.draft, events.c.n, events.c.sealed).where(events.c.draft.in_(names), _full(events))
    rows = transaction.run(theirs).all()
    if rows:
        one = update(events).where(events.c.draft == bindparam("of"), events.c.n == bindparam("at_n"))
        emptied = [{"of": row.draft, "at_n": row.n, "kept": digest(row.sealed)} for row in rows]
        transaction.run(one.values(sealed=NOTHING, sealed_by=void, digest=bindparam("kept")), emptied)
    transaction.run(update(tool_calls).where(tool_calls.c.draft.in_(names)).values(sealed=NOTHING, sealed_by=void))
    gone = {"sealed": NOTHING, "sealed_by": void, "conversation": ""}
    transaction.run(update(drafts).where(drafts.c.name.in_(names)).values(gone))
    transaction.run(delete(conversations).where(conversations.c.draft.in_(names)))
    transaction.run(delete(posts).where(posts.c.card.like(bindparam("of"))), [{"of": f"{n}-%"} for n in names])


def _remove(transaction: Transaction, names: list[str]) -> None:
    """Take the rows themselves, in the order in which they name each other."""
    for name in REMOVED:
        table = metadata.tables[name]
        transaction.run(delete(table).where(table.c.draft.in_(names)))
    transaction.run(delete(drafts).where(drafts.c.name.in_(names)))


REMOVED = ("tool_calls", "documents", "records", "conversations", "events")
"""Tables that name a draft, those that name others first."""


def _empty_records(transaction: Transaction, terms: Terms) -> int:
    """Records whose time is over, but for those with a key of their own, which goes by itself; and rows that operations wrote."""
    void = _void(transaction)
    due = and_(records.c.form == terms.form, records.c.filed_at < terms.records, _full(records))
    emptied = transaction.run(
        update(records).where(due, records.c.kept_for.is_(None)).values(sealed=NOTHING, sealed_by=void)
    )
    rows = transaction.run(delete(entries).where(entries.c.form == terms.form, entries.c.changed_at < terms.records))
    ended = or_(proposals.c.status != "open", proposals.c.expires_at <= clock())
    transaction.run(delete(proposals).where(proposals.c.form == terms.form, proposals.c.made_at < terms.data, ended))
    return emptied.rowcount + rows.rowcount


def _end_queues(transaction: Transaction, data: datetime) -> None:
    """Rows that were worked off repeat what events hold. Their keys stay: they are what keeps a repetition from counting.

    What could not be delivered for so long has expired: its words may not stay any longer.
    """
    void = _void(transaction)
    for table, lane in ((inbox, "conversation"), (outbox, "lane")):
        given_up = case((table.c.status.in_(("blocked", "dead")), "expired"), else_=table.c.status)
        over = and_(table.c.ended_at < data, _full(table))
        transaction.run(update(table).where(over).values({**EMPTY, "sealed_by": void, lane: "", "status": given_up}))
    held = and_(outbox.c.status == "blocked", outbox.c.ended_at.is_(None), outbox.c.wanted_at < data)
    gone = {**EMPTY, "sealed_by": void, "lane": "", "status": "expired", "ended_at": clock()}
    transaction.run(update(outbox).where(held).values(gone))


def _sweep(transaction: Transaction) -> None:
    """Questions of no form that nobody answered in time, and free lanes that no row is in: they are taken anew when one comes."""
    transaction.run(delete(proposals).where(proposals.c.form == "", proposals.c.expires_at <= clock()))
    free = or_(leases.c.until.is_(None), leases.c.until < clock())
    used = (select(inbox.c.conversation), select(outbox.c.lane), select(conversations.c.conversation))
    transaction.run(delete(leases).where(free, *(leases.c.lane.not_in(lanes) for lanes in used)))


def _full(table: Any) -> ColumnElement[bool]:
    return not_(func.length(table.c.sealed) == 0)


def _void(transaction: Transaction) -> int:
    """The row of a key that never was: what hangs on it reads as erased."""
    name = transaction.vault.index("nobody")
    new = {"person": name, "key_id": transaction.vault.key_id, "destroyed_at": clock()}
    transaction.run(transaction.insert(person_keys).values(new).on_conflict_do_nothing(index_elements=["person"]))
    return int(transaction.run(select(person_keys.c.id).where(person_keys.c.person == name)).scalar_one())
