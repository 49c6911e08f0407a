"""Time to decide: hours of working days, where those who decide are."""

from datetime import date

import pytest

from state.draft.working_days import calendar, closed_days, due_after


@pytest.mark.parametrize(
    ("at", "hours", "zone", "place", "due"),
    [
        ("2026-11-18T09:00:00+00:00", 24, "", "", "2026-11-19T09:00:00+00:00"),
        ("2026-11-20T09:00:00+00:00", 24, "", "", "2026-11-23T09:00:00+00:00"),  # a Friday
        ("2026-11-20T09:00:00+00:00", 15, "", "", "2026-11-21T00:00:00+00:00"),
        ("2026-11-21T09:00:00+00:00", 8, "", "", "2026-11-23T08:00:00+00:00"),  # from a Saturday
        (
            "2026-12-24T12:00:00+00:00",
            24,
            "Europe/London",
            "GB-ENG",
            "2026-12-29T12:00:00+00:00",
        ),  # 28 December stands in
        ("2026-12-24T12:00:00+00:00", 24, "Europe/London", "", "2026-12-25T12:00:00+00:00"),
        ("2026-12-24T12:00:00+00:00", 24, "Europe/Rome", "IT", "2026-12-28T12:00:00+00:00"),
        ("2026-11-20T23:30:00+00:00", 24, "Asia/Tokyo", "", "2026-11-23T15:00:00+00:00"),  # Saturday there already
        ("2026-10-23T10:00:00+00:00", 48, "Europe/London", "", "2026-10-27T11:00:00+00:00"),  # the clocks go back
        ("2026-11-16T09:00:00+00:00", 120, "", "", "2026-11-23T09:00:00+00:00"),
    ],
)
def test_hours_pass_on_working_days_alone(at: str, hours: int, zone: str, place: str, due: str) -> None:
    """Weekends and the place's holidays are left out, by the clock of the place."""
    assert due_after(at, hours, zone, place) == due


@pytest.mark.parametrize("place", ["XX", "GB-XX", "XNONE", "IT-IT-IT"])
def test_a_place_without_a_calendar_is_named(place: str) -> None:
    """`holdfast check` can tell it, and weekends alone are left out meanwhile."""
    assert calendar(place) is None and date(2026, 12, 25) not in closed_days(place)
