"""Any number of proposals wait at once: each ends exactly once, by its own click, its own words or its own time, and says what it was."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bot.effects.performer import Operator
from bot.effects.service import Operations
from bot.turns.writes import RenderContext, outbox_rows
from state.advance import Outcome, advance, begin
from state.draft.draft import Draft, PendingOperation
from state.draft.utterance import Phrase, Verbatim
from state.engine.cards import Act, Notice
from state.engine.codec import decode_change, decode_draft, decode_event, encode
from state.engine.effects import CallModel, Ephemeral, Operate, Post, Repaint
from state.engine.events import Clicked, DraftEvent, MessageReceived, ModelReplied
from state.engine.offers import RULES
from state.engine.unread import read_fresh
from state.fields.base import Context
from state.stores.opener import memory_store
from state.stores.rows import OutboxRow
from tests.operations.test_advance_operating import workflow

ITEMS = ("coffee", "tea", "bus", "museum ticket")
PEOPLE = ("U0ALEX", "U0DANA")


@dataclass
class Talk:
    """One person's conversation with the shipped expenses, on a store, with the rule-based reader; nothing is performed before it is asked for."""

    store: Any
    operator: Operator
    draft: Draft
    clock: list[datetime]
    told: dict[str, list[Any]] = field(default_factory=dict)
    """What each card showed, from its post on."""
    proposals: dict[str, str] = field(default_factory=dict)
    """Proposal to its card."""
    due: list[OutboxRow] = field(default_factory=list)
    whispers: int = 0
    events: int = 0

    @property
    def now(self) -> str:
        """The time, as events have it."""
        return self.clock[0].isoformat()

    def say(self, text: str) -> None:
        """The person writes, and the rules read it."""
        self.events += 1
        name = f"{self.draft.owner}-m{self.events}"
        self.take(MessageReceived(name, self.now, self.draft.owner, text, f"{self.events}.0"))

    def click(self, act: Any, card: str, proposal: str) -> None:
        """The person presses a button of a card, be it live or not."""
        self.events += 1
        name = f"{self.draft.owner}-c{self.events}"
        self.take(Clicked(name, self.now, self.draft.owner, act, value=proposal, card=card))

    def take(self, event: DraftEvent) -> None:
        """One event, and what it wants done put down."""
        outcome = advance(workflow().form, workflow().rules, self.draft, event)
        self.draft = decode_draft(encode(outcome.draft))
        self._see(outcome)
        setting = RenderContext(workflow().form, self.draft, event.id, self.now[:10], at=event.at)
        self.due += [row for row in outbox_rows(outcome.effects, setting) if row.kind == "operate"]
        for call in (e for e in outcome.effects if isinstance(e, CallModel)):
            reply = read_fresh(workflow().form, self.draft, Context("en-GB", self.now[:10]))
            self.take(ModelReplied(f"{event.id}-r", self.now, "model", reply, call.turn, reader=RULES))

    def _see(self, outcome: Outcome) -> None:
        for effect in outcome.effects:
            if isinstance(effect, Post | Repaint):
                self.told.setdefault(effect.id, []).append(effect.card)
            if isinstance(effect, Post) and isinstance(effect.card, Act):
                self.proposals[effect.card.proposal] = effect.id
            self.whispers += isinstance(effect, Ephemeral)

    async def perform(self) -> None:
        """Do what is due by now, in order."""
        while rows := [r for r in self.due if r.due_at is None or r.due_at <= self.clock[0]]:
            self.due.remove(rows[0])
            came = await self.operator.operate(rows[0])
            if came is not None:
                self.take(decode_event(came.body["event"]))

    async def rows(self) -> list[str]:
        """What stands in the books, oldest first."""
        found = await self.store.entries("T1", "expenses", f"T1:{self.draft.owner}")
        return [f"{e.body['item']} {e.body['amount']}" for e in reversed(found)]


@asynccontextmanager
async def talks() -> AsyncIterator[tuple[Talk, ...]]:
    """Two people's conversations over one store and one clock."""
    clock = [datetime(2026, 11, 20, 9, tzinfo=UTC)]
    store = memory_store(lambda: clock[0])
    await store.start()
    operator = Operator(store, {"expenses": workflow()}, Operations(store))
    try:
        yield tuple(
            Talk(
                store,
                operator,
                begin(workflow().form, f"d-{who}", "T1", who, f"T1:{who}:", clock[0].isoformat()),
                clock,
            )
            for who in PEOPLE
        )
    finally:
        await store.stop()


def shown(card: Any) -> str:
    """What a card says."""
    texts = (one.text if isinstance(one, Verbatim) else f"{one.key} {dict(one.args)}" for one in card.lines)
    return " ".join(texts)


