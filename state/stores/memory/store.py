"""`MemoryStore` implements `protocol.Store`; what its methods promise is written there."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from state.stores.figures import EVER, Figures
from state.stores.memory.counting import count
from state.stores.memory.lanes import Row, fresh
from state.stores.memory.ledger import MemoryLedger
from state.stores.memory.rights import MemoryRights
from state.stores.memory.shelves import Shelves, check, write
from state.stores.protocol import (
    Current,
    InboxRow,
    Lease,
    Link,
    OutboxRow,
    Posted,
    Record,
    StoredDocument,
    StoredDraft,
    StoredEvent,
    ToolLogEntry,
    TurnWrites,
)


class MemoryStore(MemoryLedger, MemoryRights):
    """Keeps no promise beyond its process. `clock` gives the time in UTC."""

    def __init__(self, clock: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        self._clock = clock
        self._shelves = Shelves()
        self._numbering = asyncio.Lock()

    async def start(self) -> None: ...

    async def stop(self) -> None: ...

    async def now(self) -> datetime:
        return self._clock()

    async def receive(self, incoming: InboxRow) -> bool:
        return self._receive(incoming)

    async def waiting(self, limit: int = 100) -> list[str]:
        return self._shelves.inbox.waiting(self._clock(), self._is_free)[:limit]

    async def take(self, lane: str, seconds: float) -> Lease | None:
        if not self._is_free(lane):
            return None
        known = self._shelves.leases.get(lane)
        lease = Lease(lane, known.token + 1 if known else 1, self._later(seconds))
        self._shelves.leases[lane] = lease
        self._shelves.free.discard(lane)
        return lease

    async def renew(self, lease: Lease, seconds: float) -> Lease:
        self._shelves.held(lease)
        longer = self._shelves.leases[lease.lane] = replace(lease, until=self._later(seconds))
        return longer

    async def release(self, lease: Lease) -> None:
        known = self._shelves.leases.get(lease.lane)
        if known and known.token == lease.token:
            self._shelves.free.add(lease.lane)

    async def next_incoming(self, conversation: str) -> InboxRow | None:
        row = self._shelves.inbox.head(conversation, self._clock())
        return replace(row.item, body=fresh(row.item.body), attempts=row.attempts) if row else None

    async def fail_incoming(self, lease: Lease, row: int, delay: float | None) -> None:
        self._shelves.held(lease)
        self._shelves.inbox.fail(lease, row, self._retry(delay), "new")

    async def current(self, conversation: str) -> Current | None:
        name = self._shelves.conversations.get(conversation)
        return Current(name, self._shelves.drafts[name].revision) if name else None

    async def draft(self, name: str, current: Current | None = None) -> StoredDraft | None:
        stored = self._shelves.drafts.get(name)
        return stored and replace(stored, body=fresh(stored.body))

    async def drafts(self, after: str = "", limit: int = 500) -> list[str]:
        return sorted(name for name in self._shelves.drafts if name > after)[:limit]

    async def drafts_of(self, person: str, limit: int = 20) -> list[StoredDraft]:
        mine = [draft for draft in reversed(self._shelves.drafts.values()) if draft.person == person]
        return [replace(draft, body=fresh(draft.body)) for draft in mine[:limit]]

    @asynccontextmanager
    async def unit(self, lease: Lease) -> AsyncIterator["MemoryUnit"]:
        async with AsyncExitStack() as stack:
            unit = MemoryUnit(self._shelves, lease, self._numbering, stack)
            yield unit
            check(self._shelves, lease, unit.work)
            write(self._shelves, lease, unit.work, self._clock())
            self._shelves.series |= unit.numbers

    async def events(self, draft: str) -> list[StoredEvent]:
        kept = [event for event, _ in self._shelves.events.get(draft, [])]
        return [replace(e, body=fresh(e.body), changes=tuple(fresh(change) for change in e.changes)) for e in kept]

    async def links(self, draft: str) -> list[Link]:
        return [link for _, link in self._shelves.events.get(draft, [])]

    async def tool_calls(self, draft: str) -> list[ToolLogEntry]:
        return [replace(call, body=fresh(call.body)) for call in self._shelves.calls if call.draft == draft]

    async def figures(self, since: datetime | None = None) -> Figures:
        return count(self._shelves, since or EVER)

    async def lanes(self, limit: int = 100) -> list[str]:
        return self._shelves.outbox.waiting(self._clock(), self._is_free)[:limit]

    async def next_outgoing(self, lane: str) -> OutboxRow | None:
        row = self._shelves.outbox.head(lane, self._clock())
        return _outgoing(row) if row else None

    async def finish(
        self, lease: Lease, row: int, posted: Posted | None = None, incoming: InboxRow | None = None
    ) -> None:
        self._shelves.held(lease)
        self._shelves.outbox.mine(lease, row)
        del self._shelves.outbox.open[row]
        if posted:
            self._shelves.posts[posted.card] = posted
        if incoming:
            self._receive(incoming)

    async def fail_outgoing(self, lease: Lease, row: int, delay: float | None, unclear: bool = False) -> None:
        self._shelves.held(lease)
        self._shelves.outbox.fail(lease, row, self._retry(delay), "unclear" if unclear else "new")

    async def posted(self, card: str) -> Posted | None:
        return self._shelves.posts.get(card)

    async def record(self, number: str) -> Record | None:
        record = self._shelves.records.get(number)
        return record and replace(record, body=fresh(record.body))

    async def records_of(self, person: str, form: str | None = None, limit: int = 200) -> list[Record]:
        kept = {number for number, (whose, _) in self._shelves.kept.items() if whose == person}
        theirs = (r for r in reversed(self._shelves.records.values()) if r.person == person or r.number in kept)
        mine = [r for r in theirs if form in (None, r.form)]
        return [replace(record, body=fresh(record.body)) for record in mine[:limit]]

    async def records(self, form: str, after: str = "", limit: int = 500) -> list[Record]:
        page = sorted(number for number, r in self._shelves.records.items() if r.form == form and number > after)
        found = [self._shelves.records[number] for number in page[:limit]]
        return [replace(record, body=fresh(record.body)) for record in found]

    async def keep(self, document: StoredDocument) -> None:
        draft = self._shelves.drafts.get(document.draft)
        if draft is None or draft.person != document.person:
            return
        stored = replace(document, received_at=self._clock(), size=len(document.content))
        self._shelves.documents.setdefault(document.id, stored)

    async def document(self, name: str) -> StoredDocument | None:
        kept = self._shelves.documents.get(name)
        return kept if kept and kept.keep_until > self._clock() else None

    async def documents_of(self, person: str) -> list[StoredDocument]:
        mine = [kept for kept in self._shelves.documents.values() if kept.person == person]
        return [replace(kept, content=b"") for kept in mine if kept.keep_until > self._clock()]

    async def discard(self, names: tuple[str, ...]) -> None:
        for name in names:
            self._shelves.documents.pop(name, None)

    async def purge(self) -> int:
        over = tuple(name for name, kept in self._shelves.documents.items() if kept.keep_until <= self._clock())
        await self.discard(over)
        return len(over)

    async def dead(self, limit: int = 100) -> list[tuple[str, int, str]]:
        queues = (("inbox", self._shelves.inbox.dead), ("outbox", self._shelves.outbox.dead))
        return [(name, n, dead[n].lane) for name, dead in queues for n in sorted(dead)][:limit]

    async def spend(self, day: str, tokens: int) -> int:
        self._shelves.spent[day] = self._shelves.spent.get(day, 0) + tokens
        return self._shelves.spent[day]

    def _receive(self, incoming: InboxRow) -> bool:
        now = self._clock()
        self._shelves.people.add(incoming.person)
        return self._shelves.inbox.put(replace(incoming, received_at=now), incoming.conversation, now)

    def _is_free(self, lane: str) -> bool:
        known = self._shelves.leases.get(lane)
        return known is None or lane in self._shelves.free or known.until < self._clock()

    def _later(self, seconds: float) -> datetime:
        return self._clock() + timedelta(seconds=seconds)

    def _retry(self, delay: float | None) -> datetime | None:
        return None if delay is None else self._later(delay)


class MemoryUnit:
    """Whoever asks for a number holds the numbering until the unit is left."""

    def __init__(self, shelves: Shelves, lease: Lease, numbering: asyncio.Lock, stack: AsyncExitStack) -> None:
        self.work = TurnWrites()
        self.numbers: dict[str, int] = {}
        self._shelves, self._lease, self._numbering, self._stack = shelves, lease, numbering, stack
        self._counting = False

    async def number(self, prefix: str) -> str:
        if not self._counting:
            await self._stack.enter_async_context(self._numbering)
            self._counting = True
            self._shelves.held(self._lease)
        last = self.numbers.get(prefix, self._shelves.series.get(prefix, 0))
        self.numbers[prefix] = last + 1
        return f"{prefix}-{last + 1:06d}"


def _outgoing(row: Row[OutboxRow]) -> OutboxRow:
    body = fresh(row.item.body)
    return replace(row.item, body=body, attempts=row.attempts, status=row.status, due_at=row.due_at)
