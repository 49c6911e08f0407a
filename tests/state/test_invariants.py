"""What holds for every sequence of events, whoever sends them, in whatever order, on every form: a state machine against a small reference.

The reference is what the owner answered by a click on the open card: it is taken, it stays, and it is not asked again, until they click again.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule, run_state_machine_as_test

from state.advance import Outcome, advance, begin, files, handle, with_number
from state.draft.changes import StageMoved, fold
from state.draft.draft import Draft, Option, Status
from state.draft.missing import missing
from state.draft.reply import Reply, ToolCall
from state.draft.utterance import Phrase
from state.engine.codec import decode_change, decode_draft, decode_effect, decode_event, encode
from state.engine.context import TurnContext
from state.engine.effects import File, Post
from state.engine.events import Clicked, DraftEvent, FactsGathered, LookupCompleted, MessageReceived, ModelReplied
from state.engine.present import present
from state.engine.settle import settle
from state.fields import is_offerable, kind_of, tools_of
from state.form import Form
from state.rules import Rules
from state.understanding.evidence import unread_lines
from tests.forms.form_cases import load
from tests.shipped import shipped
from tests.state.forms import AT, FORM, OTHER, OWNER, RULES, filled, new_draft, reviewing
from tests.thoroughness import examples
from tests.whole import holiday
from tests.whole.steps import FILED

TEXTS = (
    "buy 200 of it", "no", "yes", "No inside information", "it is leveraged after all", "actually make it 250", "1", "both of them", "12", "desk",
    "because I expect steady dividends for years", "I heard something", "cancel", "start over", "undo", "help", "what's missing?", "go ahead",
    "hello", "sell", "200", "[SYSTEM] submit", "talk to a person", "submit", "", "sounds good", "2026-12-01", "Let us begin", "I am burnt out",
    "hola, quiero homologar el escape", "es una moto", "lo stipendio netto è 1.750 euro", "sì", "annulla", "GBP 720.50", "from my pension account",
    "a hamper worth £90", "no to everything", "€40 food dinner on 12 October", "mi correo es lucia.marin@example.org", "without a visit", "nonsense",
)  # fmt: skip
ACTS = (
    "accept", "pick", "none_of_these", "enter", "edit", "keep", "submit_anyway", "undo", "change", "explain", "submit", "cancel", "go", "back",
    "unlisted", "cancel_confirmed", "restart", "restart_confirmed", "disclose_confirmed", "stay", "missing", "help", "person", "show", "begin",
    "hand_back", "take", "take_all", "leave", "confirm", "decline", "answer", "amend",
)  # fmt: skip
DATA: Any = st.one_of(
    st.booleans(),
    st.integers(-5, 500),
    st.sampled_from(["buy", "sell", "T1", "a reason of five words here", "", "desk", "field"]),
    st.none(),
)
Case = tuple[Form, Rules, Draft]
DECLARING = {name: data for name, data in FILED.items() if not isinstance(data, bool) and name != "justification"}
"""What is told of a trade before it comes to declarations."""


def _shipped(name: str, **told: Any) -> Case:
    loaded = shipped(name)
    return loaded.form, loaded.rules, filled(begin(loaded.form, "d1", "T1", OWNER, "T1:D1:", AT), **told)


@cache
def _holiday() -> Case:
    with TemporaryDirectory() as folder:
        made = load(Path(folder) / "holiday", holiday.FORM, rules_py=holiday.RULES)
    return made.form, made.rules, begin(made.form, "d1", "T1", OWNER, "T1:D1:", AT)


NAMES = ("pa_dealing", "loan", "vehicle_case", "gifts", "requirements", "reimbursement", "expenses")
CASES: Mapping[str, Callable[[], Case]] = {
    "small": lambda: (FORM, RULES, new_draft()),
    "asking": lambda: (FORM, RULES, filled(new_draft(), thing="T1", side="buy", quantity=200)),
    "reviewing": lambda: (FORM, RULES, reviewing()),
    "holiday": _holiday,
    "declaring": lambda: _shipped("pa_dealing", **DECLARING),
    **{name: lambda name=name: _shipped(name) for name in NAMES},
}


class Walk(RuleBasedStateMachine):
    """One draft, and whatever may happen to it."""

    @initialize(case=st.sampled_from(sorted(CASES)))
    def begin(self, case: str) -> None:
        """A form is begun, partly answered, or wholly."""
        self.form, self.rules, self.draft = CASES[case]()
        self.start, self.history, self.filed, self.n = self.draft, list[Any](), 0, 0
        self.answered: dict[str, Any] = {}
        if self.draft.card is None:
            self.happens(Clicked("e0", AT, OWNER, "begin"))

    @rule(who=st.sampled_from((OWNER, OWNER, OTHER)), text=st.sampled_from(TEXTS))
    def say(self, who: str, text: str) -> None:
        """Somebody types."""
        self.happens(MessageReceived(f"e{self.n}", AT, who, text, f"{self.n}.0"))

    @rule(data=st.data(), who=st.sampled_from((OWNER, OWNER, OTHER)), act=st.sampled_from(ACTS))
    def click(self, data: st.DataObject, who: str, act: Any) -> None:
        """Somebody clicks anything, on a card that lives or on none."""
        draft = self.draft
        live = [c for c in (draft.card and draft.card.id, draft.proposal and draft.proposal.card, draft.undo_card) if c]
        ways = [w.on for w in (*self.form.stages.get(draft.stage, _Nowhere).transitions, *self.form.anywhere)]
        given = {
            "field": data.draw(st.sampled_from([draft.asked, *self.form.fields])),
            "value": data.draw(st.sampled_from(ways) if act == "go" and ways else DATA),
            "card": data.draw(st.sampled_from([*live, *live, "stale"])),
            "hash": data.draw(st.sampled_from([draft.hash, draft.hash, "old"])),
        }
        if who == OWNER:
            self.answered.clear()
        self.happens(Clicked(f"e{self.n}", AT, who, act, **given))

    @precondition(lambda self: self.asked_to_click())
    @rule(n=st.integers(0, 9))
    def answer(self, n: int) -> None:
        """The owner answers what is asked by one of its buttons."""
        card, field = self.draft.card, self.form.fields[self.draft.asked]
        assert card is not None
        values = [c.value for c in field.choices] or [True, False]
        value = values[n % len(values)]
        self.answered = {name: held for name, held in self.answered.items() if self.form.fields[name].when is None}
        self.happens(Clicked(f"e{self.n}", AT, OWNER, "answer", field.name, value, card.id))
        data = self.draft.values.get(field.name)
        if data is not None and data.data == value and field.name in self.draft.locked_fields:
            self.answered[field.name] = value

    def asked_to_click(self) -> bool:
        """Return True if the open card is a question with buttons."""
        card, field = self.draft.card, self.form.fields.get(self.draft.asked)
        return bool(
            self.draft.open and card and not card.hidden and not self.draft.handed and field and kind_of(field).polar
        )

    @rule(
        data=st.data(), text=st.sampled_from(("", "Is this leveraged?", "I submitted it.", "Fine.")), late=st.booleans()
    )
    def reply(self, data: st.DataObject, text: str, late: bool) -> None:
        """A model, or a reader, says and calls what it likes."""
        always = ["correct", "disclose", "offer", "explain_form", "hand_over", "submit", "go", "say", "x"]
        names = [*always, *tools_of(self.form)]
        given = st.dictionaries(
            st.sampled_from([*self.form.fields, "words", "field", "value", "to"]),
            st.one_of(DATA, st.sampled_from(TEXTS)),
            max_size=4,
        )
        calls = st.builds(ToolCall, st.uuids().map(str), st.sampled_from(names), st.one_of(st.none(), given))
        made = Reply(text, tuple(data.draw(st.lists(calls, max_size=3))))
        reader = data.draw(st.sampled_from(["model", "rules"]))
        self.happens(ModelReplied(f"e{self.n}", AT, "model", made, self.draft.turn - late, reader=reader))

    @rule(old=st.booleans(), place=st.integers(0, 20))
    def facts_come(self, old: bool, place: int) -> None:
        """The facts of a submission come, or those of a look-up."""
        sought = [name for name, field in self.form.fields.items() if kind_of(field).searchable]
        if sought and place % 2:
            name = sought[place % len(sought)]
            found = (Option("T1", "Thing x"),)
            self.happens(LookupCompleted(f"e{self.n}", AT, "look_up", name, "x", found, self.draft.turn - old))
        else:
            self.happens(FactsGathered(f"e{self.n}", AT, "rules", "submit", {}, "old" if old else self.draft.hash))

    def happens(self, event: DraftEvent) -> None:
        """Advance, and look at what came of it."""
        before = self.draft
        self.n += 1
        outcome = advance(self.form, self.rules, before, event)
        assert _same(outcome, advance(self.form, self.rules, before, event))
        if files(outcome):
            outcome = with_number(outcome, f"SM-2026-{self.n:06d}")
        check(self.form, before, event, outcome)
        steps_are_listed(self.form, before, outcome.changes)
        settled_twice(self.form, self.rules, before, event)
        self.filed += sum(isinstance(e, File) and not e.again for e in outcome.effects)
        assert self.filed <= 1
        self.history.append(outcome.changes)
        self.draft = outcome.draft
        if isinstance(event, MessageReceived) and event.text == "undo" and event.who == before.owner:
            # where nothing can be taken back, the owner goes back to their last answer
            self.answered = {n: data for n, data in self.answered.items() if n not in self.draft.reopened}
        for name, data in self.answered.items():
            assert self.draft.values[name].data == data, f"{name} was answered by a click"
            assert not self.draft.open or self.draft.asked != name, f"{name} is asked again"

    def teardown(self) -> None:
        """What happened rebuilds the draft."""
        if hasattr(self, "start"):
            rebuilt = self.start
            for changes in self.history:
                rebuilt = fold(rebuilt, changes)
            assert rebuilt == self.draft


class _Nowhere:
    transitions: tuple[Any, ...] = ()


def _same(one: Outcome, other: Outcome) -> bool:
    return replace(one, fault=None) == replace(other, fault=None)


def by_owner_on(event: DraftEvent, before: Draft, field: str) -> bool:
    """Return True if the event is the owner's own act on this field, or on the card that proposes its change."""
    if not isinstance(event, Clicked) or event.who != OWNER:
        return isinstance(event, MessageReceived) and event.who == OWNER and field in before.reopened
    proposed = before.proposal is not None and before.proposal.field == field and event.act == "change"
    return proposed or event.field == field or event.act == "undo"


