"""Numbers written in digits: where they stand, and what they come to in a locale.

A locale's own convention decides ("1.750" is 1750 in Italian). What is not valid in it is read by the other convention if
that leaves one reading only ("1750.00" in Italian, "1.750,00" in English).
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from babel.numbers import get_decimal_symbol

from state.fields.base import RECENT, Context
from state.fields.values.codes import glued_code_before, is_code
from state.language.table import numbered
from state.language.tokens import key_of

DIGITS = re.compile(r"[0-9]+(?:[.,][0-9]+)*")
LETTERS = re.compile(r"[ \u00a0\u202f]?([^\W\d_]+)")
ONE_GROUP = re.compile(r"[1-9][0-9]{0,2}[.,][0-9]{3}")
CONVENTIONS = {
    ".": re.compile(r"[0-9]+(?:\.[0-9]+)?|[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?"),
    ",": re.compile(r"[0-9]+(?:,[0-9]+)?|[0-9]{1,3}(?:\.[0-9]{3})+(?:,[0-9]+)?"),
}
MOST_DIGITS = 18
"""Digits of the longest number; longer ones are not sums that a form could mean."""
THOUSAND = 1000
NOT_BEFORE = frozenset(".,'’/:#%\\+=^@|")
NOT_AFTER = frozenset("'’/:%\\=^@‰°²³|+×")
MINUS = "-−–"


@dataclass(frozen=True, slots=True)
class Numeral:
    """Digits in a text, `times` the word or letter that multiplies them ("1.5k"); `negative` with a minus in front."""

    digits: str
    start: int
    end: int
    times: int = 1
    negative: bool = False


@lru_cache(maxsize=RECENT)
def numerals(text: str, context: Context) -> tuple[Numeral, ...]:
    """Every number that stands by itself: no part of a code, a range, a fraction, a percentage or an ordinal."""
    return tuple(_numerals(text, context))


def _numerals(text: str, context: Context) -> Iterator[Numeral]:
    for match in DIGITS.finditer(text):
        start, negative = _begin(text, match.start())
        times, end = _multiple(text, match.end(), context)
        if start is not None and end is not None and len(match.group()) <= 2 * MOST_DIGITS:
            yield Numeral(match.group(), start, end, times, negative)


def amount(digits: str, context: Context) -> Decimal | None:
    """What the digits come to; None where neither convention allows them."""
    own = "," if get_decimal_symbol(context.babel) == "," else "."
    for mark in (own, "." if own == "," else ","):
        if CONVENTIONS[mark].fullmatch(digits):
            group = "." if mark == "," else ","
            return Decimal(digits.replace(group, "").replace(mark, "."))
    return None


def total(numeral: Numeral, context: Context) -> Decimal | None:
    """What a numeral comes to, its multiple and its sign included."""
    value = amount(numeral.digits, context)
    if value is None or len(value.as_tuple().digits) > MOST_DIGITS:
        return None
    return (-value if numeral.negative else value) * numeral.times


def is_doubtful(digits: str, context: Context) -> bool:
    """Whether a decimal mark with just three digits after it could as well be a thousands separator ("1.750" in English)."""
    value = amount(digits, context)
    return value is not None and value < THOUSAND and ONE_GROUP.fullmatch(digits) is not None


def _begin(text: str, at: int) -> tuple[int | None, bool]:
    """Where the number begins, sign included; None where it is a part of something else."""
    before = _beside(text, at, -1)
    if before is None or before.isspace():
        return at, False
    if before in MINUS:
        further = _beside(text, at - 1, -1)
        free = text[at - 1] == before and (further is None or further.isspace() or further in "(£$€")
        return (at - 1, True) if free else (None, False)
    if glued_code_before(text, at):
        return at, False
    return (None, False) if before.isalnum() or before in NOT_BEFORE else (at, False)


def _multiple(text: str, at: int, context: Context) -> tuple[int, int | None]:
    """The multiple after the digits and where the number ends; no end where it is a part of something else."""
    after = LETTERS.match(text, at)
    if after is None:
        return 1, _end(text, at)
    word, glued = after.group(1), after.start(1) == at
    hit = numbered(context.language, "multiples").rows.get(key_of(word[:20], context.language))
    if hit and (glued or len(word) > 1):
        return hit[0][1], _end(text, after.end())
    return 1, (at if not glued or is_code(word) else None)


def _end(text: str, at: int) -> int | None:
    after = _beside(text, at, 1)
    if after is None:
        return at
    if after in MINUS:
        further = _beside(text, at + 1, 1)
        return None if further is not None and further.isalnum() else at
    return None if after.isalnum() or after in NOT_AFTER else at


def _beside(text: str, at: int, step: int) -> str | None:
    """The character next to a place, past those that cannot be seen."""
    i = at - 1 if step < 0 else at
    while 0 <= i < len(text) and unicodedata.category(text[i]) == "Cf":
        i += step
    return text[i] if 0 <= i < len(text) else None
