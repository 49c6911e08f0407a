"""Dates in a text: numeric, named ("3 March 2026"), and counted from today ("next Tuesday", "in three days")."""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from functools import lru_cache
from typing import Literal

from state.fields.base import RECENT, Context
from state.fields.values.calendar import (
    coming,
    coming_day,
    day_of,
    day_of_month,
    full_year,
    in_order,
    mended,
    month_table,
    nearest,
    ordered,
    weekday_table,
)
from state.fields.values.near_days import DAY, Day, counted, days_of_month, later_weekdays, relative, weekdays
from state.fields.values.spans import Spans
from state.fields.values.spoken import number_at, ordinal
from state.language.table import listed, numbered
from state.language.tokens import Token, masked, tokens

NUMERIC = re.compile(r"(?<![\w./-])([0-9]{1,4})([./-])([0-9]{1,2})\2([0-9]{1,4})(?![\w/-]|\.\w)")
YEAR = re.compile(r"(?:19|20|21)[0-9]{2}")
SHORT_YEAR = re.compile(r"[0-9]{2}")
SHORT_DAY = re.compile(
    r"(?<![\w./-])([0-9]{1,2})([./])([0-9]{1,2})(?:(?<=\.[0-9])\.|(?<=\.[0-9][0-9])\.)?(?![\w/-]|[.,]\w)"
)
LAST_DAY = 31
TENS = (20, 30)
How = Literal["sure", "untimed", "short", "loose"]
SURE: How = "sure"
UNTIMED: How = "untimed"
SHORT: How = "short"
LOOSE: How = "loose"
Row = Sequence[Token]


@lru_cache(maxsize=RECENT)
def days(text: str, context: Context, how: How = SURE) -> tuple[Day, ...]:
    """Every date in a text, in order, none within another.

    `how`: SURE; UNTIMED where the year may be left open; SHORT where "3/12" is a day as well, for a day was asked; LOOSE where even a day
    counts whose month is left open. What is left open is the next that comes, or the last where days lie behind.
    """
    clean = masked(text)
    row = mended(tokens(clean, context.language), context)
    layers = (
        _numeric(clean, context), _ranged(row, clean, context, how), _named(row, clean, context, how), _short(clean, context, how),
        later_weekdays(row, context),
        counted(row, context), days_of_month(row, context), relative(row, context), weekdays(row, context), _bare(row, context, how),
    )  # fmt: skip
    kept: list[Day] = []
    for layer in layers:
        taken = Spans((d.start, d.end) for d in kept)
        kept += [d for d in layer if not taken.hits(d.start, d.end)]
    return tuple(sorted(kept, key=lambda d: d.start))


def may_be_short(text: str) -> bool:
    """Whether digits stand in a text that could be a day without a year."""
    return SHORT_DAY.search(text) is not None


def _short(text: str, context: Context, how: How) -> Iterator[Day]:
    """ "3/12", and "3.12." where days are written with points."""
    if how in (SURE, UNTIMED):
        return
    pointed = "." in context.babel.date_formats["short"].pattern
    for m in SHORT_DAY.finditer(text):
        if m.group(2) == "/" or pointed:
            day, month = ordered(int(m.group(1)), int(m.group(3)), context)
            found = _of_year(month, day, context, how)
            if found:
                yield Day(found.isoformat(), m.start(), m.end())


def _bare(row: Row, context: Context, how: How) -> Iterator[Day]:
    """The number of a day alone: "the 8th", "il 25"."""
    numbers = [(i, n) for i, t in enumerate(row) if (n := _day_number(row, i, context))] if how == LOOSE else []
    lasting, months = listed(context.language, "durations"), month_table(context)
    for i, number in numbers:
        of_month = months.holds(row[max(i - 2, 0) : i + 4])
        if 1 <= number <= LAST_DAY and not of_month and not lasting.at(row, i + 1):
            yield Day(coming_day(number, context).isoformat(), row[i].start, row[i].end)


def _ranged(row: Row, text: str, context: Context, how: How) -> Iterator[Day]:
    """The near end of a stretch whose month stands at its far end ("12-14 November", "dal 12 al 14"), or nowhere."""
    language = context.language
    links, ends = listed(language, "to_words", "end_prepositions"), listed(language, "day_leads", "articles")
    joined = [(i, links.at(row, i + 1)) for i in range(len(row) - 1)]
    near = [(i, link, _plain_day(row, i, context)) for i, link in joined if link or _dashed(text, row, i)]
    if not any(number for _, _, number in near):
        return
    named = {d.start: d for d in _named(row, text, context, how)}
    for i, link, number in near:
        far = i + 1 + (link[0] if link else 0)
        far += 1 if ends.at(row, far) else 0
        if number:
            yield from _both(row, (i, number), far, named, context)


def _both(row: Row, near: tuple[int, int], far: int, named: Mapping[int, Day], context: Context) -> Iterator[Day]:
    i, number = near
    last = _plain_day(row, far, context)
    month = named.get(row[far].start) if last else None
    if month is not None:
        whole = date.fromisoformat(month.date)
        first = day_of(whole.year, whole.month, number)
        if first is not None and number <= whole.day:
            yield Day(first.isoformat(), row[i].start, row[i].end)
    elif last and number < last and i and listed(context.language, "begin_words").ending(row, i):
        for at, day in ((i, number), (far, last)):
            found = day_of_month(day, False, context) or coming_day(day, context)
            yield Day(found.isoformat(), row[at].start, row[at].end)


