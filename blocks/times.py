"""Moments as people read them: Slack shows each reader their own clock, the fallback says UTC."""

from datetime import UTC, datetime

from babel.dates import format_date, format_datetime

FORMATS = "d MMM y"


def moment_of(at: str) -> datetime:
    """An ISO 8601 time; without an offset it is UTC."""
    parsed = datetime.fromisoformat(at)
    return (parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)).astimezone(UTC)


def moment_text(at: datetime, language: str) -> str:
    """ "20 Nov 2026 14:32 UTC"."""
    return format_datetime(at, f"{FORMATS} HH:mm", locale=language.replace("-", "_")) + " UTC"


def day_text(at: datetime, language: str) -> str:
    """ "20 Nov 2026"."""
    return format_date(at, FORMATS, locale=language.replace("-", "_"))


def moment(at: datetime, language: str) -> str:
    """Slack's date token (https://docs.slack.dev/messaging/formatting-message-text#date-formatting): the reader's own time zone."""
    return f"<!date^{int(at.timestamp())}^{{date_short}} {{time}}|{moment_text(at, language)}>"
