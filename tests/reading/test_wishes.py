"""A wish for another form is read from words that plainly ask for it, in any language; answers that mention a form are answers."""

from dataclasses import replace
from functools import cache

import pytest

from bot.turns.routing import route
from state.advance import begin
from state.draft.draft import Status
from state.engine.events import MessageReceived
from state.form import Form
from state.understanding.wishes import Wish, wants_another, wish_for
from tests.shipped import shipped

NAMES = ("expenses", "loan", "pa_dealing", "requirements", "vehicle_case")


@cache
def forms() -> dict[str, Form]:
    """The shipped forms."""
    return {name: shipped(name).form for name in NAMES}


@pytest.mark.parametrize(("here", "text", "form", "rest"), [
    ("loan", "I want to file an expense", "expenses", ""),
    ("loan", "Hi, I need to file an expense please", "expenses", ""),
    ("loan", "I'd like to submit an expense: taxi 18", "expenses", "taxi 18"),
    ("loan", "can I file an expense?", "expenses", ""),
    ("loan", "vorrei registrare una spesa", "expenses", ""),
    ("loan", "devo inserire una nota spese, taxi 18", "expenses", "taxi 18"),
    ("pa_dealing", "quiero registrar un gasto", "expenses", ""),
    ("pa_dealing", "ich möchte eine Ausgabe einreichen", "expenses", ""),
    ("vehicle_case", "ich muss Spesen einreichen", "expenses", ""),
    ("pa_dealing", "ich möchte einen Kredit beantragen", "loan", ""),
    ("pa_dealing", "voglio un prestito", "loan", ""),
    ("vehicle_case", "necesito un préstamo", "loan", ""),
    ("loan", "vorrei presentare una pre-clearance", "pa_dealing", ""),
    ("loan", "quiero abrir un expediente", "vehicle_case", ""),
    ("expenses", "I'd like a bug report", "requirements", ""), ("loan", "switch to expenses", "expenses", ""),
    ("pa_dealing", "I'd like to apply for a loan", "loan", ""), ("expenses", "I am looking for a loan", "loan", ""),
    ("pa_dealing", "wait, actually I'd like to do my expenses first", "expenses", ""), ("pa_dealing", "back to the loan", "loan", ""),
    ("pa_dealing", "aspetta, prima le spese", "expenses", ""), ("loan", "ich muss vorher noch Ausgaben eintragen", "expenses", ""),
    ("loan", "espera, antes tengo que meter un gasto", "expenses", ""), ("vehicle_case", "kann ich kurz die Ausgaben machen?", "expenses", ""),
])  # fmt: skip
def test_a_clear_wish_names_its_form_and_leaves_the_rest(here: str, text: str, form: str, rest: str) -> None:
    """What stands behind the wish is kept for the form that is wished for."""
    assert wish_for(forms(), text, forms()[here]) == Wish((form,), rest)


@pytest.mark.parametrize(
    "text", ["expenses", "Ausgaben", "spese", "nota de gastos", "my expenses", "it is an expense", "500 expenses"]
)
def test_a_name_alone_wishes_for_its_form_where_it_can_be_no_answer(text: str) -> None:
    """`bare` takes a whole message that is a form's name, in any language; with any word beside it, it may say something else."""
    wish = wish_for(forms(), text, forms()["loan"], bare=True)
    assert (wish == Wish(("expenses",))) is (" " not in text or text == "nota de gastos")
    assert wish_for(forms(), text, forms()["loan"]) is None


@pytest.mark.parametrize(("text", "rest"), [
    ("ich möchte 50 Aktien von Tesco kaufen", "50 Aktien von Tesco kaufen"),
    ("Ich will meine Vodafone Aktien verkaufen, alle 300", "Vodafone Aktien verkaufen, alle 300"),
])  # fmt: skip
def test_what_is_wished_for_may_be_named_last(text: str, rest: str) -> None:
    """In a language whose verb ends the sentence, that verb names the form; the sentence is all for the form."""
    assert wish_for(forms(), text, whole=False) == Wish(("pa_dealing",), rest) and wish_for(forms(), text) is None


