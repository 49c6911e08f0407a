"""Whether the words around a value make it an estimate: "about 200", "200 or so", "maybe 200", "verso le dieci"."""

from collections.abc import Sequence

from state.fields.base import Context
from state.fields.values.reach import place
from state.language.table import Table, listed
from state.language.tokens import Token

SMALL = 2
"""Words that may stand between such words and their value ("around the 12th", "200 shares or so")."""
ABBREVIATED = 2
"""Characters between an abbreviation and the value ("ca. 40")."""
SHORT = 4
"""Letters of a word that is abbreviated."""
Row = Sequence[Token]


def is_rough(row: Row, start: int, end: int, context: Context) -> bool:
    """Whether the value in `start` up to `end` of a text is said to be an estimate."""
    return _before(row, place(row, start), context) or _after(row, place(row, end), context)


def _before(row: Row, first: int, context: Context) -> bool:
    language = context.language
    rough, small = listed(language, "approximations", "doubts"), listed(language, "articles", "hour_marks", "day_leads")
    for i in range(first, max(first - SMALL - 1, 0), -1):
        if i < len(row) and row[i].stop and not _is_abbreviated(row, i):
            return False
        if rough.ending(row, i):
            return True
        if not _single(small, row, i - 1):
            return False
    return False


def _is_abbreviated(row: Row, i: int) -> bool:
    """Whether the stop before a token is the point of an abbreviation."""
    before = row[i - 1]
    return row[i].stop > 1 and before.end - before.start <= SHORT and row[i].start - before.end <= ABBREVIATED


def _after(row: Row, after: int, context: Context) -> bool:
    language = context.language
    rough = listed(language, "approximations_after", "doubts")
    counted = listed(language, "units", "durations", "currencies")
    for i in range(after, min(after + SMALL + 1, len(row))):
        if rough.at(row, i):
            return True
        if row[i].stop or not _single(counted, row, i):
            return False
    return False


def _single(table: Table[str], row: Row, i: int) -> bool:
    return table.at(row[i : i + 1], 0) is not None
