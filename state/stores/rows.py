"""The rows that a store takes and returns: rows of inbox and outbox, leases, drafts, events, records. Bodies are JSON documents."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

Body = dict[str, Any]


@dataclass(frozen=True)
class InboxRow:
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
    """The right to work on `lane` until `until`; `token` fences: a later holder's token is higher.

    `holder` is the process by the number under which others know that it lives; without one, its leases run their time.
    """

    lane: str
    token: int
    until: datetime
    holder: int | None = None


@dataclass(frozen=True)
class Hold:
    """Asks for leases in the same transaction, for `seconds`, on lanes that `here` accepts.

    `here` is asked within the transaction, on another thread.
    """

    seconds: float
    here: Callable[[str], bool] = lambda _: True


@dataclass(frozen=True)
class Taken:
    """A lease, and the row to begin with: the lane's oldest open one; None where that is not due."""

    lease: Lease
    head: int | None


@dataclass(frozen=True)
class Current:
    """The draft that a conversation is about, with its present revision."""

    draft: str
    revision: int
    erased: bool = False
    """True where its words are gone: no copy of it counts."""
    ticket: Any = field(default=None, repr=False, compare=False)
    """The store's own: with it a cached copy of this revision can be opened."""
    here: bool = field(default=True, compare=False)
    """False where a draft was asked for by its name that the conversation is not about."""


@dataclass(frozen=True)
class StoredDraft:
    """A draft as stored. `last` counts its events; `head` is the hash of the newest one; the store sets both."""

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
    erased: bool = False
    """True where the person's key is gone: `person`, `conversation` and `body` are empty."""


@dataclass(frozen=True)
class StoredEvent:
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
class Link:
    """An event in the chain, without what it says: `digest` is the SHA-256 of its body as stored, `hash` covers all the rest."""

    draft: str
    n: int
    kind: str
    revision: int
    form_version: str
    rules_version: str
    at: datetime
    digest: str
    previous: str
    hash: str = ""
    beside: str = ""
    """The rows written with the event: tool calls, records, their states, in JSON that names nobody."""
    mac: str = ""
    """Of the hash, with the id of the key that made it; empty in links from before there were any."""


@dataclass(frozen=True)
class OutboxRow:
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
    """Not before this time; at once where the writer leaves it out. A row that waits holds back those behind it."""
    fresh: bool = field(default=False, compare=False)
    """True where the row comes from memory for its first try: nobody can have performed it. What is read back may have been."""
    over: str = field(default="", compare=False)
    """A lane whose open rows this one makes pointless: they end as superseded in the commit that puts it out."""
    draft: Any = field(default=None, repr=False, compare=False)
    """The draft that the row was written with, for whoever wrote it; never stored, and None in a row that is read back."""
    reason: str = field(default="", compare=False)
    """Why it could not be delivered the last time."""
    sent: int = field(default=1, compare=False)
    """How often it may have been sent with no answer: 0 where Slack refused it each time. What nobody tells may have been sent once."""
    wanted_at: datetime | None = field(default=None, compare=False)
    """From when on it was to be done; set by the store."""
    of: str = field(default="", compare=False)
    """The draft of which somebody is shown something by it: what was shown stays for as long as that."""
    still: Callable[[], None] = field(default=lambda: None, repr=False, compare=False)
    """Asked right before it is sent; raises LeaseLost where another process may send it by now."""


@dataclass(frozen=True)
class Posted:
    """Where a card's message is in Slack. `over` is the card whose message it has taken."""

    card: str
    channel: str
    ts: str
    shown: str = ""
    """When it came to show the card, by Slack's clock, where that is later than the message itself: a moment, or two between which it did."""
    over: str = ""
    gone: bool = False
    """Another card has its message now; when it was shown still counts."""

    @property
    def not_before(self) -> str:
        """The moment of Slack's before which nobody can have seen the card."""
        return (self.shown or self.ts).partition(" ")[0]

    @property
    def surely(self) -> str:
        """A moment of Slack's from which on it was surely on screen."""
        return (self.shown or self.ts).rpartition(" ")[2]


@dataclass(frozen=True)
class Received:
    """An event that is stored now, with its id. `taken` where the conversation was free and this process goes on with it at once.

    `current` is the draft that the event names, else the one that the conversation is about; looked up with `taken` alone.
    """

    row: InboxRow
    taken: Taken | None = None
    current: Current | None = None


@dataclass(frozen=True)
class Done:
    """An outbox row that was performed: where its card is now, or the event that followed."""

    row: int
    posted: Posted | None = None
    incoming: InboxRow | None = None
    status: Literal["done", "expired"] = "done"
    later: OutboxRow | None = None
    """Put out in the same transaction."""


