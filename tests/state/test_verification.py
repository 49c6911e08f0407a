"""One rule for every proposed value: taken where nothing is left unexplained, put back where it has support, refused where it has none."""

from dataclasses import replace
from typing import Any

import pytest

from state.advance import begin
from state.draft.draft import ChatLine, Draft, Offer, Provenance, Value
from state.fields.base import Context
from state.form import Choice, Field, Form
from state.understanding.reader import read_open
from state.understanding.verification import End, Quotation, verdict
from tests.shipped import shipped
from tests.state.forms import AT, OWNER, filled

TODAY = "2026-11-20"
TAKEN, PUT_BACK, REFUSED = End.TAKEN, End.PUT_BACK, End.REFUSED


def form(language: str, *fields: Field) -> Form:
    """A form of these fields."""
    return Form(
        name="trade", title="Trade", version="1", prefix="TR", language=language, fields={f.name: f for f in fields}
    )


def choice(name: str, label: str, *choices: str) -> Field:
    """A field of choices that are said as they are called."""
    return Field(
        name=name, kind="choice", label=label, ask=f"{label}?", choices=tuple(Choice(value=c, label=c) for c in choices)
    )


ENGLISH = form(
    "en-GB",
    choice("direction", "Direction", "buy", "sell"),
    Field(name="quantity", kind="integer", label="Quantity", ask="How many?", words=("shares",), minimum=1),
    Field(name="worth", kind="money", label="Value", ask="What is it worth?"),
    Field(name="firm", kind="text", label="Firm", ask="With which firm?", short=True),
    Field(name="why", kind="text", label="Reason", ask="Why?"),
    Field(name="inside", kind="yes_no", label="Inside information", ask="Do you hold any?", words=("inside information",), worse=True),
)  # fmt: skip
ITALIAN = form(
    "it-IT",
    Field(name="salary", kind="money", label="Stipendio", ask="Quanto?", currency="EUR"),
    Field(name="staff", kind="integer", label="Dipendenti", ask="Quanti?", words=("dipendenti",), minimum=1),
)
DEALING = form(
    "en-GB",
    Field(name="thing", kind="lookup", label="Thing", ask="Which thing?", lookup="things"),
    Field(name="worth", kind="money", label="Value", ask="What is it worth?"),
    Field(name="money", kind="currency", label="Currency", ask="In which currency?"),
    Field(name="firm", kind="text", label="Firm", ask="With which firm?", short=True),
    Field(
        name="inside", kind="yes_no", label="Inside information", ask="Do you hold any?", worse=True, disclosure=("heard something",)
    ),
)  # fmt: skip
SPANISH = form("es-ES", choice("part", "Pieza", "escape", "manillar"))
GERMAN = form(
    "de-DE", Field(name="stueck", kind="integer", label="Stück", ask="Wie viele?", words=("Stück",), minimum=1)
)


def ends(where: Form, name: str, data: Any, words: str, asked: str = "", quote: str = "", **beside: Any) -> End:
    """The outcome of a value that a reply proposes from a line, with what it gives to other fields."""
    line = ChatLine("user", words, "m1", asked=asked, unread=True)
    draft: Draft = replace(begin(where, "d1", "T1", OWNER, "T1:D1:", AT), window=(line,), asked=asked)
    context = Context(where.language, TODAY)
    return verdict(Quotation(where, filled(draft), where.fields[name], data, quote or words, line, context, beside))


@pytest.mark.parametrize(
    ("where", "name", "data", "words", "asked"),
    [
        (ENGLISH, "quantity", 200, "200 shares please", ""),
        (ENGLISH, "quantity", 200, "I would like 200 shares", "firm"),
        (ENGLISH, "worth", "720.00", "£720", "worth"),
        (ENGLISH, "direction", "sell", "I want to sell", "quantity"),
        (ENGLISH, "firm", "Northfield Brokers", "Northfield Brokers", "firm"),
        (ENGLISH, "inside", False, "No, I don't", "inside"),
        (ITALIAN, "staff", 12, "siamo 12 dipendenti", "salary"),
        (GERMAN, "stueck", 40, "40 Stück bitte", ""),
    ],
)
def test_a_value_that_explains_its_clause_is_taken(where: Form, name: str, data: Any, words: str, asked: str) -> None:
    """Value, name or mark, and small words: where there is nothing else, or the question was this one, nobody needs to click."""
    assert ends(where, name, data, words, asked) is TAKEN


def test_values_of_one_reply_explain_each_other() -> None:
    """Of a sentence that tells several things, each counts where all of them together leave no word over."""
    beside = {"direction": "buy", "quantity": 200, "worth": "720.00"}
    for name, data in beside.items():
        assert ends(ENGLISH, name, data, "I want to buy 200 shares for £720", "", **beside) is TAKEN
    assert ends(ENGLISH, "quantity", 200, "I want to buy 200 shares for £720", "", quantity=200) is PUT_BACK


