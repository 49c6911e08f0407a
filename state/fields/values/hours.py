"""Times of day in a text. What could be morning or afternoon is no reading."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache

from state.fields.base import RECENT, Context
from state.fields.values.reach import place
from state.fields.values.spans import Spans
from state.fields.values.spoken import number_at
from state.language import Language
from state.language.table import Table, coded, listed, meanings, numbered
from state.language.tokens import Token, masked, tokens

CLOCK = re.compile(
    r"(?<![\w.,:/£€$%-])([0-9]{1,2})(?:([:.h])([0-9]{2}))?(?: ?([ap])\.? ?m(?!\w)\.?)?(?![\w:/%]|[.,][0-9])",
    re.IGNORECASE,
)
NOON, LATE, LAST, LAST_MINUTE = 12, 13, 23, 59
"""Hours up to noon may be of either half of the day; from `LATE` on they are told by themselves."""
TWO_DIGITS = 10
DAY, MORNING = 7, 8
"""From which hour on one is told by day rather than by night; and from which on nobody means the evening by a clock of 24 hours."""
Row = Sequence[Token]


@dataclass(frozen=True, slots=True)
class Hour:
    """A time of day (HH:MM) and where it stands; not `sure` where the half of the day is only likely."""

    time: str
    start: int
    end: int
    sure: bool = True


@lru_cache(maxsize=RECENT)
def hours(text: str, context: Context) -> tuple[Hour, ...]:
    """Every time of day that is beyond doubt, in order."""
    clean = masked(text)
    row = tokens(clean, context.language)
    told = (h for h in (*_parted(row, context), *_minuted(row, context)) if h.sure)
    found = (*told, *_clocks(clean, row, context), *_worded(row, context), *_names(row, context))
    return _apart(found)


@lru_cache(maxsize=RECENT)
def likely_hours(text: str, context: Context) -> tuple[Hour, ...]:
    """Every time of day, and where the half of the day is left open, the one of the two that is by day: 7:00 to 18:59."""
    clean = masked(text)
    row = tokens(clean, context.language)
    told = (*_parted(row, context), *_minuted(row, context))
    return _apart((*told, *hours(text, context), *_open_clocks(clean, row, context), *_open_numbers(row, context)))


def _apart(found: Iterable[Hour]) -> tuple[Hour, ...]:
    """In order, none within another; those found first count first."""
    kept: list[Hour] = []
    for hour in found:
        if not Spans((h.start, h.end) for h in kept).hits(hour.start, hour.end):
            kept.append(hour)
    return tuple(sorted(kept, key=lambda h: h.start))


def _open_clocks(text: str, row: Row, context: Context) -> Iterator[Hour]:
    """ "2:30", "at 5", "10" without the half of the day."""
    for m in CLOCK.finditer(text):
        hour, minute = int(m.group(1)), int(m.group(3) or 0)
        if hour <= LAST and minute <= LAST_MINUTE:
            yield Hour(_by_day(hour, minute), m.start(), m.end(), sure=False)


def _open_numbers(row: Row, context: Context) -> Iterator[Hour]:
    """ "alle dieci", "about six", "noonish"."""
    for i, token in enumerate(row):
        said = number_at(row, i, context.language)
        if said and 1 <= said.value <= LAST:
            yield Hour(_by_day(said.value, 0), token.start, row[said.after - 1].end, sure=False)
        rough = re.fullmatch(r"([0-9]{1,2})([a-z]+)", token.key)
        if rough and rough.group(2) in context.language.approximate_endings and int(rough.group(1)) <= LAST:
            yield Hour(_by_day(int(rough.group(1)), 0), token.start, token.end, sure=False)
        stem = next(
            (token.key.removesuffix(e) for e in context.language.approximate_endings if token.key.endswith(e)), ""
        )
        noon = _noons(context.language).at((replace(token, key=stem),), 0) if stem else None
        if noon:
            yield Hour(noon[1], token.start, token.end, sure=False)


def _by_day(hour: int, minute: int) -> str:
    return f"{hour + NOON if 0 < hour < DAY else hour:02}:{minute:02}"


def _minuted(row: Row, context: Context) -> Iterator[Hour]:
    """ "ten past five", "five thirty pm", "le otto e venti", "14 Uhr 30"."""
    language = context.language
    past, to = listed(language, "minutes_past"), listed(language, "minutes_to")
    for i in range(len(row)):
        first = _count(row, i, context)
        if first is None:
            continue
        after = first[1]
        before = to.at(row, after)
        sign, join = (-1, before) if before else (1, past.at(row, after))
        last = _count(row, after + (join[0] if join else 0), context)
        leads = (
            language.hour_parts_lead and join is not None and not listed(language, "hour_marks_after").at(row, after)
        )
        if last is not None and (join or not _is_digits(row, i)):
            hour, minute = (last[0], first[0]) if leads else (first[0], last[0])
            yield from _moment(row, (i, last[1]), hour, sign * minute, context)


def _moment(row: Row, span: tuple[int, int], hour: int, minutes: int, context: Context) -> Iterator[Hour]:
    """The time, sure where the half of the day is told, or the clock has 24 hours and it is no small hour."""
    told = _half(row, *span, context)
    if not 1 <= hour <= LAST or not 0 < abs(minutes) <= LAST_MINUTE or (told.half and hour > NOON):
        return
    sure = bool(told.half) or hour >= LATE or (context.language.clock24 and hour >= MORNING)
    if told.half:
        base = (NOON if hour == NOON and minutes < 0 else hour % NOON) + (NOON if told.half == "p" else 0)
    else:
        base = hour + NOON if 0 < hour < DAY else hour
    moment = (base * 60 + minutes) % (24 * 60)
    yield Hour(f"{moment // 60:02}:{moment % 60:02}", row[told.first].start, row[told.after - 1].end, sure)


def _count(row: Row, i: int, context: Context) -> tuple[int, int] | None:
    """A number of at most two digits, or in words, and the token after it."""
    if not 0 <= i < len(row):
        return None
    if _is_digits(row, i):
        return int(row[i].key), i + 1
    said = number_at(row, i, context.language)
    return (said.value, said.after) if said and said.value <= LAST_MINUTE else None


def _is_digits(row: Row, i: int) -> bool:
    return re.fullmatch(r"[0-9]{1,2}", row[i].key) is not None


def _clocks(text: str, row: Row, context: Context) -> Iterator[Hour]:
    """ "14:30", "2 pm", "alle 14.30", "5 in the afternoon"."""
    language = context.language
    marked, marked_after = listed(language, "hour_marks"), listed(language, "hour_marks_after")
    for m in CLOCK.finditer(text):
        hour, sign, minute = int(m.group(1)), m.group(2), int(m.group(3) or 0)
        first, after = place(row, m.start()), place(row, m.end())
        told = _half(row, first, after, context)
        half = (m.group(4) or "").lower() or told.half
        has_mark = marked.ending(row, first) is not None or marked_after.at(row, after) is not None
        clear = sign in (":", "h", "H") or half or (has_mark and (hour >= LATE or sign == "."))
        sure = m.group(1).startswith("0") or (language.clock24 and sign is not None)
        time = _time(hour, minute, half, sure) if clear and not _has_part(row, first, after, context) else None
        if time:
            yield Hour(time, min(m.start(), row[told.first].start), max(m.end(), row[told.after - 1].end))


def _worded(row: Row, context: Context) -> Iterator[Hour]:
    """ "six in the evening"."""
    for first, after, hour in numbered(context.language, "numbers").spans(row):
        told = _half(row, first, after, context)
        time = _time(hour, 0, told.half, False) if told.half and hour <= NOON else None
        if time and not _has_part(row, first, after, context):
            yield Hour(time, row[told.first].start, row[told.after - 1].end)


def _parted(row: Row, context: Context) -> Iterator[Hour]:
    """ "half past two in the afternoon", "le tre e mezza del pomeriggio"."""
    lead = context.language.hour_parts_lead
    for first, after, minutes in _parts(context).spans(row):
        at = after if lead else first - 1
        hour = _number(row, at, context)
        if hour:
            yield from _moment(row, (min(first, at), max(after, at + 1)), hour, minutes, context)


def _names(row: Row, context: Context) -> Iterator[Hour]:
    for first, after, time in _noons(context.language).spans(row):
        yield Hour(time, row[first].start, row[after - 1].end)


def _time(hour: int, minute: int, half: str, sure: bool) -> str | None:
    """The time, where hour and half of the day leave no doubt; `sure`: an hour of one digit is one of the morning."""
    if hour > LAST or minute > LAST_MINUTE or (half == "a" and hour > NOON):
        return None
    if half and hour <= NOON:
        hour = hour % NOON + (NOON if half == "p" else 0)
    elif hour < TWO_DIGITS and not sure:
        return None
    return f"{hour:02}:{minute:02}"


@dataclass(frozen=True, slots=True)
class Half:
    """Half of the day ("a", "p", or unsaid), and the tokens of an hour with the words that say it."""

    half: str
    first: int
    after: int


def _half(row: Row, first: int, after: int, context: Context) -> Half:
    language = context.language
    behind = _half_words(language).at(row, after)
    before = coded(language, "halves").ending(row, first)
    if behind:
        return Half(behind[1], first, after + behind[0])
    return Half(before[1], first - before[0], after) if before else Half("", first, after)


@cache
def _half_words(language: Language) -> Table[str]:
    return meanings({**dict.fromkeys(language.morning, "a"), **dict.fromkeys(language.afternoon, "p")}, language)


@cache
def _noons(language: Language) -> Table[str]:
    return meanings({**dict.fromkeys(language.noon, "12:00"), **dict.fromkeys(language.midnight, "00:00")}, language)


def _has_part(row: Row, first: int, after: int, context: Context) -> bool:
    """Whether the number is the hour of a phrase such as "half past"."""
    parts = _parts(context)
    return bool(parts.ending(row, first) if context.language.hour_parts_lead else parts.at(row, after))


def _parts(context: Context) -> Table[int]:
    return numbered(context.language, "hour_parts")


def _number(row: Row, i: int, context: Context) -> int | None:
    if not 0 <= i < len(row):
        return None
    hit = numbered(context.language, "numbers").at(row, i)
    value = int(row[i].key) if re.fullmatch(r"[0-9]{1,2}", row[i].key) else hit[1] if hit else None
    return value if value is not None and 1 <= value <= NOON else None
