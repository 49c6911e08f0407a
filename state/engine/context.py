"""A turn's context: one event, the draft as it stands so far, and what the handler says is to be shown, asked and done."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from state.draft.changes import Change, ChatLineAdded, apply
from state.draft.draft import ChatLine, Draft, Value
from state.draft.reply import ToolCall
from state.draft.working_days import day_of
from state.engine.cards import Card, Utterance
from state.engine.effects import CallModel, Effect, Post
from state.engine.events import Clicked, DraftEvent, MessageReceived
from state.engine.policy import AS_USUAL, Policy
from state.engine.presentation import NOTHING, Presentation
from state.engine.tool_log import JudgedCall, log_entry, without_code
from state.fields.base import Context
from state.form import Form, Transition
from state.guards import GUARDS, Guard
from state.rules import FormFault, Rules

SPOKEN = 600
"""Characters of what the bot said that stay in the conversation."""


def bot_line(text: str) -> ChatLineAdded:
    """A line of the bot's in the conversation that a model sees."""
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
    """What is to be done beside the screen."""
    calls: list[JudgedCall] = field(default_factory=list)
    news: list[Utterance] = field(default_factory=list)
    """What the person is to be told above the next card."""
    shows: Presentation = NOTHING
    """What they see next."""
    cards: list[Post] = field(default_factory=list)
    """Cards of their own: a change or an act that waits for a click, an answer that was replaced."""
    repaints: dict[str, Card] = field(default_factory=dict)
    """What earlier cards turn into, by their ids."""
    model: CallModel | None = None
    """What the model is asked; which fields changed is filled in once the draft is settled."""
    way: Transition | None = None
    """The way that a person chose, or a model for them; settling follows it."""
    taken: Transition | None = None
    """The chosen way, once it was followed."""
    phase: str = ""
    """The phase that the person chose; settling goes there."""
    fault: FormFault | None = None
    """What of the form's own Python failed, for the log."""
    person: str = ""
    """Why a person is to take the conversation; settling hands it over."""

    def __post_init__(self) -> None:
        self.draft = self.before
        self._context: tuple[str, Context] | None = None
        self._changed: tuple[Mapping[str, Value], tuple[str, ...]] | None = None

    @property
    def context(self) -> Context:
        """Language of the form, the owner's own date at the event."""
        if self._context is None or self._context[0] != self.draft.zone:
            today = day_of(self.event.at, self.draft.zone)
            self._context = (self.draft.zone, Context(self.form.language, today))
        return self._context[1]

    @property
    def changed(self) -> tuple[str, ...]:
        """Fields whose value is another one than before the event, in the form's order."""
        now, was = self.draft.values, self.before.values
        if self._changed is None or self._changed[0] is not now:
            differ = () if now is was else (n for n in self.form.fields if was.get(n) != now.get(n))
            self._changed = (now, tuple(differ))
        return self._changed[1]

    @property
    def handed(self) -> bool:
        """Whether a person has the conversation, or is to have it."""
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
        """What the bot says enters the conversation that a model sees."""
        self.change(bot_line(text))

    def tell(self, *told: Utterance) -> None:
        """Add to what the next card says first."""
        self.news.extend(told)

    def present(self, shows: Presentation) -> None:
        """Say what the person sees next; the last word counts."""
        self.shows = shows

    def show(self, card: Card, *, own: bool = False) -> str:
        """Have a card posted above what comes next, in a message of its `own` where it shall take over none; gives its id."""
        into = "" if self.cards or own else self.into
        name = self.card_id(len(self.cards) + 1, into)
        self.cards.append(Post(name, card, into))
        return name

    def turn_into(self, card: str, other: Card) -> None:
        """Have an earlier card painted anew."""
        self.repaints[card] = other

    def ask_model(self, call: CallModel | None = None, *, act: str = "") -> None:
        """Have the model asked: the call as it is given, else for words that lead over to what comes next."""
        self.model = call or CallModel(self.draft.turn, purpose="lead_in", act=act)

    def log(self, call: ToolCall, reader: str, result: Mapping[str, Any]) -> dict[str, Any]:
        """Log a judged call; gives its result as the model reads it."""
        step = getattr(self.event, "step", 0)
        self.calls.append(log_entry(self.form, call, result, reader, self.draft.turn, step))
        return without_code(result)

    @cached_property
    def into(self) -> str:
        """The card whose message the event's first card takes over: the one that was clicked on, or one with nothing of the person's below it."""
        card, proposal = self.before.card, self.before.proposal
        shown = card.id if card is not None and not card.hidden else ""
        if isinstance(self.event, Clicked):
            alive = (shown, proposal.card if proposal else "")
            return next((name for name in alive if name and message_of(name) == message_of(self.event.card)), "")
        last = card is not None and card.turn == self.before.turn and not isinstance(self.event, MessageReceived)
        return shown if last else ""

    def card_id(self, number: int, into: str = "") -> str:
        """The id of the event's first, second … card: the same event gives the same ids, so that a repeated turn repeats no post.

        One that takes over the message of `into` says so in its id: `message_of` tells which cards stood in one message.
        """
        mark = hashlib.blake2s(self.event.id.encode(), digest_size=6).hexdigest()
        return f"{message_of(into)}~{mark}" if into else f"{self.draft.id}-{mark}-{number}"


def message_of(card: str) -> str:
    """The first of the cards that stand or stood in the same message."""
    return card.partition("~")[0]
