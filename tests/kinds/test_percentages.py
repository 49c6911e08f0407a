"""Percentages: with a mark, with a word, alone where they are asked for, and never taken for another number."""

import pytest

from state.fields.base import Context
from state.form import Field
from tests.kinds.fields import ENGLISH, ITALIAN, QUANTITY, RATE, SPANISH, found, parsed, refused, shown, whole

LIMITED = Field(name="discount", kind="percentage", label="Discount", ask="How much?", minimum=-10, maximum=250)


@pytest.mark.parametrize(
    ("text", "context", "value"),
    [
        ("12.5%", ENGLISH, "12.5"),
        ("12,5 %", ITALIAN, "12.5"),
        ("12,5 %", SPANISH, "12.5"),
        ("5 percent", ENGLISH, "5"),
        ("5 per cent please", ENGLISH, "5"),
        ("il 20 per cento", ITALIAN, "20"),
        ("el 7,25 por ciento", SPANISH, "7.25"),
        ("30", ENGLISH, "30"),
        ("it's 0%", ENGLISH, "0"),
        ("100 %", ENGLISH, "100"),
    ],
)
def test_a_plain_answer_is_read(text: str, context: Context, value: str) -> None:
    """A percentage answers its question with a mark, with a word of the language, or as a bare number."""
    assert whole(RATE, text, context) == value


@pytest.mark.parametrize(
    "text",
    ["101%", "-5%", "not 20%", "5-10%", "from 5% to 10%", "about what %?", "at most 20%", "20% or 30%", "%", "1.2.3%"],
)
def test_what_is_no_plain_answer_is_left(text: str) -> None:
    """Beyond the limits, denied, in a range or with a choice, nothing is taken."""
    assert whole(RATE, text, ENGLISH) is None


def test_open_words_yield_the_marked_number_alone() -> None:
    """Beside a marked number, others are not meant; and a marked number counts nothing else."""
    assert set(found(RATE, "200 shares, which is 15% of the fund, for £720")) == {"15"}
    assert set(found(QUANTITY, "200 shares, which is 15% of the fund")) == {200}


def test_a_form_sets_its_own_limits() -> None:
    """Without limits of the form's, a percentage lies between nothing and all of it."""
    assert parsed(LIMITED, "-5%") == "-5" and parsed(LIMITED, "200 percent") == "200"
    assert (
        refused(LIMITED, "251%") == "too_large"
        and refused(RATE, 100.5) == "too_large"
        and refused(RATE, "-1") == "too_small"
    )
    assert refused(RATE, "a fifth") == "not_a_number" and refused(RATE, True) == "not_a_number"


def test_it_is_shown_as_the_language_writes_it() -> None:
    """Separator and mark are the locale's."""
    assert shown(RATE, "12.5", ENGLISH) == "12.5%" and shown(RATE, "12.5", ITALIAN) == "12,5%"
    assert shown(RATE, "12.5", SPANISH) == "12,5\N{NO-BREAK SPACE}%"