def ended(talk: Talk) -> None:
    """Every card that waited has ended once, and said what it was; what was done may be taken back on it afterwards."""
    for card in talk.proposals.values():
        first, *later = talk.told[card]
        item = next(i for i in ITEMS if f"{i} ·" in shown(first))
        assert isinstance(later[0], Notice) and item in shown(later[0]), (shown(first), later)
        assert all("op_undone_what" in shown(one) and item in shown(one) for one in later[1:])


STEPS = st.lists(
    st.tuples(
        st.sampled_from(PEOPLE),
        st.one_of(
            st.tuples(st.just("say"), st.sampled_from(ITEMS), st.integers(2, 9)),
            st.tuples(st.just("reword"), st.sampled_from(ITEMS), st.integers(2, 9)),
            st.tuples(st.sampled_from(("confirm", "decline", "take_back")), st.integers(0, 9), st.just(0)),
            st.tuples(
                st.just("words"), st.sampled_from(("yes", "confirm", "both", "no", "cancel", "undo", "no wait", "hello")), st.just(0)
            ),
            st.tuples(st.just("wait"), st.integers(1, 16), st.just(0)),
            st.tuples(st.just("perform"), st.just(0), st.just(0)),
        ),
    ),
    max_size=25,
)  # fmt: skip


@example([
    ("U0ALEX", ("say", "coffee", 2)), ("U0ALEX", ("perform", 0, 0)), ("U0ALEX", ("words", "no", 0)), ("U0ALEX", ("take_back", 0, 0)),
])  # fmt: skip
@example([
    ("U0ALEX", ("say", "coffee", 2)), ("U0ALEX", ("perform", 0, 0)), ("U0ALEX", ("take_back", 0, 0)), ("U0ALEX", ("confirm", 0, 0)),
])  # fmt: skip
@given(STEPS)
def test_every_proposal_ends_exactly_once_and_by_name(steps: list[Any]) -> None:
    """Whatever two people say, press and let pass, in any order: no proposal is lost, ended twice or ended without its name, no words
    confirm, only a person's own press on a live card adds, and the other's books are untouched.
    """
    asyncio.run(_played(steps))


async def _played(steps: list[Any]) -> None:
    async with talks() as both:
        await _play({talk.draft.owner: talk for talk in both}, steps)


async def _play(pair: dict[str, Talk], steps: list[Any]) -> None:
    for who, (act, what, sum_) in steps:
        talk = pair[who]
        cards = list(talk.proposals.items())
        books = await talk.rows()
        if act == "say":
            talk.say(f"{what} {sum_}.00")
        elif act == "reword":
            talk.say(f"no wait, {what} {sum_}.50")
        elif act == "words":
            talk.say(what)
        elif act == "wait":
            talk.clock[0] += timedelta(minutes=what)
        elif act == "perform":
            await talk.perform()
        elif cards:
            proposal, card = cards[what % len(cards)]
            talk.click(act, card, proposal)
        if act not in ("perform", "confirm", "take_back", "wait", "words"):
            assert await talk.rows() == books
    for talk in pair.values():
        await talk.perform()
        talk.clock[0] += timedelta(minutes=20)
        await talk.perform()
        assert talk.draft.pending_operations == () and talk.due == []
        ended(talk)
        made = [await talk.store.proposal(p) for p in talk.proposals]
        assert all(p is not None and p.status in ("used", "cancelled", "undone") for p in made)
        used = sorted(p.body["calls"][0]["arguments"]["item"] for p in made if p and p.status == "used")
        assert sorted(row.rsplit(" ", 1)[0] for row in await talk.rows()) == used


@pytest.fixture
async def talk() -> AsyncIterator[Talk]:
    """Coffee and tea wait."""
    async with talks() as (talk, _):
        for line in ("coffee 3.50", "tea 2.20"):
            talk.say(line)
            await talk.perform()
        assert [one.what.partition(" · ")[0] for one in talk.draft.pending_operations] == ["Add: coffee", "Add: tea"]
        yield talk


@pytest.mark.parametrize(
    "words", ["yes", "sì", "sí, claro", "ja", "confirm", "both", "yes to both", "tutti e due", "beide bestätigen", "no", "nein", "cancel"]
)  # fmt: skip
async def test_of_several_no_word_chooses_one(talk: Talk, words: str) -> None:
    """A yes, a no, a "both" or an order in any language runs and ends nothing while two wait: both are named."""
    talk.say(words)
    await talk.perform()
    said = " ".join(shown(c[-1]) for c in talk.told.values() if isinstance(c[-1], Notice))
    assert "op_which" in said and "Add: coffee" in said and "Add: tea" in said, said
    assert len(talk.draft.pending_operations) == 2 and await talk.rows() == []


