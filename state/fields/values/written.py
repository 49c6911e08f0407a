"""Numbers written in words, up to twenty, and their thousands ("two thousand")."""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from state.fields.base import RECENT, Candidate, Context
from state.language.table import meanings, phrases
from state.language.tokens import Token, masked, tokens


@lru_cache(maxsize=RECENT)
def written_numbers(text: str, context: Context) -> tuple[Candidate, ...]:
    """Number words that are no part of a larger number ("thirty-five", "one or two" give nothing)."""
    return tuple(_written(text, context))


def _written(text: str, context: Context) -> Iterator[Candidate]:
    language = context.language
    row = tokens(masked(text), language)
    numbers, times = meanings(language.numbers, language), meanings(language.multiples, language)
    for first, after, value in numbers.spans(row):
        more = times.at(row, after) if len(row[after].key if after < len(row) else "") > 1 else None
        end = after + 1 if more else after
        if not _in_company(row, first, end, context):
            yield Candidate(value * (more[1] if more else 1), row[first].start, row[end - 1].end)


def _in_company(row: Sequence[Token], first: int, after: int, context: Context) -> bool:
    """Whether another number word goes before or after it, directly or past an "and" or "or"."""
    language = context.language
    company = phrases((*language.numbers, *language.more_numbers, *language.multiples), language)
    joins = phrases((*language.conjunctions, *language.or_words), language)
    sides = [first - 1, after]
    if first > 1 and joins.at(row, first - 1):
        sides.append(first - 2)
    if joins.at(row, after):
        sides.append(after + 1)
    return any(company.at(row, i) or _in_digits(row, i) for i in sides)


def _in_digits(row: Sequence[Token], i: int) -> bool:
    return 0 <= i < len(row) and row[i].key.isdigit()
