"""The draft: one form being filled in by one person. Immutable; only `changes.apply` makes the next one.

Every attribute but the identity has a default, so that a draft stored before an attribute existed still loads.
"""

import dataclasses
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, Literal

from state.draft.documents import Document
from state.draft.operations import Wanted
from state.draft.record import NO_RECORD, Record
from state.draft.utterance import Utterance
from state.form.field import Data

How = Literal["clicked", "typed", "chosen", "entered", "read", "accepted", "document", "rule"]
"""By a button; a whole message; a pick from results; in a modal; read by a model or the rule-based reader; an offer taken; from a file; by code."""

NEVER = -1
"""No turn yet."""


class Status(StrEnum):
    """Where the draft stands as a whole. What may follow what is the table in `engine.transitions`."""

    OPEN = "open"
    SUBMITTED = "submitted"
    CANCELLED = "cancelled"
    ESCALATED = "escalated"


@dataclass(frozen=True)
class Provenance:
    """Who said it, when (ISO 8601, UTC), how, in which message or card, and the words it rests on."""

    who: str
    at: str
    how: How
    message: str = ""
    words: str = ""
    reader: str = ""
    """The reader of open words: the model's name, or "rules"."""


@dataclass(frozen=True)
class Value:
    """A field's answer. `sure` is False where the words support it but no parser confirmed it: the review marks it."""

    data: Data
    provenance: Provenance
    sure: bool = True
    label: str = ""
    """How a value picked from results is shown."""
    facts: Mapping[str, Any] = field(default_factory=dict)
    """Facts from the look-up (an instrument's kind, its exchange)."""
    grade: str = ""
    declared: str = ""
    """The sentence that the answer declares, as it was on screen."""


@dataclass(frozen=True)
class DocumentReading:
    """The values that a document proposes, by field; nothing of it counts before the person's click."""

    document: str
    values: Mapping[str, Value] = field(default_factory=dict)


@dataclass(frozen=True)
class Option:
    """One search result that a person may pick."""

    id: str
    label: str
    detail: str = ""
    facts: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Offer:
    """A value that the bot put to the person. Its button accepts it, or the person's next message does; then it is gone.

    `turn` counts as the draft's; `words` were once the bot's beside it, `card` is the message that shows it. `heard` is the
    message that came next; `option` is the search result that is meant, where the field is picked from results.
    """

    field: str
    data: Data
    label: str
    turn: int
    words: str = ""
    card: str = ""
    heard: str = ""
    option: Option | None = None
    said: str = ""
    """The person's own words that may mean this value: it is put back to them, for one click to take it."""


@dataclass(frozen=True)
class Disclosure:
    """A worse answer, told after a better one; it stands beside the answer and is never taken back by code."""

    field: str
    provenance: Provenance


@dataclass(frozen=True)
class Proposal:
    """An act that waits for a click: `change` a locked field, `disclose` a worse answer, `cancel`, `restart`; `withdraw` a record, or give it up
    as `unused`. Bound to the card that shows it.
    """

    act: Literal["change", "disclose", "cancel", "restart", "withdraw", "unused"]
    card: str
    field: str = ""
    value: Value | None = None
    words: str = ""
    message: str = ""
    turn: int = -1
    """The turn in which a change was proposed: until it is over, the next card takes nothing away."""


@dataclass(frozen=True)
class PendingOperation:
    """An operation that waits for a click: the store's proposal, and the card that shows it. Drafts hold any number of them."""

    proposal: str
    card: str
    what: str = ""
    """Its effect, in a line for people."""
    turn: int = -1
    """The turn in which its card was posted."""
    calls: tuple[Wanted, ...] = ()
    files: tuple[str, ...] = ()
    """Documents that go with the row that it makes."""
    clicked: bool = False
    """Its click is under way: no other one counts."""
    picks: int = 1
    """How many things it may mean: of several, no word confirms one."""


Sentences = Mapping[str, tuple[str, str]]
"""The sentences that a yes and a no declare, by field."""


