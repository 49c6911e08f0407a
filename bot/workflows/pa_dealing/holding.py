"""Days that matter: how long a purchase has to be held, and how long an approval is good for."""

from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from babel.dates import format_date

from state.draft.draft import Draft
from state.draft.working_days import SATURDAY, closed_days


def spoken(day: date) -> str:
    """Return a day as people read it: "20 Nov 2026"."""
    return format_date(day, "d MMM y", locale="en_GB")


def last_buy(requests: Iterable[Mapping[str, Any]], isin: str, day: date) -> date | None:
    """Return the last day on which the newest purchase of a security was made, or may still be made, as things stand on `day`.

    What was executed counts from its own date, whatever part of the approval it was; what is approved and not executed counts
    only while it may still be traded; nothing else does.
    """
    mine = (r for r in requests if r["security"] == isin and r["direction"] == "buy")
    return max((d for r in mine if (d := bought_on(r, day)) is not None), default=None)


def bought_on(request: Mapping[str, Any], day: date) -> date | None:
    """On which day a request was executed, or may be at the latest; None where it was not and may not be."""
    if request["traded_on"]:
        return date.fromisoformat(request["traded_on"])
    until = date.fromisoformat(request["may_trade_until"])
    return until if request["may_trade"] and until >= day else None


def holding_until(bought: date | None, days: int, today: date) -> date | None:
    """Return the first day on which a security may be sold again; None where no holding period runs. Each further buy restarts it."""
    free = bought + timedelta(days=days) if bought else None
    return free if free and today < free else None


def approval_until(day: date, business_days: int, exchange: str) -> date:
    """Return the last day of an approval given on `day`: so many business days of the exchange (ISO 10383) later.

    Where the exchange's calendar is not known, weekends alone are left out, which ends the approval sooner, never later.
    """
    closed = closed_days(exchange)
    while business_days:
        day += timedelta(days=1)
        business_days -= day.weekday() < SATURDAY and day not in closed
    return day


CLOSES: Mapping[str, tuple[int, int, str]] = {
    "XLON": (16, 30, "Europe/London"), "XNYS": (16, 0, "America/New_York"), "XNAS": (16, 0, "America/New_York"),
    "XETR": (17, 30, "Europe/Berlin"), "XFRA": (20, 0, "Europe/Berlin"), "XPAR": (17, 30, "Europe/Paris"),
    "XAMS": (17, 30, "Europe/Amsterdam"), "XMIL": (17, 30, "Europe/Rome"), "XMAD": (17, 30, "Europe/Madrid"),
    "XSWX": (17, 30, "Europe/Zurich"), "XTKS": (15, 30, "Asia/Tokyo"), "XHKG": (16, 0, "Asia/Hong_Kong"),
    "XTSE": (16, 0, "America/Toronto"), "XASX": (16, 0, "Australia/Sydney"),
}  # fmt: skip
"""When the trading day of an exchange (ISO 10383) ends, by its own clock."""


def last_chance(draft: Draft, day: str) -> str:
    """Return the instant (ISO 8601, UTC) at which the exchange closes on a day; empty where its hours are not known."""
    hours = CLOSES.get(str(draft.values["security"].facts.get("exchange", ""))) if "security" in draft.values else None
    if hours is None:
        return ""
    hour, minute, zone = hours
    return datetime.combine(date.fromisoformat(day), time(hour, minute), ZoneInfo(zone)).astimezone(UTC).isoformat()
