"""What a person's words bear for a value that a model proposes: taken, put back, or nothing."""

from dataclasses import replace
from typing import Any

import pytest
from state.understanding.grounds import Ground, ground
from state.understanding.quotation import Quotation

from state.draft.draft import ChatLine, Draft
from state.engine import begin
from state.fields.base import Context
from state.form import Choice, Field, Form
from tests.state.forms import AT, OWNER, filled

TODAY = "2026-11-20"
YIELDS, SUPPORTS, NOTHING = Ground.YIELDS, Ground.SUPPORTS, Ground.NOTHING


def form(language: str, *fields: Field) -> Form:
    """A form of these fields."""
    return Form(
        name="trip", title="Trip", version="1", prefix="TR", language=language, fields={f.name: f for f in fields}
    )


def text(name: str, label: str, ask: str) -> Field:
    """A text field."""
    return Field(name=name, kind="text", label=label, ask=ask)


def count(name: str, label: str) -> Field:
    """A field that counts."""
    return Field(name=name, kind="integer", label=label, ask=f"{label}?", minimum=1, maximum=9)


ACCOUNTS = (Choice(value="savings", label="savings"), Choice(value="checking", label="checking"))
ENGLISH = form(
    "en-GB",
    text("venue", "Venue name", "What is the venue called?"),
    text("origin", "From town", "Which town do you leave from?"),
    text("target", "To town", "Which town are you going to?"),
    count("rooms", "Number of rooms"),
    Field(name="nights", kind="integer", label="Length", ask="How long, in days?"),
    count("guests", "Number of guests"),
    Field(
        name="speaker", kind="choice", label="Device", ask="On which device?",
        choices=(Choice(value="K", label="Kitchen speaker"), Choice(value="B", label="Bedroom speaker")),
    ),
    Field(name="mine", kind="choice", label="Account", ask="From which account?", choices=ACCOUNTS),
    Field(name="theirs", kind="choice", label="Their account", ask="To which account?", choices=ACCOUNTS),
    Field(name="shared", kind="yes_no", label="Shared table", ask="Will you share a table?", suggest=True),
    Field(name="day", kind="date", label="Date", ask="On which day?"),
)  # fmt: skip
SPANISH = form(
    "es-ES", text("origen", "Origen", "¿Desde dónde?"), text("destino", "Destino", "¿Adónde?"), count("salas", "Número de habitaciones"),
    count("gente", "Número de personas"),
)  # fmt: skip
ITALIAN = form(
    "it-IT", text("citta", "Città", "In quale città?"), text("artista", "Artista", "Chi canta?"), count("camere", "Numero di camere"),
    count("ospiti", "Numero di ospiti"),
)  # fmt: skip
GERMAN = form(
    "de-DE", text("start", "Startort", "Wo geht es los?"), text("ziel", "Zielort", "Wohin?"), count("zimmer", "Anzahl der Zimmer"),
    count("gaeste", "Anzahl der Gäste"),
)  # fmt: skip


def bears(where: Form, name: str, data: Any, words: str, asked: str = "", **values: Any) -> Ground:
    """What a line, quoted whole, bears for a value of a field."""
    line = ChatLine("user", words, "m1", asked=asked, unread=True)
    draft: Draft = replace(begin(where, "d1", "T1", OWNER, "T1:D1:", AT), window=(line,), asked=asked)
    draft = filled(draft, **values) if values else draft
    return ground(Quotation(where, draft, where.fields[name], data, words, line, Context(where.language, TODAY)))


@pytest.mark.parametrize(
    ("where", "name", "data", "words"),
    [
        (ENGLISH, "rooms", 1, "I need one room in a 4 star place"),
        (ENGLISH, "rooms", 3, "Can you find me 3 hotel rooms?"),
        (ENGLISH, "guests", 1, "a table for one please"),
        (ENGLISH, "guests", 1, "one person, please"),
        (ENGLISH, "nights", 6, "I need 1 room for 6 days"),
        (SPANISH, "salas", 1, "necesito una habitación"),
        (SPANISH, "gente", 2, "es para dos personas"),
        (ITALIAN, "camere", 2, "vorrei due camere"),
        (ITALIAN, "ospiti", 4, "siamo 4 persone"),
        (GERMAN, "zimmer", 2, "wir brauchen zwei Zimmer"),
        (GERMAN, "gaeste", 3, "für 3 Personen"),
    ],
)
def test_a_number_beside_what_a_field_counts_is_taken(where: Form, name: str, data: int, words: str) -> None:
    """A number counts for the field whose noun stands behind it, in digits or in words, an article's "one" included, whatever was asked."""
    assert bears(where, name, data, words) is YIELDS


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("nights", 4, "How about others? I need one room in a 4 star place."),
        ("rooms", 4, "a four star place"),
        ("guests", 3, "somewhere with 3 beds"),
    ],
)
def test_a_number_of_something_else_is_nothing(name: str, data: int, words: str) -> None:
    """A number that ranks or counts another thing answers no question."""
    assert bears(ENGLISH, name, data, words) is NOTHING


