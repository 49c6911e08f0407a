"""Numbers with a unit of measure: "33 cm" for a field in millimetres is 330, "4 years" for one in months 48. CLDR names the units."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from functools import cache
from itertools import pairwise
from operator import attrgetter
from typing import Literal

from babel import Locale
from babel.units import format_unit

from state.fields.base import Candidate
from state.fields.naming import Spans, place
from state.fields.values.numerals import Numeral, half_behind
from state.form import Field
from state.language import LANGUAGES, Language
from state.language.table import all_of, listed, meanings
from state.language.tokens import Token, keys_of, masked, tokens

SCALES: tuple[Mapping[str, int], ...] = (
    {"length-millimeter": 1, "length-centimeter": 10, "length-meter": 1000, "length-kilometer": 1_000_000},
    {"duration-month": 1, "duration-year": 12},
    {"duration-day": 1, "duration-week": 7},
    {"duration-minute": 1, "duration-hour": 60},
    {"mass-gram": 1, "mass-kilogram": 1000},
)
"""Units of which each is so many of the first one beside it."""
WIDTHS: tuple[Literal["long", "short", "narrow"], ...] = ("long", "short", "narrow")
GLUED = re.compile(r"(?<=[0-9])[^\W\d_]+\b")


def spaced(field: Field, text: str, language: Language) -> str:
    """Return the text with a space before each unit that is glued to its figure ("330mm"), for a field that counts in one."""
    return " ".join(text[a:b] for a, b in pairwise((0, *_seams(field, text, language), len(text))))


def back_in(field: Field, text: str, found: Iterable[Candidate], language: Language) -> tuple[Candidate, ...]:
    """Return readings of a text that was `spaced` with their places in the text itself, each with the unit that is glued to it."""
    seams = _seams(field, text, language)
    moved, units = [at + n for n, at in enumerate(seams)], {at: GLUED.match(text, at) for at in seams}
    told = (
        replace(r, start=r.start - bisect_left(moved, r.start), end=r.end - bisect_left(moved, r.end)) for r in found
    )
    return tuple(replace(r, end=unit.end()) if (unit := units.get(r.end)) else r for r in told)


def _seams(field: Field, text: str, language: Language) -> list[int]:
    """Return where a unit is glued to its figure."""
    units = _units(language) if _scale(field.unit, language)[1] else {}
    return [m.start() for m in GLUED.finditer(text) if units and units.keys() & keys_of(m[0], language)]


def in_own_unit(field: Field, found: Iterable[Numeral], text: str, language: Language) -> Iterator[Numeral]:
    """Yield the numbers in the field's own unit; not those with a unit that is of another sort. "3 years and 4 months" is one number."""
    row, joining = tokens(masked(text), language), listed(language, "and_words", "small")
    before, most = None, 0
    for number, size, end in _told(field, found, text, row, language):
        goes_on = before and 0 < size < most and all_of(row[place(row, before.end) : place(row, number.start)], joining)
        if before and not goes_on:
            yield before
        before = replace(before, value=before.value + number.value, end=end) if before and goes_on else number
        most = size
    if before:
        yield before


def _told(
    field: Field, found: Iterable[Numeral], text: str, row: Sequence[Token], language: Language
) -> Iterator[tuple[Numeral, int, int]]:
    """Yield the numbers in the field's own unit, each with the size of the one that it was told in, 0 where none was, and where that ends."""
    scale, own = _scale(field.unit, language)
    counted = tuple(found)
    taken = Spans((n.start, n.end) for n in counted)
    alone = (n for n in (_uncounted(row, scale, language) if scale else ()) if not taken.hits(n.start, n.end + 1))
    for number in sorted((*counted, *alone), key=attrgetter("start")):
        after = place(row, number.end)
        beside = row[after].key if scale and after < len(row) and not row[after].stop else ""
        if beside and text[row[after].end : row[after].end + 1] == "/":
            continue  # "120 N/mm" is no length
        units = _units(language).get(beside, frozenset())
        size = next((scale[unit] for unit in units if unit in scale), 0)
        half, last = half_behind(row, after + 1, language) if size else (0, after)
        end = row[max(last - 1, after)].end if size else number.end
        if size and (size != own or half or number.weak):
            yield replace(number, value=(number.value + half) * size / own, end=end), size, end
        elif size or not units:
            yield number, size, end


BEFORE_ONE = ("small", "leading", "naming", "breaks", "polite", "and_words")
"""Entries of words that may stand before "a year": behind any other one it may be a rate ("twice a year")."""


def _uncounted(row: Sequence[Token], scale: Mapping[str, int], language: Language) -> Iterator[Numeral]:
    """Yield units that no figure counts: "a year", "half a year", "anderthalb Jahre", "año y medio"."""
    ones = dict.fromkeys((*language.one_article, *(w for w, n in language.numbers.items() if n == 1)), 1.0)
    parts, fine = meanings({**ones, **language.halves}, language), listed(language, *BEFORE_ONE)
    for i in (i for i, t in enumerate(row) if any(unit in scale for unit in _units(language).get(t.key, ()))):
        length, value = parts.ending(row, i) or (0, 1.0 if half_behind(row, i + 1, language)[0] else 0.0)
        first = i - length
        if value and (first == 0 or row[first].stop or fine.ending(row, first)):
            end = row[i - 1].end if length else row[i].start
            yield Numeral(Decimal(str(value)), row[first].start, end, words=True, weak=True)


def is_measured(text: str, row: Sequence[Token], end: int) -> bool:
    """Return True if right behind a figure that ends here stands a unit of measure, in any language ("15 min")."""
    at = place(row, end)
    word = row[at].key if at < len(row) and text[end : row[at].start] == " " else ""
    return len(word) > 1 and any(word in _units(language) for language in LANGUAGES.values())


@cache
def _units(language: Language) -> Mapping[str, frozenset[str]]:
    """Return the units that each word may name."""
    locale, found = Locale.parse(language.example.replace("-", "_")), dict[str, frozenset[str]]()
    for unit in (unit for scale in SCALES for unit in scale):
        for said in (format_unit(n, unit, width, locale=locale) for n in (1, 2) for width in WIDTHS):
            for word in keys_of(re.sub(r"\d", " ", said), language):
                found[word] = found.get(word, frozenset()) | {unit}
    return found


@cache
def _scale(unit: str, language: Language) -> tuple[Mapping[str, int], int]:
    """Return the units that a field's can be told in, and the size of its own; none where it is no measure ("shares")."""
    named = [units for word in keys_of(unit, language) if (units := _units(language).get(word))]
    own = next(iter(named[0])) if len(named) == 1 and len(named[0]) == 1 else ""
    return next(((scale, scale[own]) for scale in SCALES if own in scale), ({}, 0))
