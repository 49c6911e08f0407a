"""A conversation without its shell: every event through `advance()`, every card built as Slack gets it, a model that is a script."""

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from blocks import ids
from blocks.cards import build_card
from bot.model.protocol import ModelError
from bot.sandbox.models.scripts import Play
from bot.sandbox.scenarios.staging import ScriptedModel
from prompts.build import build_request
from state.advance import Outcome, advance, begin, files, with_number
from state.draft.documents import Document, Sent
from state.draft.draft import Draft
from state.draft.reply import Reply
from state.engine.effects import CallModel, Effect, Fetch, Gather, LookUp, Post, Repaint
from state.engine.events import (
    Clicked,
    DocumentsReceived,
    DraftEvent,
    FactsGathered,
    LookupCompleted,
    MessageReceived,
    ModelReplied,
)
from state.engine.offers import RULES
from state.engine.unread import read_fresh
from state.fields.base import Context
from state.lists.versions import InForce
from state.rules import Results
from state.workflow.load import Workflow

AT, OWNER, OFFICER = "2026-11-20T12:00:00+00:00", "U0ALEX", "U0DANA"
ROWS = [
    {"number": 1, "item": "taxi", "amount": "18.00", "currency": "EUR", "date": "2026-11-12"},
    {"number": 2, "item": "lunch", "amount": "24.50", "currency": "EUR", "date": "2026-11-18"},
]
"""Expenses of the person's, for the form that claims them."""


class Late(ModelError):
    """The model has not answered yet; its reply comes after the person's next act."""


@dataclass
class Step:
    """What one event did: the draft before and after it, and the cards that it posted."""

    event: DraftEvent
    before: Draft
    after: Draft
    posted: tuple[Post, ...]
    outcome: Outcome


