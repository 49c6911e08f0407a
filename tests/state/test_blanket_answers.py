"""One answer to many questions: it answers none of them, and the person is told what becomes of it."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from state.draft.draft import Draft
from state.draft.reply import Reply
from state.engine import advance
from state.engine.advance import Outcome
from state.engine.cards import Phrase, Question
from state.engine.effects import Post, Repaint
from state.engine.events import Clicked, DraftEvent, MessageReceived, ModelReplied
from state.engine.unread import read_fresh
from state.fields.base import Context
from state.form import Field, Form
from state.language.blanket import blankets
from state.understanding.evidence import unread_lines
from tests.state.forms import AT, FIELDS, FORM, OTHER, OWNER, RULES, call
from tests.thoroughness import examples

ACK = Field(name="holding", kind="acknowledgement", label="Holding period", ask="Do you understand?", lock="answered")
MORE = {
    "related": Field(name="related", kind="yes_no", label="Connected person", ask="For somebody close?", words=("connected",), worse=True),
    "conflict": Field(name="conflict", kind="yes_no", label="Conflict", ask="Could it conflict?", words=("conflict",)),
}  # fmt: skip
POLAR = ("leveraged", "inside", "related", "conflict")
ORDER = ("side", "quantity", "leveraged", "why_leveraged", "inside", "related", "conflict", "holding", "reason")
CONFIRM = FORM.model_copy(update={"fields": {n: {**FIELDS, **MORE, "holding": ACK}[n] for n in ORDER}})
NEVER = CONFIRM.model_copy(update={"blanket": "never"})
EACH = pytest.mark.parametrize("form", [CONFIRM, NEVER], ids=["confirm", "never"])
CONTEXT = Context("en-GB", "2026-11-20")


class Talk:
    """A person's conversation with the form; `said` holds every utterance of the bot's."""

    def __init__(self, form: Form) -> None:
        self.form, self.n = form, 0
        self.draft = replace(begin_draft(form))
        self.told: list[Phrase] = []

    def do(self, event: DraftEvent) -> Outcome:
        """One event."""
        outcome = advance(self.form, RULES, self.draft, event)
        self.draft = outcome.draft
        self.told = [t for e in outcome.effects if isinstance(e, Post | Repaint) for t in phrases(e.card)]
        return outcome

    def line(self, text: str, who: str = OWNER) -> Outcome:
        """A message."""
        self.n += 1
        return self.do(MessageReceived(f"s{self.n}", AT, who, text, f"{self.n}.0"))

    def read(self, *calls: Any) -> Outcome:
        """What a model makes of what is unread; without calls, what rules make of it."""
        self.n += 1
        reply = Reply("", calls) if calls else read_fresh(self.form, self.draft, CONTEXT)
        reader = "model" if calls else "rules"
        return self.do(ModelReplied(f"r{self.n}", AT, "model", reply, self.draft.turn, reader=reader))

    def say(self, text: str, *calls: Any) -> list[Phrase]:
        """A message, read where code left it to a reader; gives what the person was told."""
        self.line(text)
        told = self.told
        if unread_lines(self.draft):
            self.read(*calls)
            told = [*told, *self.told]
        return told

    def click(self, act: Any, field: str = "", value: Any = None) -> Outcome:
        """A click on the open card."""
        self.n += 1
        card = self.draft.card.id if self.draft.card else ""
        return self.do(Clicked(f"k{self.n}", AT, OWNER, act, field, value, card, self.draft.hash))

    def ask(self, field: str) -> "Talk":
        """Answer by clicks up to this question."""
        self.say("hello")
        while self.draft.asked != field:
            name = self.draft.asked
            self.click("answer", name, {"side": "buy"}.get(name, False)) if name != "quantity" else self.say("200")
        return self

    def offered(self) -> dict[str, tuple[Any, str]]:
        """What is put back, and from which words."""
        return {o.field: (o.data, o.said) for o in self.draft.offers if o.said}


def begin_draft(form: Form) -> Draft:
    """An empty draft."""
    return Draft("d1", form.name, "T1", OWNER, "T1:D1:", form.version, AT)


def phrases(card: Any) -> list[Phrase]:
    """The sentences of the catalogue on a card."""
    return [t for t in (*getattr(card, "lead_in", ()), *getattr(card, "lines", ())) if isinstance(t, Phrase)]


def answered(told: list[Phrase]) -> list[str]:
    """Which of the sentences about a blanket answer was told."""
    return [t.key for t in told if t.key.startswith("blanket_")]


def test_a_form_that_confirms_puts_a_no_back_for_every_open_yes_or_no_question() -> None:
    """ "No to all declarations" beside other answers is kept for each question that a no answers, in its own words, and taken for none."""
    talk = Talk(CONFIRM)
    told = talk.say("buy 200, no to all declarations")
    assert answered(told) == ["blanket_kept"]
    assert talk.offered() == dict.fromkeys(POLAR, (False, "no to all declarations"))
    assert {n: v.data for n, v in talk.draft.values.items()} == {"side": "buy", "quantity": 200}


def test_a_form_that_never_does_says_so_and_puts_nothing_back() -> None:
    """Where each declaration is to be read by itself, the words are named with a sentence, and nothing is put back or taken."""
    talk = Talk(NEVER)
    told = talk.say("buy 200, no to all declarations")
    assert [t.args for t in told if t.key == "blanket_never"] == [{"words": "no to all declarations"}]
    assert not talk.offered()
    assert not set(POLAR) & set(talk.draft.values)


@EACH
@pytest.mark.parametrize(
    "text",
    [
        "no to all",
        "NO TO ALL!!",
        "all no",
        "none of these apply",
        "nothing to declare",
        "No. No to all.",
        "no, to all of them",
    ],
)
def test_a_whole_message_never_answers_the_question_that_was_asked(form: Form, text: str) -> None:
    """As a whole message, "no to all" is no plain no to the declaration that is open: it would answer one and drop the rest."""
    talk = Talk(form).ask("inside")
    told = talk.say(text)
    assert "inside" not in talk.draft.values
    assert talk.draft.asked == "inside"
    kept = form.blanket == "confirm"
    assert answered(told) == ["blanket_kept" if kept else "blanket_never"]
    assert set(talk.offered()) == ({"inside", "related", "conflict"} if kept else set())


@EACH
def test_one_click_each_takes_what_was_put_back(form: Form) -> None:
    """What was put back is taken by the click on its own question, as the person's click, with the words it rests on."""
    talk = Talk(form).ask("leveraged")
    talk.say("no to all of these please")
    for name in POLAR:
        assert talk.draft.asked == name
        talk.click("answer", name, False)
    assert {talk.draft.values[n].provenance.how for n in POLAR} == {"clicked"}
    assert talk.draft.asked == "holding"


