"""Days in a text: in digits, by name ("3 March 2026"), by weekday, and "today", "tomorrow", "yesterday"."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date, timedelta
from functools import cache, lru_cache
from itertools import pairwise

from state.fields.base import RECENT, Candidate, Context
from state.fields.naming import YEAR, Spans, led, place
from state.fields.values.marks import is_priced
from state.fields.values.numerals import spoken, spoken_in
from state.language import Language
from state.language.table import Table, listed, meanings
from state.language.tokens import Token, keys_of, masked, tokens

FIRST_YEAR, LAST_YEAR = 1900, 2199
CLEARLY = timedelta(days=120)
"""A day without a year is the nearest one, if that is no farther away than this; else the year must be said."""
FACING = timedelta(days=300)
"""The same where days lie on one side: beyond it the other side is nearer."""
AHEAD = 20
"""Two-digit years up to this many years from now belong to this century."""
CENTURY = 100
STEPS = {"behind": (-1,), "either": (-1, 1)}


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
    far = CLEARLY if context.lies in ("", "either") else FACING
    return close if close is not None and abs(close - today) <= far else None


def near_number(day: int, context: Context, step: int) -> date | None:
    """Return the nearest day of a month with that number, from today on (`step` 1) or up to today (-1)."""
    today = date.fromisoformat(context.today)
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
def _cldr(locale: str, what: str) -> dict[str, int]:
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
    return meanings({**_cldr(locale, "months"), **context.language.months}, context.language)


@lru_cache(maxsize=32)
def weekday_table(locale: str) -> Table[int]:
    """Return CLDR's names of the days of the week, and what else people write; Monday is 0."""
    language = Context(locale, "").language
    return meanings({**_cldr(locale, "days"), **language.weekdays}, language)


NUMERIC = re.compile(r"(?<![\w./:-])([0-9]{1,4})([./-])([0-9]{1,2})\2([0-9]{1,4})(?![\w/:-]|\.\w)")
SHORT_DAY = re.compile(r"(?<![\w./,:-])([0-9]{1,2})([./])([0-9]{1,2})\.?(?![\w/:-]|[.,]\w)")
GLUED, RUNS_ON = re.compile(r"[\w./,:+-]"), re.compile(r"[\w/:+-]|[.,]\w")
"""What makes digits part of something longer, right before and right after them."""
SHORT_NUMBER = re.compile(r"[0-9]{1,2}(?![0-9:h])")
NO_DAY = 9999
SENTENCE = 2
APOSTROPHES = "'’‘"
Row = Sequence[Token]


@lru_cache(maxsize=RECENT)
def days(text: str, context: Context, *, short: bool = False) -> tuple[Candidate, ...]:
    """Return every date in a text, in order, none within another, each with the word that leads to it ("on", "am").

    `short`: "3/12" is one as well, for a day was asked; else where a word leads to it ("on 3/12"), it stands apart, or at either end.
    """
    clean = masked(text)
    row = tokens(clean, context.language)
    near, weekdays = (*_relative(row, context), *_away(row, clean, context)), (*_weekdays(row, context),)
    every = pairwise(sorted((*near, *weekdays), key=lambda d: d.start))
    joint = listed(context.language, "or_words", "and_words")
    if any(
        (a.rough or b.rough)
        and 0 < b.start - a.end <= len(" on ")
        and not joint.holds(tokens(clean[a.end : b.start], context.language))
        for a, b in every
    ):
        near, weekdays = (), ()  # "three weeks ago on Friday"
    layers = (_numeric(clean, context), _named(row, clean, context), near, weekdays, _abroad(clean, context))
    kept: list[Candidate] = []
    for layer in (*layers, _short(clean, row, context, alone=short), _ordinal(row, clean, context)):
        taken = Spans((d.start, d.end) for d in kept)
        kept += [d for d in layer if not taken.hits(d.start, d.end)]
    return tuple(replace(d, start=led(row, d.start, "day_leads", context)) for d in sorted(kept, key=lambda d: d.start))


def _abroad(text: str, context: Context) -> Iterator[Candidate]:
    """Yield days in words of the language that the text is in, where that is another one: rough, so that the person is asked."""
    one = spoken_in(text, context)
    if one is not context.language:
        row, other = tokens(text, one), replace(context, locale=one.example)
        named = (*_named(row, text, other), *_relative(row, other), *_weekdays(row, other), *_short(text, row, other))
        for day in (*named, *_ordinal(row, text, other)):
            yield replace(day, start=led(row, day.start, "day_leads", other), rough=True)


