"""Times of day in a text: "14:30", "2 pm", "noon". What could be morning or afternoon is read as both: the person says which."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from state.fields.base import RECENT, Context
from state.fields.values.reach import led, place
from state.language import Language
from state.language.table import Table, listed, meanings
from state.language.tokens import Token, masked, tokens

CLOCK = re.compile(
    r"(?<![\w.,:/£€$%+-])([0-9]{1,2})(?:([:.h])([0-9]{2}))?(?: ?([ap])\.? ?m(?!\w)\.?)?(?![\w:/%+-]|[.,][0-9])",
    re.IGNORECASE,
)
NOON, LAST, LAST_MINUTE = 12, 23, 59
TWO_DIGITS = 10


@dataclass(frozen=True, slots=True)
class Hour:
    """A time of day (HH:MM) and where it stands."""

    time: str
    start: int
    end: int


@lru_cache(maxsize=RECENT)
def hours(text: str, context: Context) -> tuple[Hour, ...]:
    """Return every time of day in order, each with the word that leads to it ("at", "alle")."""
    clean = masked(text)
    row = tokens(clean, context.language)
    names = (Hour(t, row[a].start, row[b - 1].end) for a, b, t in _noons(context.language).spans(row))
    found = (*_clocks(clean, row, context), *names)
    every = (Hour(h.time, led(row, h.start, "hour_marks", context), h.end) for h in found)
    return tuple(sorted(every, key=lambda h: h.start))


def _clocks(text: str, row: Sequence[Token], context: Context) -> Iterator[Hour]:
    language = context.language
    for m in CLOCK.finditer(text):
        hour, sign, minute, half = int(m.group(1)), m.group(2), int(m.group(3) or 0), (m.group(4) or "").lower()
        behind = listed(language, "hour_marks_after").at(row, place(row, m.end()))
        marked = behind is not None or listed(language, "hour_marks").ending(row, place(row, m.start())) is not None
        clear = sign in (":", "h", "H") or half or (sign == "." and language.clock24)
        after = place(row, m.end()) + (behind[0] if behind else 0)
        goes_on = behind is not None and after < len(row) and row[after].key[0].isdigit()  # "14 Uhr 30"
        if goes_on or not (clear or (marked and sign is None)):
            continue
        sure = m.group(1).startswith("0") or (language.clock24 and sign is not None)
        for time in _times(hour, minute, half, sure=sure):
            yield Hour(time, m.start(), row[after - 1].end if behind else m.end())


def _times(hour: int, minute: int, half: str, *, sure: bool) -> Iterator[str]:
    """The time; where hour and half of the day leave it open, those of both halves. `sure`: an hour of one digit is one of the morning."""
    if hour > LAST or minute > LAST_MINUTE or (half and not 1 <= hour <= NOON):
        return
    halves = (hour % NOON, hour % NOON + NOON)
    open_ = not half and hour < TWO_DIGITS and not sure
    for one in halves if open_ else (halves[half == "p"] if half else hour,):
        yield f"{one:02}:{minute:02}"


@cache
def _noons(language: Language) -> Table[str]:
    return meanings({**dict.fromkeys(language.noon, "12:00"), **dict.fromkeys(language.midnight, "00:00")}, language)