@dataclass(frozen=True)
class OpenCard:
    """The card that may be clicked now."""

    id: str
    kind: Literal["question", "review", "crossroads", "read"]
    field: str = ""
    hash: str = ""
    lead_in: tuple[Utterance, ...] = ()
    """Its words above its question."""
    words: str = ""
    """Its question, where the model put it."""
    again: bool = False
    """True if it asks for an example rather than the form's first question."""
    document: str = ""
    fields: tuple[str, ...] = ()
    """The fields that it shows from which document; of a question, those that are asked together."""
    since: str = ""
    """The first of the cards in a row that put this question, where it is another one."""
    turn: int = -1
    """The draft's turn in which it was posted: nothing of the person's is below it while that lasts."""
    hidden: bool = False
    """True if its message shows something else now: what waits for a click comes first."""
    brief: bool = False
    """True if the stage's words stand above in full, so that this one only asks how to go on."""
    answers: bool = False
    """True if it tells what the person's typed words asked for: it stays to be read when it is clicked."""
    declares: Sentences = dataclasses.field(default_factory=dict)
    """The sentences that it shows: an answer given on it declares these, whatever the form says by then."""


@dataclass(frozen=True)
class LastTime:
    """Answers of the person's last record of this form that may be the same again; a click takes them."""

    record: str
    values: Mapping[str, Value]


@dataclass(frozen=True)
class OtherForm:
    """A form that the person may go over to: its name and its title."""

    name: str
    title: str


@dataclass(frozen=True)
class WishedForms:
    """Forms that the person's words wished for while this one was open, and the message that holds these words."""

    forms: tuple[OtherForm, ...]
    message: str = ""


TOOK_OVER = "[clicked] A person took the conversation over"
HANDED_BACK = "[clicked] A person handed the conversation back"
"""How the model is told where the stretch begins in which a person answered, and where it ends."""


@dataclass(frozen=True)
class ChatLine:
    """One line of the conversation as the model may see it: cut, with the message it came from."""

    role: Literal["user", "assistant"]
    text: str
    message: str = ""
    clicked: bool = False
    """Written by code for an act: its words ground nothing."""
    before: bool = False
    """Said in this conversation for another form: it may support a value, and makes none sure."""
    asked: str | None = None
    """The field that was the question when it was typed; None where that is not known."""
    unread: bool = False
    """Typed, and judged by no reader yet: it enters the next reading, whatever else happens meanwhile."""
    read: int = 0
    """The turn in which a reader judged it; 0 where code took it whole, or nobody has."""


DERIVED = "derived"
"""Under which a draft keeps what was derived from it."""


