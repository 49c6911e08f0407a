"""Days that matter: how long a purchase has to be held, and how long an approval is good for."""

from collections.abc import Iterable, Mapping
from datetime import date, timedelta
from functools import lru_cache
from typing import Any

from babel.dates import format_date

SATURDAY = 5


def spoken(day: date) -> str:
    """A day as people read it: "20 Nov 2026"."""
    return format_date(day, "d MMM y", locale="en_GB")


def last_buy(requests: Iterable[Mapping[str, Any]], isin: str) -> date | None:
    """The last day on which the newest purchase of a security may have been made, among requests that could be traded."""
    mine = (r for r in requests if r["security"] == isin and r["direction"] == "buy" and r["may_trade"])
    return max((date.fromisoformat(r["traded_by"]) for r in mine), default=None)


def holding_until(bought: date | None, days: int, today: date) -> date | None:
    """The first day on which a security may be sold again; None where no holding period runs. Each further buy restarts it."""
    free = bought + timedelta(days=days) if bought else None
    return free if free and today < free else None


def approval_until(day: date, business_days: int, exchange: str) -> date:
    """The last day of an approval given on `day`: so many business days of the exchange (ISO 10383) later.

    Where the exchange's calendar is not known, weekends alone are left out, which ends the approval sooner, never later.
    """
    closed = _calendar(exchange)
    while business_days:
        day += timedelta(days=1)
        business_days -= day.weekday() < SATURDAY and day not in closed
    return day


@lru_cache(maxsize=32)
def _calendar(exchange: str) -> Mapping[date, str]:
    import holidays  # noqa: PLC0415  4 MB, wanted when something is approved

    try:
        calendar: Mapping[date, str] = holidays.financial_holidays(exchange)
    except NotImplementedError:
        return {}
    return calendar
