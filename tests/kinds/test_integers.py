"""Whole numbers: which digits of a message count something, and which belong to something else."""

import math

import pytest

from state.fields.base import Unreadable
from state.form import Field
from tests.kinds.fields import COUNT, ENGLISH, ITALIAN, QUANTITY, SPANISH, found, parsed, refused, shown, whole

YEAR = Field(name="year", kind="integer", label="Year", ask="Which year?", minimum=1900, maximum=2100)


def test_units_are_never_glued_to_another_number() -> None:
    """ "2,000 units" is 2000, whatever number stands before it."""
    assert whole(QUANTITY, "2,000 units") == 2000
    assert found(QUANTITY, "result 1, 2,000 units") == [2000]
    assert found(QUANTITY, "option 1 2,000 units") == [2000]


def test_money_is_no_quantity() -> None:
    """ "£720" gives no quantity, neither as a whole message nor within one."""
    assert whole(QUANTITY, "£720") is None
    assert found(QUANTITY, "£720") == []
    assert found(QUANTITY, "200 Tesco for my pension, about £720") == [200]


@pytest.mark.parametrize(
    ("text", "value"),
    [("200", 200), ("200 shares please", 200), ("I'd like 200", 200), ("1.5k", 1500), ("2k shares", 2000),
     ("two thousand shares", 2000), ("twenty", 20), ("one", 1), ("thirty-five", 35),
     ("two hundred", 200), ("fifty-two thousand three hundred", 52300), ("*200*", 200), ("\u200f200\u200e", 200), ("the quantity is 200", 200),
     ("200.", 200), ("200 🎉", 200), ("(200)", 200)],
)  # fmt: skip
def test_plain_numbers(text: str, value: int) -> None:
    """A message that is a number and small words around it is that number."""
    assert whole(QUANTITY, text) == value


@pytest.mark.parametrize(
    "text",
    ["200?", "at least 200", "no 200", "not 200, 300", "200 or 300", "10-20", "max 200", "2.000", "2.5", "200%", "3/4", "1e9", "-5", "0", "1,2,000",
     "２００", "٢٠٠", "2\u200b00", "COVID-19", "3rd", "one or two",
     "twenty twenty-six", "thirty or forty-one", "thirty-ish", "few hundred", "a couple thousand", "third",
     "three point five", "20 Nov 2026", "12:30", "option 1", "0237400", "+44", "9" * 30,
     "maybe 200", "200 and then some"],
)  # fmt: skip
def test_what_is_no_plain_number(text: str) -> None:
    """A limit, a range, a part of something else, digits of other scripts or a doubt is no plain number."""
    assert whole(QUANTITY, text) is None


@pytest.mark.parametrize(
    ("text", "values"),
    [("buy 200 Tesco", [200]), ("200 shares at 3", [200]), ("200 Tesco at 3", [200]), ("make it 300 instead of 200", [300]),
     ("in 2026 I bought 200 shares", [200]), ("SEDOL 3134865", []), ("BLGZ986", []), ("GB00BLGZ9862", []), ("tomorrow at 14:30", []),
     ("20 Nov 2026", []), ("for 5 years", []), ("about £720 and €30", []), ("720 EUR", []), ("at most 200", []), ("https://a.b/200", []),
     ("5 200 shares", [200, 5]), ("quantity: 30, 4 boxes", [30, 4]), ("10 ordinary Tesco shares", [10]), ("200 or 300 shares", [200, 300])],
)  # fmt: skip
def test_numbers_in_open_words(text: str, values: list[int]) -> None:
    """Digits that belong to money, days, hours, identifiers, lengths of time or limits count nothing; named ones come first."""
    assert found(QUANTITY, text) == values


def test_a_length_of_time_counts_where_it_is_asked() -> None:
    """A number of years is no quantity, and is the answer of a field that asks for years or counts them."""
    term = Field(name="term", kind="integer", label="Term", ask="For how many years?")
    assert (found(QUANTITY, "5 years"), found(term, "5 years")) == ([], [5])
    counted = Field(name="term", kind="integer", label="Term", ask="How long?", unit="years")
    assert (found(counted, "5 years"), found(counted, "for 1 year and 2 rooms")) == ([5], [1, 2])


