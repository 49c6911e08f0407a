"""Sums of money and percentages in a text: a number with its mark glued to it or one space away."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from state.fields.base import RECENT, Context
from state.fields.values.marks import Mark, marks, percents
from state.fields.values.numerals import numerals

SPACES = (" ", "\u00a0", "\u202f")


@dataclass(frozen=True, slots=True)
class Amount:
    """A sum or share with its mark. `doubtful`: its decimals could as well be thousands ("£1.750"); `weak`: one word that may be a part of more."""

    value: Decimal
    mark: Mark
    start: int
    end: int
    doubtful: bool = False
    weak: bool = False


@lru_cache(maxsize=RECENT)
def amounts(text: str, context: Context) -> tuple[Amount, ...]:
    """Return every sum of money with its mark, in order."""
    return tuple(sorted(_beside(text, marks(text, context), context), key=lambda a: a.start))


@lru_cache(maxsize=RECENT)
def shares(text: str, context: Context) -> tuple[Amount, ...]:
    """Return every percentage with its mark, in order."""
    return tuple(sorted(_beside(text, percents(text, context), context), key=lambda a: a.start))


def _beside(text: str, found: Iterable[Mark], context: Context) -> Iterator[Amount]:
    """A mark between two numbers belongs to neither; one that touches a number marks no other."""
    numbers = numerals(text, context)
    starts = {n.start: n for n in numbers if not n.marked}
    ends = {n.end: n for n in numbers if not n.marked}
    for mark in found:
        glued = next((n for n in numbers if n.marked and n.start <= mark.start and mark.end <= n.end), None)
        before = ends.get(mark.start - 1) if text[mark.start - 1 : mark.start] in SPACES else None
        behind = starts.get(mark.end + 1) if text[mark.end : mark.end + 1] in SPACES else None
        told = [glued] if glued else [n for n in (before, behind) if n is not None]
        if len(told) == 1 and (glued or not _touches(text, mark)):
            start, end = min(mark.start, told[0].start), max(mark.end, told[0].end)
            yield Amount(told[0].value, mark, start, end, told[0].doubtful, told[0].weak)


def _touches(text: str, mark: Mark) -> bool:
    return text[max(mark.start - 1, 0) : mark.start].isdigit() or text[mark.end : mark.end + 1].isdigit()
