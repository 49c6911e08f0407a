"""Tables of words and phrases, and finding them in a row of tokens."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Generic, TypeVar

from state.language import LANGUAGES
from state.language.language import Language
from state.language.tokens import Token, tokens

T = TypeVar("T")


@dataclass(frozen=True)
class Table(Generic[T]):
    """Phrases by their first word, the longest first, each with what it stands for."""

    rows: Mapping[str, tuple[tuple[tuple[str, ...], T], ...]]

    def at(self, row: Sequence[Token], i: int) -> tuple[int, T] | None:
        """How many tokens the longest phrase that begins at `i` takes, and what it stands for."""
        if not 0 <= i < len(row):
            return None
        for keys, meaning in self.rows.get(row[i].key, ()):
            if len(keys) <= len(row) - i and all(row[i + n].key == key for n, key in enumerate(keys)):
                return len(keys), meaning
        return None

    def spans(self, row: Sequence[Token]) -> Iterator[tuple[int, int, T]]:
        """Phrases from left to right, none within another: first token, the one after the last, meaning."""
        i = 0
        while i < len(row):
            hit = self.at(row, i)
            if hit:
                yield i, i + hit[0], hit[1]
            i += hit[0] if hit else 1

    def ending(self, row: Sequence[Token], end: int) -> tuple[int, T] | None:
        """The longest phrase that ends just before token `end`: its length and meaning."""
        for length in range(min(LONGEST, end), 0, -1):
            hit = self.at(row, end - length)
            if hit and hit[0] == length:
                return hit
        return None

    def holds(self, row: Sequence[Token]) -> bool:
        """Whether any phrase stands in the row."""
        return next(self.spans(row), None) is not None


LONGEST = 6
"""Words in the longest phrase that is looked for backwards."""


def phrases(words: Iterable[str], language: Language) -> Table[str]:
    """A table in which each phrase stands for itself."""
    return _phrases(tuple(words), language.code)


def meanings(words: Mapping[str, T], language: Language) -> Table[T]:
    """A table of a mapping from phrase to meaning."""
    return _table(tuple(words.items()), language.code)


@lru_cache(maxsize=1024)
def _phrases(words: tuple[str, ...], code: str) -> Table[str]:
    return _table(tuple((w, w) for w in words), code)


@lru_cache(maxsize=1024)
def _table(pairs: tuple[tuple[str, T], ...], code: str) -> Table[T]:
    rows: dict[str, dict[tuple[str, ...], T]] = {}
    for phrase, meaning in pairs:
        keys = tuple(t.key for t in tokens(phrase, LANGUAGES[code]))
        if keys:
            rows.setdefault(keys[0], {}).setdefault(keys, meaning)
    return Table({first: tuple(sorted(some.items(), key=lambda p: -len(p[0]))) for first, some in rows.items()})
