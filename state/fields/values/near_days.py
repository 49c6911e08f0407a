"""Dates that are told from where today stands: "tomorrow", "next Tuesday", "in three days", "the 12th"."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache

from state.fields.base import Context
from state.fields.values.calendar import day_of_month, in_week, shifted, weekday_near, weekday_table
from state.language import LANGUAGES, Language
from state.language.table import Table, listed, meanings, numbered
from state.language.tokens import Token

DAY = re.compile(rf"([0-9]{{1,2}})(?:{'|'.join(e for language in LANGUAGES.values() for e in language.day_endings)})?")
MOST_DAYS = 3660
Row = Sequence[Token]


@dataclass(frozen=True, slots=True)
class Day:
    """A date (ISO 8601) and where it stands."""

    date: str
    start: int
    end: int


def _day(row: Row, first: int, after: int, found: date) -> Day:
    return Day(found.isoformat(), row[first].start, row[after - 1].end)


def relative(row: Row, context: Context) -> Iterator[Day]:
    """ "today", "tomorrow"."""
    language = context.language
    for first, after, offset in _offsets(language).spans(row):
        if offset != MOST_DAYS:
            yield _day(row, first, after, shifted(offset, context))


@cache
def _offsets(language: Language) -> Table[int]:
    return meanings({**language.days, **dict.fromkeys(language.not_days, MOST_DAYS)}, language)


@cache
def _weeks(language: Language) -> Table[int]:
    return meanings({**dict.fromkeys(language.this_week, 0), **dict.fromkeys(language.next_week, 1)}, language)


@cache
def _ways(language: Language) -> Table[bool]:
    """Whether a word before or after a weekday means one that is gone."""
    return meanings({**dict.fromkeys(language.coming, False), **dict.fromkeys(language.gone, True)}, language)


def weekdays(row: Row, context: Context) -> Iterator[Day]:
    """ "Tuesday", "last Friday", "Thursday next week"."""
    for first, after, weekday in weekday_table(context).spans(row):
        if _fits_day(row, after, weekday, context):
            continue  # "Monday 20", "Monday the 20th": a date of its own, which the weekday only has to fit
        week = _week(row, after, context)
        if week:
            yield _day(row, first, after + week[0], in_week(weekday, week[1], context))
        else:
            yield _by_direction(row, first, after, weekday, context)


def _fits_day(row: Row, after: int, weekday: int, context: Context) -> bool:
    """Whether a day's number follows a weekday: with its month, or after an article and on such a weekday."""
    if after < len(row) and DAY.fullmatch(row[after].key):
        return True
    lead = listed(context.language, "day_leads", "articles").at(row, after)
    number = DAY.fullmatch(row[after + lead[0]].key) if lead and after + lead[0] < len(row) else None
    found = day_of_month(int(number.group(1)), False, context) if number else None
    return number is not None and (found is None or found.weekday() == weekday or after + 2 < len(row))


def later_weekdays(row: Row, context: Context) -> Iterator[Day]:
    """ "Monday week", "a week on Monday", "Montag in einer Woche"; "next week Monday"."""
    late, weeks = listed(context.language, "week_after"), _weeks(context.language)
    for first, after, weekday in weekday_table(context).spans(row):
        before, behind, week = late.ending(row, first), late.at(row, after), weeks.ending(row, first)
        if before or behind:
            found = weekday_near(weekday, False, context) + timedelta(days=7)
            yield _day(row, first - (before[0] if before else 0), after + (behind[0] if behind else 0), found)
        elif week:
            yield _day(row, first - week[0], after, in_week(weekday, week[1], context))


def _week(row: Row, after: int, context: Context) -> tuple[int, int] | None:
    """The words that name a week after a weekday, and how many weeks from now that is."""
    return _weeks(context.language).at(row, after)


def _by_direction(row: Row, first: int, after: int, weekday: int, context: Context) -> Day:
    ways = _ways(context.language)
    before = ways.ending(row, first)
    behind = None if before else ways.at(row, after)
    way = before or behind
    start, end = first - (before[0] if before else 0), after + (behind[0] if behind else 0)
    gone = way[1] if way else context.lies == "behind"
    return _day(row, start, end, weekday_near(weekday, gone, context))


def days_of_month(row: Row, context: Context) -> Iterator[Day]:
    """ "the 12th", "12 of this month", "el día 12"."""
    language = context.language
    leads, of_month = listed(language, "day_leads"), listed(language, "this_month")
    ends = listed(language, "breaks", "polite")
    for i, token in enumerate(row):
        number = DAY.fullmatch(token.key)
        if number is None:
            continue
        lead, month = leads.ending(row, i), of_month.at(row, i + 1)
        told = lead and (not language.ended_days or not token.key.isdigit())
        alone = i + 1 == len(row) or row[i + 1].stop > 0 or ends.at(row, i + 1) is not None
        found = day_of_month(int(number.group(1)), bool(month), context) if month or (told and alone) else None
        if found:
            yield _day(row, i - (lead[0] if lead else 0), i + 1 + (month[0] if month else 0), found)


def counted(row: Row, context: Context) -> Iterator[Day]:
    """ "in 3 days", "3 days ago", "hace una semana"."""
    language = context.language
    ahead, ago = listed(language, "ahead_before"), listed(language, "ago_before")
    ahead_after, ago_after = listed(language, "ahead_after"), listed(language, "ago_after")
    for unit, after, length in numbered(language, "units_of_days").spans(row):
        count = _count(row, unit - 1, context)
        if count is None or count * length > MOST_DAYS:
            continue
        sign, start, end = _direction(row, unit - 1, after, (ahead, ago), (ahead_after, ago_after))
        if sign:
            yield _day(row, start, end, shifted(sign * count * length, context))


def _direction(
    row: Row, first: int, after: int, before: tuple[Table[str], Table[str]], behind: tuple[Table[str], Table[str]]
) -> tuple[int, int, int]:
    for sign, leads, follows in ((1, before[0], behind[0]), (-1, before[1], behind[1])):
        led = leads.ending(row, first)
        followed = follows.at(row, after) if after < len(row) and not row[after].stop else None
        if led or followed:
            return sign, first - (led[0] if led else 0), after + (followed[0] if followed else 0)
    return 0, first, after


def _count(row: Row, i: int, context: Context) -> int | None:
    if i < 0:
        return None
    if row[i].key.isascii() and row[i].key.isdigit() and len(row[i].key) <= len(str(MOST_DAYS)):
        return int(row[i].key)
    if row[i].key in context.language.one_article:
        return 1
    hit = numbered(context.language, "numbers").at(row, i)
    return hit[1] if hit else None