def _numeric(text: str, context: Context) -> Iterator[Candidate]:
    for m in NUMERIC.finditer(text):
        a, b, c = m.group(1), int(m.group(3)), m.group(4)
        if len(a) == 4 and len(c) <= 2:  # noqa: PLR2004 a year, then a day
            found = day_of(int(a), b, int(c))
        elif len(a) <= 2 and len(c) in (2, 4):  # noqa: PLR2004 a day or month, then a year
            day, month = ordered(int(a), b, context)
            found = day_of(full_year(c, context), month, day)
        else:
            found = None
        if found:
            yield Candidate(found.isoformat(), m.start(), m.end())


def _short(text: str, row: Row, context: Context, *, alone: bool = False) -> Iterator[Candidate]:
    """ "3/12", and "3.12." where days are written with points, behind a word that leads to a day, apart, at either end, or `alone`."""
    pointed, leads = (
        "." in context.babel.date_formats["short"].pattern,
        listed(context.language, "day_leads", "of_words"),
    )
    for m in SHORT_DAY.finditer(text):
        first, after = place(row, m.start()), place(row, m.end())
        apart = row[first].stop and row[after].stop if first > 0 and after < len(row) else len(row) > after - first
        if (m.group(2) == "/" or pointed) and (alone or apart or leads.ending(row, first)):
            day, month = ordered(int(m.group(1)), int(m.group(3)), context)
            found = nearest(month, day, context)
            if found:
                yield Candidate(found.isoformat(), m.start(), m.end())


def _named(row: Row, text: str, context: Context) -> Iterator[Candidate]:
    """ "3 March", "third of March 2026", "Monday 3 March", "March 3, 2026"."""
    small = listed(context.language, "of_words").rows
    words = {s.after: (int(s.value), s.first) for s in spoken(text, context.language)}
    for first, after, month in month_table(context.locale).spans(row):
        end = first
        while end > 1 and row[end - 1].key in small and not row[end].stop:
            end -= 1
        before = (_number(row, end - 1, text, context) or words.get(end)) if end and not row[end].stop else None
        behind = _number(row, after, text, context) if context.language.day_after_month and not before else None
        if before:
            told = (*_with_year(row, text, (before[0], month), (before[1], after), context),)
            other = (*_beside(row, text, (before[1], after, month), context),)
            yield from (replace(day, start=(*other, day)[0].start, end=told[0].end) for day in (*other, *told) if told)
        elif behind:
            yield from _with_year(row, text, (behind[0], month), (first, after + 1), context)


def _beside(row: Row, text: str, named: tuple[int, int, int], context: Context) -> Iterator[Candidate]:
    """Yield the day whose month stands behind another one ("3 or 4 March")."""
    first, after, month = named
    lead = listed(context.language, "day_leads").ending(row, first)
    first -= lead[0] if lead else 0
    joint = listed(context.language, "or_words", "and_words", "between").ending(row, first)
    told = _number(row, first - joint[0] - 1, text, context) if joint else None
    if told:
        yield from _with_year(row, text, (told[0], month), (told[1], after), context)


def _ordinal(row: Row, text: str, context: Context) -> Iterator[Candidate]:
    """ "the 10th", "il 10" where its clause ends: the nearest day of that number on the side where it has to lie. Beside a month it is another's."""
    leads, months = listed(context.language, "day_leads"), month_table(context.locale)
    for i, token in enumerate(row):
        told = None if months.holds(row[max(i - 2, 0) : i + 4]) else _number(row, i, text, context)
        alone = i + 1 == len(row) or row[i + 1].stop > 0
        ended = not token.key.isdigit() or (alone and leads.ending(row, i))
        if told and ended:
            found = {near_number(told[0], context, step) for step in STEPS.get(context.lies, (1,))}
            yield from (Candidate(day.isoformat(), token.start, token.end) for day in sorted(filter(None, found)))


def _number(row: Row, i: int, text: str, context: Context) -> tuple[int, int] | None:
    """Return the day's number in a token that nothing is glued to ("3", "3rd"), and that token."""
    match = _numbered(context.language).fullmatch(row[i].key) if i < len(row) else None
    if match is None or GLUED.match(text, max(row[i].start - 1, 0), row[i].start) or RUNS_ON.match(text, row[i].end):
        return None
    return int(match.group(1)), i


@cache
def _numbered(language: Language) -> re.Pattern[str]:
    return re.compile(rf"([0-9]{{1,2}})(?:{'|'.join(map(re.escape, language.day_endings)) or '(?!)'})?")


