"""Sums of money in a text: numbers with a mark of money beside them."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from state.fields.base import RECENT, Context
from state.fields.values.marks import Mark, marks
from state.fields.values.numerals import MINUS, Numeral, is_doubtful, numerals, sum_of
from state.fields.values.reach import place
from state.language.table import listed
from state.language.tokens import tokens

SPACE = " \u00a0\u202f"
MILLION = 10**6


@dataclass(frozen=True, slots=True)
class Amount:
    """A sum with its mark; `value` is None where the digits do not say one sum. `rough`: the number itself is an estimate."""

    value: Decimal | None
    mark: Mark
    start: int
    end: int
    rough: bool = False


@lru_cache(maxsize=RECENT)
def amounts(text: str, context: Context) -> tuple[Amount, ...]:
    """Every number with a mark directly, or one space, before or after it. A mark that touches one number marks no other."""
    numbers, found = tuple(numerals(text, context)), marks(text, context)
    pairs = [(m, n, gap) for m, n, gap in _beside(text, numbers, found, context) if gap == 0 or _one_space(text, m, n)]
    touching = {m.start for m, _, gap in pairs if gap == 0}
    marked = [(m, n) for m, n, gap in pairs if gap == 0 or m.start not in touching]
    spent = {n.start for _, n in marked}
    bare = ((Mark("", n.end, n.end), n) for n in numbers if n.start not in spent and _is_sum(text, n, context))
    return tuple(_amount(text, m, n, context) for m, n in sorted((*marked, *bare), key=lambda p: p[0].start))


def _is_sum(text: str, number: Numeral, context: Context) -> bool:
    """Whether a number without a mark is a sum by its own word, or by the words behind it ("five grand", "3k worth of")."""
    row = tokens(text, context.language)
    after = place(row, number.end)
    slang = listed(context.language, "sums").ending(row, after)
    worth = listed(context.language, "worth_alone").at(row, after)
    return slang is not None or (worth is not None and not row[after].stop)


def _beside(
    text: str, numbers: Sequence[Numeral], found: Sequence[Mark], context: Context
) -> list[tuple[Mark, Numeral, int]]:
    starts = {n.start: n for n in numbers} | {n.start + 1: n for n in numbers if n.negative}
    ends = {n.end: n for n in numbers}
    for link in context.language.money_links:
        ends |= {n.end + len(link) + 1: n for n in numbers if _is_millions(n) and text.startswith(f" {link} ", n.end)}
    pairs = []
    for mark in found:
        for gap in (0, 1):
            near = (starts.get(mark.end + gap), ends.get(mark.start - gap))
            pairs += [(mark, n, gap) for n in near if n is not None]
    return pairs


def _is_millions(number: Numeral) -> bool:
    """Whether a small word stands between it and its currency ("due milioni di euro", "un migliaio di euro")."""
    return number.times > 1 or (number.words and (number.rough or Decimal(number.digits) >= MILLION))


def _one_space(text: str, mark: Mark, number: Numeral) -> bool:
    at = mark.end if number.start >= mark.end else mark.start - 1
    return text[at] in SPACE


def _amount(text: str, mark: Mark, number: Numeral, context: Context) -> Amount:
    value = None if is_doubtful(number.digits, context) and number.times == 1 else sum_of(number, context)
    start, end = min(mark.start, number.start), max(mark.end, mark.told, number.end)
    below_zero = text[max(start - 1, 0) : start] in tuple(MINUS)
    return Amount(-value if below_zero and value else value, mark, start - below_zero, end, number.rough)
