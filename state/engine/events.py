"""Events: what can happen to a draft. Each holds its whole input, the facts included, so that nothing else is needed to judge it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Literal

from state.draft.documents import Document, Sent
from state.draft.draft import Option, OtherForm
from state.draft.operations import Produced, Wanted
from state.draft.record import Deciders
from state.draft.reply import Reply, Round
from state.draft.utterance import Phrase, Utterance
from state.form.field import Data

Fault = tuple[str, ...]
"""The failure of a form's Python while the event was prepared: the function, its line, the exception's class."""


@dataclass(frozen=True)
class Event:
    """`id` is unique per installation; `at` is ISO 8601 in UTC; `who` is a Slack user id, or a part of the bot."""

    id: str
    at: str
    who: str
    zone: str = field(default="", kw_only=True)
    """The person's time zone (IANA) where it is known: their own date decides what "today" is."""
    returns: bool = field(default=False, kw_only=True)
    """The conversation was about another draft until this event."""


@dataclass(frozen=True)
class RoutingEvent(Event):
    """An event after which a record may wait for somebody: `deciders` by state, without those that could not be looked up."""

    deciders: Mapping[str, Deciders] = field(default_factory=dict, kw_only=True)


@dataclass(frozen=True)
class MessageReceived(Event):
    """A person's message, whole. `message` is its Slack timestamp; `files` came with it."""

    text: str
    message: str = ""
    files: tuple[Sent, ...] = ()
    early: bool = False
    """Written before the question that is open now stood on screen: it answers that one in no word."""
    shown: str = ""
    """When that question was surely on screen, by Slack's clock; words from before may be meant for another one."""
    wished: tuple[OtherForm, ...] = ()
    """Forms that the words plainly wish for in the place of the draft's."""
    others: tuple[str, ...] = ()
    """Numbers of the person's other requests that it could be about as well."""


Act = Literal[
    "answer", "accept", "pick", "none_of_these", "unlisted", "enter", "edit", "keep", "submit_anyway", "undo", "change", "explain", "submit",
    "amend", "box_closed", "feedback", "cancel", "cancel_confirmed", "restart", "restart_confirmed", "disclose_confirmed", "stay", "missing", "help",
    "person", "show", "begin", "command", "go", "back", "hand_back", "clear", "take", "take_all", "leave",
    "confirm", "decline", "take_back", "again", "my_data", "erase", "erase_confirmed", "erase_kept", "dossier",
    "decide", "withdraw", "withdraw_confirmed", "extend", "report", "unused", "unused_confirmed", "judge",
]  # fmt: skip


@dataclass(frozen=True)
class Clicked(Event):
    """A button, a select or a modal. `card` is the card it stood on; `hash` is what that card showed."""

    act: Act
    field: str = ""
    value: Data | None = None
    card: str = ""
    hash: str = ""
    message: str = ""
    label: str = ""
    clicked_at: str = ""
    """When, by Slack's clock; empty where Slack does not say (a modal)."""
    shown: str = ""
    """When the card was surely on screen, by the same clock; looked up as the click is judged."""
    where: str = ""
    """The channel of the click, where that is not the draft's conversation."""


@dataclass(frozen=True)
class DecisionMade(RoutingEvent):
    """An officer gave a verdict on the decision card `card`, which showed `hash`; `where` is the channel they did it in.

    The facts are read when it is judged: `role` is the one that was looked up for `who`, True for `own` if they hold it themselves,
    for whom they are deputies, and if that could be `known` at all.
    """

    verdict: str
    card: str
    hash: str
    reason: str = ""
    note: str = ""
    conditions: str = ""
    where: str = ""
    role: str = ""
    own: bool = False
    deputy_of: tuple[str, ...] = ()
    known: bool = True
    audits: bool = False
    """They read as an auditor, themselves or for one."""
    fields: tuple[str, ...] = ()
    """Fields to be answered again, where more is asked for; `note` says what is wanted."""
    clicked_at: str = ""
    shown: str = ""
    """As those of a click."""


@dataclass(frozen=True)
class ReportMade(Event):
    """The owner reports what they did: what the box holds (`entries`), or, where there is none, what the `card` proposed.

    `mark` is what was reported when the box was opened or the card shown. The `facts` that it is judged by are gathered as it is judged.
    """

    entries: Mapping[str, Data]
    mark: str
    card: str = ""
    where: str = ""
    facts: Mapping[str, Any] = field(default_factory=dict)
    clicked_at: str = ""
    shown: str = ""
    """As those of a click."""


@dataclass(frozen=True)
class CaseJudged(Event):
    """An officer closed a breach, or judged a note (`case` is its id) on a card with `hash`. Facts are gathered as for a verdict."""

    case: str
    verdict: Literal["close", "match", "refuse"]
    hash: str
    reason: str = ""
    note: str = ""
    where: str = ""
    role: str = ""
    own: bool = False
    deputy_of: tuple[str, ...] = ()
    known: bool = True
    audits: bool = False


@dataclass(frozen=True)
class ModelReplied(Event):
    """A reader or a model answered the call of `turn`. `exchange` is that turn's tool loop so far, as it was sent."""

    reply: Reply
    turn: int
    step: int = 1
    exchange: tuple[Round, ...] = ()
    purpose: Literal["understand", "lead_in"] = "understand"
    reader: str = ""
    act: str = ""
    away: str = ""
    """Why the rule-based reader answered in the model's place: outage, refusal, budget; empty where nothing was wrong."""
    regenerated: bool = False