def _with_year(
    row: Row, text: str, day: tuple[int, int], span: tuple[int, int], context: Context
) -> Iterator[Candidate]:
    """Yield the named day with its year and the weekday before it, which must agree. A short number behind it makes no day of it."""
    (number, month), (start, end) = day, span
    small = listed(context.language, "of_words").rows
    i = end + 1 if end < len(row) and row[end].key in small else end
    told = i < len(row) and row[i].stop < SENTENCE and not is_priced(text, row[i].start, context)
    behind = row[i] if told else None
    year, after = _year(row, i, text, context) if behind else (0, i)
    if year:
        found, end = day_of(year, month, number), after
    elif behind and not behind.stop and SHORT_NUMBER.match(text, behind.start):
        found = None
    else:
        found = nearest(month, number, context)
    lead = listed(context.language, "day_leads").ending(row, start)
    at = start - lead[0] if lead else start
    weekday = weekday_table(context.locale).ending(row, at)
    if found and (weekday is None or weekday[1] == found.weekday()):
        first = at - weekday[0] if weekday else start
        yield Candidate(found.isoformat(), row[first].start, row[end - 1].end)


def _year(row: Row, i: int, text: str, context: Context) -> tuple[int, int]:
    """Return the year that begins at a token, and the token after it; 0 for none. Two digits are one where they can be no day."""
    told, key = {s.first: s for s in spoken(text, context.language)}, row[i].key
    said = told.get(i)
    if said and said.value < CENTURY and said.after in told:  # "nineteen seventy-eight"
        year, after = int(said.value * CENTURY + told[said.after].value), told[said.after].after
    else:
        year, after = (int(said.value), said.after) if said else (int(key) if key.isdecimal() else 0, i + 1)
    if YEAR.fullmatch(str(year)):
        return year, after
    of = row[i - 1].key in listed(context.language, "of_words").rows
    marked = of or key.startswith("0") or year > 31 or text[row[i].start - 1] in APOSTROPHES  # noqa: PLR2004 the longest month
    plain = said is None and len(key) == 2 and not RUNS_ON.match(text, row[i].end)  # noqa: PLR2004
    ends = after == len(row) or row[after].stop > 0
    return (full_year(key, context), after) if key.isdecimal() and marked and plain and ends else (0, i)


def _away(row: Row, text: str, context: Context) -> Iterator[Candidate]:
    """ "in 3 days", "vor zwei Tagen"; whole weeks and months are rough, since people round to them."""
    language = context.language
    weeks = listed(language, "weeks_away")
    ones = {*listed(language, "one_article").rows, *(word for word, n in language.numbers.items() if n == 1)}
    counted = {(i, i + 1, int(t.key)) for i, t in enumerate(row) if t.key.isdecimal() and len(t.key) < 3}  # noqa: PLR2004
    counted |= {(s.first, s.after, int(s.value)) for s in spoken(text, language) if 1 < s.value < CENTURY}
    counted |= {(i, i + 1, 1) for i, t in enumerate(row) if t.key in ones}
    for first, after, number in sorted(counted):
        for said, step in (*language.days_away.items(), *language.months_away.items()):
            lead, behind = (keys_of(part, language) for part in said.split("{}"))
            start, end = first - len(lead), after + len(behind)
            keys, months = tuple(t.key for t in row[max(start, 0) : end]), said in language.months_away
            if start < 0 or keys != (*lead, *(t.key for t in row[first:after]), *behind):
                continue
            rough = months or abs(step) > 1
            found = _months_on(step * number, context) if months else shifted(step * number, context)
            if found and (rough or not weeks.at(row, start)):
                yield Candidate(found.isoformat(), row[start].start, row[end - 1].end, rough=rough)


def _months_on(count: int, context: Context) -> date | None:
    today = date.fromisoformat(context.today)
    year, month = divmod(today.year * 12 + today.month - 1 + count, 12)
    return day_of(year, month + 1, today.day)


def _relative(row: Row, context: Context) -> Iterator[Candidate]:
    """ "today", "tomorrow"; not "a week tomorrow"."""
    away = listed(context.language, "weeks_away")
    for first, after, offset in _offsets(context.language).spans(row):
        if offset != NO_DAY and not (away.ending(row, first) or away.at(row, after)):
            yield Candidate(shifted(offset, context).isoformat(), row[first].start, row[after - 1].end)


@cache
def _offsets(language: Language) -> Table[int]:
    """Return names of days, and courtesies and other phrases that only hold one ("guten Morgen")."""
    hollow = dict.fromkeys((*language.polite, *language.not_days), NO_DAY)
    return meanings({**language.days, **hollow}, language)


