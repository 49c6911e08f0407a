"""What a handler may say is to be seen next. Plain data: `present` makes cards of it once the draft is settled."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from state.draft.draft import Status
from state.draft.utterance import Utterance

Acts = tuple[Literal["take_back", "person", "help", "begin", "show", "report", "unused", "correct"], ...]


@dataclass(frozen=True)
class Nothing:
    """No card of the form's own changes: a model is asked first, or the event was none of the person's business."""


@dataclass(frozen=True)
class Next:
    """What comes next, below the news and `told`: a question, the review, a choice of ways, or how the conversation ended.

    `words` are the question as the model put it. `prepared` enters the form's own question into the conversation, as the model's would be.
    """

    told: tuple[Utterance, ...] = ()
    words: str = ""
    prepared: bool = False


@dataclass(frozen=True)
class LeadIn:
    """The open card stays, with `told` above its question; `words` are that question as the model puts it."""

    told: tuple[Utterance, ...] = ()
    words: str = ""


@dataclass(frozen=True)
class Hold:
    """Everything stays as it is: a card waits for a click, or the model is asked on. News that cannot wait goes by itself."""


@dataclass(frozen=True)
class Again:
    """The open card is painted as it stands."""


@dataclass(frozen=True)
class OutOfDate:
    """A click on a card that counts no more: that card says so, and the present one comes again below."""

    card: str
    field: str = ""


@dataclass(frozen=True)
class Standing:
    """A closed draft says how it stands, and offers a new one; said once, later only the ways on are."""


@dataclass(frozen=True)
class Alone:
    """The news and `told` in a message of their own, with acts beside it; `about` is what these are about."""

    told: tuple[Utterance, ...] = ()
    acts: Acts = ()
    about: str = ""


@dataclass(frozen=True)
class StayOrNext:
    """The card of what was read stays, painted anew, while something on it is undecided; then what comes next, and the model's words for it."""


STANDS: Mapping[Status, str] = {
    Status.SUBMITTED: "already_filed", Status.ESCALATED: "with_compliance", Status.CANCELLED: "cancelled",
}  # fmt: skip
"""The sentence of the catalogue that says how a closed draft stands."""

Presentation = Nothing | Next | LeadIn | Hold | Again | OutOfDate | Standing | Alone | StayOrNext
NOTHING = Nothing()
