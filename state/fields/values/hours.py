"""Times of day in a text. What could be morning or afternoon is no reading."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from state.fields.base import RECENT, Context
from state.fields.values.reach import place
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
Row = Sequence[Token]


@dataclass(frozen=True, slots=True)
class Hour:
    """A time of day (HH:MM) and where it stands."""

    time: str
    start: int
    end: int


@lru_cache(maxsize=RECENT)
def hours(text: str, context: Context) -> tuple[Hour, ...]:
    """Every time of day that is beyond doubt, in order."""
    clean = masked(text)
    row = tokens(clean, context.language)
    found = (*_parted(row, context), *_clocks(clean, row, context), *_worded(row, context), *_names(row, context))
    return tuple(sorted(found, key=lambda h: h.start))


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
        start, end = min(first, at), max(after, at + 1)
        told = _half(row, start, end, context)
        if hour and told.half:
            base = NOON if hour == NOON and minutes < 0 else hour % NOON
            moment = (base + (NOON if told.half == "p" else 0)) * 60 + minutes
            yield Hour(f"{moment // 60:02}:{moment % 60:02}", row[told.first].start, row[told.after - 1].end)


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
