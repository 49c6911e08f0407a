"""Dates from their parts: the locale's order of day and month, years left out or cut to two digits, and CLDR's names."""

from datetime import date, timedelta
from functools import lru_cache

from state.fields.base import Context
from state.language.table import Table, meanings

FIRST_YEAR, LAST_YEAR = 1900, 2199
CLEARLY = timedelta(days=120)
"""A day without a year is the nearest one, if that is no farther away than this; else the year must be said."""
FACING = timedelta(days=300)
"""The same where days lie on one side: beyond it the other side is nearer."""
AHEAD = 20
"""Two-digit years up to this many years from now belong to this century."""
CENTURY = 100


def day_of(year: int, month: int, day: int) -> date | None:
    """Return the date, if there is one within the years that forms mean."""
    try:
        return date(year, month, day) if FIRST_YEAR <= year <= LAST_YEAR else None
    except ValueError:
        return None


def full_year(digits: str, context: Context) -> int:
    """Return the year that two digits stand for; four digits are the year."""
    year, now = int(digits), date.fromisoformat(context.today).year
    if len(digits) > 2:  # noqa: PLR2004 a year's last two digits
        return year
    this_century = now // CENTURY * CENTURY + year
    latest = now if context.lies == "behind" else now + AHEAD
    return this_century if this_century <= latest else this_century - CENTURY


def nearest(month: int, day: int, context: Context) -> date | None:
    """Return the day of that name nearest to today, on the side where it has to lie; None where none is clearly meant."""
    today = date.fromisoformat(context.today)
    named = [d for year in (today.year - 1, today.year, today.year + 1) if (d := day_of(year, month, day))]
    days = [d for d in named if not context.is_wrong(d.isoformat())]
    close = min(days, key=lambda d: abs(d - today), default=None)
    return close if close is not None and abs(close - today) <= (FACING if context.lies else CLEARLY) else None


def near_number(day: int, context: Context) -> date | None:
    """Return the nearest day of a month with that number, from today on, or up to today where days have to lie behind."""
    today, step = date.fromisoformat(context.today), -1 if context.lies == "behind" else 1
    months = (divmod(today.year * 12 + today.month - 1 + step * n, 12) for n in range(3))
    days = (d for year, month in months if (d := day_of(year, month + 1, day)))
    return next((d for d in days if (d - today).days * step >= 0), None)


def ordered(first: int, second: int, context: Context) -> tuple[int, int]:
    """Return day and month of two numbers in the locale's order."""
    pattern = context.babel.date_formats["short"].pattern
    return (first, second) if pattern.find("d") < pattern.find("M") else (second, first)


def shifted(offset: int, context: Context) -> date:
    """Return today and so many days."""
    return date.fromisoformat(context.today) + timedelta(days=offset)


def weekday_near(weekday: int, gone: bool, context: Context) -> date:
    """Return the next such day after today, or the last one before it. Monday is 0."""
    today = date.fromisoformat(context.today).weekday()
    return shifted(-((today - weekday - 1) % 7 + 1) if gone else (weekday - today - 1) % 7 + 1, context)


@lru_cache(maxsize=32)
def _names(locale: str, what: str) -> dict[str, int]:
    babel = Context(locale, "").babel
    widths = ("wide", "abbreviated") if what == "months" else ("wide",)
    table: dict[str, int] = {}
    for style in ("format", "stand-alone"):
        for width in widths:
            table.update({name.rstrip("."): n for n, name in getattr(babel, what)[style][width].items()})
    return table


@lru_cache(maxsize=32)
def month_table(locale: str) -> Table[int]:
    """Return CLDR's names of months, in full and short, and what else people write."""
    context = Context(locale, "")
    return meanings({**_names(locale, "months"), **context.language.months}, context.language)


@lru_cache(maxsize=32)
def weekday_table(locale: str) -> Table[int]:
    """Return CLDR's names of the days of the week; Monday is 0."""
    return meanings(_names(locale, "days"), Context(locale, "").language)
