"""Tables of words and phrases, finding them in a row of tokens, a text's sentences and clauses, and the language that its words are of."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from functools import cache, lru_cache
from itertools import pairwise
from operator import attrgetter
from typing import Any, Generic, TypeVar

from state.language import LANGUAGES, babel_locale, understood
from state.language.language import Language
from state.language.tokens import RECENT, Token, asks, keys_of, masked, tokens

T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Table(Generic[T]):
    """Phrases by their first word, the longest first, each with its meaning; and the last words of all of them. Each is itself alone."""

    rows: Mapping[str, tuple[tuple[tuple[str, ...], T], ...]]
    lasts: frozenset[str]

    def at(self, row: Sequence[Token], i: int) -> tuple[int, T] | None:
        """Return the length in tokens of the longest phrase that begins at `i`, and its meaning."""
        if not 0 <= i < len(row):
            return None
        for keys, meaning in self.rows.get(row[i].key, ()):
            length = len(keys)
            if length == 1 or (length <= len(row) - i and all(row[i + n].key == keys[n] for n in range(1, length))):
                return length, meaning
        return None

    def spans(self, row: Sequence[Token]) -> Iterator[tuple[int, int, T]]:
        """Yield phrases from left to right, none within another: first token, the one after the last, meaning."""
        i = 0
        while i < len(row):
            hit = self.at(row, i) if row[i].key in self.rows else None
            if hit:
                yield i, i + hit[0], hit[1]
            i += hit[0] if hit else 1

    def ending(self, row: Sequence[Token], end: int) -> tuple[int, T] | None:
        """Return the longest phrase that ends just before token `end`: its length and meaning."""
        if not 0 < end <= len(row) or row[end - 1].key not in self.lasts:
            return None
        for length in range(min(LONGEST, end), 0, -1):
            hit = self.at(row, end - length)
            if hit and hit[0] == length:
                return hit
        return None

    def covered(self, row: Sequence[Token]) -> set[int]:
        """Return the tokens that phrases are made of, by their places in the row."""
        return {i for first, after, _ in self.spans(row) for i in range(first, after)}

    def holds(self, row: Sequence[Token]) -> bool:
        """Return True if any phrase stands in the row."""
        return any(token.key in self.rows and self.at(row, i) is not None for i, token in enumerate(row))


LONGEST = 6
"""Words in the longest phrase that is looked for backwards."""


@cache
def listed(language: Language, *entries: str) -> Table[str]:
    """Return the table of some of a language's own entries, by their names ("negators", "offers.refusing"); made once."""
    return phrases((phrase for entry in entries for phrase in attrgetter(entry)(language)), language)


@cache
def numbered(language: Language, *entries: str) -> Table[int]:
    """Return the table of some of a language's entries that stand for numbers."""
    return meanings({phrase: n for entry in entries for phrase, n in attrgetter(entry)(language).items()}, language)


@cache
def coded(language: Language, *entries: str) -> Table[str]:
    """Return the table of some of a language's entries that stand for codes."""
    return meanings(
        {phrase: code for entry in entries for phrase, code in attrgetter(entry)(language).items()}, language
    )


@cache
def listed_widely(language: Language, *entries: str) -> Table[str]:
    """Return the same of every language that is understood in its forms; words are split as in this language."""
    return phrases((p for one in understood(language) for e in entries for p in attrgetter(e)(one)), language)


@cache
def listed_everywhere(language: Language, *entries: str) -> Table[str]:
    """Return the same of every language, split as in this one: people ask in their own, whatever the form's is."""
    return phrases((p for one in LANGUAGES.values() for e in entries for p in attrgetter(e)(one)), language)


def all_of(row: Sequence[Token], table: Table[T]) -> bool:
    """Return True if nothing stands in the row but phrases of a table."""
    return sum(after - first for first, after, _ in table.spans(row)) == len(row)


@lru_cache(maxsize=1024)
def joined(one: Table[str], other: Table[str]) -> Table[str]:
    """Return the phrases of both."""
    rows = {
        first: {**dict(other.rows.get(first, ())), **dict(one.rows.get(first, ()))}
        for first in (*one.rows, *other.rows)
    }
    return _sorted(rows)


