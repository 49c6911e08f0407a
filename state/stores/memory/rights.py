"""Access, erasure and retention in memory; what the methods promise is written in `state.stores.rights`."""

from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from dataclasses import asdict, replace
from datetime import datetime
from typing import Any

from state.stores.memory.shelves import Shelves
from state.stores.protocol import StoredDraft
from state.stores.rights import NONE_KEPT, Erasure, Held, KeptRecord, Terms, Tombstone, years_after


class MemoryRights:
    """One step of the event loop erases all or nothing."""

    _shelves: Shelves
    _clock: Callable[[], datetime]

    async def everything(self, person: str) -> AsyncIterator[Held]:
        for table, row in list(_rows(self._shelves, person)):
            yield Held(table, {name: _plain(value) for name, value in row.items()})

    async def erase(self, person: str, keep: Mapping[str, int] = NONE_KEPT) -> Erasure | None:
        shelves, now = self._shelves, self._clock()
        if person not in shelves.people:
            return None
        mine = [r for r in shelves.records.values() if r.person == person and r.form in keep and r.filed_at]
        kept = [KeptRecord(r.number, r.form, years_after(r.filed_at, keep[r.form])) for r in mine if r.filed_at]
        kept = [one for one in kept if one.until > now]
        tombstone = _tombstone(shelves, person, kept, now)
        shelves.tombstones.append(tombstone)
        shelves.kept |= {one.number: (person, one.until) for one in kept}
        lanes = _lanes(shelves, person)
        _part(shelves, person)
        _forget_lanes(shelves, lanes, now)
        return Erasure(tombstone, tuple(kept))

    async def tombstones(self) -> list[Tombstone]:
        return list(self._shelves.tombstones)

    async def claim_day(self, what: str, day: int) -> bool:
        series = f"day:{what}"
        if self._shelves.series.get(series, 0) >= day:
            return False
        self._shelves.series[series] = day
        return True

    async def expire(self, terms: Terms) -> int:
        shelves = self._shelves
        drafts = [d for d in shelves.drafts.values() if d.form == terms.form and d.updated_at]
        old = [d for d in drafts if d.updated_at and d.updated_at < terms.data and (d.body or d.conversation)]
        for draft in old:
            _empty(shelves, draft)
        due = [r for r in shelves.records.values() if r.form == terms.form and r.body and r.number not in shelves.kept]
        due = [r for r in due if r.filed_at and r.filed_at < terms.records]
        for record in due:
            shelves.records[record.number] = replace(record, person="", body={}, erased=True)
        gone = [d for d in drafts if d.updated_at and d.updated_at < terms.audit and _bare(shelves, d.id)]
        for draft in gone:
            _remove(shelves, draft.id)
        return len(old) + len(due) + len(gone)

    async def expire_rest(self, now: datetime, data: datetime, audit: datetime) -> int:
        shelves = self._shelves
        over = [number for number, (_, until) in shelves.kept.items() if until <= now]
        for number in over:
            del shelves.kept[number]
            shelves.records[number] = replace(shelves.records[number], person="", body={}, erased=True)
        shelves.tombstones = [one for one in shelves.tombstones if one.at >= audit]
        return len(over)


def _rows(shelves: Shelves, person: str) -> Iterable[tuple[str, dict[str, Any]]]:
    drafts = {d.id: d for d in shelves.drafts.values() if d.person == person}
    queues = (("inbox", shelves.inbox.open), ("outbox", shelves.outbox.open))
    yield from ((name, asdict(r.item)) for name, rows in queues for r in rows.values() if r.item.person == person)
    yield from (("drafts", asdict(d)) for d in drafts.values())
    yield from (("events", asdict(event)) for name in drafts for event, _ in shelves.events[name])
    yield from (("tool_calls", asdict(call)) for call in shelves.calls if call.person == person)
    kept = {number for number, (whose, _) in shelves.kept.items() if whose == person}
    records = (r for r in shelves.records.values() if r.person == person or r.number in kept)
    yield from (("records", asdict(record)) for record in records)
    documents = (asdict(replace(d, content=b"")) for d in shelves.documents.values() if d.person == person)
    yield from (("documents", {n: v for n, v in d.items() if n != "content"}) for d in documents)
    yield from (("proposals", asdict(p)) for p in shelves.proposals.values() if p.person == person)
    yield from (("entries", asdict(e)) for e in shelves.entries.values() if e.person == person)