@dataclass
class Desk:
    """One person's conversation about one form. `model` is None where there is none."""

    workflow: Workflow
    model: Play | None
    locale: str = ""
    turns: int = 0
    """Model calls so far."""
    steps: list[Step] = field(default_factory=list)
    cards: dict[str, dict[str, Any]] = field(default_factory=dict)
    """Every message of the bot's by its id, oldest first, as it is on screen now."""
    pending: list[CallModel] = field(default_factory=list)
    late: list[tuple[CallModel, Reply]] = field(default_factory=list)
    filed: int = 0
    _count: int = 0

    def __post_init__(self) -> None:
        form = self.workflow.spoken_in(self.locale) if self.locale else self.workflow.form
        self.draft = begin(form, "d1", "T", OWNER, "T:D:", AT)
        self.form = self.workflow.form_of(self.draft)
        self._scripted = ScriptedModel(self.model) if self.model else None

    async def start(self) -> None:
        """Begin the form by its command."""
        await self.happen(Clicked(self.id(), AT, OWNER, "begin", field=self.form.name))
        await self.rest()

    def id(self) -> str:
        """Return a fresh id."""
        self._count += 1
        return f"e{self._count}"

    async def say(self, text: str, names: tuple[str, ...] = ()) -> None:
        """The person sends a message, with files of these names; the model's reply is not waited for."""
        sent = tuple(Sent(self.id(), name, "image/jpeg", 1000) for name in names)
        await self.happen(MessageReceived(self.id(), AT, OWNER, text, f"{self._count}.0", sent))

    async def press(self, made: ids.Press, label: str, who: str = OWNER) -> None:
        """The person clicks."""
        await self.happen(
            Clicked(self.id(), AT, who, made.act, made.field, made.value, made.card, made.hash, label=label)
        )

    async def rest(self) -> None:
        """Wait until the model has answered; a call that its person's next act superseded is answered too late."""
        while self.pending or self.late:
            if self.pending:
                await self._answer(self.pending.pop(0))
            else:
                await self.happen(self._replied(*self.late.pop(0), "scripted"))

    async def _answer(self, call: CallModel) -> None:
        event = self._asked(call)
        if event is not None:
            await self.happen(event)

    def _asked(self, call: CallModel) -> ModelReplied | None:
        """What the model says, or rules where it does not; None where neither has anything to say."""
        away = ""
        if self._scripted and call.turn == self.draft.turn:
            self.turns += 1
            try:
                reply = self._scripted.answer(build_request(self.form, self.draft, call, AT[:10]))
            except Late:
                self.late.append((call, Reply("All right.")))
                return None
            except ModelError:
                away = "outage"
            else:
                return self._replied(call, reply, "scripted")
        if call.turn != self.draft.turn or call.purpose == "lead_in" or not self.draft.open:
            return None
        reply = read_fresh(self.form, self.draft, Context(self.form.language, AT[:10]))
        return self._replied(call, reply, RULES, away)

    def _replied(self, call: CallModel, reply: Reply, reader: str, away: str = "") -> ModelReplied:
        return ModelReplied(
            self.id(), AT, "model", reply, call.turn, call.step, call.exchange, call.purpose, reader, call.act, away,
            call.regenerated,
        )  # fmt: skip

    async def happen(self, event: DraftEvent) -> None:
        """Handle an event, and all that follows from it but the model's reply."""
        waiting = deque([event])
        while waiting:
            one, before = waiting.popleft(), self.draft
            outcome = advance(self.workflow.form_of(before), self.workflow.rules, before, one)
            if outcome.fault:
                raise outcome.fault
            if files(outcome):
                self.filed += 1
                outcome = with_number(outcome, f"R-{self.filed}")
            self.draft = outcome.draft
            self.form = self.workflow.form_of(self.draft)
            posted = tuple(e for e in outcome.effects if isinstance(e, Post))
            self._show(outcome.effects)
            self.steps.append(Step(one, before, self.draft, posted, outcome))
            for effect in outcome.effects:
                waiting.extend([e for e in [await self._performed(effect)] if e])

    def _show(self, effects: tuple[Effect, ...]) -> None:
        for effect in effects:
            if isinstance(effect, Post | Repaint):
                built = build_card(self.form, self.draft, effect.card, effect.id, AT[:10])
                if isinstance(effect, Post):
                    self.cards.pop(effect.into or effect.id, None)
                self.cards[effect.id] = {"text": built.text, "blocks": built.blocks, "card": effect.card}

    def presses(self) -> Iterator[tuple[str, ids.Press]]:
        """Every button on screen with its words, the newest message's first; an option of radio buttons counts as one."""
        for message in reversed(self.cards.values()):
            for block in message["blocks"]:
                inner = [*block.get("elements", ()), *([block["accessory"]] if "accessory" in block else [])]
                for element in inner:
                    yield from _pressed({"block_id": block.get("block_id"), **element})

    async def _performed(self, effect: Effect) -> DraftEvent | None:
        match effect:
            case CallModel():
                self.pending.append(effect)
            case LookUp():
                return await self._looked_up(effect)
            case Gather():
                return await self._gathered(effect)
            case Fetch():
                names = [f"{effect.asked}-{n}" for n in range(len(effect.files))]  # the same in every play
                found = tuple(
                    Document(name, sent.name, "image/jpeg", 1, "", "no_text", effect.message, (), name)
                    for name, sent in zip(names, effect.files, strict=True)
                )
                return DocumentsReceived(
                    self.id(), AT, "documents", found, effect.turn, effect.asked, effect.message, effect.words
                )
        return None

    async def _looked_up(self, effect: LookUp) -> LookupCompleted:
        name, rules = self.workflow.form.fields[effect.field].lookup, self.workflow.rules
        own = rules.own_lookups.get(name)
        found = await own(effect.query, self.draft, self._sources()) if own else rules.lookups[name](effect.query)
        assert isinstance(found, Results)
        return LookupCompleted(
            self.id(), AT, "look_up", effect.field, effect.query, found.options, effect.turn, effect.words,
            effect.message, found.exact, effect.lead_in,
        )  # fmt: skip

    async def _gathered(self, effect: Gather) -> FactsGathered:
        facts: Mapping[str, Any] = {"phone": "", "name": ""}
        if effect.purpose != "profile":
            facts = (
                {} if effect.purpose == "again" else dict(await self.workflow.rules.gather(self.draft, self._sources()))
            )
        if any("rows" in v.facts for v in self.draft.values.values()):
            facts = {**facts, "rows": ROWS}
        return FactsGathered(self.id(), AT, "rules", effect.purpose, facts, effect.hash, effect.name, effect.rest)

    def _sources(self) -> "Facts":
        return Facts(self.workflow)


@dataclass(frozen=True)
class Facts:
    """What rules ask of the store (see `state.rules.Sources`): this person has nothing but two expenses."""

    workflow: Workflow

    async def own_records(self, limit: int = 200) -> list[Mapping[str, Any]]:
        return []

    def today(self) -> str:
        return AT[:10]

    async def in_force(self, name: str) -> InForce:
        return InForce(name, rows=self.workflow.lists[name])

    def asked(self) -> tuple[str, str]:
        return "", ""

    async def conversation(self) -> Mapping[str, str]:
        return {"name": "", "archive": "", "thread": ""}

    async def rows(self, form: str) -> list[Mapping[str, Any]]:
        return list(ROWS)


def _pressed(element: dict[str, Any]) -> Iterator[tuple[str, ids.Press]]:
    """Yield what an element may be clicked for: a button, each option of radio buttons or of a menu."""
    options = element.get("options") if element.get("type") in ("radio_buttons", "static_select") else None
    for option in options or [None]:
        press = ids.press_of({**element, "selected_option": option} if option else element)
        if press is not None:
            yield str(((option or element).get("text") or {}).get("text", "")), press