@pytest.mark.parametrize(
    ("where", "name", "data", "words", "asked"),
    [
        (ENGLISH, "quantity", 200, "roughly 200 shares", "quantity"),
        (ENGLISH, "quantity", 200, "not 200 shares", "quantity"),
        (ENGLISH, "quantity", 200, "200 or 300 shares", "quantity"),
        (ENGLISH, "quantity", 200, "200 shares last year", "quantity"),
        (ENGLISH, "quantity", 200, "200 shares, I suppose", "quantity"),
        (ENGLISH, "quantity", 200, "does 200 shares work?", "quantity"),
        (ENGLISH, "quantity", 70, "make it 70 shares... no wait, 75", "firm"),
        (DEALING, "inside", True, "I heard something from their side", "worth"),
        (ENGLISH, "quantity", 200, "200", "firm"),
        (ENGLISH, "firm", "Northfield Brokers", "with Northfield Brokers", "firm"),
        (ENGLISH, "firm", "the usual one that my wife has", "the usual one that my wife has", "firm"),
        (ENGLISH, "firm", "12-354", "12-345", "firm"),
        (ENGLISH, "why", "tips from a friend", "change my reason to tips from a friend", "worth"),
        (ENGLISH, "inside", False, "not really, only what my brother says", "inside"),
        (ENGLISH, "inside", False, "I have no inside information", "quantity"),
        (ITALIAN, "salary", "2000.00", "circa 2000 euro", "salary"),
        (SPANISH, "part", "escape", "todo menos el escape", "part"),
        (GERMAN, "stueck", 40, "höchstens 40 Stück", "stueck"),
    ],
)
def test_what_leaves_a_word_over_is_put_back(where: Form, name: str, data: Any, words: str, asked: str) -> None:
    """Whatever stands beside a value and is not explained may limit, deny, doubt or compare: the person decides by a click."""
    assert ends(where, name, data, words, asked) is PUT_BACK


@pytest.mark.parametrize(
    ("where", "name", "data", "words", "asked"),
    [
        (ENGLISH, "quantity", 300, "200 shares", "quantity"),
        (ENGLISH, "worth", "200.00", "as usual", "worth"),
        (ENGLISH, "worth", "3.60", "at £3.60 each", "worth"),
        (ENGLISH, "inside", True, "no", "inside"),
        (ENGLISH, "inside", False, "200 shares", "quantity"),
        (ENGLISH, "firm", "Southgate", "Northfield Brokers", "firm"),
        (DEALING, "money", "GBP", "8000 dollars", "worth"),
        (DEALING, "money", "USD", "EUR 262,900", "worth"),
        (ITALIAN, "staff", 2015, "mille grazie", "staff"),
    ],
)
def test_what_the_words_do_not_hold_is_refused(where: Form, name: str, data: Any, words: str, asked: str) -> None:
    """A value that no parser finds in the words, that they contradict, or that is not the person's own text comes to nothing."""
    assert ends(where, name, data, words, asked) is REFUSED


def test_words_that_are_looked_up_answer_nothing_else() -> None:
    """What the same reply searches for is no account, firm or name besides."""
    assert ends(DEALING, "firm", "Apple", "40 of my Apple shares", "worth", thing="Apple") is REFUSED
    assert ends(DEALING, "firm", "Apple", "40 of my Apple shares", "worth") is PUT_BACK


def test_words_that_have_set_a_field_say_nothing_of_another_one() -> None:
    """A number that a line gave to one field is refused for a text in a later reply about the same line."""
    line = ChatLine("user", "40 shares", "m1", asked="firm", unread=True)
    draft: Draft = replace(begin(ENGLISH, "d1", "T1", OWNER, "T1:D1:", AT), window=(line,), asked="firm")

    def ended(before: Draft) -> End:
        return verdict(
            Quotation(
                ENGLISH, before, ENGLISH.fields["firm"], "40 shares", "40 shares", line, Context("en-GB", TODAY), {}
            )
        )

    said = Provenance(OWNER, AT, "read", "m1", "40 shares", "rules")
    assert ended(replace(draft, values={"quantity": Value(40, said)})) is REFUSED is not ended(draft)


FORM = shipped("pa_dealing").form


def test_a_word_of_a_reason_is_no_answer_to_another_field() -> None:
    """ "Because I am spreading my pension" gives a reason and no account."""
    draft = begin(FORM, "d", "T", "U0ALEX", "T:D:", "2026-11-20T12:00:00+00:00")
    text = "I want to buy 200 Tesco because I am spreading my pension over more companies"
    told = {
        n for c in read_open(FORM, draft, text, "1.1", Context("en-GB", "2026-11-20")).calls for n in c.arguments or {}
    }
    assert {"direction", "quantity", "security", "justification"} <= told
    assert "account" not in told


WORK = Form(
    name="work", title="Work", version="1", prefix="WK",
    fields={
        f.name: f
        for f in (
            Field(name="story", kind="text", label="Story", ask="What happened?"),
            Field(name="need", kind="text", label="Need", ask="What must it do?", opens=("it must", "es muss", "deve", "debe")),
            Field(name="day", kind="date", label="Day", ask="On which day?"),
        )
    },
)  # fmt: skip


@pytest.mark.parametrize(
    ("language", "line"),
    [
        ("en-GB", "It must keep the old numbers"),
        ("de-DE", "Es muss auch ohne Netz laufen"),
        ("it-IT", "Deve stampare tutte le righe"),
        ("es-ES", "Debe avisar a la oficina"),
    ],
)
def test_what_answers_another_question_alone_is_not_taken_for_the_asked_one(language: str, line: str) -> None:
    """Whoever proposes it: rules read it for the other question, and it is put back for that one, until the person says it again."""
    form = WORK.model_copy(update={"language": language})
    asked = replace(begin(form, "d1", "T1", OWNER, "c", AT), asked="story")
    said = ChatLine("user", line, message="m1", asked="story", unread=True)
    context, draft = Context(language, TODAY), replace(asked, window=(said,))
    (call,) = read_open(form, draft, line, "m1", context).calls
    assert dict(call.arguments or {})["need"] == line

    def judged(name: str, on: Draft) -> End:
        return verdict(Quotation(form, on, form.fields[name], line, line, said, context, {}))

    assert (judged("story", draft), judged("need", draft)) == (REFUSED, PUT_BACK)
    shown = replace(draft, offers=(Offer("need", line, line, 1, said=line),))
    told = replace(draft, values={"need": Value("to be quick", Provenance(OWNER, AT, "typed"))})
    assert judged("story", shown) is judged("story", told) is TAKEN