def _next(row: Row, first: int, after: int, weekday: int, context: Context) -> Iterator[Candidate]:
    """Yield the day that the next weekday is: of this week, or of the next one; on that weekday a week from today."""
    near, now, week = (
        weekday_near(weekday, gone=False, context=context),
        date.fromisoformat(context.today),
        timedelta(days=7),
    )
    if weekday != now.weekday():
        days = (near, near + week) if weekday > now.weekday() else (near,)
        yield from (Candidate(day.isoformat(), row[first].start, row[after - 1].end) for day in days)
        return
    following = listed(context.language, "following")
    lead, tail = following.ending(row, first), following.at(row, after)  # the day's name alone would be no day
    start, end = first - (lead[0] if lead else 0), after + (tail[0] if tail and not lead else 0)
    yield Candidate((now + week).isoformat(), row[start].start, row[end - 1].end)


def _goes_on(row: Row, after: int, weekday: int, context: Context) -> tuple[int, set[date]] | None:
    """Return where a number behind a weekday ends, and the days of that number that are one; none where its month is told, or no number is."""
    lead = listed(context.language, "day_leads").at(row, after)
    at = after + (lead[0] if lead else 0)
    told = _numbered(context.language).fullmatch(row[at].key) if at < len(row) and not row[at].stop else None
    if told is None:
        return None
    near = [near_number(int(told[1]), context, step) for step in STEPS.get(context.lies, (1, -1))]
    days = {day for day in near if day is not None and day.weekday() == weekday}
    ends = at + 1 == len(row) or row[at + 1].stop or listed(context.language, *BEHIND_DAY).at(row, at + 1)
    alone = ends and row[at].start - row[at - 1].end == 1  # not "Friday 20 euros", "Friday £20"
    if month_table(context.locale).holds(row[at : at + 4]) or (days and not alone):
        return at + 1, set()
    return (at + 1, days) if days else None


BEHIND_DAY = "small", "polite", "breaks", "leading", "hour_marks", "day_leads"
"""Entries of words behind the number of a day: with any other it counts something."""


def _of_next_week(row: Row, first: int, after: int, context: Context) -> tuple[int, int] | None:
    """Return the words that put a weekday in the next week, with it ("Wednesday next week", "next week on Wednesday")."""
    week, leads = listed(context.language, "next_week"), listed(context.language, "day_leads")
    behind = week.at(row, after)
    lead = leads.ending(row, first)
    before = week.ending(row, first - (lead[0] if lead else 0))
    if behind:
        return first, after + behind[0]
    return (first - (lead[0] if lead else 0) - before[0], after) if before else None


def _weekdays(row: Row, context: Context) -> Iterator[Candidate]:
    """ "Tuesday", "last Friday", "next Friday"; a number behind it makes another day of it, and nobody says which one "Monday week" is."""
    past, away = listed(context.language, "gone"), listed(context.language, "weeks_away")
    following = listed(context.language, "following")
    for first, after, weekday in weekday_table(context.locale).spans(row):
        if (numbered := _goes_on(row, after, weekday, context)) is not None:
            end, days = numbered
            yield from (Candidate(day.isoformat(), row[first].start, row[end - 1].end) for day in sorted(days))
            continue
        if (week := _of_next_week(row, first, after, context)) is not None:
            day = date.fromisoformat(context.today)
            day += timedelta(days=7 - day.weekday() + weekday)
            yield Candidate(day.isoformat(), row[week[0]].start, row[week[1] - 1].end)
            continue
        if away.ending(row, first) or away.at(row, after):
            continue
        if following.ending(row, first) or following.at(row, after):
            yield from _next(row, first, after, weekday, context)
            continue
        before, behind = past.ending(row, first), past.at(row, after)
        if not (before or behind) and weekday == date.fromisoformat(context.today).weekday():
            continue  # today, or a week from it
        gone = bool(before or behind) or context.lies == "behind"
        start = first - (before[0] if before else 0)
        end = after + (behind[0] if behind and not before else 0)
        if before and away.ending(row, start):
            continue  # "a week last Tuesday"
        near, today = weekday_near(weekday, gone, context), date.fromisoformat(context.today).weekday()
        by = listed(context.language, "gone_by").ending(row, first)
        doubtful = (weekday < today and by is not None) or (context.lies == "either" and not gone)
        for day in (near, near - timedelta(days=7)) if doubtful else (near,):
            yield Candidate(day.isoformat(), row[start].start, row[end - 1].end, rough=doubtful)
