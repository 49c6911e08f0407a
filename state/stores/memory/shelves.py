"""Everything that the store in memory holds, and what one turn does to it."""

import json
from dataclasses import dataclass, field, replace
from datetime import datetime

from state.stores.chain import belong, follow, linked
from state.stores.ledger import Entry, Pending
from state.stores.memory.lanes import Lanes, fresh
from state.stores.protocol import (
    AlreadyFiled,
    InboxRow,
    Lease,
    LeaseLost,
    Link,
    OutboxRow,
    Posted,
    Record,
    StoredDocument,
    StoredDraft,
    StoredEvent,
    StoreError,
    ToolLogEntry,
    TurnWrites,
    WasErased,
)
from state.stores.rights import Tombstone


@dataclass
class Shelves:
    """Drafts and records stand in the order in which they began and were filed."""

    inbox: Lanes[InboxRow] = field(default_factory=Lanes)
    outbox: Lanes[OutboxRow] = field(default_factory=Lanes)
    leases: dict[str, Lease] = field(default_factory=dict)
    free: set[str] = field(default_factory=set)
    people: set[str] = field(default_factory=set)
    drafts: dict[str, StoredDraft] = field(default_factory=dict)
    conversations: dict[str, str] = field(default_factory=dict)
    events: dict[str, list[tuple[StoredEvent, Link]]] = field(default_factory=dict)
    posts: dict[str, Posted] = field(default_factory=dict)
    records: dict[str, Record] = field(default_factory=dict)
    calls: list[ToolLogEntry] = field(default_factory=list)
    documents: dict[str, StoredDocument] = field(default_factory=dict)
    kept: dict[str, tuple[str, datetime]] = field(default_factory=dict)
    """Record number to the erased person whose it was, and the end of the time for which the law wants it kept."""
    tombstones: list[Tombstone] = field(default_factory=list)
    series: dict[str, int] = field(default_factory=dict)
    spent: dict[str, int] = field(default_factory=dict)
    proposals: dict[str, Pending] = field(default_factory=dict)
    entries: dict[tuple[str, str, int], Entry] = field(default_factory=dict)

    def held(self, lease: Lease) -> None:
        """Raises LeaseLost unless this token holds the lane."""
        known = self.leases.get(lease.lane)
        if known is None or known.token != lease.token or lease.lane in self.free:
            raise LeaseLost("Another holds the lane by now.")


def check(shelves: Shelves, lease: Lease, work: TurnWrites) -> None:
    """Raises what `protocol.Store.unit` promises; afterwards `write` cannot fail, so that it writes all or nothing."""
    shelves.held(lease)
    belong(work)
    if work.done is not None:
        shelves.inbox.mine(lease, work.done)
    for draft in work.drafts:
        _check_draft(shelves, work, draft)
    drafts = shelves.drafts.keys() | {draft.id for draft in work.drafts}
    if {*([work.current] if work.current else []), *(record.draft for record in work.records)} - drafts:
        raise StoreError("There is no such draft.")
    _check_records(shelves, work)


def _check_draft(shelves: Shelves, work: TurnWrites, draft: StoredDraft) -> None:
    known = shelves.drafts.get(draft.id)
    if known and known.person != draft.person:
        raise WasErased("The draft was erased, or is another person's.")
    follow(known.revision if known else 0, [event for event in work.events if event.draft == draft.id], draft)


def _check_records(shelves: Shelves, work: TurnWrites) -> None:
    filed = {record.draft: record.number for record in shelves.records.values()}
    numbers = set(shelves.records)
    for record in work.records:
        if record.draft in filed:
            raise AlreadyFiled(filed[record.draft])
        if record.number in numbers:
            raise StoreError("Another record has that number.")
        filed[record.draft] = record.number
        numbers.add(record.number)
    if work.amended.keys() - numbers:
        raise StoreError("There is no record of that number.")


def write(shelves: Shelves, lease: Lease, work: TurnWrites, now: datetime) -> None:
    """Write all of a turn's work, once `check` has passed."""
    if work.done is not None:
        del shelves.inbox.open[work.done]
    for draft in work.drafts:
        _write_draft(shelves, draft, [event for event in work.events if event.draft == draft.id], now)
    _write_calls(shelves, work.calls, now)
    if work.current is not None:
        shelves.conversations[lease.lane] = work.current
    for record in work.records:
        shelves.people.add(record.person)
        shelves.records[record.number] = replace(record, body=fresh(record.body), filed_at=now)
    for number, state in work.amended.items():
        shelves.records[number] = replace(shelves.records[number], state=state)
    for outgoing in work.outgoing:
        shelves.people.add(outgoing.person)
        shelves.outbox.put(outgoing, outgoing.lane, outgoing.due_at or now)


def _write_draft(shelves: Shelves, draft: StoredDraft, happened: list[StoredEvent], now: datetime) -> None:
    chain = shelves.events.setdefault(draft.id, [])
    for event in happened:
        head = chain[-1][1].hash if chain else ""
        body = {"body": event.body, "changes": event.changes}
        link = linked(event, len(chain) + 1, head, now, json.dumps(body).encode())
        kept = replace(event, body=fresh(event.body), changes=tuple(fresh({"": list(event.changes)})[""]))
        chain.append((replace(kept, n=link.n, at=now, previous=link.previous, hash=link.hash), link))
    shelves.people.add(draft.person)
    last, head = len(chain), chain[-1][1].hash
    shelves.drafts[draft.id] = replace(draft, body=fresh(draft.body), last=last, head=head, updated_at=now)


def _write_calls(shelves: Shelves, calls: list[ToolLogEntry], now: datetime) -> None:
    for place, call in enumerate(calls):
        n = len(shelves.events[call.draft])
        shelves.calls.append(replace(call, body=fresh(call.body), n=n, place=place, at=now))
