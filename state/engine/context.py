"""A turn's context: one event, the draft with every change so far, and what the handler says is to be shown, asked, done and logged."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from state.draft.changes import Change, ChatLineAdded, FaultNoted, apply
from state.draft.draft import ChatLine, Draft, Status, Value
from state.draft.record import Record
from state.draft.reply import ToolCall
from state.draft.route import with_query
from state.draft.scope import CORRECT, DISCLOSE, EXPLAIN, GO, PERSON, READ, SAY, SUBMIT, own_names
from state.draft.topics import Topic
from state.draft.utterance import Utterance
from state.draft.working_days import day_of
from state.engine.cards import Card
from state.engine.effects import Announce, CallModel, Effect, Post
from state.engine.events import Clicked, DraftEvent, MessageReceived
from state.fields import tools_of
from state.fields.base import Context
from state.form import Form, Transition
from state.guards import GUARDS, Guard
from state.rules import FormFault, Rules

Acts = tuple[
    Literal["take_back", "person", "help", "begin", "show", "report", "unused", "correct", "feedback", "withdraw", "extend"], ...
]  # fmt: skip


@dataclass(frozen=True)
class Nothing:
    """No card of the form's own changes: a model is asked first, or the event was none of the person's business."""


@dataclass(frozen=True)
class Next:
    """The next step, below the news and `told`: a question, the review, a choice of ways, or how the conversation ended.

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
    """The open card is painted anew."""


@dataclass(frozen=True)
class OutOfDate:
    """A click on a card that counts no more: that card says so, and the present one comes again below."""

    card: str
    field: str = ""


@dataclass(frozen=True)
class ShowClosed:
    """A closed draft says what its record says of these topics, and what its owner can do now; without any, that it does not say what was asked."""

    topics: tuple[Topic, ...] = (Topic.STATE,)
    message: str = ""
    """The message that asks (its Slack timestamp): a click passes its words on to a person."""


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
"""The sentence of the catalogue that says the state of a closed draft."""

Presentation = Nothing | Next | LeadIn | Hold | Again | OutOfDate | ShowClosed | Alone | StayOrNext
NOTHING = Nothing()


@dataclass(frozen=True)
class Policy:
    """`friendly_repeat`: a call to finalise what is filed is answered that it succeeded before; else it is refused, and as harmless."""

    friendly_repeat: bool = True


AS_USUAL = Policy()


UNKNOWN = "unknown"
"""Stands in the log's plain column for a name that no tool has: a model may have put anything there."""
EVERYWHERE = (CORRECT, DISCLOSE, EXPLAIN, GO, PERSON, READ, SAY)
"""Tools that every form has."""
CODE = "code"
"""The word in a result that only the log keeps: why a call was refused."""


@dataclass(frozen=True)
class JudgedCall:
    """One call as it was judged. `arguments` and `result` may hold people's words; the rest holds nothing personal."""

    tool: str
    status: str
    reason: str
    """The refusal's code (lock, grounding, schema …), also where only a part was refused; empty where nothing was."""
    reader: str
    """The model's name, or "rules" for the rule-based reader."""
    turn: int
    step: int
    idempotent: bool
    """True if it asked for what was done before, and was answered so without anything being written."""
    finalizes: bool
    arguments: Mapping[str, Any]
    result: Mapping[str, Any]


def finalizes(form: Form, tool: str) -> bool:
    """Return True if a tool of this name is a way to submit, offered or not."""
    return tool in SUBMIT or (tool != "" and tool == form.finalize)


def without_code(result: Mapping[str, Any]) -> dict[str, Any]:
    """Return a result as the model reads it."""
    kept = {name: value for name, value in result.items() if name != CODE}
    parts = kept.get("rejected")
    return kept | ({"rejected": {n: without_code(r) for n, r in parts.items()}} if isinstance(parts, Mapping) else {})


SPOKEN = 600
"""Characters of what the bot said that stay in the conversation."""


def bot_line(text: str) -> ChatLineAdded:
    """Return a line of the bot's for the conversation that a model sees."""
    return ChatLineAdded(ChatLine("assistant", text[:SPOKEN]))


