"""Effects: what to do about an event. They are data, stored with the change that wanted them, and performed after it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from state.draft.documents import Sent
from state.draft.operations import Wanted
from state.draft.reply import Round
from state.draft.utterance import Phrase, Utterance
from state.engine.cards import Card


@dataclass(frozen=True)
class Post:
    """A message with this card. `id` names it for later repaints; `into` is an earlier card whose message it takes over."""

    id: str
    card: Card
    into: str = ""


@dataclass(frozen=True)
class Repaint:
    """The message of an earlier `Post`, painted anew."""

    id: str
    card: Card


@dataclass(frozen=True)
class Ephemeral:
    """A note that only this person sees, in the draft's conversation or in the `channel` that they acted in."""

    who: str
    line: Phrase
    channel: str = ""


@dataclass(frozen=True)
class CallModel:
    """One model call about the draft as it will be when the call is made. Dropped when the draft's turn has moved on."""

    turn: int
    step: int = 1
    purpose: Literal["understand", "lead_in"] = "understand"
    act: str = ""
    """The person's last act, as a line of the conversation: "[clicked] Leveraged product: No"."""
    changed: tuple[str, ...] = ()
    """Names of the fields that the act set, changed or retired."""
    exchange: tuple[Round, ...] = ()
    regenerated: bool = False


@dataclass(frozen=True)
class LookUp:
    """Ask the form's look-up for a field; comes back as `LookupCompleted`. `lead_in` waits for the card that shows the results."""

    field: str
    query: str
    turn: int
    words: str = ""
    message: str = ""
    lead_in: tuple[Utterance, ...] = ()


@dataclass(frozen=True)
class Gather:
    """Fetch the facts that a submission or a command is judged by; comes back as `FactsGathered`."""

    purpose: Literal["submit", "command", "profile", "again"]
    hash: str = ""
    name: str = ""
    rest: str = ""


@dataclass(frozen=True)
class File:
    """Store the record, in the transaction that submits the draft. The store gives the number; `card` becomes the receipt."""

    state: str
    reasons: tuple[str, ...]
    card: str
    body: Mapping[str, Any] = field(default_factory=dict)
    again: str = ""
    """The number of the record that is filed once more, with what was answered again; a new one gets its number from the store."""


@dataclass(frozen=True)
class Amend:
    """The record's state after a later disclosure."""

    record: str
    state: str
    reason: str


OPERATORS = "operators"


@dataclass(frozen=True)
class Announce:
    """A post to the reviewers: a record, a disclosure, a person asked for; to the operators: a fault of a form, a record without reviewers."""

    what: Literal["record", "disclosure", "person", "fault", "nobody"]
    reasons: tuple[str, ...] = ()
    record: str = ""
    state: str = ""
    to: str = ""
    """The name of another channel than the form's own, or the Slack user id of the one who alone gets it."""
    id: str = ""
    """The id of the decision card that it is, where a verdict is wanted; it is painted anew by that."""
    case: str = ""
    """The breach or the note that it is about, by its id."""


@dataclass(frozen=True)
class Attach:
    """A file put into the draft's conversation: `text`, or bytes as base64 in `data`. `comment` goes above it, `alt` describes a picture."""

    name: str
    title: str
    text: str = ""
    data: str = ""
    comment: tuple[Utterance, ...] = ()
    alt: str = ""


@dataclass(frozen=True)
class Forward:
    """Show a stored document to the reviewers, in the channel of a name or the form's own."""

    document: str
    name: str
    to: str = ""


@dataclass(frozen=True)
class Fetch:
    """Fetch the files of a message, look at them and store them for so many days; comes back as `DocumentsReceived`."""

    files: tuple[Sent, ...]
    turn: int
    days: int
    asked: str = ""
    message: str = ""
    words: str = ""
    """The message's words beside its files."""


@dataclass(frozen=True)
class Discard:
    """Destroy stored documents that no field took, by id."""

    documents: tuple[str, ...]


@dataclass(frozen=True)
class Operate:
    """Carry operations out, propose them, or end a proposal; comes back as `OperationCompleted`. `after` is in seconds."""

    act: Literal["call", "confirm", "cancel", "undo", "expire"]
    turn: int
    calls: tuple[Wanted, ...] = ()
    proposal: str = ""
    card: str = ""
    after: float = 0.0
    corrects: bool = False
    """The words for it announced a correction: what waits for the same thing gives way to it."""
    pick: int = 0
    """Which of several things that a proposal may mean."""


@dataclass(frozen=True)
class Remind:
    """Come back at `at` (ISO 8601, UTC), if the record is in this `state` still and what it hangs on, the `mark`, is the same; as `TimerFired`."""

    what: Literal["overdue", "deciders", "unanswered", "last_day", "expired", "note_due", "note_late"]
    at: str
    state: str
    mark: str


@dataclass(frozen=True)
class Begin:
    """Close this draft and start the form anew in the same conversation."""

    form: str


Effect = (
    Post | Repaint | Ephemeral | CallModel | LookUp | Gather | File | Amend | Announce | Attach | Begin | Fetch | Discard | Operate | Remind
    | Forward
)  # fmt: skip
