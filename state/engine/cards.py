"""Cards: what a person sees, in the business's words. `blocks/` turns a card into Block Kit; nothing here knows how it looks."""

import dataclasses
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Discriminator

from state.draft.draft import Sentences, Value
from state.draft.utterance import Utterance


@dataclass(frozen=True)
class Question:
    """The form's question for a field, below a lead-in. `coach` offers "submit anyway"; `keep` offers the present answer (an edit)."""

    field: str
    lead_in: tuple[Utterance, ...] = ()
    coach: bool = False
    keep: bool = False
    offer_person: bool = False
    words: str = ""
    """The question as the model put it; empty: the form's own."""
    again: bool = False
    """The answer before it was too thin: the form's question for an example."""
    fields: tuple[str, ...] = ()
    """Fields that are on the card together, the answered ones among them; `field` is the first that is missing."""
    feedback: bool = False
    """True if it holds words of a model's: the person may say if they were of use."""
    declares: Sentences = dataclasses.field(default_factory=dict)
    """The sentences that its answers declare."""
    kind: Literal["question"] = "question"


@dataclass(frozen=True)
class Crossroads:
    """A stage with nothing to ask: what it says, and the ways on as buttons."""

    stage: str
    lead_in: tuple[Utterance, ...] = ()
    brief: bool = False
    """The stage's words are above in full: only how to go on is asked."""
    offer_person: bool = False
    kind: Literal["crossroads"] = "crossroads"


@dataclass(frozen=True)
class Review:
    """Every answer with its words, Submit, Edit and Cancel."""

    lead_in: tuple[Utterance, ...] = ()
    kind: Literal["review"] = "review"


@dataclass(frozen=True)
class Receipt:
    """The review card after submission. `at` is ISO 8601 in UTC; `next` says what happens now."""

    number: str
    at: str
    state: str
    reasons: tuple[str, ...] = ()
    until: str = ""
    """The last day on which it counts (ISO 8601); empty where nothing ends it."""
    ending: str = ""
    """How the form's table ends the conversation."""
    waits: bool = False
    """True if a verdict is waited for, so that it may be taken back."""
    extends: bool = False
    """True if its owner may ask that it counts longer."""
    acts: tuple[Literal["report", "unused", "correct"], ...] = ()
    """Buttons for the person's next word on it: that it was done, that it was not, that the report was wrong."""
    calls: bool = False
    """True if its owner may ask for a person here."""
    kind: Literal["receipt"] = "receipt"


@dataclass(frozen=True)
class Change:
    """ "You answered No to leveraged product. Change it to Yes?" for a locked field."""

    field: str
    value: Value
    lead_in: tuple[Utterance, ...] = ()
    kind: Literal["change"] = "change"


@dataclass(frozen=True)
class Confirm:
    """Cancel, start over, or disclose a field's worse answer to the reviewers: asked once, done by a click."""

    act: Literal["cancel", "restart", "disclose", "withdraw", "unused"]
    field: str = ""
    lead_in: tuple[Utterance, ...] = ()
    kind: Literal["confirm"] = "confirm"


@dataclass(frozen=True)
class Read:
    """A document's reading (by its id): the fields that were proposed, each with its click until it is decided."""

    document: str
    fields: tuple[str, ...]
    lead_in: tuple[Utterance, ...] = ()
    kind: Literal["read"] = "read"


@dataclass(frozen=True)
class Notice:
    """Plain sentences, with the acts that make sense beside them."""

    lines: tuple[Utterance, ...]
    acts: tuple[Literal[
        "undo", "begin", "show", "person", "missing", "help", "cancel", "restart", "hand_back", "take_back", "report", "unused", "correct",
        "feedback", "withdraw", "extend",
    ], ...] = ()  # fmt: skip
    about: str = ""
    """The subject of the acts: the proposal that "take back" undoes, the message whose words a person is asked with."""
    kind: Literal["notice"] = "notice"


@dataclass(frozen=True)
class Act:
    """An operation that waits for a click: what it would do, Confirm and Cancel. The buttons carry the proposal's id and which one is picked."""

    proposal: str
    lines: tuple[Utterance, ...]
    picks: tuple[Utterance, ...] = ()
    """Everything that may be meant, where that is several things: a button for each in place of Confirm."""
    kind: Literal["act"] = "act"


@dataclass(frozen=True)
class DecisionCard:
    """The decision card of the reviewers in one state of the record; what was decided in it, once that is."""

    state: str
    kind: Literal["decision"] = "decision"


@dataclass(frozen=True)
class ReportCard:
    """A report as it was read in the person's words, for a click; as it was recorded, once it is."""

    recorded: bool = False
    lead_in: tuple[Utterance, ...] = ()
    kind: Literal["report"] = "report"


@dataclass(frozen=True)
class CaseCard:
    """A breach, or a note that a person has to judge, by its id."""

    case: str
    kind: Literal["case"] = "case"


@dataclass(frozen=True)
class Moved:
    """A card that no longer counts. `why`: its question was answered, comes again below, is out of date, or the draft is closed."""

    why: Literal["answered", "below", "changed", "closed", "kept"]
    field: str = ""
    was: Annotated[Question | Crossroads | Review | Change | Confirm | Read, Discriminator("kind")] | None = None
    """The card as it was: its words stay to be read, its buttons go. Of a change that was made, with the value before it."""
    kind: Literal["moved"] = "moved"


Card = Annotated[
    Question | Moved | Crossroads | Review | Receipt | Change | Confirm | Read | Notice | Act | DecisionCard | ReportCard | CaseCard,
    Discriminator("kind"),
]  # fmt: skip
