"""Proposals and entries in memory; what the methods promise is written in `state.stores.ledger`."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta

from state.stores.ledger import CANCELLED, OPEN, UNDONE, USED, Came, Deed, Entry, EntryWrite, Pending
from state.stores.memory.lanes import fresh
from state.stores.memory.shelves import Shelves


class MemoryLedger:
    """One step of the event loop writes all or nothing."""

    _shelves: Shelves
    _clock: Callable[[], datetime]

    async def propose(self, pending: Pending, seconds: float) -> Pending:
        now = self._clock()
        kept = replace(
            pending, body=fresh(pending.body), status=OPEN, made_at=now, expires_at=now + timedelta(seconds=seconds)
        )
        self._shelves.people.add(pending.person)
        return self._as_it_stands(self._shelves.proposals.setdefault(pending.id, kept))

    async def proposal(self, name: str) -> Pending | None:
        known = self._shelves.proposals.get(name)
        return known and self._as_it_stands(known)

    async def proposals_of(self, person: str, form: str, limit: int = 50) -> list[Pending]:
        mine = [p for p in reversed(self._shelves.proposals.values()) if (p.person, p.form) == (person, form)]
        return [self._as_it_stands(p) for p in mine[:limit]]

    async def withdraw(self, name: str) -> bool:
        known = self._shelves.proposals.get(name)
        if known is None or known.status != OPEN:
            return False
        self._shelves.proposals[name] = replace(known, status=CANCELLED)
        return True

    async def carry_out(self, deed: Deed) -> Came:
        shelves = self._shelves
        known, undone = shelves.proposals.get(deed.proposal), shelves.proposals.get(deed.undone)
        if known is None or known.status != OPEN or self._as_it_stands(known).late:
            return "closed"
        stale = any(self._revision(write) != write.revision for write in deed.writes)
        if stale or (deed.undone and (undone is None or undone.status != USED)):
            return "changed"
        for write in deed.writes:
            self._write(write)
        if undone:
            shelves.proposals[undone.id] = replace(undone, status=UNDONE)
        shelves.proposals[known.id] = replace(known, status=USED, outcome=fresh(dict(deed.outcome)))
        return "done"

    async def next_entry(self, tenant: str, form: str) -> int:
        series = f"entries:{tenant}:{form}"
        self._shelves.series[series] = self._shelves.series.get(series, 0) + 1
        return self._shelves.series[series]

    async def entry(self, tenant: str, form: str, number: int) -> Entry | None:
        known = self._shelves.entries.get((tenant, form, number))
        return known and _copy(known)

    async def entries(self, tenant: str, form: str, person: str = "", limit: int = 5000) -> list[Entry]:
        found = (e for e in self._shelves.entries.values() if (e.tenant, e.form) == (tenant, form) and not e.deleted)
        mine = sorted((e for e in found if person in ("", e.person)), key=lambda e: -e.number)
        return [_copy(e) for e in mine[:limit]]

    def _as_it_stands(self, pending: Pending) -> Pending:
        late = pending.expires_at is not None and pending.expires_at <= self._clock()
        outcome = None if pending.outcome is None else fresh(pending.outcome)
        return replace(pending, body=fresh(pending.body), outcome=outcome, late=late)

    def _revision(self, write: EntryWrite) -> int:
        known = self._shelves.entries.get((write.tenant, write.form, write.number))
        return known.revision if known and known.person == write.person else -1 if known else 0

    def _write(self, write: EntryWrite) -> None:
        key, now = (write.tenant, write.form, write.number), self._clock()
        known = self._shelves.entries.get(key)
        self._shelves.people.add(write.person)
        self._shelves.entries[key] = Entry(
            *key, write.person, fresh(write.body), write.revision + 1, write.deleted, known.body if known else None,
            known.made_at if known else now, now,
        )  # fmt: skip


def _copy(entry: Entry) -> Entry:
    return replace(entry, body=fresh(entry.body), before=entry.before and fresh(entry.before))
