"""What stands just before or after a value and makes it something else: a limit, a rejected value, a price, a place in a list."""

import re
from bisect import bisect_left
from collections.abc import Sequence
from functools import cache
from operator import attrgetter

from state.fields.base import Context
from state.fields.values.schemes import SCHEMES
from state.language import Language
from state.language.table import Table, listed, phrases
from state.language.tokens import Token

START = attrgetter("start")
YEAR = re.compile(r"(?:19|20)[0-9]{2}")


def place(row: Sequence[Token], at: int) -> int:
    """The first token that begins at or after a place of the text."""
    return bisect_left(row, at, key=START)


def is_after(table: Table[str], row: Sequence[Token], at: int) -> bool:
    """Whether a phrase of the table ends just before this place, in the same clause."""
    i = place(row, at)
    same_clause = i == len(row) or not row[i].stop
    return same_clause and table.ending(row, i) is not None


def put_aside(row: Sequence[Token], start: int, context: Context) -> bool:
    """Whether the value that begins here is a limit ("at least 200") or the one that is not meant ("instead of 200")."""
    language = context.language
    return is_after(listed(language, "bounds"), row, start) or is_rejected(row, start, context)


def is_rejected(row: Sequence[Token], start: int, context: Context) -> bool:
    """Whether the value that begins here is the one that is not meant ("not 200")."""
    return is_after(listed(context.language, "rejected"), row, start)


def is_denied(row: Sequence[Token], start: int, context: Context) -> bool:
    """The same of words that always do ("not 200"), and not of "it was 200"."""
    return is_rejected(row, start, context) and not is_after(listed(context.language, "was"), row, start)


def is_price(row: Sequence[Token], start: int, end: int, context: Context) -> bool:
    """Whether the sum is the price of one ("at 3.60", "£3.60 each")."""
    language = context.language
    each = listed(language, "each").at(row, place(row, end))
    return each is not None or is_after(listed(language, "price_words"), row, start)


def is_label(row: Sequence[Token], start: int, context: Context, *, dated: bool) -> bool:
    """Whether a number is a place in a list ("option 1"), an identifier ("SEDOL 3134865") or, where `dated`, a year ("in 2026")."""
    language = context.language
    numbers, i = _list_words(language), place(row, start)
    year = dated and i < len(row) and YEAR.fullmatch(row[i].key) is not None
    return is_after(numbers, row, start) or (year and is_after(listed(language, "year_words"), row, start))


@cache
def _list_words(language: Language) -> Table[str]:
    return phrases((*language.option_words, *SCHEMES), language)