def phrases(words: Iterable[str], language: Language) -> Table[str]:
    """Return a table in which each phrase stands for itself."""
    return _phrases(tuple(words), language)


def meanings(words: Mapping[str, T], language: Language) -> Table[T]:
    """Return a table of a mapping from phrase to meaning."""
    return _table(tuple(words.items()), language)


@lru_cache(maxsize=1024)
def _phrases(words: tuple[str, ...], language: Language) -> Table[str]:
    return _table(tuple((w, w) for w in words), language)


@lru_cache(maxsize=1024)
def _table(pairs: tuple[tuple[str, T], ...], language: Language) -> Table[T]:
    rows: dict[str, dict[tuple[str, ...], T]] = {}
    for phrase, meaning in pairs:
        keys = keys_of(phrase, language)
        if keys:
            rows.setdefault(keys[0], {}).setdefault(keys, meaning)
    return _sorted(rows)


def _sorted(rows: Mapping[str, Mapping[tuple[str, ...], T]]) -> Table[T]:
    by_first = {first: tuple(sorted(some.items(), key=lambda p: -len(p[0]))) for first, some in rows.items()}
    return Table(by_first, frozenset(keys[-1] for some in rows.values() for keys in some))


Clause = tuple[Token, ...]


@dataclass(frozen=True)
class Sentence:
    """Its clauses; a clause keeps the conjunction it begins with. `asks`: it ends in a question mark."""

    clauses: tuple[Clause, ...]
    asks: bool


@lru_cache(maxsize=RECENT)
def sentences(text: str, language: Language) -> tuple[Sentence, ...]:
    """Return the sentences of a text, in order."""
    return tuple(_sentences(text, language))


def _sentences(text: str, language: Language) -> Iterator[Sentence]:
    row = tokens(text, language)
    starts = [i for i, t in enumerate(row) if i == 0 or t.stop == 2]  # noqa: PLR2004 the stop of a sentence
    for start, end in pairwise((*starts, len(row))):
        after = row[end].start if end < len(row) else len(text)
        here, joining = row[start:end], listed(language, "conjunctions")
        cuts = [i for i, t in enumerate(here) if i and (t.stop or joining.at(here, i))]
        parts = tuple(here[a:b] for a, b in pairwise((0, *cuts, len(here))))
        yield Sentence(parts, asks(text[row[end - 1].end : after]))


def clauses(text: str, language: Language) -> Iterator[Clause]:
    """Yield a text cut at its punctuation alone, conjunctions left within."""
    row = tokens(text, language)
    cuts = [i for i, t in enumerate(row) if i == 0 or t.stop]
    return (row[a:b] for a, b in pairwise((*cuts, len(row))))


def typed_in(text: str, locale: str) -> str:
    """Return the locale of the language that most of the words are of; the person's own where that is theirs, or left open."""
    known = {code: sum(t.key in words_of(one) for t in tokens(masked(text), one)) for code, one in LANGUAGES.items()}
    first, second = sorted(known, key=lambda code: -known[code])[:2]
    if known[first] == known[second] or locale[:2].lower() == first:
        return locale
    return LANGUAGES[first].example


def calendar(language: Language) -> Iterator[str]:
    """Yield a language's names of days and months."""
    locale = babel_locale(language.example)
    return (name for part in (locale.days, locale.months) for name in part["format"]["wide"].values())


@cache
def words_of(language: Language) -> frozenset[str]:
    """Return every word in a language's file, and its names of days and months, as words are compared; not of the euro, which is in all of them."""
    words = (key for phrase in (*_every_phrase(language), *calendar(language)) for key in keys_of(phrase, language))
    return frozenset(word for word in words if not word.isdigit()) - {
        w for w, code in language.currencies.items() if code == "EUR"
    }


def _every_phrase(part: Any) -> Iterator[str]:
    """Yield the phrases of a language, or of a part of it: its lists, and what its tables are looked up by or list."""
    if is_dataclass(part):
        part = [one for f in fields(part) if not isinstance(one := getattr(part, f.name), str)]
    elif isinstance(part, Mapping):
        part = [some if isinstance(some, tuple) else phrase for phrase, some in part.items()]
    for one in part if isinstance(part, list | tuple) else ():
        yield from (one,) if isinstance(one, str) else _every_phrase(one)