@pytest.mark.parametrize(("here", "text"), [
    ("loan", "I want to file an expense for lunch 12.40"), ("loan", "I need it for my expenses"),
    ("loan", "my expenses are 500 a month"), ("loan", "expenses"), ("loan", "spese mediche"),
    ("loan", "I don't want to file an expense"), ("loan", "non voglio registrare una spesa"),
    ("loan", "what is an expense?"), ("loan", "the loan is for holiday expenses"), ("loan", "I want to buy a car"),
    ("loan", "ho spese per 300 euro"), ("loan", "vorrei un prestito"), ("loan", "voglio pagare le spese"),
    ("loan", "mi servono per le spese del matrimonio"), ("loan", "I sold my shares last year"), ("loan", "1750"),
    ("loan", "devo pagare delle spese"), ("loan", ""), ("loan", "I want to file an expense " * 40),
    ("pa_dealing", "I want to buy Tesco"), ("pa_dealing", "I want to sell 50 Apple shares"),
    ("pa_dealing", "I need the money to repay a loan"), ("pa_dealing", "because I want to pay off my loan"),
    ("pa_dealing", "I need cash for expenses"), ("pa_dealing", "to cover my loan"),
    ("requirements", "users need to file an expense in one click"),
    ("requirements", "as a user I want to file an expense so that I get paid"),
    ("requirements", "The app must let people submit expenses"), ("vehicle_case", "quiero añadir también el manillar"),
    ("vehicle_case", "una reforma del faro"),
])  # fmt: skip
def test_an_answer_that_mentions_a_form_is_no_wish(here: str, text: str) -> None:
    """Amounts, purposes, denials, questions and longer sentences are read as answers."""
    assert wish_for(forms(), text, forms()[here]) is None


@pytest.mark.parametrize("text", [
    "another one: sell 50 Apple", "one more please", "thanks! another one", "I want to make another trade", "noch eine", "un'altra",
    "otra más: vender 20 Apple",
])  # fmt: skip
def test_one_more_is_asked_for_in_words(text: str) -> None:
    """After a request was filed, words that ask for a further one begin it."""
    assert wants_another(forms()["pa_dealing"], text)


@pytest.mark.parametrize("text", [
    "my sister works at Tesco in finance", "another thing: my sister works at Tesco", "another question", "thanks",
    "noch eine Frage", "I have another account", "one more thing, I heard something from the CFO", "otra pregunta",
    "another one of my sisters works there", "un'altra cosa", "can I change one more thing?", "what happens now?",
    "I'd like to buy something else", "vorrei comprarne altre",
])  # fmt: skip
def test_one_more_word_about_the_old_request_begins_no_new_one(text: str) -> None:
    """Afterthoughts, questions and disclosures stay with what was filed."""
    assert not wants_another(forms()["pa_dealing"], text)


@pytest.mark.parametrize(("form", "text", "ended", "filed"), [
    ("loan", "vorrei un prestito", "begin", "begin"),
    ("loan", "avrei bisogno di un mutuo", "begin", "begin"),
    ("loan", "ich hätte gern einen Kredit", "begin", "begin"),
    ("pa_dealing", "I want to make a personal trade", "begin", "begin"),
    ("vehicle_case", "me gustaría homologar una moto", "begin", "use"),
    ("loan", "vorrei un prestito per l'auto", "begin", "use"),
    ("pa_dealing", "I want my trade approved quickly", "begin", "use"),
    ("pa_dealing", "I want to withdraw the pre-clearance", "use", "use"),
    ("loan", "vorrei sapere del prestito", "choose", "use"),
])  # fmt: skip
def test_who_wishes_for_the_form_again_begins_it(form: str, text: str, ended: str, filed: str) -> None:
    """After a cancelled request any wish for its form begins a new one, and other words meet the choice; after a filed one, which it may be about,
    a wish that is nothing else."""
    at = "2026-11-28T10:00:00+00:00"
    draft = begin(forms()[form], "D1", "T1", "U1", "C1", at)
    said = MessageReceived("E1", at, "U1", text)
    each = (Status.CANCELLED, Status.SUBMITTED)
    assert [route(forms(), replace(draft, status=one), said).to for one in each] == [ended, filed]