@dataclass(frozen=True)
class DeliveryFailure:
    """The new state of an outbox row that could not be performed. With a `delay` it stays open, and comes again after so many seconds.

    With None it has ended. `blocked` with a delay holds its lane; `attempts` and `sent` stay as they are where they are None.
    `outgoing` and `incoming` are put out and in by the same transaction.
    """

    status: Literal["new", "unclear", "blocked", "dead", "expired"]
    delay: float | None = None
    reason: str = ""
    attempts: int | None = None
    sent: int | None = None
    outgoing: tuple[OutboxRow, ...] = ()
    incoming: InboxRow | None = None


@dataclass(frozen=True)
class Finished:
    """Rows that are done. `received` are the events that followed; `following` is the lane's next row under the same lease.

    None: nothing is due there. Where the caller said what it would hold, the lane is free then.
    """

    received: tuple[Received, ...] = ()
    following: int | None = None


@dataclass(frozen=True)
class Record:
    """A filed request: at most one per draft."""

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


@dataclass(frozen=True)
class ToolLogEntry:
    """A tool call as it was judged, beside the event in which it was. Only `body` (arguments and result) is personal."""

    draft: str
    person: str
    tenant: str
    form: str
    turn: int
    step: int
    reader: str
    tool: str
    status: str
    reason: str
    idempotent: bool
    finalizes: bool
    body: Body
    event: int = field(default=-1, compare=False)
    """Which of its draft's events in the turn it belongs to, the first being 0 and the newest -1."""
    n: int = 0
    """The event's number in the draft's chain; with `place`, counted within the event, the store sets it."""
    place: int = 0
    at: datetime | None = None
    erased: bool = False


@dataclass(frozen=True)
class StoredDocument:
    """A file that a person sent, as it is stored until `keep_until`. Lists leave `content` out; the store sets the last two."""

    id: str
    draft: str
    person: str
    tenant: str
    name: str
    type: str
    sha256: str
    content: bytes
    keep_until: datetime
    received_at: datetime | None = None
    size: int = 0


@dataclass(frozen=True)
class Indexed:
    """A record as it is entered. `person`, `judges` (who decided on it so far) and `named` (who alone decides now) are "team:user".

    `words` are plain: the store hashes all of these.
    """

    number: str
    draft: str
    tenant: str
    form: str
    person: str
    state: str
    filed_at: datetime
    post: str = ""
    """The state to decide on, by name ("pending_manager:mine"), or the request in it ("approved:extend"); empty where it waits for nobody."""
    due_at: datetime | None = None
    decided_at: datetime | None = None
    """When the last verdict was given; None while it waits, and where nobody had to decide."""
    verdict: str = ""
    words: tuple[str, ...] = ()
    judges: tuple[str, ...] = ()
    named: tuple[str, ...] = ()
    breached_at: datetime | None = None
    """When the newest breach was opened."""
    breaches: int = 0
    """That nobody has closed."""
    shape: str = ""
    """The parts of the form that the entry was made by: with others it is made anew."""


@dataclass
class TurnWrites:
    """Everything that one turn writes, all or nothing."""

    draft: StoredDraft | None = None
    also: list[StoredDraft] = field(default_factory=list)
    """Further drafts with events in this turn: one that begins where another closes."""
    current: str | None = None
    """The draft that the conversation is about from now on."""
    events: list[StoredEvent] = field(default_factory=list)
    outgoing: list[OutboxRow] = field(default_factory=list)
    records: list[Record] = field(default_factory=list)
    refiled: list[Record] = field(default_factory=list)
    """Records that are there already, each with what was confirmed anew: its body, its hash and its state."""
    amended: dict[str, str] = field(default_factory=dict)
    """Record number to its new state."""
    done: int | None = None
    """The inbox row that this turn has handled."""
    indexed: list[Indexed] = field(default_factory=list)
    """The state of records from now on, for lists and searches."""
    calls: list[ToolLogEntry] = field(default_factory=list)
    """Tool calls that were judged in this turn."""

    @property
    def drafts(self) -> list[StoredDraft]:
        """Every draft of this turn."""
        return [*([self.draft] if self.draft else []), *self.also]


@dataclass(frozen=True)
class Written:
    """The result of a unit of work: the rows that it put out and the drafts that it saved, as they are in the database.

    `lanes` are the leases taken for its rows. `following` is the conversation's next row under the same lease; None where nothing
    is due there, and where the caller said what it would hold, the conversation is free then.
    """

    outgoing: tuple[OutboxRow, ...] = ()
    drafts: tuple[StoredDraft, ...] = ()
    lanes: Mapping[str, Taken] = field(default_factory=dict)
    following: int | None = None


Number = Callable[[str], str]
"""Counts a series up ("PA-2026" to "PA-2026-000123") within a transaction: a number is used or was never given."""
Writes = TurnWrites | Callable[[Number], TurnWrites]
"""A unit of work, or what makes it with the numbers that it needs, run within the transaction on another thread."""