def _plain_day(row: Row, i: int, context: Context) -> int | None:
    number = _day_number(row, i, context) if i < len(row) else None
    return number if number and 1 <= number <= LAST_DAY else None


def _dashed(text: str, row: Row, i: int) -> bool:
    return i + 1 < len(row) and text[row[i].end : row[i + 1].start].strip(" .") in ("-", "–", "—")


def _of_year(month: int, day: int, context: Context, how: How) -> date | None:
    """The day in the year that is clearly meant; where it need not be clear, the next one."""
    return nearest(month, day, context) or (coming(month, day, context) if how in (LOOSE, UNTIMED) else None)


def _numeric(text: str, context: Context) -> Iterator[Day]:
    for m in NUMERIC.finditer(text):
        a, b, c = m.group(1), int(m.group(3)), m.group(4)
        if len(a) == 4 and len(c) <= 2:  # noqa: PLR2004 a year, then a day
            found = day_of(int(a), b, int(c))
        elif len(a) <= 2 and len(c) in (2, 4):  # noqa: PLR2004 a day or month, then a year
            found = in_order(int(a), b, full_year(c, context), context)
        else:
            found = None
        if found:
            yield Day(found.isoformat(), m.start(), m.end())


def _named(row: Row, text: str, context: Context, how: How) -> Iterator[Day]:
    no_month = listed(context.language, "not_days")
    for first, after, month in month_table(context).spans(row):
        if no_month.at(row, first):
            continue
        day = _day_before(row, first, context) or _day_after(row, after, context)
        if day is not None:
            number, start, end = day
            found = _with_year(row, text, (number, month), start, max(end, after), context, how)
            if found:
                yield found


def _day_before(row: Row, first: int, context: Context) -> tuple[int, int, int] | None:
    small = listed(context.language, "of_words")
    i = first - 1
    while i >= 0 and not row[i + 1].stop and small.at(row, i):
        i -= 1
    if i < 0 or row[i + 1].stop:
        return None
    number, length = _spelled_day(row, i + 1, context)
    return (number, i + 1 - length, i + 1) if number else None


def _day_after(row: Row, after: int, context: Context) -> tuple[int, int, int] | None:
    small = listed(context.language, "of_words")
    i = after + 1 if small.at(row, after) else after
    number = _day_number(row, i, context) if i < len(row) and not row[i].stop else None
    return (number, after - 1, i + 1) if number and context.language.day_after_month else None


def _day_number(row: Row, i: int, context: Context) -> int | None:
    digits = DAY.fullmatch(row[i].key)
    if digits:
        return int(digits.group(1))
    hit = numbered(context.language, "ordinals").at(row, i)
    return hit[1] if hit else ordinal(row[i].key, context.language)


def _spelled_day(row: Row, end: int, context: Context) -> tuple[int, int]:
    """The day's number that ends before a token, in digits or words ("twenty-first", "ventiquattro"), and its tokens; 0 where none does."""
    tens = number_at(row, end - 2, context.language) if end > 1 else None
    last = _day_number(row, end - 1, context)
    if (
        last
        and tens
        and tens.after == end - 1
        and tens.value in TENS
        and last < tens.value
        and not row[end - 1].key.isdigit()
    ):
        return tens.value + last, 2
    if last:
        return last, 1
    for length in (3, 2, 1):
        said = number_at(row, end - length, context.language) if end >= length else None
        if said and said.after == end and 1 <= said.value <= LAST_DAY:
            return said.value, length
    return 0, 0


def _with_year(
    row: Row, text: str, day: tuple[int, int], start: int, end: int, context: Context, how: How
) -> Day | None:
    """The named day with its year, and with the weekday before it, which must agree."""
    small = listed(context.language, "of_words")
    i = end + 1 if small.at(row, end) else end
    number, month = day
    following = row[i] if i < len(row) and row[i].stop < 2 else None  # noqa: PLR2004 within the sentence
    if following and YEAR.fullmatch(following.key):
        found, end = day_of(int(following.key), month, number), i + 1
    elif following and not following.stop and SHORT_YEAR.fullmatch(following.key):
        joined = text[following.start - 1] in "-/'’"
        found, end = (day_of(full_year(following.key, context), month, number) if joined else None), i + 1
    else:
        found = _of_year(month, number, context, how)
    return _with_weekday(row, found, start, end, context) if found else None


def _with_weekday(row: Row, found: date, start: int, end: int, context: Context) -> Day | None:
    lead = listed(context.language, "day_leads").ending(row, start)
    hit = weekday_table(context).ending(row, start)
    if hit is None and lead:
        hit = weekday_table(context).ending(row, start - lead[0])
        start -= lead[0] if hit else 0
    if hit and hit[1] != found.weekday():
        return None
    first = start - hit[0] if hit else start
    return Day(found.isoformat(), row[first].start, row[end - 1].end)
