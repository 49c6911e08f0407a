"""Which day it is for a person: their own date, not the installation's."""

from datetime import UTC, date, datetime, time
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError


def day_of(at: str, zone: str = "") -> str:
    """The date (ISO 8601) that an instant (ISO 8601, UTC) has in a time zone; in UTC where the zone is empty or unknown."""
    moment = datetime.fromisoformat(at)
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(_zone(zone)).date().isoformat()


def instant_of(day: date, hour: int, zone: str = "") -> str:
    """The instant (ISO 8601, UTC) at which it is that hour of a day in a time zone."""
    return datetime.combine(day, time(hour), _zone(zone)).astimezone(UTC).isoformat()


def _zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name or "UTC")
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return ZoneInfo("UTC")
