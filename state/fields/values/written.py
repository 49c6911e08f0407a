"""Figures written in words: "thirty-five", "duecentocinquanta", "half a million", "two and a half", "a dozen"."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cache, lru_cache

from state.fields.base import RECENT, Candidate, Context
from state.fields.values.spoken import Spoken, spoken_numbers
from state.language import Language
from state.language.table import Table, listed, meanings, numbered
from state.language.tokens import Token, key_of, masked, tokens

HALF = Decimal("0.5")
PERCENT = Decimal("0.01")
LARGE = 100
"""From this on a half of it, or a collective of it, is an estimate and no count ("half a million", "a couple of hundred")."""
Row = Sequence[Token]


@dataclass(frozen=True, slots=True)
class Spelled:
    """A figure in tokens `first` up to `after`. `rough`: nobody counts so ("half a million"). `other`: it may as well be this one; else 0."""

    value: Decimal
    first: int
    after: int
    rough: bool = False
    other: int = 0


@dataclass(frozen=True, slots=True)
class Heard:
    """A row of words and the numbers in it, by their first token."""

    row: Row
    numbers: Mapping[int, Spoken]
    language: Language

    def number(self, i: int) -> Spoken | None:
        """The number that begins there."""
        return self.numbers.get(i)


@lru_cache(maxsize=RECENT)
def spelled(text: str, context: Context) -> tuple[Spelled, ...]:
    """Every figure in words that is no part of a larger one or a range ("one or two", "twenty twenty-six" give nothing)."""
    language = context.language
    row = tokens(masked(text), language)
    thanks = listed(language, "number_courtesies").spans(row)
    polite = {i for a, b, _ in thanks if not any(t.stop for t in row[a + 1 : b]) for i in range(a, b)}
    numbers = {n.first: n for n in spoken_numbers(row, language) if n.first not in polite}
    found = tuple(_figures(Heard(row, numbers, language)))
    heard = {i for f in found for i in range(f.first, f.after)} | {
        i for n in numbers.values() for i in range(n.first, n.after)
    }
    return tuple(f for f in found if not _in_company(row, f, heard, language) and not _glued(text, row, f))


@lru_cache(maxsize=RECENT)
def written_numbers(text: str, context: Context) -> tuple[Candidate, ...]:
    """The whole numbers among them, with their places in the text."""
    row = tokens(masked(text), context.language)
    whole = (f for f in spelled(text, context) if f.value == int(f.value) and not f.rough and not f.other)
    return tuple(Candidate(int(f.value), row[f.first].start, row[f.after - 1].end) for f in whole)


def _figures(heard: Heard) -> Iterator[Spelled]:
    """Figures from left to right, none within another."""
    i = 0
    while i < len(heard.row):
        found = _figure(heard, i)
        if found and not _is_vague(heard, found):
            yield found
        i = found.after if found else i + 1


def _figure(heard: Heard, i: int) -> Spelled | None:
    """The figure that begins at a token: a part of a whole, a collective, or a number and what follows it."""
    part = _fractions(heard.language).at(heard.row, i)
    if part:
        return _times(heard, Spelled(Decimal(part[1]) * PERCENT, i, i + part[0]), needed=part[1] < LARGE)
    group = _collectives(heard.language).at(heard.row, i)
    if group:
        value, rough = group[1]
        return _times(heard, Spelled(Decimal(value), i, i + group[0], rough))
    number = heard.number(i)
    return _grown(heard, Spelled(Decimal(number.value), i, number.after, other=number.other)) if number else None


def _times(heard: Heard, found: Spelled, *, needed: bool = False) -> Spelled | None:
    """A part or collective of what follows it ("half a" + "million"); without that alone, unless it needs one."""
    at = found.after + (1 if listed(heard.language, "of_many").at(heard.row, found.after) else 0)
    group, number = _collectives(heard.language).at(heard.row, at), heard.number(at)
    if number and number.value >= LARGE:
        return Spelled(found.value * number.value, found.first, number.after, rough=True)
    if group and needed:
        return Spelled(found.value * group[1][0], found.first, at + group[0], group[1][1])
    many = numbered(heard.language, "multiples").at(heard.row, at) if at > found.after else None
    if many and many[1] > LARGE:
        return Spelled(found.value * many[1], found.first, at + many[0], rough=True)
    return None if needed else found


def _grown(heard: Heard, found: Spelled) -> Spelled:
    """A number with a half, decimals, dozens or a scale after it."""
    halved = listed(heard.language, "halves_after").at(heard.row, found.after)
    if halved:
        return _halved(heard, replace(found, after=found.after + halved[0]))
    group = _collectives(heard.language).at(heard.row, found.after)
    if group and not group[1][1]:
        return replace(found, value=found.value * group[1][0], after=found.after + group[0])
    pointed = _pointed(heard, found)
    return _multiplied(heard, pointed, found)


def _halved(heard: Heard, found: Spelled) -> Spelled:
    """ "two and a half", "two and a half million", "two million and a half"."""
    scale = heard.number(found.after)
    if scale and scale.scale and scale.value > LARGE and found.value < LARGE * 10:
        return replace(found, value=(found.value + HALF) * scale.value, after=scale.after)
    unit = _last_scale(found.value)
    return replace(found, value=found.value + HALF * unit, rough=unit > 1)


def _last_scale(value: Decimal) -> int:
    return next((s for s in (10**6, 1000) if value >= s and value % s == 0), 1)


def _pointed(heard: Heard, found: Spelled) -> Spelled:
    """Digits after "point", said one by one or as a number."""
    if not listed(heard.language, "point_words").at(heard.row, found.after):
        return found
    digits, i = "", found.after + 1
    while (said := heard.number(i)) and not (digits and (said.value > 9 or len(digits) > 1)):  # noqa: PLR2004 a digit
        digits, i = digits + str(said.value), said.after
    return replace(found, value=Decimal(f"{found.value}.{digits}"), after=i) if digits else found


def _multiplied(heard: Heard, found: Spelled, whole: Spelled) -> Spelled:
    """ "three grand", "one point five million"."""
    more = numbered(heard.language, "multiples").at(heard.row, found.after)
    key = heard.row[found.after].key if more else ""
    if found == whole and heard.number(found.after):
        return found
    return (
        replace(found, value=found.value * more[1], after=found.after + more[0])
        if more and (len(key) > 1 or key == "k")
        else found
    )


def _is_vague(heard: Heard, found: Spelled) -> bool:
    """ "a few hundred", "several thousand"."""
    return listed(heard.language, "vague").ending(heard.row, found.first) is not None


@cache
def _fractions(language: Language) -> Table[int]:
    return meanings(language.fractions, language)


@cache
def _collectives(language: Language) -> Table[tuple[int, bool]]:
    exact = {phrase: (n, False) for phrase, n in language.collectives.items()}
    return meanings({**exact, **{phrase: (n, True) for phrase, n in language.rough_collectives.items()}}, language)


def _in_company(row: Row, found: Spelled, heard: set[int], language: Language) -> bool:
    """Whether another number goes before or after it, directly or past an "and" or "or"."""
    company = listed(language, "numbers", "more_numbers", "multiples")
    joins = listed(language, "conjunctions", "or_words", "range_words")
    articles = {key_of(word, language) for word in language.one_article}
    sides = [found.first - 1, found.after]
    if found.first > 1 and joins.at(row, found.first - 1):
        sides.append(found.first - 2)
    if joins.at(row, found.after):
        sides.append(found.after + 1)
    beside = (i for i in sides if 0 <= i < len(row) and row[i].key not in articles)
    return any(i in heard or company.at(row, i) or row[i].key.isdigit() for i in beside)


def _glued(text: str, row: Row, found: Spelled) -> bool:
    """ "sixty-fold"; "thirty-ish" is an estimate, which is told from the word behind it."""
    end = row[found.after - 1].end
    glued = text[end : end + 1] in ("-", "–") and text[end + 1 : end + 2].isalnum()
    return glued and row[found.after].key not in ("ish",) if found.after < len(row) else glued
