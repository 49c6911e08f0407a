"""What a field is called, and whether a value stands beside its name."""

import re
from collections.abc import Sequence

from state.fields.base import Context
from state.form import Field
from state.language.table import Table, phrases
from state.language.tokens import Token, tokens

BRACES = re.compile(r"\{[^{}]*\}")
REACH = 3
"""Words between a value and the name after it ("200 ordinary Tesco shares")."""


def names(field: Field, context: Context) -> Table[str]:
    """The label and the words of a field; in English their plurals too."""
    said = tuple(BRACES.sub(" ", w) for w in (field.label, *field.words))
    plural = tuple(f"{w}s" for w in said) if context.language.code == "en" else ()
    return phrases(said + plural, context.language)


def own_words(field: Field, context: Context) -> frozenset[str]:
    """Every single word of the field's label, words, unit and question."""
    said = " ".join((field.label, *field.words, field.unit, field.ask))
    return frozenset(t.key for t in tokens(BRACES.sub(" ", said), context.language))


def is_named(field: Field, row: Sequence[Token], first: int, after: int, context: Context) -> bool:
    """Whether the value in tokens `first` up to `after` has the field's name or unit beside it, with only small words between."""
    return _name_before(field, row, first, context) or _name_after(field, row, after, context)


def _name_before(field: Field, row: Sequence[Token], first: int, context: Context) -> bool:
    between = phrases(context.language.naming, context.language)
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
    units = phrases(_units(field, context), context.language)
    ends = phrases(context.language.breaks, context.language)
    for i in range(after, min(after + REACH + 1, len(row))):
        if row[i].stop or row[i].key[0].isdigit():
            return False
        if called.at(row, i) or units.at(row, i):
            return True
        if ends.at(row, i):
            return False
    return False


def _units(field: Field, context: Context) -> tuple[str, ...]:
    """The field's unit, in English one of it too; a field that counts usual units counts them under any of their names."""
    usual = context.language.units
    known = bool(field.unit) and phrases(usual, context.language).holds(tokens(field.unit, context.language))
    single = (field.unit.removesuffix("s"),) if context.language.code == "en" else ()
    return (field.unit, *single, *(usual if known else ()))