@EACH
@pytest.mark.parametrize("text", ["yes to all", "yes to everything please", "all yes"])
def test_a_yes_to_all_is_declined(form: Form, text: str) -> None:
    """Nobody says yes to everything: it is declined with the sentence, and nothing is put back."""
    talk = Talk(form).ask("leveraged")
    assert answered(talk.say(text)) == ["blanket_never"]
    assert not talk.offered()
    assert "leveraged" not in talk.draft.values


@EACH
@pytest.mark.parametrize("text", ["no", "no, not at all", "no, none", "none of that applies", "nope thanks"])
def test_a_no_to_the_question_alone_is_no_blanket(form: Form, text: str) -> None:
    """A no that may be meant for the open question alone is told nothing of other questions."""
    talk = Talk(form).ask("conflict")
    assert not answered(talk.say(text))


def test_an_exception_is_left_out() -> None:
    """ "No to all except …" puts back all but what it names; where it names nothing that is asked, nothing is put back."""
    talk = Talk(CONFIRM)
    talk.say("buy 200, no to all except leverage")
    assert set(talk.offered()) == set(POLAR) - {"leveraged"}
    other = Talk(CONFIRM)
    assert answered(other.say("buy 200, no to all except one")) == ["blanket_never"]
    assert not other.offered()


def test_a_yes_of_its_own_before_the_rest_leaves_nothing_out() -> None:
    """ "Yes, but no to the rest" answers the question that was asked by itself; the no is for the others."""
    talk = Talk(CONFIRM).ask("leveraged")
    talk.say("yes, but no to the rest")
    assert talk.offered() == {"leveraged": (True, "yes, but"), **dict.fromkeys(POLAR[1:], (False, "no to the rest"))}


def test_no_to_the_rest_counts_for_what_is_missing() -> None:
    """An answer of its own beside "no to the rest" is taken; the rest is what is open then."""
    talk = Talk(CONFIRM)
    talk.say("buy 200, it's leveraged and no to all the rest")
    assert talk.draft.values["leveraged"].data is True
    assert set(talk.offered()) == set(POLAR) - {"leveraged"}


def test_a_blanket_with_nothing_left_says_that() -> None:
    """Where all such questions are answered, the words are answered by that."""
    talk = Talk(CONFIRM).ask("holding")
    assert answered(talk.say("no to all")) == ["blanket_over"]


@EACH
@pytest.mark.parametrize("quote", ["no to all declarations", "no to all", "no", "buy 200, no to all declarations"])
def test_a_model_sets_no_declaration_from_a_blanket_clause(form: Form, quote: str) -> None:
    """A model that takes "no to all declarations" for answers is refused, whichever part of it it quotes, and the person is answered all the same."""
    talk = Talk(form)
    told = talk.say(
        "buy 200, no to all declarations",
        *(replace(call(f"set_{n}", **{n: False}, words=quote), id=n) for n in POLAR),
    )
    assert not set(POLAR) & set(talk.draft.values)
    assert len(answered(told)) == 1
    assert all(said == "no to all declarations" for _, said in talk.offered().values())


