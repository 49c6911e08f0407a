"""Numbers written in words ("thirty-five", "two thousand", "duecentocinquanta"), by text2num and the language's own list."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from text_to_num import Occurence, find_numbers

from state.fields.base import RECENT, Candidate, Context
from state.language.table import listed, numbered
from state.language.tokens import Token, masked, tokens

SCALES = frozenset({100, 1_000, 10**6, 10**9})
"""A word for one of these alone counts nothing: what stands before it may be "a few"."""
Row = Sequence[Token]


@dataclass(frozen=True, slots=True)
class Spoken:
    """A number in tokens `first` up to `after`; no value where it is an order, a fraction or a scale alone."""

    value: int | None
    first: int
    after: int


@dataclass(frozen=True, slots=True)
class _Word:
    """A token as text2num wants it. `apart`: a stop stands before it."""

    key: str
    apart: bool = False

    def text(self) -> str:
        return self.key

    def text_lowercase(self) -> str:
        return self.key

    def nt_separated(self, _previous: object) -> bool:
        return self.apart

    def not_a_number_part(self) -> bool:
        return not self.key.isalpha()


@lru_cache(maxsize=RECENT)
def written_numbers(text: str, context: Context) -> tuple[Candidate, ...]:
    """Number words that are no part of a larger number or a range ("one or two", "twenty twenty-six" give nothing)."""
    return tuple(_written(text, context))


def _written(text: str, context: Context) -> Iterator[Candidate]:
    language = context.language
    row = tokens(masked(text), language)
    spoken = _spoken(text, row, context)
    heard = {i for s in spoken for i in range(s.first, s.after)}
    times = numbered(language, "multiples")
    for number in (s for s in spoken if s.value):
        more = times.at(row, number.after) if len(_key(row, number.after)) > 1 else None
        end = number.after + 1 if more else number.after
        if not _in_company(row, number.first, end, heard, context) and not _glued(text, row[end - 1].end):
            yield Candidate((number.value or 0) * (more[1] if more else 1), row[number.first].start, row[end - 1].end)


def _spoken(text: str, row: Row, context: Context) -> list[Spoken]:
    """What the library makes of the words, then what it leaves of the language's own list."""
    language = context.language
    found = _by_library(text, row, language.code) if _knows(language.code) else []
    taken = {i for s in found for i in range(s.first, s.after)}
    own = numbered(language, "numbers").spans(row)
    return sorted((*found, *(Spoken(v, a, b) for a, b, v in own if not taken & {*range(a, b)})), key=lambda s: s.first)


@lru_cache
def _knows(code: str) -> bool:
    """Whether text2num reads this language; of any other, the words of its own list alone count."""
    try:
        find_numbers([], code, 0)
    except ValueError:
        return False
    return True


def _by_library(text: str, row: Row, code: str) -> list[Spoken]:
    """Its words keep their accents: "veintidós" is one, "veintidos" none."""
    words = [_Word(text[t.start : t.end].lower(), t.stop > 0) for t in row]
    found = find_numbers(words, code, 0)
    return [Spoken(None if _is_scale(words[o.start], code) else _value(o), o.start, o.end) for o in found]


def _value(found: Occurence) -> int | None:
    """A whole number; nothing for an order ("third") or a decimal ("three point five")."""
    return int(found.value) if not found.is_ordinal and found.text.isdigit() else None


@lru_cache(maxsize=256)
def _is_scale(word: _Word, code: str) -> bool:
    alone = find_numbers([word], code, 0)
    return bool(alone) and alone[0].value in SCALES


def _in_company(row: Row, first: int, after: int, heard: set[int], context: Context) -> bool:
    """Whether another number goes before or after it, directly or past an "and" or "or"."""
    language = context.language
    company = listed(language, "numbers", "more_numbers", "multiples")
    joins = listed(language, "conjunctions", "or_words")
    sides = [first - 1, after]
    if first > 1 and joins.at(row, first - 1):
        sides.append(first - 2)
    if joins.at(row, after):
        sides.append(after + 1)
    return any(i in heard or company.at(row, i) or _key(row, i).isdigit() for i in sides)


def _glued(text: str, end: int) -> bool:
    """ "thirty-ish", "sixty-fold"."""
    return text[end : end + 1] in ("-", "–") and text[end + 1 : end + 2].isalnum()


def _key(row: Row, i: int) -> str:
    return row[i].key if 0 <= i < len(row) else ""