def heard(talk: Talk, words: str, consent: tuple[str, ...]) -> list[tuple[str, str]]:
    """What operations these words want, in a form that lists such words as consent."""
    form = workflow().form.model_copy(update={"consent": consent})
    event = MessageReceived("w1", talk.now, talk.draft.owner, words, "9.0")
    effects = advance(form, workflow().rules, talk.draft, event).effects
    return [(e.act, e.proposal) for e in effects if isinstance(e, Operate)]


async def test_listed_words_confirm_what_waits_alone_and_was_said_last(talk: Talk) -> None:
    """Where the form lists "yes", it confirms the one thing that waits while its card is the last thing said; not beside another, not
    once the talk went on, not in other words, and not in a form that lists none.
    """
    coffee = talk.draft.pending_operations[0]
    assert heard(talk, "yes", ("yes",)) == []
    talk.click("decline", coffee.card, coffee.proposal)
    await talk.perform()
    assert heard(talk, "yes", ("yes",)) == []
    talk.say("cancel")
    talk.say("milk 3.00")
    await talk.perform()
    (milk,) = talk.draft.pending_operations
    assert heard(talk, "Yes!", ("yes",)) == [("confirm", milk.proposal)]
    assert heard(talk, "yes", ()) == heard(talk, "yes, and tea 2.20 too", ("yes",)) == []
    assert heard(talk, "no", ()) == [("cancel", milk.proposal)]
    talk.say("hello")
    assert heard(talk, "yes", ("yes",)) == heard(talk, "no", ()) == []


async def test_a_rewording_takes_the_place_of_its_own_item_alone(talk: Talk) -> None:
    """ "no wait, tea 2.40" ends the waiting tea by name, on its own card and on the new one; the coffee goes on waiting."""
    tea = talk.draft.pending_operations[1]
    talk.say("no wait, tea 2.40")
    await talk.perform()
    assert [one.what[:11] for one in talk.draft.pending_operations] == ["Add: coffee", "Add: tea · "]
    assert "op_replaced" in shown(talk.told[tea.card][-1]) and "2.20" in shown(talk.told[tea.card][-1])
    newest = talk.told[talk.draft.pending_operations[1].card][-1]
    assert "op_instead" in shown(newest) and "2.20" in shown(newest)
    assert "op_replaced" not in str(talk.told[talk.draft.pending_operations[0].card])


CORRECTED = [
    ("taxi 23 and lunch 8", "no wait, taxi 24", ["taxi 24", "lunch 8"]), ("Zug 40 und Brot 3", "nein, Zug 45", ["Zug 45", "Brot 3"]),
    ("tren 40 y pan 3", "perdón, el tren 45", ["tren 45", "pan 3"]), ("treno 40, pane 3", "no scusa, il treno 45", ["treno 45", "pane 3"]),
    ("coffee 3 and lunch 8", "the amount of the lunch was wrong, 9", ["coffee 3", "lunch 9"]),
    ("taxi 23 and lunch 8", "scratch the second", ["taxi 23"]), ("Taxi 12, Essen 8", "streich das Taxi", ["Essen 8"]),
    ("treno 12, pane 8", "togli il secondo", ["treno 12"]), ("taxi 12, comida 8", "quita el primero", ["comida 8"]),
    ("taxi 23", "sorry, 24", ["taxi 24"]), ("taxi 23", "the amount was wrong, 24", ["taxi 24"]), ("treno 23 ieri", "anzi 24", ["treno 24"]),
]  # fmt: skip


@pytest.mark.parametrize(("line", "then", "left"), CORRECTED)
async def test_a_correction_is_put_on_the_card_that_waits(line: str, then: str, left: list[str]) -> None:
    """The card that adds several things is posted anew with the one put right or taken off; nothing waits beside it."""
    async with talks() as (talk, _):
        for words in (line, then):
            talk.say(words)
            await talk.perform()
        (one,) = talk.draft.pending_operations
        told = [f"{call.arguments['item']} {str(call.arguments['amount']).removesuffix('.00')}" for call in one.calls]
        assert told == left


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("yesterday", {"date": "2026-11-19"}),
        ("on the 12th", {"date": "2026-11-12"}),
        ("ieri", {"date": "2026-11-19"}),
        ("in pounds", {"currency": "GBP"}),
        ("CHF", {"currency": "CHF"}),
        ("under travel", {"category": "travel"}),
        ("it's travel", {"category": "travel"}),
    ],
)
async def test_a_day_a_currency_or_a_category_alone_is_that_of_what_waits(words: str, told: dict[str, str]) -> None:
    """Who sees what was filled in for them says what it was; the card comes anew with it, and no other waits."""
    async with talks() as (talk, _):
        for line in ("taxi 12", words):
            talk.say(line)
            await talk.perform()
        (call,) = talk.draft.pending_operations[0].calls
        assert len(talk.draft.pending_operations) == 1
        assert {name: call.arguments[name] for name in told} == told and call.arguments["amount"] == "12.00"