def test_a_locked_answer_is_not_turned_by_a_blanket() -> None:
    """A model that corrects a locked yes by "no to all" changes nothing and proposes nothing."""
    talk = Talk(CONFIRM).ask("leveraged")
    talk.click("answer", "leveraged", True)
    talk.say("buy 300 rather, no to all", call("correct", field="leveraged", value=False, words="no to all"))
    assert talk.draft.values["leveraged"].data is True
    assert talk.draft.proposal is None or talk.draft.proposal.field != "leveraged"


def test_superseded_lines_are_answered_with_the_next_reading() -> None:
    """A blanket line whose reading was superseded by a click or by another line is answered by the next reading."""
    talk = Talk(NEVER).ask("side")
    talk.line("it is about 200, and no to all declarations")
    talk.line("buy")
    talk.read()
    assert answered(talk.told) == ["blanket_never"]


TEXTS = (
    "no to all", "buy 200, no to all declarations", "no", "yes", "NO TO ALL!!!", "none of these apply", "sell", "300",
    "no to the rest", "yes to all", "it's not leveraged, no to all the others", "hello", "undo", "because I expect steady dividends",
    "no, and the same for the rest", "what does that mean?", "nothing to declare", "actually make it 250",
)  # fmt: skip


@st.composite
def acts(draw: Any) -> tuple[Any, ...]:
    """A message, a click, or a model's reading."""
    kind = draw(st.sampled_from(["line", "line", "click", "read", "rules"]))
    if kind == "line":
        return kind, draw(st.sampled_from(TEXTS)), draw(st.sampled_from([OWNER, OWNER, OWNER, OTHER]))
    if kind == "click":
        return kind, draw(st.booleans()), draw(st.sampled_from(["answer", "accept", "edit", "undo"]))
    names = draw(st.lists(st.sampled_from(POLAR), max_size=3, unique=True))
    words = draw(st.sampled_from([*TEXTS, "no to all declarations", "no"]))
    return kind, names, words, draw(st.booleans())


def play(talk: Talk, act: tuple[Any, ...]) -> None:
    """Do it; whatever is unread after a reading stays for the next one."""
    if act[0] == "line":
        talk.line(act[1], act[2])
    elif act[0] == "click":
        talk.click(act[2], talk.draft.asked, act[1])
    elif act[0] == "read":
        talk.read(*(replace(call(f"set_{n}", **{n: act[3]}, words=act[2]), id=n) for n in act[1]))
    else:
        talk.read()


def check(talk: Talk, before: Draft) -> None:
    """No declaration rests on blanket words; every blanket line that was read was answered."""
    for name in set(POLAR) & set(talk.draft.values):
        value = talk.draft.values[name]
        of_blanket = any(not b.softly for b in blankets(value.provenance.words, "en-GB"))
        assert not of_blanket or value.provenance.how == "clicked", (name, value)
    left = {s.message for s in unread_lines(talk.draft)}
    read = [s for s in unread_lines(before) if s.message not in left]
    if talk.draft.open and not talk.draft.handed and any(counts(s.text) for s in read):
        assert answered(talk.told), read


def counts(text: str) -> bool:
    """Whether the text holds a blanket answer, whatever was asked."""
    return any(not (b.softly or b.bare) for b in blankets(text, "en-GB"))


@EACH
@given(data=st.data())
@settings(max_examples=examples(60))
def test_in_any_order_no_declaration_rests_on_a_blanket_and_each_is_answered(form: Form, data: Any) -> None:
    """Whatever the order of blanket lines, clicks and readings: none of them sets a declaration by itself, and none is dropped without a word."""
    talk = Talk(form)
    for act in data.draw(st.lists(acts(), max_size=12)):
        before = talk.draft
        play(talk, act)
        if act[0] == "line" and act[2] == OWNER and counts(act[1]) and before.open and talk.draft.open:
            left = any(s.text == act[1] for s in unread_lines(talk.draft))
            assert left or answered(talk.told) or talk.draft.asked == "reason", act
        if act[0] in ("read", "rules"):
            check(talk, before)


def test_a_put_back_is_shown_with_its_question() -> None:
    """The question of what was put back comes with the answer and the person's clause, as any other put-back."""
    talk = Talk(CONFIRM).ask("leveraged")
    outcome = talk.line("no to all")
    (card,) = [e.card for e in outcome.effects if isinstance(e, Post)]
    assert isinstance(card, Question) and card.field == "leveraged"
    assert [o.card != "" for o in talk.draft.offers if o.field == "leveraged"] == [True]
