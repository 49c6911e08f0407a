"""What a store must do: inbox, leases, drafts, events, outbox, posts, records. Bodies are JSON documents; the store seals them.

Keys: `conversation` is "team:channel:thread" (thread empty in a plain direct message), `person` is "team:user". Neither
is ever a name. Times are aware UTC datetimes of the store's own clock, so that replicas agree on deadlines.
"""

from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol

Body = dict[str, Any]


class StoreError(Exception):
    """Anything a store may raise on purpose."""


class LeaseLost(StoreError):
    """The lease ended or was taken over: nothing of the unit of work was written."""


class AlreadyFiled(StoreError):
    """The draft has a record already: nothing of the unit of work was written. `number` is the record's."""

    def __init__(self, number: str) -> None:
        super().__init__(number)
        self.number = number


@dataclass(frozen=True)
class Incoming:
    """One event for the inbox. `key` is unique for ever (Slack's event id; for clicks a key from the payload)."""

    key: str
    conversation: str
    person: str
    body: Body
    received_at: datetime | None = None
    """Set by the store on reading."""
    attempts: int = 0
    id: int = 0


@dataclass(frozen=True)
class Lease:
    """The right to work on `lane` until `until`; `token` fences: a later holder's token is higher."""

    lane: str
    token: int
    until: datetime


@dataclass(frozen=True)
class Current:
    """The draft that a conversation is about, with its present revision."""

    draft: str
    revision: int


@dataclass(frozen=True)
class Stored:
    """A draft as stored. `last` counts its events; `head` is the hash of the newest one."""

    id: str
    person: str
    conversation: str
    form: str
    status: str
    revision: int
    body: Body
    last: int = 0
    head: str = ""
    updated_at: datetime | None = None


@dataclass(frozen=True)
class Happened:
    """An event as appended: its input, the changes that followed, and the versions that judged it."""

    draft: str
    kind: str
    body: Body
    changes: tuple[Body, ...]
    revision: int
    form_version: str = ""
    rules_version: str = ""
    n: int = 0
    at: datetime | None = None
    previous: str = ""
    hash: str = ""
    erased: bool = False
    """True where the person's key is gone: `body` and `changes` are empty, the hashes still verify."""


@dataclass(frozen=True)
class Outgoing:
    """Work for the performer. Rows of a lane are performed one at a time, in order. `key` is unique: the same work is put in once."""

    key: str
    lane: str
    kind: str
    person: str
    body: Body
    id: int = 0
    attempts: int = 0
    status: str = "new"
    due_at: datetime | None = None


@dataclass(frozen=True)
class Posted:
    """Where a card's message stands in Slack."""

    card: str
    channel: str
    ts: str


@dataclass(frozen=True)
class Record:
    """What was filed: at most one per draft."""

    number: str
    draft: str
    form: str
    person: str
    tenant: str
    state: str
    hash: str
    body: Body
    filed_at: datetime | None = None
    erased: bool = False


@dataclass
class Work:
    """What one turn wants to write, all or nothing."""

    draft: Stored | None = None
    current: str | None = None
    """The draft that the conversation is about from now on."""
    events: list[Happened] = field(default_factory=list)
    outgoing: list[Outgoing] = field(default_factory=list)
    records: list[Record] = field(default_factory=list)
    amended: dict[str, str] = field(default_factory=dict)
    """Record number to its new state."""
    done: int | None = None
    """The inbox row that this turn has handled."""


class Unit(Protocol):
    """One transaction under a lease. `number` counts within it, so that a number is used or was never given."""

    work: Work

    async def number(self, prefix: str) -> str:
        """The next number of a series: "PA-2026-000123" for "PA-2026"; gapless."""


class Store(Protocol):
    """Every implementation passes the same contract test."""

    async def start(self) -> None:
        """Open and migrate; safe to call from several processes at once."""

    async def stop(self) -> None: ...

    async def now(self) -> datetime: ...

    async def receive(self, incoming: Incoming) -> bool:
        """Store an event before it is acknowledged. False where its key is known: it was received before."""

    async def waiting(self, limit: int = 100) -> list[str]:
        """Conversations with unhandled inbox rows that nobody holds a live lease on, oldest first."""

    async def take(self, lane: str, seconds: float) -> Lease | None:
        """Take the lease on a lane; None while another holds it. The token grows with every taking."""

    async def renew(self, lease: Lease, seconds: float) -> Lease:
        """Raises LeaseLost when another has it by now."""

    async def release(self, lease: Lease) -> None: ...

    async def next_incoming(self, conversation: str) -> Incoming | None:
        """The oldest unhandled inbox row that is due."""

    async def fail_incoming(self, row: int, delay: float | None) -> None:
        """Count an attempt and try again after `delay` seconds; with None it becomes a dead letter."""

    async def current(self, conversation: str) -> Current | None: ...

    async def draft(self, name: str) -> Stored | None: ...

    async def drafts_of(self, person: str, limit: int = 20) -> list[Stored]:
        """Newest first."""

    def unit(self, lease: Lease) -> AbstractAsyncContextManager[Unit]:
        """Write `unit.work` on leaving, if the lease's token still holds; else LeaseLost, and nothing is written.

        Chains each event to the draft's newest one (SHA-256 over previous hash, draft, n, kind, versions and the sealed
        body), numbers it, and refuses a revision that does not follow. Leaving with an exception writes nothing.
        """

    async def events(self, draft: str) -> list[Happened]:
        """All events of a draft, oldest first."""

    async def lanes(self, limit: int = 100) -> list[str]:
        """Outbox lanes whose first row is due and that nobody holds a live lease on."""

    async def next_outgoing(self, lane: str) -> Outgoing | None:
        """The oldest open row of the lane, if it is due."""

    async def finish(
        self, lease: Lease, row: int, posted: Posted | None = None, incoming: Incoming | None = None
    ) -> None:
        """Mark an outbox row done; in the same transaction remember where a card stands, or put an event into the inbox.

        Raises LeaseLost when the lane has another holder by now.
        """

    async def fail_outgoing(self, row: int, delay: float | None, unclear: bool = False) -> None:
        """Count an attempt; again after `delay` seconds, or a dead letter with None. `unclear` marks an outcome to reconcile (status "unclear")."""

    async def posted(self, card: str) -> Posted | None: ...

    async def record(self, number: str) -> Record | None: ...

    async def records_of(self, person: str, form: str | None = None, limit: int = 200) -> list[Record]:
        """Newest first."""

    async def records(self, form: str, after: str = "", limit: int = 500) -> list[Record]:
        """All records of a form by number, a page at a time."""

    async def dead(self, limit: int = 100) -> list[tuple[str, int, str]]:
        """Dead letters: ("inbox" | "outbox", id, lane or conversation)."""

    async def spend(self, day: str, tokens: int) -> int:
        """Add to a day's tokens (ISO date) and return the day's sum."""