@pytest.mark.parametrize(
    ("where", "name", "data", "words"),
    [
        (ENGLISH, "origin", "Corte Madera", "I need a bus from Corte Madera to Leeds."),
        (ENGLISH, "target", "Leeds", "I need a bus from Corte Madera to Leeds."),
        (ENGLISH, "target", "leeds", "going to leeds"),
        (SPANISH, "origen", "Vigo", "salgo de Vigo hasta Lugo"),
        (SPANISH, "destino", "Lugo", "salgo de Vigo hasta Lugo"),
        (ITALIAN, "citta", "Bari", "cerco qualcosa a Bari"),
        (GERMAN, "start", "Kiel", "Ich fahre von Kiel nach Ulm"),
        (GERMAN, "ziel", "Ulm", "Ich fahre von Kiel nach Ulm"),
    ],
)
def test_a_place_is_taken_after_the_word_that_leads_to_its_field(where: Form, name: str, data: str, words: str) -> None:
    """ "From" and "to" and their like give a place to the one field that they lead to, whatever was asked."""
    assert bears(where, name, data, words) is YIELDS


@pytest.mark.parametrize(("name", "data"), [("target", "Corte Madera"), ("origin", "Leeds"), ("venue", "Leeds")])
def test_a_place_that_is_led_to_another_field_is_nothing(name: str, data: str) -> None:
    """What "from" leads to is no destination, and what "to" leads to no origin and no name, even where that is asked."""
    assert bears(ENGLISH, name, data, "I need a bus from Corte Madera to Leeds.", asked=name) is NOTHING


@pytest.mark.parametrize(("data", "words"), [("please", "Yes, please."), ("there", "I want to go there")])
def test_a_common_word_out_of_a_line_is_no_name(data: str, words: str) -> None:
    """A field for a place takes no courtesy and no pointing word out of a sentence."""
    assert bears(ENGLISH, "target", data, words, asked="target") is not YIELDS


def test_a_choice_is_told_by_its_words_apart_or_by_one_of_its_own() -> None:
    """All words of a choice near each other name it; a word that no other choice has is put back."""
    assert bears(ENGLISH, "speaker", "K", "play it on the speaker in the kitchen") is YIELDS
    assert bears(ENGLISH, "speaker", "B", "the bedroom device") is YIELDS
    assert bears(ENGLISH, "speaker", "B", "play it in my bedroom") is SUPPORTS
    assert bears(ENGLISH, "speaker", "K", "not on the kitchen device") is NOTHING


def test_a_choice_that_may_be_its_twins_is_put_back() -> None:
    """Where an answered field has the same choices, one that nothing names may speak of that."""
    assert bears(ENGLISH, "theirs", "savings", "send it from my savings") is not YIELDS
    assert bears(ENGLISH, "theirs", "savings", "what is in my savings", mine="checking") is not YIELDS


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("A shared table is fine.", SUPPORTS),
        ("I need a shared table", SUPPORTS),
        ("a shared table should be fine", SUPPORTS),
        ("no shared table for me", NOTHING),
    ],
)
def test_a_wish_that_its_own_words_name_is_put_back(words: str, expected: Ground) -> None:
    """To a question that proposes something, naming it and agreeing is a yes to confirm; a denial is none."""
    assert bears(ENGLISH, "shared", True, words) is expected


def test_a_day_of_something_beside_the_form_is_not_taken() -> None:
    """The day for which the weather is asked is none of the form's."""
    assert bears(ENGLISH, "day", "2026-12-09", "I wanted to know the weather for December 9th there.") is not YIELDS
    assert bears(ENGLISH, "day", "2026-12-09", "I'll come on December 9th.") is YIELDS
