"""Stretches of days in a text: "this month", "last week", "October", "2026-11", "from 3 March to 10 March"."""

import re
from calendar import monthrange
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import lru_cache
from itertools import pairwise

from state.fields.base import RECENT, Candidate, Context
from state.fields.naming import YEAR, Spans, led
from state.fields.values.days import day_of, days, month_table
from state.language.table import coded, listed
from state.language.tokens import Token, masked, tokens

MONTH = re.compile(r"(?<![\w/-])((?:19|20|21)[0-9]{2})-(0[1-9]|1[0-2])(?![\w/-])")
QUARTER = re.compile(r"(?<!\w)[Qq]([1-4])(?: ((?:19|20|21)[0-9]{2}))?(?!\w)")
DASH = re.compile(r"\s*(?:[–—-]|\.\.)\s*")


@dataclass(frozen=True, slots=True)
class Period:
    """First and last day (ISO 8601), and where it stands."""

    first: str
    last: str
    start: int
    end: int

    @property
    def data(self) -> str:
        """ISO 8601's interval: "2026-11-01/2026-11-30"."""
        return f"{self.first}/{self.last}"


@lru_cache(maxsize=RECENT)
def periods(text: str, context: Context) -> tuple[Period, ...]:
    """Return every stretch of days in a text, in order, none within another; a day alone is a stretch of one."""
    clean = masked(text)
    row = tokens(clean, context.language)
    single = [Period(str(d.data), str(d.data), d.start, d.end) for d in days(text, context)]
    alone = [*_months(clean, context), *_counted(row, context), *single, *_named(row, context)]
    kept: list[Period] = []
    for layer in (_joined(clean, row, context), _since(row, alone, context), alone):
        for found in layer:
            if not Spans((p.start, p.end) for p in kept).hits(found.start, found.end):
                kept.append(found)
    return tuple(sorted(kept, key=lambda p: p.start))


def stretches(text: str, context: Context) -> tuple[Period | Candidate, ...]:
    """Return what of a text is time and no other figure: days, and where these lie on one side of today all stretches of them."""
    return periods(text, context) if context.lies in ("behind", "ahead") else days(text, context)


def _joined(text: str, row: Sequence[Token], context: Context) -> Iterator[Period]:
    """Yield two days with "to" or a dash between them, and the "from" before them."""
    between = listed(context.language, "between")
    for one, other in pairwise(days(text, replace(context, lies=""))):
        words = tokens(text[one.end : other.start], context.language)
        joined = between.at(words, 0)
        dashed = DASH.fullmatch(text[one.end : other.start])
        if str(one.data) <= str(other.data) and (dashed or (joined is not None and joined[0] == len(words))):
            yield Period(str(one.data), str(other.data), led(row, one.start, "begin_words", context), other.end)


def _since(row: Sequence[Token], alone: Sequence[Period], context: Context) -> Iterator[Period]:
    """From the first day of a stretch that has begun to today."""
    for period in (p for p in alone if p.first <= context.today):
        begun = led(row, period.start, "since", context)
        if begun < period.start:
            yield Period(period.first, context.today, begun, period.end)


def _months(text: str, context: Context) -> Iterator[Period]:
    """ "2026-11", and quarters: "Q3", "Q1 2026", without a year the newest that has begun."""
    for m in MONTH.finditer(text):
        yield _month(int(m.group(1)), int(m.group(2)), m.start(), m.end())
    today = date.fromisoformat(context.today)
    for m in QUARTER.finditer(text):
        first = 3 * int(m.group(1)) - 2
        year = int(m.group(2)) if m.group(2) else today.year - (first > today.month)
        begun = _month(year, first, m.start(), m.end())
        yield replace(begun, last=_month(year, first + 2, 0, 0).last)


def _counted(row: Sequence[Token], context: Context) -> Iterator[Period]:
    """ "this month", "last week"."""
    today = date.fromisoformat(context.today)
    for first, after, meaning in coded(context.language, "periods").spans(row):
        unit, _, offset = meaning.partition(" ")
        start, end = row[first].start, row[after - 1].end
        if unit == "month":
            months = today.year * 12 + today.month - 1 + int(offset)
            yield _month(months // 12, months % 12 + 1, start, end)
        elif unit == "week":
            monday = today - timedelta(days=today.weekday() - 7 * int(offset))
            yield Period(monday.isoformat(), (monday + timedelta(days=6)).isoformat(), start, end)
        else:
            year = today.year + int(offset)
            yield Period(f"{year}-01-01", f"{year}-12-31", start, end)


def _named(row: Sequence[Token], context: Context) -> Iterator[Period]:
    """ "October", "october 2025"; without a year the newest that has begun, or the next where days lie ahead."""
    today, of = date.fromisoformat(context.today), listed(context.language, "of_words")
    for first, after, month in month_table(context.locale).spans(row):
        i = after + 1 if of.at(row, after) else after
        told = i < len(row) and YEAR.fullmatch(row[i].key) is not None
        beside = any(0 <= n < len(row) and row[n].key.isdigit() and len(row[n].key) < 3 for n in (first - 1, after))  # noqa: PLR2004 a day
        short = row[first].end - row[first].start <= 3 and not told  # noqa: PLR2004 "may", "mar": words of their own
        if beside or short:
            continue
        near = today.year + (month < today.month) if context.lies == "ahead" else today.year - (month > today.month)
        year = int(row[i].key) if told else near
        yield _month(year, month, row[first].start, row[i if told else after - 1].end)


def _month(year: int, month: int, start: int, end: int) -> Period:
    last = monthrange(year, month)[1]
    return Period(f"{year:04d}-{month:02d}-01", f"{year:04d}-{month:02d}-{last:02d}", start, end)


def whole_month(data: str) -> bool:
    """Return True if a canonical period is one calendar month."""
    first, _, last = data.partition("/")
    begins, ends = date.fromisoformat(first), date.fromisoformat(last)
    return begins.day == 1 and ends == day_of(begins.year, begins.month, monthrange(begins.year, begins.month)[1])


def month_before(data: str) -> str:
    """Return the calendar month before the one in which a canonical period begins."""
    begins = date.fromisoformat(data.partition("/")[0])
    months = begins.year * 12 + begins.month - 2
    return _month(months // 12, months % 12 + 1, 0, 0).data


def month_of(day: str) -> str:
    """Return the calendar month of a day (ISO 8601) as a canonical period."""
    on = date.fromisoformat(day)
    return _month(on.year, on.month, 0, 0).data
