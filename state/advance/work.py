"""The sheet on which one event is worked out: the draft so far, the changes that led there, the effects they ask for."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from state.draft.changes import Change, apply
from state.draft.draft import Draft
from state.draft.reply import ToolCall
from state.draft.today import day_of
from state.engine.cards import Card, Utterance
from state.engine.effects import Effect, Post
from state.engine.events import DraftEvent
from state.engine.policy import AS_USUAL, Policy
from state.engine.tool_log import JudgedCall, log_entry, without_code
from state.fields.base import Context
from state.form import Form
from state.guards import GUARDS, Guard
from state.rules import Rules


@dataclass
class Work:
    """`before` is the draft as it was; `draft` follows every change at once, so that later steps see earlier ones."""

    form: Form
    rules: Rules
    before: Draft
    event: DraftEvent
    guards: tuple[Guard, ...] = GUARDS
    policy: Policy = AS_USUAL
    changes: list[Change] = field(default_factory=list)
    effects: list[Effect] = field(default_factory=list)
    calls: list[JudgedCall] = field(default_factory=list)
    news: list[Utterance] = field(default_factory=list)
    """What the person is to be told above the next card."""

    def __post_init__(self) -> None:
        self.draft = self.before
        self._posts = 0

    @property
    def context(self) -> Context:
        """Language of the form, the owner's own date at the event."""
        return Context(self.form.language, day_of(self.event.at, self.draft.zone))

    @property
    def changed(self) -> tuple[str, ...]:
        """Fields whose value is another one than before the event, in the form's order."""
        was, now = self.before.values, self.draft.values
        return tuple(n for n in self.form.fields if was.get(n) != now.get(n))

    def change(self, *changes: Change) -> None:
        """Take changes onto the sheet."""
        for change in changes:
            self.draft = apply(self.draft, change)
            self.changes.append(change)

    def do(self, *effects: Effect) -> None:
        """Take effects onto the sheet."""
        self.effects.extend(effects)

    def post(self, card: Card) -> str:
        """Post a card and give its id: the same event gives the same ids, so that a repeated turn repeats no post."""
        name = self.card_id()
        self.do(Post(name, card))
        return name

    def log(self, call: ToolCall, reader: str, result: Mapping[str, Any]) -> dict[str, Any]:
        """Log a judged call; gives its result as the model reads it."""
        step = getattr(self.event, "step", 0)
        self.calls.append(log_entry(self.form, call, result, reader, self.draft.turn, step))
        return without_code(result)

    def card_id(self) -> str:
        """The next card's id."""
        self._posts += 1
        mark = hashlib.blake2s(self.event.id.encode(), digest_size=6).hexdigest()
        return f"{self.draft.id}-{mark}-{self._posts}"

    def tell(self, *told: Utterance) -> None:
        """Add to what the next card says first."""
        self.news.extend(told)
