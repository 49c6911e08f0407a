"""Places of a text as tokens, and the words that stand just before one."""

import re
from bisect import bisect_left
from collections.abc import Sequence
from operator import attrgetter

from state.fields.base import Context
from state.language.table import Table, listed
from state.language.tokens import Token

START = attrgetter("start")
YEAR = re.compile(r"(?:19|20|21)[0-9]{2}")


def place(row: Sequence[Token], at: int) -> int:
    """Return the first token that begins at or after a place of the text."""
    return bisect_left(row, at, key=START)


def is_after(table: Table[str], row: Sequence[Token], at: int) -> bool:
    """Return True if a phrase of the table ends just before this place, in the same clause."""
    i = place(row, at)
    same_clause = i == len(row) or not row[i].stop
    return same_clause and table.ending(row, i) is not None


def led(row: Sequence[Token], start: int, entry: str, context: Context) -> int:
    """Return where a value begins with the word of a language's entry that leads to it ("on 3 March", "alle 14:30")."""
    first = place(row, start)
    lead = None if first >= len(row) or row[first].stop else listed(context.language, entry).ending(row, first)
    return row[first - lead[0]].start if lead else start