def test_a_number_that_could_be_a_sedol_is_a_number() -> None:
    """Digits alone count, even where their check digit would fit."""
    assert found(QUANTITY, "3134865 shares") == [3134865]


def test_a_year_field_takes_years() -> None:
    """A number after "in" is a year, unless it is a year that was asked."""
    assert whole(YEAR, "in 2015") == 2015
    assert whole(COUNT, "in 2015") is None


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2.000 azioni", 2000),
        ("circa 200", None),
        ("venti", 20),
        ("due mila azioni", 2000),
        ("centoventimila", 120000),
        ("trentacinque quaranta", None),
        ("1.5", None),
        ("1,5", None),
    ],
)
def test_italian_numbers(text: str, value: int | None) -> None:
    """In Italian a dot parts thousands and a comma decimals."""
    assert whole(QUANTITY, text, ITALIAN) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2.000 acciones", 2000),
        ("dos mil acciones", 2000),
        ("unas 200", None),
        ("treinta y cinco", 35),
        ("veintidós", 22),
        ("mil", 1000),
    ],
)
def test_spanish_numbers(text: str, value: int | None) -> None:
    """Spanish numbers are read in digits and in words; a scale alone counts nothing."""
    assert whole(QUANTITY, text, SPANISH) == value


@pytest.mark.parametrize(
    ("given", "value"),
    [(200, 200), (200.0, 200), ("200", 200), (" 2,000 ", 2000), ("200.00", 200), ("1.750,00", 1750), ("1.5k", 1500)],
)
def test_entries(given: object, value: int) -> None:
    """Numbers and their usual spellings are taken."""
    assert parsed(QUANTITY, given) == value


@pytest.mark.parametrize(
    ("given", "key"),
    [("many", "not_a_number"), ("", "not_a_number"), (True, "not_a_number"), (None, "not_a_number"), (math.nan, "not_a_number"),
     (math.inf, "not_a_number"), ("NaN", "not_a_number"), ("inf", "not_a_number"), ("1e9", "not_a_number"), ("２００", "not_a_number"),
     ("٢٠٠", "not_a_number"), ("2\u200b00", "not_a_number"), ("£200", "not_a_number"), ([200], "not_a_number"), (200.5, "not_whole"),
     ("2.5", "not_whole"), ("2.000", "ambiguous_amount"), (0, "too_small"), ("-5", "too_small"), (-1, "too_small"), (10**18, "too_large"),
     (1e300, "too_large"), (10**400, "too_large")],
)  # fmt: skip
def test_refused_entries(given: object, key: str) -> None:
    """What is no number, not whole, in doubt between locales or out of the limits is refused for that reason."""
    assert refused(QUANTITY, given) == key


def test_a_refusal_names_the_limit() -> None:
    """The sentence of a refusal can say which limit it was, as the locale writes it."""
    limits = [(COUNT, 10**16, ENGLISH), (COUNT, -(10**16), ITALIAN), (QUANTITY, 0, ENGLISH), (YEAR, 2150, ITALIAN)]
    told = []
    for field, given, context in limits:
        with pytest.raises(Unreadable) as refusal:
            parsed(field, given, context)
        told.append(dict(refusal.value.args_))
    assert told == [
        {"maximum": "1,000,000,000,000,000"}, {"maximum": "1.000.000.000.000.000"}, {"minimum": "1"}, {"maximum": "2.100"},
    ]  # fmt: skip


def test_limits_are_the_fields() -> None:
    """A field without a minimum takes what is below zero; one with limits keeps to them in words too."""
    assert parsed(COUNT, "-5") == whole(COUNT, "-5") == parsed(COUNT, "−5") == -5
    assert whole(YEAR, "1850") is None
    assert refused(YEAR, 1850) == "too_small"
    assert refused(YEAR, 2150) == "too_large"


def test_shown() -> None:
    """A number is shown with the locale's separators."""
    assert (shown(QUANTITY, 2000, ENGLISH), shown(QUANTITY, 2000, ITALIAN)) == ("2,000", "2.000")
