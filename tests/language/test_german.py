"""German: its plain answers, its orders, and what stands on screen, from one file in each package."""

import pytest

from blocks.phrases import catalogue
from state.fields import kind_of
from state.fields.base import Context
from state.form import Field
from state.understanding.commands import SpokenCommand, read_command

GERMAN = Context("de-DE", "2026-11-20")  # a Friday


def answer(kind: str, text: str, **more: str) -> object:
    """What a message comes to as the plain answer to a question of this kind."""
    field = Field(name="thing", kind=kind, label="Ding", ask="Was?", **more)
    return kind_of(field).whole(field, text, GERMAN)


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        ("integer", "zweihundert", 200),
        ("integer", "es sind 1.250", 1250),
        ("integer", "fünfunddreißig", 35),
        ("percentage", "12,5 Prozent", "12.5"),
        ("percentage", "5 %", "5"),
        ("date", "am 3. März 2027", "2027-03-03"),
        ("date", "24. Dezember", "2026-12-24"),
        ("date", "übermorgen", "2026-11-22"),
        ("date", "letzten Montag", "2026-11-16"),
        ("time", "14 Uhr", "14:00"),
        ("time", "14.30 Uhr", "14:30"),
        ("acknowledgement", "einverstanden", True),
    ],
)
def test_a_plain_answer_is_read(kind: str, text: str, value: object) -> None:
    """Numbers, days, hours and consent as people write them."""
    assert answer(kind, text) == value


@pytest.mark.parametrize(
    ("text", "value"), [("1.250,50 Euro", "1250.50"), ("1250 €", "1250.00"), ("zwanzig Euro", "20.00")]
)
def test_a_sum_is_read(text: str, value: str) -> None:
    """A dot parts thousands, a comma decimals."""
    assert answer("money", text, currency="EUR") == value


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("ich möchte abbrechen", SpokenCommand.CANCEL),
        ("was fehlt noch?", SpokenCommand.MISSING),
        ("mit einem Menschen sprechen bitte", SpokenCommand.PERSON),
        ("rückgängig", SpokenCommand.UNDO),
        ("von vorne", SpokenCommand.START_OVER),
        ("einreichen", SpokenCommand.SUBMIT),
    ],
)
def test_an_order_is_read(text: str, order: SpokenCommand) -> None:
    """Orders in words."""
    assert read_command(text, "de-DE") is order


def test_what_stands_on_screen_is_german() -> None:
    """Nearly every sentence differs from the English one; the few that do not are made of names alone."""
    german, english = catalogue("de-DE"), catalogue("en-GB")
    assert {key for key in english if german[key] == english[key]} == {"announce_record", "op_help", "put_back_take"}
