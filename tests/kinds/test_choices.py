"""Choices: by word, by place in the list, or with a slip that leaves no doubt."""

import pytest

from state.form import Choice, Field
from tests.kinds.fields import BROKER, DIRECTION, SEATS, found, parsed, refused, shown, whole

SHARED = Field(
    name="plan", kind="choice", label="Plan", ask="Which?",
    choices=(Choice(value="a", label="Basic", words=("usual",)), Choice(value="b", label="Plus", words=("usual",))),
)  # fmt: skip


@pytest.mark.parametrize(
    ("text", "value"),
    [("buy", "buy"), ("I want to buy", "buy"), ("Sell please", "sell"), ("selling", "sell"), ("1", "buy"), ("2", "sell"),
     ("the second one", "sell"),
     ("#1", "buy"), ("option 2", "sell"), ("1.", "buy"), ("first", "buy"), ("the last one", "sell"), ("number one", "buy"), ("2nd", "sell"),
     ("one", "buy"), ("buy, buy", "buy"), ("purchse", "buy"), ("sell instead of buy", "sell"), ("not buy, sell", "sell")],
)  # fmt: skip
def test_plain_choices(text: str, value: str) -> None:
    """A message that names one choice, by word or by place, is that choice."""
    assert whole(DIRECTION, text) == value


@pytest.mark.parametrize(
    "text",
    ["buy or sell", "both", "not sell", "no, sell", "I don't want to sell", "well", "bye", "byu", "sel", "3", "12", "+1", ":+1:", "1.5",
     "£1", "buy?",
     "maybe sell", "-1", "1%", "smell"],
)  # fmt: skip
def test_what_is_no_plain_choice(text: str) -> None:
    """Two choices, a rejected one, another word, a number that is no place or a doubt is no plain choice."""
    assert whole(DIRECTION, text) is None


@pytest.mark.parametrize(
    ("text", "value"),
    [("chekcing", "checking"), ("savngs", "savings"), ("Saving", "savings"), ("caving", None), ("checkers", None)],
)
def test_a_slip_must_leave_no_doubt(text: str, value: str | None) -> None:
    """One wrong letter in a long word is forgiven, the first letter never."""
    assert whole(BROKER, text) == value


@pytest.mark.parametrize(
    ("text", "values"),
    [("I'd like to buy 200 Tesco", ["buy"]), ("don't sell, buy", ["buy"]), ("sell instead of buy", ["sell"]), ("buy or sell", ["buy", "sell"]),
     ("I will not be buying", []), ("the buyer", []), ("dispose of my Tesco", ["sell"]), ("not sure whether to sell", [])],
)  # fmt: skip
def test_choices_in_open_words(text: str, values: list[str]) -> None:
    """Choices are found as whole words, unless a negation in their clause reaches them."""
    assert found(DIRECTION, text) == values


@pytest.mark.parametrize(
    ("text", "value"),
    [("2", "2"), ("two", "2"), ("2 seats please", "2"), ("the second", None), ("£2", None), ("7", None)],
)
def test_choices_that_are_numbers_are_no_places(text: str, value: str | None) -> None:
    """Where the choices are numbers, a number is the choice and never a place in the list."""
    assert whole(SEATS, text) == value


def test_numbers_among_choices_are_found_like_numbers() -> None:
    """A number with the field's name beside it comes first; one that is money or an hour is none."""
    assert found(SEATS, "for 2 at 5pm, 3 seats") == ["3", "2"]
    assert found(SEATS, "for £2") == found(SEATS, "at 2 pm") == found(SEATS, "I want that one") == []
    assert found(SEATS, "one seat") == ["1"]


def test_a_word_of_two_choices_means_neither() -> None:
    """A word that two choices share chooses nothing."""
    assert whole(SHARED, "usual") is None
    assert found(SHARED, "the usual") == []


@pytest.mark.parametrize(("given", "value"), [("buy", "buy"), ("Buy", "buy"), ("SELL", "sell"), ("purchase", "buy")])
def test_entries(given: str, value: str) -> None:
    """A choice is taken by its value, label or words."""
    assert parsed(DIRECTION, given) == value


@pytest.mark.parametrize("given", ["", "hold", "buy or sell", None, True, 1.5, "2"])
def test_refused_entries(given: object) -> None:
    """An entry that is no choice is refused; a place in the list counts only where the list was shown."""
    assert refused(DIRECTION, given) == "not_a_choice"


def test_shown() -> None:
    """A choice is shown by its label."""
    assert shown(DIRECTION, "buy") == "Buy"