@dataclass(frozen=True)
class LookupCompleted(Event):
    """The results of a field's look-up."""

    field: str
    query: str
    options: tuple[Option, ...]
    turn: int
    words: str = ""
    message: str = ""
    exact: bool = False
    lead_in: tuple[Utterance, ...] = ()
    failed: bool = False
    """The look-up itself could not be asked: that is said, and nothing is concluded from it."""
    fault: Fault = ()
    sources: Mapping[str, Any] | None = None
    """The tables that an operator gave: by name, the hash of the file, when it was taken, of which day its data is."""


@dataclass(frozen=True)
class FactsGathered(RoutingEvent):
    """The facts that a submission or a command is judged by, and what they were asked for."""

    purpose: Literal["submit", "command", "profile", "again"]
    facts: Mapping[str, Any]
    hash: str = ""
    name: str = ""
    rest: str = ""
    failed: bool = False
    fault: Fault = ()


@dataclass(frozen=True)
class DocumentsReceived(Event):
    """Files were fetched, looked at and stored; `asked` is the field that was asked when the message came."""

    documents: tuple[Document, ...]
    turn: int
    asked: str = ""
    message: str = ""
    words: str = ""
    """The message's words beside its files."""
    facts: Mapping[str, Any] = field(default_factory=dict)
    """Facts by which a note is judged, as they are now."""
    fault: Fault = ()

    @property
    def worded(self) -> bool:
        """Return True if it said anything."""
        return bool(self.words.strip())


@dataclass(frozen=True)
class OperationCompleted(Event):
    """The result of operations. `told` is for the person, `text` the same in plain words; `last` is the row that was touched last."""

    act: Literal["call", "confirm", "cancel", "undo", "expire"]
    came: Literal["done", "waits", "asks", "refused", "cancelled", "expired", "nothing"]
    turn: int
    told: tuple[Utterance, ...] = ()
    text: str = ""
    proposal: str = ""
    card: str = ""
    undoable: bool = False
    last: int = 0
    seconds: float = 0.0
    """How long the proposal waits."""
    files: tuple[Produced, ...] = ()
    what: str = ""
    """The effect of a proposal, in a line."""
    calls: tuple[Wanted, ...] = ()
    """The calls."""
    corrects: bool = False
    """The words for it announced a correction."""
    fault: Fault = ()
    picks: tuple[Utterance, ...] = ()
    """The buttons of a proposal that may mean several things."""


@dataclass(frozen=True)
class DeliveryChanged(Event):
    """Something the person waits for cannot be delivered for now, or was after all: an announcement, a disclosure, a call for a person."""

    what: Literal["record", "disclosure", "person", "message"]
    came: Literal["held", "delivered"]


@dataclass(frozen=True)
class TimerFired(RoutingEvent):
    """A time has come that was waited for since `due` was set: for the record's `state`, and for what it hung on, the `mark`."""

    what: Literal["overdue", "deciders", "unanswered", "last_day", "expired", "note_due", "note_late"]
    state: str
    mark: str
    due: str = ""


@dataclass(frozen=True)
class TakenUp(Event):
    """An officer opened a record from before records had routes. What the record says is read when it is judged."""

    state: str = ""
    until: str = ""
    reasons: tuple[str, ...] = ()
    filed_at: str = ""


DraftEvent = (
    MessageReceived | Clicked | ModelReplied | LookupCompleted | FactsGathered | DocumentsReceived | OperationCompleted
    | DeliveryChanged | DecisionMade | TimerFired | TakenUp | ReportMade | CaseJudged
)  # fmt: skip
"""Every event there is."""


# An act counts on what could be read: its card must have been on screen for a second, by Slack's own times

TO_READ = 1
"""Seconds."""
BY_FIELD = frozenset({"answer", "accept", "pick", "unlisted", "enter", "amend"})
"""Answers: one that declares something, or locks, is such an act; any other can be edited."""
AT_ONCE = frozenset({
    "none_of_these", "edit", "keep", "undo", "explain", "box_closed", "feedback", "cancel", "restart", "disclose_confirmed", "missing", "help",
    "person", "show", "begin", "command", "back", "hand_back", "leave", "decline", "my_data", "erase", "erase_kept", "dossier", "withdraw",
    "report", "unused",
})  # fmt: skip
"""Acts that ask, open or leave something; and a worse disclosure, which nothing ever blocks."""
UNLESS_DISCLOSING = frozenset({"stay"})
"""Leaves things as they are; where a disclosure waits, that would be lost."""


def could_be_read(at: str, shown: str) -> bool:
    """Return True if an act came a second after its card was surely shown. Without a time of Slack's (a modal, a call) nothing speaks against it."""
    return not at or (bool(shown) and Decimal(at) - Decimal(shown) >= TO_READ)


def is_final(act: str) -> bool:
    """Return True if an act cannot be undone, or consents to what its card says."""
    return act not in AT_ONCE | BY_FIELD | UNLESS_DISCLOSING


def too_soon(_turn: object, event: DecisionMade | ReportMade) -> Phrase | None:
    """Return the card could be read before it was acted on."""
    return None if could_be_read(event.clicked_at, event.shown) else Phrase("too_soon")


def is_quick(event: MessageReceived) -> bool:
    """Return True if words came before the open card could be read."""
    return bool(event.shown) and not could_be_read(event.message, event.shown)