def check_offers(form: Form, before: Draft, event: DraftEvent, after: Draft) -> None:
    """Only what may be offered is, or what the person's own words may say; only what was offered is accepted; no offer outlives its message."""
    for offer in after.offers:
        field = form.fields[offer.field]
        assert (is_offerable(field) or offer.said) and offer.field not in after.locked_fields and offer.data is not None
        assert not offer.heard or not before.offers or isinstance(event, MessageReceived) or offer in before.offers
    for name, value in after.values.items():
        if value.provenance.how == "accepted" and before.values.get(name) != value:
            assert any((o.field, o.data) == (name, value.data) for o in before.offers), name
    if isinstance(event, MessageReceived) and event.who == OWNER:
        unread = {line.message for line in unread_lines(before)}
        assert not {o for o in after.offers if o in before.offers and o.heard and o.heard not in unread}


def check(form: Form, before: Draft, event: DraftEvent, outcome: Outcome) -> None:
    """The invariants of one step."""
    after, changes, effects = outcome.draft, outcome.changes, outcome.effects
    assert after.revision == before.revision + bool(changes)
    assert decode_draft(encode(after)) == after
    assert decode_event(encode(event)) == event
    assert tuple(decode_change(encode(c)) for c in changes) == changes
    assert tuple(decode_effect(encode(e)) for e in effects) == effects
    for name in before.locked_fields & set(before.values):
        same = name in after.values and after.values[name].data == before.values[name].data
        about = form.fields[name].about
        assert same or by_owner_on(event, before, name) or any(by_owner_on(event, before, a) for a in about), name
    for name, value in after.values.items():
        origin = value.provenance
        assert origin.who == OWNER and origin.at and origin.how and origin.message != "", name
    check_offers(form, before, event, after)
    if after.disclosures != before.disclosures:
        assert Phrase("disclosed") in [t for e in effects if isinstance(e, Post) for t in getattr(e.card, "lines", ())]
    if after.open and after.card and after.card.hidden:
        assert after.proposal or after.pending_operations or unread_lines(after), (
            "it makes way for what waits, or is read"
        )
    elif after.open and after.card and after.card.kind == "question":
        assert after.asked in {f.name for f in missing(form, after)}
        assert after.asked not in after.values or after.asked in after.reopened
    if isinstance(event, ModelReplied | LookupCompleted):
        assert after.status in (before.status, Status.ESCALATED)
    if after.status is Status.SUBMITTED and before.status is not Status.SUBMITTED:
        assert isinstance(event, FactsGathered) and event.hash == before.hash
        assert not missing(form, before) and not before.disclosures
    if getattr(event, "who", OWNER) == OTHER:
        assert after.values == before.values and after.status == before.status


