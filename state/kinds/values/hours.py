"""Times of day in a text. What could be morning or afternoon is no reading."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from state.kinds.base import Context
from state.kinds.values.reach import place
from state.kinds.words.table import Table, meanings, phrases
from state.kinds.words.tokens import Token, masked, tokens

CLOCK = re.compile(
    r"(?<![\w.,:/£€$%-])([0-9]{1,2})(?:([:.h])([0-9]{2}))?(?: ?([ap])\.? ?m(?!\w)\.?)?(?![\w:/%]|[.,][0-9])",
    re.IGNORECASE,
)
NOON, LATE, LAST = 12, 13, 23
Row = Sequence[Token]


@dataclass(frozen=True, slots=True)
class Hour:
    """A time of day (HH:MM) and where it stands."""

    time: str
    start: int
    end: int


def hours(text: str, context: Context) -> tuple[Hour, ...]:
    """Every time of day that is beyond doubt, in order."""
    clean = masked(text)
    row = tokens(clean, context.language)
    found = (*_parted(row, context), *_clocks(clean, row, context), *_names(row, context))
    return tuple(sorted(found, key=lambda h: h.start))


def _clocks(text: str, row: Row, context: Context) -> Iterator[Hour]:
    language = context.language
    marked = phrases(language.hour_marks, language)
    for m in CLOCK.finditer(text):
        hour, sign, minute, half = int(m.group(1)), m.group(2), int(m.group(3) or 0), (m.group(4) or "").lower()
        first, after = place(row, m.start()), place(row, m.end())
        said, length = _half(row, after, context)
        half = half or said
        has_mark = marked.ending(row, first) is not None
        told = sign in (":", "h", "H") or bool(half) or (has_mark and (hour >= LATE or sign == "."))
        padded = m.group(1).startswith("0") or (language.clock24 and sign is not None)
        if told and not _in_parts(row, first, after, context):
            end = row[after + length - 1].end if said and not m.group(4) else m.end()
            yield from _hour(hour, minute, half, padded, m.start(), end)


def _hour(hour: int, minute: int, half: str, sure: bool, start: int, end: int) -> Iterator[Hour]:
    if hour > LAST or minute > 59 or (half == "a" and hour > NOON):  # noqa: PLR2004 minutes of an hour
        return
    if half and hour <= NOON:
        hour = hour % NOON + (NOON if half == "p" else 0)
    elif not half and hour < 10 and not sure:  # noqa: PLR2004 one digit: morning or afternoon
        return
    yield Hour(f"{hour:02}:{minute:02}", start, end)


def _half(row: Row, after: int, context: Context) -> tuple[str, int]:
    """ "a" or "p" from the words that follow, and how many they are."""
    language = context.language
    morning = phrases(language.morning, language).at(row, after)
    afternoon = phrases(language.afternoon, language).at(row, after)
    return ("a", morning[0]) if morning else ("p", afternoon[0]) if afternoon else ("", 0)


def _names(row: Row, context: Context) -> Iterator[Hour]:
    language = context.language
    named = {**dict.fromkeys(language.noon, "12:00"), **dict.fromkeys(language.midnight, "00:00")}
    for first, after, time in meanings(named, language).spans(row):
        yield Hour(time, row[first].start, row[after - 1].end)


def _in_parts(row: Row, first: int, after: int, context: Context) -> bool:
    parts = _part_table(context)
    return bool(parts.ending(row, first) if context.language.hour_parts_lead else parts.at(row, after))


def _part_table(context: Context) -> Table[int]:
    return meanings(context.language.hour_parts, context.language)


def _parted(row: Row, context: Context) -> Iterator[Hour]:
    """ "half past two in the afternoon", "le tre e mezza del pomeriggio"."""
    lead = context.language.hour_parts_lead
    for first, after, minutes in _part_table(context).spans(row):
        at = after if lead else first - 1
        hour = _number(row, at, context)
        following = at + 1 if lead else after
        half, length = _half(row, following, context)
        if hour and half:
            moment = (hour % NOON + (NOON if half == "p" else 0)) * 60 + minutes
            start = row[min(first, at)].start
            yield Hour(f"{moment // 60 % 24:02}:{moment % 60:02}", start, row[following + length - 1].end)


def _number(row: Row, i: int, context: Context) -> int | None:
    if not 0 <= i < len(row):
        return None
    hit = meanings(context.language.numbers, context.language).at(row, i)
    value = int(row[i].key) if re.fullmatch(r"[0-9]{1,2}", row[i].key) else hit[1] if hit else None
    return value if value is not None and 1 <= value <= NOON else None
