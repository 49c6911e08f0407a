"""Numbers in words: how a language's number words add up ("two hundred and six", "ventiduemila", "fünfundzwanzig")."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from state.language import Language
from state.language.table import listed
from state.language.tokens import Token, key_of

HUNDRED, THOUSAND = 100, 1000
TEN, TWENTY = 10, 20
LONGEST_WORD = 80
"""Letters of the longest word that can be a number."""
JOIN = 0
"""What stands for an "and" among the parts of a number."""
Row = Sequence[Token]


@dataclass(frozen=True, slots=True)
class Spoken:
    """A number in tokens `first` up to `after`. `scale`: it is a word such as "hundred" alone; `other`: what its parts mean as well, else 0."""

    value: int
    first: int
    after: int
    scale: bool = False
    other: int = 0


@dataclass(frozen=True, slots=True)
class Sum:
    """A number on its way: whole groups before, the group that grows, what it can still take, and the scale it stays below."""

    done: int = 0
    group: int = 0
    room: int = HUNDRED * TEN
    below: int = 10**12
    unit: int = 0
    joined: int = 0

    @property
    def value(self) -> int:
        """What it has come to."""
        return self.done + self.group


def spoken_numbers(row: Row, language: Language) -> Iterator[Spoken]:
    """Numbers in words from left to right, each as long as it can be; a zero too."""
    i = 0
    while i < len(row):
        found = _number(row, i, language)
        if found:
            yield found
        i = found.after if found else i + 1


def number_at(row: Row, i: int, language: Language) -> Spoken | None:
    """The number in words that begins at a token, as long as it can be."""
    return _number(row, i, language) if 0 <= i < len(row) else None


def ordinal(key: str, language: Language) -> int | None:
    """The place that one word stands for by its ending ("fourteenth", "vierundzwanzigsten")."""
    for ending in language.day_endings:
        for stem in (key.removesuffix(ending), key.removesuffix(f"s{ending}")):
            parts = parts_of(stem, language) if stem != key else None
            total = _all(Sum(), parts, language) if parts else None
            if total:
                return total.value
    return None


def _number(row: Row, i: int, language: Language) -> Spoken | None:
    first = parts_of(row[i].key, language)
    if first is None or first[0] == JOIN:
        return Spoken(0, i, i + 1) if row[i].key in _zeros(language) else None
    total = _all(Sum(), first, language)
    if total is None:
        return None
    after, joins = i + 1, 0
    while after < len(row) and not row[after].stop:
        length, more, joined = _next(row, after, total, language)
        if more is None:
            break
        total, after, joins = more, after + length, joins + joined
    scale = after == i + 1 and len(first) == 1 and first[0] >= HUNDRED and first[0] in _scales(language).values()
    return Spoken(total.value, i, after, scale, _other(total) if joins and language.and_after_tens else 0)


def _other(total: Sum) -> int:
    """The 1,700 that people mean by "mille e sette": thousands, an "and", and one digit; else 0."""
    short = total.done % THOUSAND == 0 and 0 < total.group < TEN and total.joined
    return total.done + total.group * HUNDRED if short else 0


def _next(row: Row, i: int, total: Sum, language: Language) -> tuple[int, Sum | None, bool]:
    """How many tokens the number takes next, and what it comes to with them."""
    parts = parts_of(row[i].key, language)
    if parts and parts[0] != JOIN:
        return 1, _all(total, parts, language), False
    if row[i].key not in _joins(language) or i + 1 >= len(row) or row[i + 1].stop:
        return 1, None, False
    behind = parts_of(row[i + 1].key, language)
    return 2, _all(total, (JOIN, *behind), language) if behind else None, True


def _all(total: Sum | None, parts: Sequence[int], language: Language) -> Sum | None:
    for part in parts:
        total = _added(total, part, language) if total else None
    return total


def _added(total: Sum, part: int, language: Language) -> Sum | None:
    """The number with one more part; None where the part begins another number."""
    if part == JOIN:
        return _joined(total, language)
    if part == HUNDRED and HUNDRED in _scales(language).values():
        return _hundreds(total)
    if part >= THOUSAND:
        return _scaled(total, part)
    if part < total.room:
        room = part if part < TWENTY else TEN if part < HUNDRED else HUNDRED
        return Sum(
            total.done,
            total.group + part,
            1 if part < TWENTY else room,
            total.below,
            part if part < TEN else 0,
            total.joined,
        )
    return _reversed(total, part)


def _joined(total: Sum, language: Language) -> Sum | None:
    """Past an "and": after hundreds and thousands, and where the language says so after tens or before them."""
    low = total.group % HUNDRED
    tens = language.and_after_tens and total.room == TEN
    if low == 0 or tens or (language.units_first and total.unit):
        return Sum(total.done, total.group, total.room, total.below, total.unit, total.group or total.done)
    return None


def _hundreds(total: Sum) -> Sum | None:
    if total.group >= HUNDRED or (total.group and total.group % TEN == 0):
        return None
    return Sum(total.done, (total.group or 1) * HUNDRED, HUNDRED, total.below, 0, total.joined)


def _scaled(total: Sum, scale: int) -> Sum | None:
    if scale >= total.below or (total.joined and total.group == 0):
        return None
    return Sum(total.done + (total.group or 1) * scale, 0, HUNDRED * TEN, scale, 0, 0)


def _reversed(total: Sum, part: int) -> Sum | None:
    """ "fünf und zwanzig": the tens after the unit."""
    if not total.unit or not total.joined or part % TEN or not TWENTY <= part < HUNDRED:
        return None
    return Sum(total.done, total.group + part, 1, total.below, 0, total.joined)


@lru_cache(maxsize=4096)
def parts_of(key: str, language: Language) -> tuple[int, ...] | None:
    """What a word is made of ("zweitausendfünf": 2, 1000, 5); None where it is no number word."""
    if not key.isalpha() or len(key) > LONGEST_WORD:
        return None
    return _split(key, language)


def _split(key: str, language: Language) -> tuple[int, ...] | None:
    words = _words(language)
    if key in words:
        return (words[key],)
    for length in range(len(key) - 1, 0, -1):
        value = _head(key[:length], words, language)
        rest = None if value is None else _split(key[length:], language)
        if value is not None and rest is not None:
            parts = (value, *rest)
            if value == JOIN or _all(Sum(), parts, language):
                return parts
    return None


def _head(head: str, words: Mapping[str, int], language: Language) -> int | None:
    """What the beginning of a glued number stands for."""
    if head in _joins(language):
        return JOIN
    return words.get(head) or language.elided_numbers.get(head)


@lru_cache
def _words(language: Language) -> Mapping[str, int]:
    spelled = {**language.numbers, **language.number_words, **language.scales}
    return {key_of(word, language): value for word, value in spelled.items() if value}


@lru_cache
def _scales(language: Language) -> Mapping[str, int]:
    return {key_of(word, language): value for word, value in language.scales.items()}


@lru_cache
def _joins(language: Language) -> frozenset[str]:
    return frozenset(listed(language, "and_words").rows)


@lru_cache
def _zeros(language: Language) -> frozenset[str]:
    return frozenset(key_of(word, language) for word, value in language.number_words.items() if value == 0)