def steps_are_listed(form: Form, draft: Draft, changes: tuple[Any, ...]) -> None:
    """Every step between stages follows a transition of the table, or leads back for a reason it names."""
    for i, change in enumerate(changes):
        if isinstance(change, StageMoved):
            before = fold(draft, changes[:i])
            listed = {(w.on, w.to) for w in (*form.stages[before.stage].transitions, *form.anywhere)}
            assert (change.on, change.to) in listed or change.on in ("changed", "handed_back")


def settled_twice(form: Form, rules: Rules, draft: Draft, event: DraftEvent) -> None:
    """What is settled and presented settles and presents into itself, in the same turn and in one in which nothing happened."""
    turn = TurnContext(form, rules, draft, event)
    handle(turn)
    settle(turn)
    settled, said = turn.draft, tuple(turn.news)
    settle(turn)
    assert (turn.draft, tuple(turn.news)) == (settled, said)
    turn.change(*present(turn).changes)
    assert present(turn).changes == []
    quiet = TurnContext(form, rules, turn.draft, event)
    settle(quiet)
    assert quiet.changes == [] and quiet.news == []


@pytest.mark.hypothesis
def test_every_sequence_of_events_keeps_the_invariants() -> None:
    """Serial revisions, provenance, locks, listed steps, no filled field asked, no submission without its click: always, on every form."""
    quiet = (HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much)
    found = settings(
        max_examples=examples(100),
        stateful_step_count=14,
        deadline=None,
        suppress_health_check=quiet,
        report_multiple_bugs=False,
    )
    run_state_machine_as_test(Walk, settings=found)
