"""Timings, simulated: lines, clicks and replies reach a draft in any order, as they do where the model is slow, silent or away."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from state.advance import advance, begin
from state.draft.changes import ValueSet
from state.draft.draft import Draft, Option
from state.draft.reply import Reply, ToolCall
from state.engine.effects import CallModel, Effect, LookUp
from state.engine.events import Clicked, DraftEvent, LookupCompleted, MessageReceived, ModelReplied
from state.engine.offers import RULES as READER
from state.engine.unread import read_fresh
from state.fields import kind_of, tools_of
from state.fields.base import Context
from state.form import Form
from state.form.field import Data
from state.rules import Rules
from state.understanding.evidence import fresh_lines, newest_line
from tests.shipped import shipped
from tests.state.forms import AT, FORM, OWNER, RULES, filled, new_draft

TODAY = AT[:10]


@dataclass(frozen=True)
class Told:
    """A line, and what it tells: field to canonical value."""

    text: str
    facts: dict[str, Data]


@dataclass(frozen=True)
class Case:
    """A form, its rules, and plain lines about it that any reader understands."""

    form: Form
    rules: Rules
    lines: tuple[Told, ...]
    start: Draft


def _shipped(name: str, *lines: Told, stage: str = "", **values: Data) -> Case:
    loaded = shipped(name)
    fresh = begin(loaded.form, "d1", "T1", OWNER, "T1:D1:", AT)
    start = filled(replace(fresh, stage=stage or fresh.stage), **values)
    return Case(loaded.form, loaded.rules, lines, start)


SMALL = Case(
    FORM,
    RULES,
    (
        Told("I want to buy", {"side": "buy"}),
        Told("200 shares", {"quantity": 200}),
        Told("it is leveraged", {"leveraged": True}),
        Told("because I expect steady dividends for years", {"reason": "I expect steady dividends for years"}),
    ),
    new_draft(),
)
DEALING = _shipped(
    "pa_dealing",
    Told("I want to buy", {"direction": "buy"}),
    Told("200 shares", {"quantity": 200}),
    Told("GBP 720.50", {"value": "720.50", "currency": "GBP"}),
    Told("from my pension account", {"account": "pension"}),
    Told("because I expect steady dividends for years", {"justification": "I expect steady dividends for years"}),
)
LOAN = _shipped(
    "loan",
    Told("lo stipendio netto è 1.750 euro", {"net_salary": "1750.00"}),
    Told("sono assunto dal 3 marzo 2015", {"hire_date": "2015-03-03"}),
    Told("ho un contratto a tempo indeterminato", {"contract": "indeterminato"}),
    Told("in azienda siamo 40 dipendenti", {"employer_size": 40}),
    stage="manual_emp",
    employment_type="dipendente",
    employer_category="privato",
)
VEHICLE = _shipped(
    "vehicle_case",
    Told("mi correo es lucia.marin@example.org", {"email": "lucia.marin@example.org"}),
    Told("mi teléfono es el 600 000 000", {"telefono": "600000000"}),
    Told("el código postal es 28013", {"codigo_postal": "28013"}),
    Told("mi dni es 12345678Z", {"dni_cif": "12345678Z"}),
    stage="collect_personal",
)
VEHICLE_IDLE = _shipped(
    "vehicle_case",
    Told("Es una moto", {"tipo_vehiculo": "motocicleta"}),
    Told("Quiero homologar el escape", {"elementos": ("escape",)}),
)


class Conversation:
    """A draft and the calls that are under way for it. `play` is what the model makes of the lines that it is shown."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self.draft = case.start
        self.calls: list[CallModel] = []
        self.set: list[str] = []
        self._count = 0

    def say(self, text: str) -> None:
        """The person types a line."""
        self._count += 1
        self._happens(MessageReceived(f"s{self._count}", AT, OWNER, text, f"{self._count}.0"))

    def click(self, told: set[str]) -> None:
        """The person answers the open question by a button, unless a line tells it: then they look at the form."""
        card, name = self.draft.card, self.draft.asked
        asked = self.case.form.fields.get(name)
        self._count += 1
        act: Any = "show"
        if card is not None and asked is not None and kind_of(asked).polar and name not in told:
            act = "answer"
        self._happens(Clicked(f"c{self._count}", AT, OWNER, act, name, False, card.id if card else ""))

    def answer(self, play: Callable[["Conversation", CallModel], ModelReplied], place: int = -1) -> None:
        """A call that is under way is answered; one of an earlier turn is late."""
        call = self.calls.pop(place)
        self._count += 1
        self._happens(play(self, call))

    def finish(self) -> None:
        """What is still under way comes to its end: rules answer in the place of a model that never did."""
        while self.calls:
            self.answer(by_rules)

    def replied(self, call: CallModel, reply: Reply, reader: str = "model") -> ModelReplied:
        """The reply to a call as an event."""
        return ModelReplied(
            f"r{self._count}", AT, "model", reply, call.turn, call.step, call.exchange, call.purpose, reader, call.act
        )

    def _happens(self, event: DraftEvent) -> None:
        outcome = advance(self.case.form, self.case.rules, self.draft, event)
        self.draft = outcome.draft
        self.set += [c.field for c in outcome.changes if isinstance(c, ValueSet)]
        for effect in outcome.effects:
            self._perform(effect)

    def _perform(self, effect: Effect) -> None:
        if isinstance(effect, CallModel) and effect.purpose == "understand":
            self.calls.append(effect)
        elif isinstance(effect, LookUp):
            self._count += 1
            found = (Option("X1", f"Found {effect.query}"),)
            self._happens(
                LookupCompleted(f"f{self._count}", AT, "look_up", effect.field, effect.query, found, effect.turn)
            )


