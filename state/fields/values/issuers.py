"""Whose money a mark of several countries is, where words beside it say so: "dollars, US", "$500 Canadian"."""

from collections.abc import Sequence
from functools import cache

from babel.core import get_global

from state.fields.base import Context
from state.fields.values.reach import place
from state.language.table import Table, coded, listed
from state.language.tokens import Token, tokens

BETWEEN = 4
"""Small words, and digits, between a mark and the country."""
Row = Sequence[Token]


def currency_beside(text: str, end: int, context: Context) -> tuple[str, int] | None:
    """The currency that words behind a mark (which ends at `end`) make of it, and where those end; None where none do."""
    row = tokens(text, context.language)
    return _at(text, row, place(row, end), context)


def issued_by(text: str, context: Context) -> tuple[str, int, int] | None:
    """The currency of the one country that a text names, and where it does."""
    row, small = tokens(text, context.language), listed(context.language, "issuer_links")
    found = list(coded(context.language, "issuers").spans(row))
    if len(found) != 1:
        return None
    first, after, territory = found[0]
    while first and small.at(row[first - 1 : first], 0):
        first -= 1
    return _currency(territory), row[first].start, row[_past(row, after, small) - 1].end


def _at(text: str, row: Row, first: int, context: Context) -> tuple[str, int] | None:
    small, countries = listed(context.language, "issuer_links"), coded(context.language, "issuers")
    for i in range(first, min(first + BETWEEN + 1, len(row))):
        hit = countries.at(row, i)
        if hit:
            after = _past(row, i + hit[0], small)
            return (_currency(hit[1]), row[after - 1].end) if _ends(text, row, after) else None
        if row[i].stop > 1 or not (small.at((row[i],), 0) or row[i].key.isdigit()):
            return None
    return None


def _past(row: Row, i: int, small: Table[str]) -> int:
    while i < len(row) and not row[i].stop and small.at((row[i],), 0):
        i += 1
    return i


def _ends(text: str, row: Row, after: int) -> bool:
    """Whether nothing follows that the word belongs to ("dollars, American Airlines")."""
    return after >= len(row) or row[after].stop > 0 or text[row[after].start].islower()


@cache
def _currency(territory: str) -> str:
    """The money that is tender there today (CLDR's territory data)."""
    rows = get_global("territory_currencies")[territory]
    return str(next(code for code, _, end, tender in rows if end is None and tender))
