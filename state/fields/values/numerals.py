"""Numbers: where they stand, in digits or in words, and what they come to in a locale.

A locale's own convention decides ("1.750" is 1750 in Italian). What is not valid in it is read by the other convention if
that leaves one reading only ("1750.00" in Italian, "1.750,00" in English).
"""

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache
from operator import attrgetter

from babel.numbers import get_decimal_symbol

from state.fields.base import RECENT, Context
from state.fields.values.codes import glued_code_before, is_code
from state.fields.values.written import spelled
from state.language.table import listed, numbered
from state.language.tokens import Token, key_of, tokens

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
ROUGH_BEFORE = tuple("~≈∼")
"""Marks of an estimate."""
START = attrgetter("start")
Row = Sequence[Token]
NOT_BEFORE = frozenset(".,'’/:#%\\+=^@|")
NOT_AFTER = frozenset("'’/:%\\=^@‰°²³|+×")
MINUS = "-−–"


@dataclass(frozen=True, slots=True)
class Numeral:
    """Digits in a text, `times` the word or letter that multiplies them ("1.5k"); `negative` with a minus in front.

    `rough`: the number itself says that it is an estimate ("200ish", "~200", "half a million"). `words`: it is written in words.
    `other`: what people mean by it in a sum of money, where that is another number ("mille e sette"); else 0.
    """

    digits: str
    start: int
    end: int
    times: int = 1
    negative: bool = False
    rough: bool = False
    words: bool = False
    other: int = 0


@lru_cache(maxsize=RECENT)
def numerals(text: str, context: Context) -> tuple[Numeral, ...]:
    """Every number that stands by itself: no part of a code, a range, a fraction, a percentage or an ordinal."""
    return tuple(_numerals(text, context))


def _numerals(text: str, context: Context) -> Iterator[Numeral]:
    row = tokens(text, context.language)
    yield from sorted((*_in_digits(text, row, context), *_in_words(text, row, context)), key=lambda n: n.start)


def _in_digits(text: str, row: Row, context: Context) -> Iterator[Numeral]:
    for match in DIGITS.finditer(text):
        start, negative = _begin(text, match.start())
        times, end, rough = _multiple(text, match.end(), context)
        if start is not None and end is not None and len(match.group()) <= 2 * MOST_DIGITS:
            rough = rough or text[max(start - 1, 0) : start] in ROUGH_BEFORE
            yield _halved(Numeral(match.group(), start, end, times, negative, rough), row, context)


def _halved(found: Numeral, row: Row, context: Context) -> Numeral:
    """ "2 and a half"."""
    after = bisect_left(row, found.end, key=START)
    half = listed(context.language, "halves_after").at(row, after) if found.digits.isdigit() else None
    if half is None:
        return found
    return replace(
        found, digits=f"{found.digits}.5", end=row[after + half[0] - 1].end, rough=found.rough or found.times > 1
    )


def _in_words(text: str, row: Row, context: Context) -> Iterator[Numeral]:
    for figure in spelled(text, context):
        start, end = row[figure.first].start, row[figure.after - 1].end
        digits = format(figure.value.normalize() + 0, "f")
        if len(digits) <= MOST_DIGITS:
            yield Numeral(digits, start, end, rough=figure.rough or bool(figure.other), words=True, other=figure.other)


@lru_cache(maxsize=256)
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
    value = Decimal(numeral.digits) if numeral.words else amount(numeral.digits, context)
    if value is None or len(value.as_tuple().digits) > MOST_DIGITS:
        return None
    return (-value if numeral.negative else value) * numeral.times


def sum_of(numeral: Numeral, context: Context) -> Decimal | None:
    """What a numeral comes to as a sum of money."""
    return Decimal(numeral.other) if numeral.other else total(numeral, context)


def may_be_article(numeral: Numeral) -> bool:
    """ "one" and "un" stand in many sentences that count nothing."""
    return numeral.words and numeral.digits == "1"


def is_doubtful(digits: str, context: Context) -> bool:
    """Whether a decimal mark with just three digits after it could as well be a thousands separator ("1.750" in English)."""
    value = amount(digits, context)
    return value is not None and value < THOUSAND and ONE_GROUP.fullmatch(digits) is not None


def _begin(text: str, at: int) -> tuple[int | None, bool]:
    """Where the number begins, sign included; None where it is a part of something else."""
    before = _beside(text, at, -1)
    if before is None or before.isspace():
        return (None if text[:at].rstrip().endswith("#") else at), False
    if before in MINUS:
        further = _beside(text, at - 1, -1)
        free = text[at - 1] == before and (further is None or further.isspace() or further in "(£$€")
        return (at - 1, True) if free else (None, False)
    if glued_code_before(text, at):
        return at, False
    return (None, False) if before.isalnum() or before in NOT_BEFORE else (at, False)


def _multiple(text: str, at: int, context: Context) -> tuple[int, int | None, bool]:
    """The multiple after the digits, where the number ends, and whether it ends in an estimate; no end where it is a part of something else."""
    after = LETTERS.match(text, at)
    if after is None:
        return 1, *_end_or_more(text, at)
    word, glued = after.group(1), after.start(1) == at
    key = key_of(word[:20], context.language)
    hit = numbered(context.language, "multiples").rows.get(key)
    if hit and (glued or len(word) > 1):
        return hit[0][1], *_end_or_more(text, after.end())
    if glued and key in listed(context.language, "approximate_endings").rows:
        return 1, after.end(), True
    return 1, (at if not glued or is_code(word) else None), False


def _end_or_more(text: str, at: int) -> tuple[int | None, bool]:
    """Where the number ends; "200+" ends in an estimate."""
    more = text[at : at + 1] == "+" and not text[at + 1 : at + 2].strip()
    return (at + 1, True) if more else (_end(text, at), False)


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
