"""Dates from their parts: the locale's order of day and month, years left out or cut to two digits."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta
from difflib import SequenceMatcher
from functools import lru_cache

from state.fields.base import Context
from state.language.table import Table, meanings
from state.language.tokens import Token, keys_of

FIRST_YEAR, LAST_YEAR = 1900, 2199
CLEARLY = timedelta(days=120)
"""A day without a year is the nearest one, if that is no farther away than this; else the year must be said."""
AHEAD = 20
"""Two-digit years up to this many years from now belong to this century."""
CENTURY = 100
MONTHS = 12
LEAST_LIKE, SHORT, LONG = 0.84, 5, 8
"""How alike a slip and the name are, and letters of the shortest name in which one is looked for, and of one that may lack two."""


def day_of(year: int, month: int, day: int) -> date | None:
    """The date, if there is one within the years that forms mean."""
    try:
        return date(year, month, day) if FIRST_YEAR <= year <= LAST_YEAR else None
    except ValueError:
        return None


def full_year(digits: str, context: Context) -> int:
    """The year that two digits stand for; four digits are the year."""
    year, now = int(digits), date.fromisoformat(context.today).year
    if len(digits) > 2:  # noqa: PLR2004 a year's last two digits
        return year
    this_century = now // CENTURY * CENTURY + year
    latest = now if context.lies == "behind" else now + AHEAD
    return this_century if this_century <= latest else this_century - CENTURY


def nearest(month: int, day: int, context: Context) -> date | None:
    """The day of that name nearest to today, on the side where it has to lie; None where none is clearly meant."""
    today = date.fromisoformat(context.today)
    named = [d for year in (today.year - 1, today.year, today.year + 1) if (d := day_of(year, month, day))]
    days = [d for d in named if not context.is_wrong(d.isoformat())]
    close = min(days, key=lambda d: abs(d - today), default=None)
    return close if close is not None and abs(close - today) <= CLEARLY else None


def in_order(first: int, second: int, year: int, context: Context) -> date | None:
    """Day and month in the locale's order, or in the other one where the locale's is no date."""
    pattern = context.babel.date_formats["short"].pattern
    day, month = (first, second) if pattern.find("d") < pattern.find("M") else (second, first)
    return day_of(year, month, day) or day_of(year, day, month)


def ordered(first: int, second: int, context: Context) -> tuple[int, int]:
    """Day and month of two numbers in the locale's order; in the other one where only that can be."""
    pattern = context.babel.date_formats["short"].pattern
    day, month = (first, second) if pattern.find("d") < pattern.find("M") else (second, first)
    return (month, day) if month > MONTHS >= day else (day, month)


def coming(month: int, day: int, context: Context) -> date | None:
    """The next day of that name, today included; the last one where days lie behind."""
    today, step = date.fromisoformat(context.today), _step(context)
    days = (day_of(today.year + step * n, month, day) for n in range(9))
    return next((d for d in days if d is not None and (d - today).days * step >= 0), None)


def coming_day(day: int, context: Context) -> date:
    """The next day with that number in its month, today included; the last one where days lie behind."""
    found, step = date.fromisoformat(context.today), timedelta(days=_step(context))
    while found.day != day:
        found += step
    return found


def _step(context: Context) -> int:
    return -1 if context.lies == "behind" else 1


def shifted(offset: int, context: Context) -> date:
    """Today and so many days."""
    return date.fromisoformat(context.today) + timedelta(days=offset)


def weekday_near(weekday: int, gone: bool, context: Context) -> date:
    """The next such day after today, or the last one before it. Monday is 0."""
    today = date.fromisoformat(context.today).weekday()
    return shifted(-((today - weekday - 1) % 7 + 1) if gone else (weekday - today - 1) % 7 + 1, context)


def in_week(weekday: int, weeks: int, context: Context) -> date:
    """That day of the week so many weeks from this one; weeks begin on Monday."""
    return shifted(weekday - date.fromisoformat(context.today).weekday() + 7 * weeks, context)


def day_of_month(day: int, this_month: bool, context: Context) -> date | None:
    """That day of this month, if it is still to come or this month is named; else of the month that is clearly nearer.

    Where days have to lie on one side of today, the first one there.
    """
    today = date.fromisoformat(context.today)
    here = day_of(today.year, today.month, day)
    if context.lies and not this_month:
        return coming_day(day, context)
    if here is None or this_month or here >= today:
        return here
    ahead = day_of(today.year + today.month // 12, today.month % 12 + 1, day)
    near, far = sorted((d for d in (here, ahead) if d), key=lambda d: abs(d - today))[:2] if ahead else (here, None)
    return near if far is None or abs(near - today) * 2 <= abs(far - today) else None


@lru_cache(maxsize=32)
def _names(locale: str, what: str) -> dict[str, int]:
    babel = Context(locale, "").babel
    widths = ("wide", "abbreviated") if what == "months" else ("wide",)
    table: dict[str, int] = {}
    for style in ("format", "stand-alone"):
        for width in widths:
            table.update({name.rstrip("."): n for n, name in getattr(babel, what)[style][width].items()})
    return table


def month_names(context: Context) -> Mapping[str, int]:
    """The locale's months by name and short name, and what else people write."""
    return {**_names(context.locale, "months"), **context.language.months}


def weekday_names(context: Context) -> Mapping[str, int]:
    """The locale's days of the week by name; Monday is 0."""
    return _names(context.locale, "days")


def month_table(context: Context) -> Table[int]:
    """The names of months as a table."""
    return _month_table(context.locale)


def weekday_table(context: Context) -> Table[int]:
    """The names of days as a table; Monday is 0."""
    return _weekday_table(context.locale)


@lru_cache(maxsize=32)
def _month_table(locale: str) -> Table[int]:
    context = Context(locale, "")
    return meanings(month_names(context), context.language)


@lru_cache(maxsize=32)
def _weekday_table(locale: str) -> Table[int]:
    context = Context(locale, "")
    return meanings(weekday_names(context), context.language)


def mended(row: Sequence[Token], context: Context) -> tuple[Token, ...]:
    """The row with the names of months and days put right in which there is a slip ("febuary", "wensday"), and possessives as nouns ("week's")."""
    whose = f"'{context.language.plural_ending}"
    plain = (t if not t.key.endswith(whose) else replace(t, key=t.key.removesuffix(whose)) for t in row)
    return tuple(
        t if (name := _meant(t.key, context.locale)) is None else replace(t, key=name) if name != t.key else t
        for t in plain
    )


@lru_cache(maxsize=4096)
def _meant(key: str, locale: str) -> str | None:
    if len(key) < SHORT or not key.isalpha():
        return None
    near = [name for name in _long_names(locale) if _is_slip(key, name)] if key not in _real_words(locale) else []
    return near[0] if len(near) == 1 else None


@lru_cache(maxsize=32)
def _real_words(locale: str) -> frozenset[str]:
    language = Context(locale, "").language
    return frozenset(key for word in language.no_slips for key in keys_of(word, language))


@lru_cache(maxsize=32)
def _long_names(locale: str) -> tuple[str, ...]:
    context = Context(locale, "")
    names = {keys_of(name, context.language)[0] for name in (*month_names(context), *weekday_names(context))}
    return tuple(sorted(name for name in names if len(name) >= SHORT))


def _is_slip(key: str, name: str) -> bool:
    gap = abs(len(key) - len(name))
    alike = key[0] == name[0] and key[-2:] == name[-2:] and gap <= (2 if len(name) >= LONG else 1)
    return key == name or (alike and SequenceMatcher(None, key, name).ratio() >= LEAST_LIKE)
