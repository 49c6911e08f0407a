"""Stretches of days: by their name, by month, from a day to a day, in three languages."""

import pytest

from tests.kinds.fields import ITALIAN, PERIOD, SPANISH, found, parsed, refused, shown


@pytest.mark.parametrize(
    ("text", "data"),
    [
        ("list this month", "2026-11-01/2026-11-30"),
        ("what did I spend last month", "2026-10-01/2026-10-31"),
        ("2026-02", "2026-02-01/2026-02-28"),
        ("October", "2026-10-01/2026-10-31"),
        ("December", "2025-12-01/2025-12-31"),
        ("in october 2025", "2025-10-01/2025-10-31"),
        ("this week", "2026-11-16/2026-11-22"),
        ("last year", "2025-01-01/2025-12-31"),
        ("from 1 October to 5 October", "2026-10-01/2026-10-05"),
        ("2026-11-01 to 2026-11-10", "2026-11-01/2026-11-10"),
        ("2026-11-10 - 2026-11-01", "2026-11-01/2026-11-10"),
        ("since 1 November", "2026-11-01/2026-11-20"),
        ("yesterday", "2026-11-19/2026-11-19"),
    ],
)
def test_a_stretch_is_read(text: str, data: str) -> None:
    """People name a stretch by month, week, year, a day, or two days; a month without a year is the newest one begun."""
    assert found(PERIOD, text) == [data]


def test_italian_and_spanish_stretches_are_read() -> None:
    """The same in the other languages."""
    assert found(PERIOD, "questo mese", ITALIAN) == ["2026-11-01/2026-11-30"]
    assert found(PERIOD, "il mese scorso", ITALIAN) == ["2026-10-01/2026-10-31"]
    assert found(PERIOD, "dal 1 ottobre al 5 ottobre", ITALIAN) == ["2026-10-01/2026-10-05"]
    assert found(PERIOD, "el mes pasado", SPANISH) == ["2026-10-01/2026-10-31"]
    assert found(PERIOD, "octubre de 2025", SPANISH) == ["2025-10-01/2025-10-31"]


def test_words_that_name_no_stretch_give_none() -> None:
    """An amount, a word that happens to be a month's short name, and plain words are no stretch of days."""
    assert [found(PERIOD, text) for text in ("coffee 3.50", "may I", "show me everything")] == [[], [], []]


def test_a_stretch_is_parsed_and_shown() -> None:
    """An interval is taken in either order and must be of real days; a month is shown by its number."""
    assert parsed(PERIOD, "2026-11-30/2026-11-01") == "2026-11-01/2026-11-30"
    assert shown(PERIOD, "2026-11-01/2026-11-30") == "2026-11"
    assert refused(PERIOD, "2026-13-01/2026-13-02") == "not_a_period" == refused(PERIOD, "soon")
