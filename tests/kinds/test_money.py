"""Sums of money and their currencies: by locale, never assumed, never guessed."""

import pytest

from state.fields.money import show_money
from state.form import Choice, Field
from tests.kinds.fields import (
    CURRENCY,
    ENGLISH,
    ITALIAN,
    NET,
    SPANISH,
    VALUE,
    YEN,
    found,
    parsed,
    refused,
    shown,
    whole,
)

LISTED = Field(
    name="currency", kind="currency", label="Currency", ask="Which?",
    choices=(Choice(value="GBP", label="Pounds"), Choice(value="EUR", label="Euros"))
)  # fmt: skip


def test_euros_never_become_dollars() -> None:
    """ "EUR 262,900" is 262900.00 and EUR, before or after the figure."""
    for text in ("EUR 262,900", "262,900 EUR", "€262,900", "it's worth EUR 262,900 in all"):
        assert (found(VALUE, text), found(CURRENCY, text)) == (["262900.00"], ["EUR"])


def test_a_sentence_gives_each_field_its_own() -> None:
    """ "200 Tesco … £720" gives the sum 720.00 in GBP."""
    text = "I'd like to buy 200 Tesco for my pension, £720"
    assert (found(VALUE, text), found(CURRENCY, text)) == (["720.00"], ["GBP"])


@pytest.mark.parametrize(
    ("text", "value"),
    [("£720", "720.00"), ("720", "720.00"), ("£3m", "3000000.00"), ("1.5k EUR", "1500.00"), ("€1.750,00", "1750.00"),
     ("3,50", "3.50"), ("720 Swiss francs", "720.00"), ("GBP720", "720.00"), ("720gbp", "720.00"),
     ("3 million euros", "3000000.00"), ("£ 720", "720.00"), ("£720.5", "720.50"), ("$720 USD", "720.00"), ("£1,000,000.00", "1000000.00"),
     ("the value is 720", "720.00"), ("¥5000", "5000.00")],
)  # fmt: skip
def test_plain_sums(text: str, value: str) -> None:
    """A message that is a sum and small words around it is that sum, with or without a mark."""
    assert whole(VALUE, text) == value


@pytest.mark.parametrize(
    "text",
    ["£1.750", "1.750", "£720.555", "-£5", "£-5", "£0", "up to £1,000", "£720 or £800", "between £200 and £300", "at £3.60", "£3.60 each", "£720?",
     "free", "12,34,567", "1 750", "£", "maybe £720", "not £720", "£7２0", "1e9", "£" + "9" * 40],
)  # fmt: skip
def test_what_is_no_plain_sum(text: str) -> None:
    """A figure in doubt between locales, a price of one, a limit, a range or a sum below the limit is no plain sum."""
    assert whole(VALUE, text) is None


@pytest.mark.parametrize(
    ("text", "values"),
    [("I have 720", []), ("the total is 720", ["720.00"]), ("200 shares, £720 in total", ["720.00"]), ("200 at £3.60, £720", ["720.00"]),
     ("£720 or £800", ["720.00", "800.00"]), ("not £720 but £800", ["800.00"]), ("instead of £720", []), ("720p", []), ("USD 5", ["5.00"]),
     ("I sold for 3 million euros", ["3000000.00"])],
)  # fmt: skip
def test_sums_in_open_words(text: str, values: list[str]) -> None:
    """In open words only a mark of money or the field's name beside a figure makes it a sum."""
    assert found(VALUE, text) == values


@pytest.mark.parametrize("text", ["1750", "1.750", "1.750,00", "1750.00", "€1.750,00", "1.750 €", "EUR 1.750", "1,75k"])
def test_the_italian_form_takes_every_usual_spelling(text: str) -> None:
    """1750, 1.750, 1.750,00 and 1750.00 are one sum in Italian."""
    assert whole(NET, text, ITALIAN) == "1750.00"


def test_one_spelling_means_what_its_locale_says() -> None:
    """ "1.750" is 1750 in Italian and in Spanish and refused in English; "1,750" the other way round."""
    assert whole(NET, "1.750", ITALIAN) == whole(NET, "1.750", SPANISH) == whole(VALUE, "1,750", ENGLISH) == "1750.00"
    assert refused(VALUE, "1.750", ENGLISH) == refused(NET, "1,750", ITALIAN) == "ambiguous_amount"


