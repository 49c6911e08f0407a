"""What a field is called, and whether a value stands beside its name."""

import re
from collections.abc import Sequence
from functools import lru_cache

from state.fields.base import Context
from state.form import Field
from state.language import Language
from state.language.table import Table, listed, phrases
from state.language.tokens import Token, keys_of, tokens

BRACES = re.compile(r"\{[^{}]*\}")
FIELDS = 4096
"""Fields whose words are kept at hand, those of every form that is loaded."""
SHORT = 3
"""Letters of a word that may stand anywhere."""
REACH = 3
"""Words between a value and the name after it ("200 ordinary Tesco shares")."""


def names(field: Field, context: Context) -> Table[str]:
    """Return the label and the words of a field, and their plurals where one ending makes them."""
    return _names(field, context.language)


@lru_cache(maxsize=FIELDS)
def _names(field: Field, language: Language) -> Table[str]:
    said = tuple(BRACES.sub(" ", w) for w in (field.label, *field.words))
    plural = tuple(w + language.plural_ending for w in said) if language.plural_ending else ()
    return phrases(said + plural, language)


@lru_cache(maxsize=FIELDS)
def nouns(field: Field, language: Language) -> frozenset[str]:
    """Return single longer words of a field's label, words and unit, in one and many: "rooms" and "room" of "Number of rooms"."""
    said = " ".join(BRACES.sub(" ", w) for w in (field.label, *field.words, field.unit))
    keys, ending = {k for k in keys_of(said, language) if len(k) > SHORT}, language.plural_ending or "\0"
    return frozenset({*keys, *(k.removesuffix(ending) for k in keys), *(k + ending for k in keys)})


def is_named(field: Field, row: Sequence[Token], first: int, after: int, context: Context) -> bool:
    """Return True if the value in tokens `first` up to `after` has the field's name or unit beside it, with only small words between."""
    return is_named_before(field, row, first, context) or _name_after(field, row, after, context)


def is_named_before(field: Field, row: Sequence[Token], first: int, context: Context) -> bool:
    """Return True if the field's name stands before a token, with only small words between."""
    between = listed(context.language, "naming")
    called = names(field, context)
    for end in range(first, max(first - REACH - 1, 0), -1):
        if end < len(row) and row[end].stop > 1:
            return False
        if called.ending(row, end):
            return True
        if not between.at(row, end - 1):
            return False
    return False


def _name_after(field: Field, row: Sequence[Token], after: int, context: Context) -> bool:
    called = names(field, context)
    units = _units(field.unit, context.language)
    ends = listed(context.language, "breaks")
    for i in range(after, min(after + REACH + 1, len(row))):
        if row[i].stop or row[i].key[0].isdigit():
            return False
        if called.at(row, i) or units.at(row, i):
            return True
        if ends.at(row, i):
            return False
    return False


@lru_cache(maxsize=FIELDS)
def _units(unit: str, language: Language) -> Table[str]:
    """Return a field's unit, in many and in one; a field that counts usual units counts them under any of their names."""
    usual = language.units if listed(language, "units").holds(tokens(unit, language)) else ()
    return phrases((unit, unit.removesuffix(language.plural_ending), *usual), language)
