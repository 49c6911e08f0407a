"""Places of a text: stretches that are taken, tokens, and the words just before one."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from operator import attrgetter

from state.fields.base import Context
from state.language.table import Table, listed
from state.language.tokens import Token


class Spans:
    """A set of stretches; `hits` tells in logarithmic time whether a stretch overlaps any of them."""

    def __init__(self, spans: Iterable[tuple[int, int]]) -> None:
        self.starts: list[int] = []
        self.ends: list[int] = []
        for start, end in sorted(spans):
            if self.ends and start <= self.ends[-1]:
                self.ends[-1] = max(end, self.ends[-1])
            else:
                self.starts.append(start)
                self.ends.append(end)

    def __iter__(self) -> Iterator[tuple[int, int]]:
        """Yield the stretches, in order."""
        return zip(self.starts, self.ends, strict=True)

    def hits(self, start: int, end: int) -> bool:
        """Return True if `start` up to `end` overlaps a taken stretch."""
        i = bisect_right(self.starts, end - 1) - 1
        return i >= 0 and self.ends[i] > start


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