async def test_a_question_about_a_currency_changes_nothing() -> None:
    """ "in pounds?" asks, and what waits goes on waiting as it was."""
    async with talks() as (talk, _):
        for line in ("taxi 12", "in pounds?"):
            talk.say(line)
            await talk.perform()
        (call,) = talk.draft.pending_operations[0].calls
        assert call.arguments["currency"] == "EUR"


async def test_what_was_said_of_a_thing_stays_where_its_sum_is_put_right() -> None:
    """A correction changes what it names: the day and the currency that were told before stay."""
    async with talks() as (talk, _):
        for words in ("taxi 12 GBP yesterday", "no, taxi 14"):
            talk.say(words)
            await talk.perform()
        (call,) = talk.draft.pending_operations[0].calls
        told = {"item": "taxi", "amount": "14.00", "currency": "GBP", "date": "2026-11-19"}
        assert {name: call.arguments[name] for name in told} == told


async def test_the_same_thing_twice_is_two_things(talk: Talk) -> None:
    """Without words that put something right a second tea is another tea; the same line again says that the same waits already."""
    talk.say("tea 4.00")
    talk.say("tea 4.00")
    await talk.perform()
    assert len(talk.draft.pending_operations) == 4
    assert "op_waits_too" in shown(talk.told[talk.draft.pending_operations[3].card][-1])


async def test_a_correction_that_names_nothing_ends_nothing_of_several(talk: Talk) -> None:
    """ "no wait, 14.20" may mean either: both are named and go on waiting."""
    talk.say("no wait, 14.20")
    await talk.perform()
    assert len(talk.draft.pending_operations) == 2
    assert "op_say_which" in shown(list(talk.told.values())[-1][-1])


async def test_a_proposal_that_runs_out_of_sight_says_so_below(talk: Talk) -> None:
    """Where the talk went on, an expired proposal is named on its card and in a line of its own."""
    talk.clock[0] += timedelta(minutes=20)
    await talk.perform()
    lines = [shown(c[-1]) for c in talk.told.values()]
    assert sum("op_expired" in line and "coffee" in line for line in lines) == 2
    assert sum("op_expired" in line and "tea" in line for line in lines) >= 1


async def test_undo_says_what_it_takes_back_and_takes_the_last_deed(talk: Talk) -> None:
    """What was confirmed last is taken back first, whatever was proposed last; the sentence names it."""
    for one in reversed(talk.draft.pending_operations):
        talk.clock[0] += timedelta(minutes=1)
        talk.click("confirm", one.card, one.proposal)
        await talk.perform()
    talk.say("undo")
    await talk.perform()
    assert await talk.rows() == ["tea 2.20"]
    assert "op_undone_what" in shown(list(talk.told.values())[-1][-1]) and "coffee" in shown(
        list(talk.told.values())[-1][-1]
    )


async def test_an_operation_in_progress_takes_no_second_press(talk: Talk) -> None:
    """Between the press and its outcome neither Confirm nor Cancel of the same card counts."""
    one = talk.draft.pending_operations[0]
    for act in ("confirm", "confirm", "decline"):
        talk.click(act, one.card, one.proposal)
    await talk.perform()
    assert talk.whispers == 2 and await talk.rows() == ["coffee 3.50"]


def test_a_draft_of_before_keeps_its_one_proposal() -> None:
    """A draft stored with one waiting operation opens with it, and the changes that made it fold as they did."""
    draft = begin(workflow().form, "d1", "T1", "U1", "T1:D1:", "2026-11-20T09:00:00+00:00")
    stored = {k: v for k, v in encode(draft).items() if k not in ("pending_operations", "deed_turn")}
    opened = decode_draft({**stored, "waiting": {"proposal": "p1", "card": "d1-x-1"}})
    assert opened.pending_operations == (PendingOperation("p1", "d1-x-1"),)
    ended_then = decode_change({"kind": "OperationWaits", "waiting": None})
    assert encode(ended_then) == {"kind": "OperationWaits", "waiting": None}
    declined = advance(
        workflow().form, workflow().rules, opened,
        Clicked("c1", "2026-11-20T09:01:00+00:00", "U1", "decline", value="p1", card="d1-x-1"),
    )  # fmt: skip
    assert declined.draft.pending_operations == ()
    assert [e.card.lines for e in declined.effects if isinstance(e, Repaint) and isinstance(e.card, Notice)] == [
        (Phrase("op_cancelled"),)
    ]