def _plain(value: Any) -> Any:
    return value.isoformat() if isinstance(value, datetime) else value


def _tombstone(shelves: Shelves, person: str, kept: list[KeptRecord], now: datetime) -> Tombstone:
    drafts = {d.id: d.form for d in shelves.drafts.values() if d.person == person}
    theirs = {one.number for one in kept}
    records = (r.form for r in shelves.records.values() if r.person == person and r.number not in theirs)
    calls = sum(call.person == person for call in shelves.calls)
    events = sum(len(shelves.events[name]) for name in drafts)
    return Tombstone(now, Counter(drafts.values()), Counter(records), events, calls, Counter(one.form for one in kept))


def _lanes(shelves: Shelves, person: str) -> set[str]:
    """Conversations and lanes of the person's drafts and rows."""
    queues = (shelves.inbox.people, shelves.outbox.people)
    rows = {lane for queue in queues for lane, people in queue.items() if person in people}
    return rows | {draft.conversation for draft in shelves.drafts.values() if draft.person == person}


def _forget_lanes(shelves: Shelves, lanes: set[str], now: datetime) -> None:
    """Lanes that nobody holds and no other person's rows are in."""
    for lane in lanes - shelves.inbox.people.keys() - shelves.outbox.people.keys():
        lease = shelves.leases.get(lane)
        if lease is not None and (lane in shelves.free or lease.until < now):
            del shelves.leases[lane]
            shelves.free.discard(lane)


def _part(shelves: Shelves, person: str) -> None:
    """Empty everything of a person, all but the chain's links and what is kept."""
    shelves.people.discard(person)
    shelves.documents = {name: kept for name, kept in shelves.documents.items() if kept.person != person}
    shelves.inbox.erase(person)
    shelves.outbox.erase(person)
    for draft in [d for d in shelves.drafts.values() if d.person == person]:
        _empty(shelves, draft)
    for number, record in shelves.records.items():
        if record.person == person and number not in shelves.kept:
            shelves.records[number] = replace(record, person="", body={}, erased=True)
    shelves.proposals = {name: p for name, p in shelves.proposals.items() if p.person != person}
    shelves.entries = {key: e for key, e in shelves.entries.items() if e.person != person}
    shelves.calls = [replace(c, person="", body={}, erased=True) if c.person == person else c for c in shelves.calls]


def _empty(shelves: Shelves, draft: StoredDraft) -> None:
    """A draft without its words: nothing leads to it, and its chain stands."""
    name = draft.id
    shelves.drafts[name] = replace(draft, person="", conversation="", body={}, erased=True)
    shelves.events[name] = [(replace(e, body={}, changes=(), erased=True), link) for e, link in shelves.events[name]]
    shelves.calls = [replace(c, person="", body={}, erased=True) if c.draft == name else c for c in shelves.calls]
    shelves.conversations = {where: of for where, of in shelves.conversations.items() if of != name}
    shelves.posts = {card: post for card, post in shelves.posts.items() if not card.startswith(f"{name}-")}


def _bare(shelves: Shelves, name: str) -> bool:
    """Whether a draft is emptied, and its record too."""
    full = any(r.draft == name and not r.erased for r in shelves.records.values())
    return shelves.drafts[name].erased and not full


def _remove(shelves: Shelves, name: str) -> None:
    shelves.documents = {key: kept for key, kept in shelves.documents.items() if kept.draft != name}
    del shelves.drafts[name], shelves.events[name]
    shelves.calls = [call for call in shelves.calls if call.draft != name]
    shelves.records = {number: r for number, r in shelves.records.items() if r.draft != name}
