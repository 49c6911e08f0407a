"""Which day it is for a person, and hours that count on working days alone."""

from collections.abc import Container
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

MORNING = 8
"""The hour, by the person's own clock, at which they are reminded."""


def day_of(at: str, zone: str = "") -> str:
    """Return the date (ISO 8601) that an instant (ISO 8601, UTC) has in a time zone; in UTC where the zone is empty or unknown."""
    moment = datetime.fromisoformat(at)
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(zone_of(zone)).date().isoformat()


def instant_of(day: date, hour: int, zone: str = "") -> str:
    """Return the instant (ISO 8601, UTC) at which it is that hour of a day in a time zone."""
    return datetime.combine(day, time(hour), zone_of(zone)).astimezone(UTC).isoformat()


def zone_of(name: str) -> ZoneInfo:
    """Return the time zone of this name; UTC where it is empty or unknown."""
    try:
        return ZoneInfo(name or "UTC")
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return ZoneInfo("UTC")


SATURDAY = 5


def due_after(at: str, hours: int, zone: str = "", place: str = "") -> str:
    """Return the instant (ISO 8601, UTC) at which so many hours of working days have passed since another one.

    A working day has its 24 hours in the time zone (IANA; UTC where it is empty). `place` is what `closed_days` takes.
    """
    closed, now, left = closed_days(place), datetime.fromisoformat(at), timedelta(hours=hours)
    while True:
        day = date.fromisoformat(day_of(now.isoformat(), zone))
        midnight = datetime.fromisoformat(instant_of(day + timedelta(days=1), 0, zone))
        if day.weekday() < SATURDAY and day not in closed:
            if left <= midnight - now:
                return (now + left).astimezone(UTC).isoformat()
            left -= midnight - now
        now = midnight


def closed_days(place: str) -> Container[date]:
    """Return the holidays of a country (ISO 3166: "IT", "GB-SCT") or an exchange (ISO 10383: "XLON"); none for an unknown place."""
    known = calendar(place)
    return frozenset() if known is None else known


@lru_cache(maxsize=32)
def calendar(place: str) -> Container[date] | None:
    """Return the calendar of such a place; None where none is known."""
    if not place:
        return None
    import holidays  # noqa: PLC0415  9 MB, wanted where somebody has so long to decide

    country, _, part = place.partition("-")
    try:
        if len(country) == len("XLON"):
            return holidays.financial_holidays(place)
        return holidays.country_holidays(country, subdiv=part or None)
    except NotImplementedError:
        return None