@dataclass
class TurnContext:
    """`before` is the draft as it was; `draft` follows every change at once, so that later steps see earlier ones."""

    form: Form
    rules: Rules
    before: Draft
    event: DraftEvent
    guards: tuple[Guard, ...] = GUARDS
    policy: Policy = AS_USUAL
    changes: list[Change] = field(default_factory=list)
    effects: list[Effect] = field(default_factory=list)
    """Effects beside the screen."""
    calls: list[JudgedCall] = field(default_factory=list)
    news: list[Utterance] = field(default_factory=list)
    """The first sentences of the next card."""
    shows: Presentation = NOTHING
    """The next thing they see."""
    cards: list[Post] = field(default_factory=list)
    """Cards of their own: a change or an act that waits for a click, an answer that was replaced."""
    repaints: dict[str, Card] = field(default_factory=dict)
    """The new content of earlier cards, by their ids."""
    model: CallModel | None = None
    """The call of the model; which fields changed is filled in once the draft is settled."""
    way: Transition | None = None
    """The way that a person chose, or a model for them; settling follows it."""
    taken: Transition | None = None
    """The chosen way, once it was followed."""
    phase: str = ""
    """The phase that the person chose; settling goes there."""
    fault: FormFault | None = None
    """The failure of the form's own Python, for the log."""
    person: str = ""
    """Why a person is to take the conversation; settling hands it over."""
    person_words: tuple[str, ...] = ()
    """Words that the person asks them with."""

    def __post_init__(self) -> None:
        self.draft = self.before
        self.form = with_query(self.form, self.before)
        self._context: tuple[str, Context] | None = None
        self._changed: tuple[Mapping[str, Value], tuple[str, ...]] | None = None

    @property
    def context(self) -> Context:
        """Return the language of the form and the owner's own date at the event."""
        if self._context is None or self._context[0] != self.draft.zone:
            today = day_of(self.event.at, self.draft.zone)
            self._context = (self.draft.zone, Context(self.form.language, today))
        return self._context[1]

    @property
    def changed(self) -> tuple[str, ...]:
        """Return the fields whose value is another one than before the event, in the form's order."""
        now, was = self.draft.values, self.before.values
        if self._changed is None or self._changed[0] is not now:
            differ = () if now is was else (n for n in self.form.fields if was.get(n) != now.get(n))
            self._changed = (now, tuple(differ))
        return self._changed[1]

    @property
    def filed(self) -> Record:
        """Return what was filed of the draft so far."""
        return self.draft.filed

    @property
    def handed(self) -> bool:
        """Return True if a person has the conversation, or is to have it."""
        return bool(self.draft.handed or self.person)

    def change(self, *changes: Change) -> None:
        """Change the draft."""
        for change in changes:
            self.draft = apply(self.draft, change)
            self.changes.append(change)

    def do(self, *effects: Effect) -> None:
        """Have something done beside the screen."""
        self.effects.extend(effects)

    def hear_bot(self, text: str) -> None:
        """Enter what the bot says in the conversation that a model sees."""
        self.change(bot_line(text))

    def tell(self, *told: Utterance) -> None:
        """Add to what the next card says first."""
        self.news.extend(told)

    def present(self, shows: Presentation) -> None:
        """Say what the person sees next; the last word counts."""
        self.shows = shows

    def show(self, card: Card, *, own: bool = False) -> str:
        """Post a card above what comes next, in a message of its `own` where it shall take over none; return its id."""
        into = "" if self.cards or own else self.into
        name = self.card_id(len(self.cards) + 1, into)
        self.cards.append(Post(name, card, into))
        return name

    def turn_into(self, card: str, other: Card) -> None:
        """Paint an earlier card anew."""
        self.repaints[card] = other

    def ask_model(self, call: CallModel | None = None, *, act: str = "") -> None:
        """Ask the model: the call as it is given, else for words that lead over to what comes next."""
        self.model = call or CallModel(self.draft.turn, purpose="lead_in", act=act)

    def log(self, call: ToolCall, reader: str, result: Mapping[str, Any]) -> dict[str, Any]:
        """Log a judged call; return its result as the model reads it."""
        form, done, status = self.form, finalizes(self.form, call.tool), str(result.get("status", ""))
        known = done or status != "rejected" or call.tool in EVERYWHERE
        known = known or call.tool in (*own_names(form), *tools_of(form), *form.operations)
        parts, read = result.get("rejected"), without_code(result)
        first = next(iter(parts.values())) if isinstance(parts, Mapping) and parts else {}
        self.calls.append(JudgedCall(
            call.tool if known else UNKNOWN, status, str(result.get(CODE) or first.get(CODE, "")), reader, self.draft.turn,
            getattr(self.event, "step", 0), idempotent=done and bool(result.get("already_finalized")), finalizes=done,
            arguments={"tool": call.tool, "given": call.arguments}, result=read,
        ))  # fmt: skip
        return read

    def note_fault(self, fault: FormFault) -> None:
        """Keep which function of the form's Python failed, and notify those who run the bot; never of what anybody wrote."""
        self.fault = fault
        self.change(FaultNoted(*fault.told))
        self.do(Announce("fault", (str(fault),), self.draft.filed.number, to="operators"))

    @cached_property
    def into(self) -> str:
        """Return the card whose message the event's first card takes over: the one that was clicked, or one with nothing of the person's below.

        A clicked card that answers what the person typed stays to be read.
        """
        card, proposal = self.before.card, self.before.proposal
        shown = card.id if card is not None and not card.hidden else ""
        if isinstance(self.event, Clicked):
            if card is not None and card.answers and message_of(card.id) == message_of(self.event.card):
                return ""
            alive = (shown, proposal.card if proposal else "")
            return next((name for name in alive if name and message_of(name) == message_of(self.event.card)), "")
        last = card is not None and card.turn == self.before.turn and not isinstance(self.event, MessageReceived)
        return shown if last else ""

    def card_id(self, number: int, into: str = "") -> str:
        """Return the id of the event's first, second … card: the same event gives the same ids, so that a repeated turn repeats no post.

        One that takes over the message of `into` says so in its id: `message_of` tells which cards stood in one message.
        """
        mark = hashlib.blake2s(self.event.id.encode(), digest_size=6).hexdigest()
        return f"{message_of(into)}~{mark}" if into else f"{self.draft.id}-{mark}-{number}"


def message_of(card: str) -> str:
    """Return the first of the cards that are or were in the same message."""
    return card.partition("~")[0]
