"""An estimate is no fact: it comes back to the person, unless the form says that an estimate will do."""

import pytest

from state.draft.draft import Data
from state.fields.base import Context
from state.form import Field
from tests.kinds.fields import (
    DAY,
    ENGLISH,
    ESTIMATE,
    HEIGHT,
    HOUR,
    ITALIAN,
    NET,
    QUANTITY,
    RATE,
    ROUGHLY,
    SPANISH,
    TODAY,
    VALUE,
    found,
    leaning,
    whole,
)

GERMAN = Context("de-DE", TODAY)
TERM = Field(name="term", kind="integer", label="Term", ask="For how many years?", unit="years")


@pytest.mark.parametrize(
    ("field", "text", "context", "value"),
    [(QUANTITY, "about 200", ENGLISH, 200), (QUANTITY, "200ish", ENGLISH, 200), (QUANTITY, "~200", ENGLISH, 200),
     (QUANTITY, "200 or so", ENGLISH, 200),
     (QUANTITY, "a couple of hundred", ENGLISH, 200), (QUANTITY, "at least 10", ENGLISH, 10), (QUANTITY, "maybe 200", ENGLISH, 200),
     (QUANTITY, "200+", ENGLISH, 200), (TERM, "almost 5 years", ENGLISH, 5), (TERM, "roughly two years", ENGLISH, 2),
     (VALUE, "around £720", ENGLISH, "720.00"), (VALUE, "half a million", ENGLISH, "500000.00"), (VALUE, "720 quid, give or take", ENGLISH, "720.00"),
     (NET, "circa 1700", ITALIAN, "1700.00"), (NET, "1700 e qualcosa", ITALIAN, "1700.00"), (NET, "sui 2.000 euro", ITALIAN, "2000.00"),
     (QUANTITY, "sulle 1.800", ITALIAN, 1800), (QUANTITY, "un centinaio", ITALIAN, 100), (QUANTITY, "unos 300", SPANISH, 300),
     (QUANTITY, "300 y pico", SPANISH, 300), (QUANTITY, "etwa 5", GERMAN, 5), (QUANTITY, "ca. 40", GERMAN, 40),
     (QUANTITY, "so um die 200", GERMAN, 200),
     (HEIGHT, "about 1.75", ENGLISH, "1.75"), (RATE, "roughly 12%", ENGLISH, "12"), (DAY, "around the 25th of November", ENGLISH, "2026-11-25"),
     (HOUR, "verso le dieci", ITALIAN, "10:00"), (HOUR, "around 3 pm", ENGLISH, "15:00"), (HOUR, "gegen zehn", GERMAN, "10:00")],
)  # fmt: skip
def test_an_estimate_is_no_value_and_leans_to_its_figure(
    field: Field, text: str, context: Context, value: Data
) -> None:
    """Words that make a figure an estimate or a limit leave nothing to be taken, and the figure to be put back."""
    assert (whole(field, text, context), found(field, text, context)) == (None, [])
    assert leaning(field, text, context) == value


@pytest.mark.parametrize(
    ("field", "text"),
    [(QUANTITY, "between 3 and 5"), (QUANTITY, "200 or 300"), (QUANTITY, "not 200"), (QUANTITY, "200?"), (QUANTITY, "a few hundred"),
     (VALUE, "between 500 and 600 quid"), (VALUE, "£500 to £600"), (DAY, "next week sometime"), (DAY, "between 3 and 5 December"),
     (HOUR, "between 2 and 4"), (TERM, "two or three years")],
)  # fmt: skip
def test_a_range_leans_to_nothing(field: Field, text: str) -> None:
    """A range, a figure that is denied, a question and a vague number lean to no value."""
    assert (whole(field, text), leaning(field, text)) == (None, None)


def test_an_estimate_is_taken_where_the_form_says_so() -> None:
    """A field for which an estimate will do takes the figure, in a plain answer and in open words."""
    assert (whole(ROUGHLY, "about 200"), found(ROUGHLY, "I want roughly 200 shares")) == (200, [200])
    assert (whole(ESTIMATE, "around 720 quid"), found(ESTIMATE, "200 Tesco, about £720")) == ("720.00", ["720.00"])
    assert whole(ESTIMATE, "half a million pounds") == "500000.00"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1.750 netti al mese", "1750.00"),
        ("1.750 € netti", "1750.00"),
        ("1.750 lordi", None),
        ("24.000 all'anno", None),
    ],
)
def test_what_kind_of_sum_it_is_suits_the_field(text: str, value: str | None) -> None:
    """A sum that is said to be of the field's kind is its answer; one of another kind (gross, a year's) is none, and leans to none."""
    salary = NET.model_copy(update={"label": "Stipendio netto mensile"})
    assert whole(salary, text, ITALIAN) == value
    assert value or leaning(salary, text, ITALIAN) is None