def test_a_fixed_currency_takes_no_other() -> None:
    """A field in euros takes euros and bare figures, and nothing in pounds."""
    assert found(NET, "£720", ITALIAN) == []
    assert whole(NET, "£720", ITALIAN) is None
    assert refused(NET, "£720", ITALIAN) == "wrong_currency"
    assert parsed(NET, "€ 720", ITALIAN) == "720.00"


def test_minor_units_are_the_currencys() -> None:
    """A sum in yen has no decimals, and takes none."""
    assert parsed(YEN, "5,000") == "5000"
    assert refused(YEN, "5000.50") == "too_many_decimals"


@pytest.mark.parametrize(
    ("given", "value"),
    [
        (720, "720.00"),
        (720.5, "720.50"),
        ("720", "720.00"),
        ("£720", "720.00"),
        ("720.00", "720.00"),
        ("£3m", "3000000.00"),
    ],
)
def test_entries(given: object, value: str) -> None:
    """Figures and their usual spellings are taken."""
    assert parsed(VALUE, given) == value


@pytest.mark.parametrize(
    ("given", "key"),
    [("", "not_a_number"), ("a lot", "not_a_number"), (True, "not_a_number"), (float("nan"), "not_a_number"), ("720 or 800", "not_a_number"),
     ("£1.750", "ambiguous_amount"), (720.555, "too_many_decimals"), ("720.5555", "too_many_decimals"), (0, "too_small"), ("-£5", "too_small"),
     (1e16, "too_large")],
)  # fmt: skip
def test_refused_entries(given: object, key: str) -> None:
    """What is no sum, in doubt, too fine or out of the limits is refused for that reason."""
    assert refused(VALUE, given) == key


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("EUR", "EUR"),
        ("eur", "EUR"),
        ("euros", "EUR"),
        ("pounds", "GBP"),
        ("in euros please", "EUR"),
        ("US dollars", "USD"),
        ("€", "EUR"),
        ("TRY", "TRY"),
        ("yen", "JPY"),
    ],
)
def test_plain_currencies(text: str, code: str) -> None:
    """A currency is taken by its code, its mark or its name."""
    assert whole(CURRENCY, text) == code


@pytest.mark.parametrize(
    "text", ["$", "dollars", "¥", "all", "try", "GBP or EUR", "any", "XXX", "EUR?", "not EUR", "DEM"]
)
def test_no_currency_is_assumed(text: str) -> None:
    """A mark of several countries, an ordinary word, a choice of two or a dead code is no currency."""
    assert whole(CURRENCY, text) is None


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("buy for $2,000", []),
        ("I want ALL of it", []),
        ("GBP, not EUR", ["GBP"]),
        ("GBP100", ["GBP"]),
        ("100ALL", ["ALL"]),
        ("it should be EUR", ["EUR"]),
    ],
)
def test_currencies_in_open_words(text: str, codes: list[str]) -> None:
    """ "$" alone names no currency; a word of every day is a code only where it touches a figure."""
    assert found(CURRENCY, text) == codes


@pytest.mark.parametrize(
    ("given", "key"),
    [
        ("$", "ambiguous_currency"),
        ("money", "not_a_currency"),
        (None, "not_a_currency"),
        ("", "not_a_currency"),
        ("XXX", "not_a_currency"),
    ],
)
def test_refused_currencies(given: object, key: str) -> None:
    """A currency that is none, or one of several, is refused for that reason."""
    assert refused(CURRENCY, given) == key


def test_a_form_may_list_its_currencies() -> None:
    """A currency outside the form's list is refused, and not found."""
    assert refused(LISTED, "USD") == "not_a_choice"
    assert parsed(LISTED, "€") == "EUR"
    assert found(LISTED, "USD 5 or GBP 4") == ["GBP"]
    assert whole(LISTED, "USD") is None


def test_shown() -> None:
    """Sums are shown by locale; with their currency, in its minor units."""
    assert shown(VALUE, "262900.00", ENGLISH) == "262,900.00"
    assert shown(NET, "262900.00", ITALIAN) == "262.900,00"
    assert show_money("720.00", "GBP", "en-GB") == "GBP 720.00"
    assert show_money("5000.00", "JPY", "en-GB") == "JPY 5,000"
    assert show_money("5000.50", "JPY", "en-GB") == "JPY 5,000.50"
