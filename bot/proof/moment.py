"""The time that somebody asks about, as they write it."""

from datetime import UTC, date, datetime, time
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

END_OF_DAY = time(23, 59, 59, 999999)
EXAMPLES = "Write it as 2026-11-22T14:30:00Z, 2026-11-22T14:30+01:00, “2026-11-22 14:30 Europe/Rome”, or 2026-11-22 for the end of that day (UTC)."


def read_moment(text: str, now: datetime) -> datetime:
    """A moment in UTC from ISO 8601, with an offset, a zone's name behind it, or neither (UTC). ValueError with a sentence."""
    moment = _read(text.strip())
    if moment > now:
        raise ValueError(
            f"{moment:%Y-%m-%d %H:%M:%S} UTC has not come yet. Leave --as-of out for how things stand now."
        )
    return moment


def _read(text: str) -> datetime:
    written, zone = _parted(text)
    try:
        day = len(written) == len("2026-11-22")
        found = datetime.combine(date.fromisoformat(written), END_OF_DAY) if day else datetime.fromisoformat(written)
    except ValueError:
        raise ValueError(f"{text!r} is no time. {EXAMPLES}") from None
    if zone is not None and found.tzinfo is not None:
        raise ValueError(f"{text!r} has an offset and a zone: leave one of them out.")
    return (found if found.tzinfo else found.replace(tzinfo=zone or UTC)).astimezone(UTC)


def _parted(text: str) -> tuple[str, ZoneInfo | None]:
    """The time, and the zone whose name stands behind it."""
    written, _, name = text.rpartition(" ")
    if not written or not name[:1].isalpha():
        return text, None
    try:
        return written.strip(), ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise ValueError(f"There is no time zone {name!r}. {EXAMPLES}") from None
