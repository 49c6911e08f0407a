"""Numbers with a unit of measure: "33 cm" for a field in millimetres is 330, "4 years" for one in months 48. CLDR names the units."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Literal

from babel import Locale
from babel.units import format_unit

from state.fields.base import Candidate
from state.fields.naming import place
from state.fields.values.numerals import Numeral, adds_half
from state.form import Field
from state.language import Language
from state.language.table import all_of, listed
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
GLUED = re.compile(r"(?<=[0-9])(?=[^\W\d_]+\b)")


def spaced(field: Field, text: str, language: Language) -> str:
    """Return the text with a space before each unit that is glued to its figure ("330mm"), for a field that counts in one."""
    return GLUED.sub(" ", text) if _scale(field.unit, language)[1] else text


def back_in(text: str, found: Iterable[Candidate], apart: str) -> tuple[Candidate, ...]:
    """Return readings of a text that was `spaced` with their places in the text itself."""
    if apart == text:
        return tuple(found)
    moved = [m.start() + n for n, m in enumerate(GLUED.finditer(text))]  # where a space was put

    def at(there: int) -> int:
        return there - bisect_left(moved, there)

    return tuple(replace(r, start=at(r.start), end=at(r.end)) for r in found)


def in_own_unit(field: Field, found: Iterable[Numeral], text: str, language: Language) -> Iterator[Numeral]:
    """Yield the numbers in the field's own unit; not those with a unit that is of another sort. "3 years and 4 months" is one number."""
    row, joining = tokens(masked(text), language), listed(language, "and_words", "small")
    before, most = None, 0
    for number, size in _told(field, found, row, language):
        goes_on = before and 0 < size < most and all_of(row[place(row, before.end) : place(row, number.start)], joining)
        if before and not goes_on:
            yield before
        whole = before.value if before and goes_on else 0
        before = replace(number, value=whole + number.value, start=before.start if before and goes_on else number.start)
        most = size
    if before:
        yield before


def _told(
    field: Field, found: Iterable[Numeral], row: Sequence[Token], language: Language
) -> Iterator[tuple[Numeral, int]]:
    """Yield the numbers in the field's own unit, each with the size of the one that it was told in; 0 where none was."""
    scale, own = _scale(field.unit, language)
    for number in found:
        after = place(row, number.end)
        beside = row[after].key if scale and after < len(row) and not row[after].stop else ""
        units = _units(language).get(beside, frozenset())
        size = next((scale[unit] for unit in units if unit in scale), 0)
        if size and adds_half(row, after + 1, language):
            continue
        if size and size != own:
            yield replace(number, value=number.value * size / own, end=row[after].end), size
        elif size:
            yield number, size
        elif not units:
            yield number, 0


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