Play = Callable[[Conversation, CallModel], ModelReplied]


def by_rules(talk: Conversation, call: CallModel) -> ModelReplied:
    """There is no model, or it failed, or it hung until it was given up."""
    reply = read_fresh(talk.case.form, talk.draft, Context(talk.case.form.language, TODAY))
    return talk.replied(call, reply, READER)


def attentive(talk: Conversation, call: CallModel) -> ModelReplied:
    """A model that calls for all that the lines it was shown say."""
    return talk.replied(call, _calling(talk, [line.text for line in fresh_lines(talk.draft)], call))


def nearsighted(talk: Conversation, call: CallModel) -> ModelReplied:
    """A model that looks at the newest line alone, and has something to say of it."""
    line = newest_line(talk.draft)
    return talk.replied(call, _calling(talk, [line.text] if line else [], call, "All right."))


def talkative(talk: Conversation, call: CallModel) -> ModelReplied:
    """A model that says something nice and calls for nothing."""
    return talk.replied(call, Reply("All right."))


def _calling(talk: Conversation, texts: list[str], call: CallModel, words: str = "") -> Reply:
    told = [one for text in texts for one in talk.case.lines if one.text == text]
    tools = {f.name: tool for tool, fields in tools_of(talk.case.form).items() for f in fields}
    calls = tuple(
        ToolCall(f"t{call.turn}-{call.step}-{n}", tools[name], {name: data, "words": one.text})
        for n, (one, name, data) in enumerate((one, name, data) for one in told for name, data in one.facts.items())
        if name not in talk.draft.values and (name, data) not in {(o.field, o.data) for o in talk.draft.offers}
    )
    return Reply(words, calls, stop="calls" if calls else "end")


def lost(draft: Draft, told: list[Told]) -> dict[str, Data]:
    """What was told and is neither taken nor put back."""
    facts = {name: data for one in told for name, data in one.facts.items()}
    offered = {(o.field, o.data) for o in draft.offers}
    taken = {name: value.data for name, value in draft.values.items()}
    return {n: d for n, d in facts.items() if taken.get(n) != d and (n, d) not in offered}