@dataclass(frozen=True)
class Draft:
    """`revision` counts changes; `turn` counts the person's acts, so that a late reply of the model is known to be late."""

    id: str
    form: str
    tenant: str
    owner: str
    conversation: str
    form_version: str = ""
    began: str = ""
    zone: str = ""
    """The owner's time zone (IANA); UTC where it is not known."""
    language: str = ""
    """The further language of the form ("it-IT") in which it is filled in; empty: the form's own."""
    revision: int = 0
    turn: int = 0
    status: Status = Status.OPEN
    stage: str = ""
    values: Mapping[str, Value] = field(default_factory=dict)
    locked_fields: frozenset[str] = frozenset()
    reopened: tuple[str, ...] = ()
    """Fields that the person asked to answer anew; their values stand until then."""
    asked: str = ""
    card: OpenCard | None = None
    answered_cards: Mapping[str, str] = field(default_factory=dict)
    """Field to the card that showed its answer, in drafts from before the sheet."""
    options: Mapping[str, tuple[Option, ...]] = field(default_factory=dict)
    sought: Mapping[str, str] = field(default_factory=dict)
    """What was searched for last, by the field that is looked up."""
    proposal: Proposal | None = None
    offers: tuple[Offer, ...] = ()
    undo: Mapping[str, Value] = field(default_factory=dict)
    """Values before the last correction, while that may be taken back."""
    undo_card: str = ""
    pending_operations: tuple[PendingOperation, ...] = ()
    """Operations that wait for their clicks, each on its own card, the oldest first."""
    deed_turn: int = -1
    """The turn in which an operation was last carried out or taken back."""
    last_time: LastTime | None = None
    """Offered with the questions that it answers, until they are."""
    wished: WishedForms | None = None
    """Offered on the open card until the person's next act."""
    disclosures: tuple[Disclosure, ...] = ()
    opening: tuple[ChatLine, ...] = ()
    window: tuple[ChatLine, ...] = ()
    """The first two and the last eight lines of the conversation; what lies between is told by the values."""
    earlier: tuple[ChatLine, ...] = ()
    """Further lines of the person's, oldest first: said before this draft began, or gone from the window."""
    turns_in_vain: int = 0
    """Turns in a row in which nothing was understood."""
    failures: int = 0
    """Look-ups, files and submissions that failed in a row."""
    submissions_failed: int = 0
    boxes_closed: int = 0
    """Boxes of the Edit menu that were closed without an answer: Slack keeps what was chosen until the menu has another id."""
    model_away: bool = False
    """True if the person knows that the model is away."""
    shown_turn: int = -1
    """The turn in which the present card was posted."""
    stood_turn: int = NEVER
    """The turn in which a closed draft first said how it stands."""
    gained_turn: int = -1
    """The turn in which a model last set something before it was asked on."""
    phase_chosen: bool = False
    """True if the person chose the present phase by hand."""
    ways_taken: Mapping[str, int] = field(default_factory=dict)
    """How often a way with a limit was followed, by `stages.way_key`."""
    last_entry: int = 0
    """The number of the row that an operation touched last."""
    files_waiting: tuple[str, ...] = ()
    """Documents that wait for the row that the words beside them make."""
    spoken: Mapping[str, int] = field(default_factory=dict)
    """Which wording of each sentence with several was shown last."""
    filed: Record = NO_RECORD
    """The record that it became; its owner may have it again to answer more."""
    submitted: Mapping[str, Value] = field(default_factory=dict)
    """The answers at the moment when some were asked for again: reviewers see which are different since."""
    going: str = ""
    """The trigger that waits for the review to be confirmed."""
    handed: str = ""
    """Why a person has the conversation; empty while the bot answers."""
    came_from: str = ""
    """The stage that was left for a person."""
    documents: Mapping[str, Document] = field(default_factory=dict)
    """Files that fields of this draft hold or held, by id."""
    readings: tuple[DocumentReading, ...] = ()
    """Proposals from documents that wait, the first one first."""
    undelivered: Mapping[str, str] = field(default_factory=dict)
    """Deliveries that failed for now, each with the card that said so."""

    def changed(self, **to: Any) -> "Draft":
        """Return the draft with other attributes, without what was derived from this one. TypeError for one that it does not have.

        `dataclasses.replace` calls two functions for each of fifty attributes, and an act changes twenty drafts.
        """
        if not to.keys() <= self.__dataclass_fields__.keys():
            raise TypeError(f"A draft has no {', '.join(to.keys() - self.__dataclass_fields__.keys())}.")
        made = object.__new__(Draft)
        made.__dict__.update(self.__dict__, **to)
        made.__dict__.pop(DERIVED, None)
        return made

    @property
    def hash(self) -> str:
        """SHA-256 over what a submission would hold: form, version, stage, values and locks; words alone do not change it."""
        content = [self.id, self.form, self.form_version, self.stage, len(self.disclosures)]
        values = {
            name: [v.data, v.label, v.provenance.at, v.provenance.message, *filter(None, (v.declared,))]
            for name, v in sorted(self.values.items())
        }
        whole = json.dumps([content, values, sorted(self.reopened)], ensure_ascii=False)
        return hashlib.sha256(whole.encode("utf-8", "surrogatepass")).hexdigest()

    @property
    def waiting(self) -> PendingOperation | None:
        """Return the newest operation that waits for its click."""
        return next((o for o in reversed(self.pending_operations) if not o.clicked), None)

    @property
    def held(self) -> frozenset[str]:
        """Documents that a field holds now, by id."""
        data = (value.data for value in self.values.values())
        ids = (i for d in data for i in (d if isinstance(d, tuple) else (str(d),)))
        return frozenset(ids) & frozenset(self.documents)

    @property
    def open(self) -> bool:
        """Return True if answers may still be given."""
        return self.status is Status.OPEN

    @property
    def asked_back(self) -> bool:
        """Return True if it is filed, and its owner has it again to answer what was asked for."""
        return self.open and bool(self.filed.number)


def with_record(draft: Draft, **changed: Any) -> Draft:
    """Return the draft with some of its record's attributes replaced: for views, never for what is stored."""
    return draft.changed(filed=replace(draft.filed, **changed))
