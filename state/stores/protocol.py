"""What a store must do: inbox, leases, drafts, events, outbox, posts, records. Bodies are JSON documents; the store seals them.

Keys: `conversation` is "team:channel:thread" (thread empty in a plain direct message), `person` is "team:user". Neither
is ever a name. Times are aware UTC datetimes of the store's own clock, so that replicas agree on deadlines.

Lanes: what happens in a conversation is handled under a lease on a lane of the conversation's own name; outbox lanes have
names of their own, so that a conversation goes on while its outbox is worked through. Whoever writes or fails a row does so
under its lease: a holder that was stopped and overtaken gets LeaseLost, and nothing of it is written.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Protocol

from state.stores.delivery import Delivering, Depth, Reached, Stuck, Waiting
from state.stores.errors import (
    AlreadyFiled,
    LeaseLost,
    OnHold,
    RevisionGap,
    StoreError,
    Tampered,
    Unavailable,
    WasErased,
    WrongKey,
)  # fmt: skip
from state.stores.evidence.protocol import EvidenceStore
from state.stores.figures import Figures
from state.stores.index import RecordIndex
from state.stores.installations import Installations
from state.stores.ledger import Ledger
from state.stores.lists import ListStore
from state.stores.proof import Proof
from state.stores.rights import Rights
from state.stores.rotation import KeyStore
from state.stores.rows import (
    Body,
    Current,
    Done,
    Finished,
    Hold,
    InboxRow,
    Lease,
    Link,
    Number,
    OutboxRow,
    Posted,
    Received,
    Record,
    Setback,
    StoredDocument,
    StoredDraft,
    StoredEvent,
    Taken,
    ToolLogEntry,
    TurnWrites,
    Writes,
    Written,
)


class Store(
    Ledger, Rights, Installations, ListStore, EvidenceStore, Delivering, KeyStore, Proof, RecordIndex, Protocol
):
    """Every implementation passes the same contract test."""

    async def start(self) -> None:
        """Open and migrate; safe to call from several processes at once."""

    async def stop(self) -> None: ...

    async def now(self) -> datetime: ...

    def trace(self, key: str) -> str:
        """The id by which logs speak of the event with this key, the same for ever and everywhere: twelve signs that begin its row's key."""

    async def receive(self, incoming: InboxRow, hold: Hold | None = None) -> Received | None:
        """Store an event before it is acknowledged, and take its conversation where that is free and held here; None for a known key."""

    async def waiting(self, limit: int = 100) -> list[str]:
        """Conversations whose oldest unhandled row is due and that nobody holds a live lease on, oldest first."""

    async def take(self, lane: str, seconds: float) -> Lease | None:
        """Take the lease on a lane; None while another holds it. The token grows with every taking."""

    async def renew(self, lease: Lease, seconds: float) -> Lease:
        """`seconds` from now. Raises LeaseLost when it was released, or another has it by now."""

    async def renew_all(self, leases: Iterable[Lease], seconds: float) -> list[Lease]:
        """The same for many in one transaction; those that were lost are left out."""

    async def release(self, lease: Lease) -> None:
        """Free the lane for the next holder; nothing happens when another has it by now."""

    async def leave(self, lease: Lease) -> int | None:
        """Free the lane, unless a row of it is due: then its id, and the lease goes on. Raises LeaseLost."""

    async def due(self) -> datetime | None:
        """When the sweep has to look again at the latest: a waiting row's time or the end of a lease with open rows; None for neither."""

    async def next_incoming(self, conversation: str) -> InboxRow | None:
        """The conversation's oldest unhandled row, if it is due: a row that failed holds back those behind it."""

    async def received(self, key: str) -> InboxRow | None:
        """What came in under this key, handled or not; None where nothing did, or it is emptied or erased by now."""

    async def fail_incoming(self, lease: Lease, row: int, delay: float | None, reason: str = "") -> None:
        """Count an attempt and try again after `delay` seconds; with None it becomes a dead letter, for this reason. Raises LeaseLost."""

    async def current(self, conversation: str, draft: str = "") -> Current | None:
        """What the conversation is about, or the draft that is named, as the newest transaction left it."""

    async def draft(self, name: str, current: Current | None = None) -> StoredDraft | None:
        """A draft by its id. With what `current` said, a cached copy counts, if it has that revision."""

    async def drafts(self, after: str = "", limit: int = 500) -> list[str]:
        """Ids of all drafts in their order, a page at a time."""

    async def drafts_of(self, person: str, limit: int = 20, status: str = "") -> list[StoredDraft]:
        """The ones begun last first; those of one status where it is given."""

    async def drafts_named(self, names: Sequence[str]) -> list[StoredDraft]:
        """Some drafts, in this order; one that is not there is left out."""

    async def write(self, lease: Lease, work: Writes, hold: Hold | None = None) -> Written:
        """Write a unit of work in one transaction, if the lease's token still holds; else LeaseLost, and nothing is written.

        Chains each event to the draft's newest one (SHA-256 over previous hash, draft, n, kind, revision, versions, time, the
        sealed body and what is written beside it; a MAC over that) and numbers it. Each event with changes is one revision
        later than what it follows, one without is at the same revision, and the draft's revision is its last event's: else
        RevisionGap. A second record of a draft is AlreadyFiled. Work whose key is known is put into the outbox once. `done`
        must be an open row of the lease's conversation, else LeaseLost. What raises writes nothing. Numbers are gapless:
        others that want one wait meanwhile.

        With `hold`, the leases of lanes that got rows are taken where they are free, and the conversation is left.
        """

    async def events(self, draft: str) -> list[StoredEvent]:
        """All events of a draft, oldest first."""

    async def links(self, draft: str) -> list[Link]:
        """The chain of a draft's events, oldest first: what `chain.verify` needs, readable after an erasure too."""

    async def tool_calls(self, draft: str) -> list[ToolLogEntry]:
        """All logged tool calls of a draft, oldest first."""

    async def figures(self, since: datetime | None = None) -> tuple[Figures, ...]:
        """What is counted for the report, from then on; from the beginning with None. One for each workflow that has any, by name."""

    async def lanes(self, limit: int = 100) -> list[str]:
        """Outbox lanes whose first row is due and that nobody holds a live lease on."""

    async def next_outgoing(self, lane: str) -> OutboxRow | None:
        """The oldest open row of the lane, if it is due."""

    async def finish(self, lease: Lease, *done: Done, hold: Hold | None = None) -> Finished:
        """Mark outbox rows done; in the same transaction remember where cards stand, and put events into the inbox.

        Raises LeaseLost when the lane has another holder by now, or a row is no open one of the lane. With `hold`, conversations
        of the events are taken where they are free, and the lane is left.
        """

    async def fail_outgoing(self, lease: Lease, row: int, delay: float | None, unclear: bool = False) -> None:
        """Count an attempt; again after `delay` seconds, or a dead letter with None. Raises LeaseLost.

        `unclear` marks an outcome to reconcile (status "unclear").
        """

    async def set_back(self, lease: Lease, row: int, setback: Setback) -> Received | None:
        """Say what becomes of a row that could not be performed, and put out what follows from that. Raises LeaseLost.

        Gives the event that was put in.
        """

    async def begin_sending(self, lease: Lease, row: int, sent: int) -> None:
        """Note, before it is sent, that a row may have been sent so often. Raises LeaseLost."""

    async def behind(self, lane: str, row: int) -> bool:
        """Whether an outbox row that is older than this one is still open in the lane."""

    async def posted(self, card: str) -> Posted | None: ...

    async def record(self, number: str) -> Record | None: ...

    async def records_of(self, person: str, form: str | None = None, limit: int = 200, skip: int = 0) -> list[Record]:
        """Newest first, without the first `skip` of them."""

    async def count_records(self, person: str) -> int:
        """How many records a person has."""

    async def records(self, form: str, after: str = "", limit: int = 500) -> list[Record]:
        """All records of a form by number, a page at a time."""

    async def keep(self, document: StoredDocument) -> None:
        """Store a document; one whose id is known is stored already, one whose draft was erased meanwhile is not wanted."""

    async def document(self, name: str) -> StoredDocument | None:
        """A document whole; None once its time is over, or it was discarded or erased."""

    async def documents_of(self, person: str) -> list[StoredDocument]:
        """A person's documents without their content, oldest first."""

    async def discard(self, names: tuple[str, ...]) -> None:
        """Destroy documents."""

    async def purge(self) -> int:
        """Destroy the documents whose time is over; says how many."""

    async def dead(self, limit: int = 100) -> list[tuple[str, int, str]]:
        """Dead letters: ("inbox" | "outbox", id, lane or conversation)."""

    async def spend(self, day: str, tokens: int) -> int:
        """Add to a day's tokens (ISO date) and return the day's sum."""


__all__ = [
    "AlreadyFiled",
    "Body",
    "Current",
    "Depth",
    "Done",
    "Finished",
    "Hold",
    "InboxRow",
    "Lease",
    "LeaseLost",
    "Link",
    "Number",
    "OnHold",
    "OutboxRow",
    "Posted",
    "Reached",
    "Received",
    "Record",
    "RevisionGap",
    "Setback",
    "Store",
    "StoreError",
    "StoredDocument",
    "StoredDraft",
    "StoredEvent",
    "Stuck",
    "Taken",
    "Tampered",
    "ToolLogEntry",
    "TurnWrites",
    "Unavailable",
    "Waiting",
    "WasErased",
    "Writes",
    "Written",
    "WrongKey",
]  # fmt: skip
