"""Telephone numbers, as people and Slack write them."""

import pytest

from tests.kinds.fields import ITALIAN, PHONE, found, parsed, refused, whole


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("333 1234567", "3331234567"), ("+39 333 123 4567", "+393331234567"), ("0039 333.123.4567", "+393331234567"),
        ("051-123456", "051123456"), ("il mio telefono è 333 1234567", "3331234567"),
        ("<tel:+393331234567|+39 333 1234567>", "+393331234567"), ("+44 (0)20 7946 0958", "+442079460958"),
        ("(051) 123456", "051123456"), ("+39 (051) 123456", "+39051123456"),
    ],
)  # fmt: skip
def test_plain_numbers(text: str, number: str) -> None:
    """A number with or without a country's code and pieces is kept as digits; a leading 00 is a plus."""
    assert whole(PHONE, text, ITALIAN) == number


@pytest.mark.parametrize(
    "text",
    [
        "+999 333 1234567",
        "+44 20 7946",
        "12345",
        "1234567890123456",
        "non 333 1234567",
        "333 1234567?",
        "333 1234567 o 333 7654321",
        "IT60X0542811101",
    ],
)
def test_what_is_no_plain_number(text: str) -> None:
    """Too few digits, too many, no such country, a denial, a question, two numbers or letters among the digits are none."""
    assert whole(PHONE, text, ITALIAN) is None


def test_a_day_and_a_sum_are_no_numbers_in_a_sentence() -> None:
    """In open words only a number that its country has is taken for one."""
    assert found(PHONE, "la pratica 9876543210 e il conto 000012345678", ITALIAN) == []
    assert found(PHONE, "il 30/11/2026, il 30.11.2026, 1.750,00 euro e 150000", ITALIAN) == []
    assert found(PHONE, "mi chiami al 333 1234567 o al +39 051 12345", ITALIAN) == ["3331234567", "+3905112345"]


def test_entries_of_numbers() -> None:
    """What is entered in a box is a number alone; anything else is refused."""
    assert parsed(PHONE, " 333 1234567 ", ITALIAN) == "3331234567"
    assert refused(PHONE, "casa") == refused(PHONE, None) == refused(PHONE, "333 1234567 casa") == "not_a_phone"
