"""Whole numbers: quantities, people, years. Canonical: an int."""

from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import Any

from babel.numbers import format_decimal

from state.fields.base import Candidate, Context, Kind, Unreadable
from state.fields.values.numerals import Numeral
from state.fields.values.quantities import (
    bare_numbers,
    counted,
    is_within,
    one_answer,
    parse_number,
    plain_numbers,
    within,
)
from state.fields.words.plain import if_plain
from state.form import Field
from state.form.data import Data


def whole(field: Field, text: str, context: Context) -> Data | None:
    """Return the one number of a message that says nothing else; in figures or in words."""
    return one_answer(field, text, _readings(field, bare_numbers(text, context)), context)


def find(field: Field, text: str, context: Context) -> tuple[Candidate, ...]:
    """Return the whole numbers that belong to no sum, date or code; those with the field's name or unit beside them first."""
    return counted(field, text, _readings(field, plain_numbers(field, text, context)), context)


def _readings(field: Field, found: Iterable[Numeral]) -> Iterator[Candidate]:
    plain = (n for n in found if not n.doubtful and n.value == n.value.to_integral_value())
    return (Candidate(int(n.value), n.start, n.end) for n in plain if is_within(field, n.value))


def parse(field: Field, given: object, context: Context) -> Data:
    """An int. Raises Unreadable: not_a_number, not_whole, ambiguous_amount, too_small, too_large."""
    value = within(field, parse_number(given, context), context)
    if value != value.to_integral_value():
        raise Unreadable("not_whole")
    return int(value)


def show(_field: Field, data: Data, context: Context) -> str:
    """With the locale's thousands separators, from as many digits as that language wants them."""
    plain = len(str(data).removeprefix("-")) < context.language.grouped_from
    return str(format_decimal(int(str(data)), locale=context.babel, group_separator=not plain))


def schema(_field: Field) -> dict[str, Any]:
    """An integer."""
    return {"type": "integer"}


KIND = Kind(
    beside=("units",),
    name="integer", whole=if_plain(whole), find=find, parse=parse, show=show, schema=schema,
    fits=lambda _, value: type(value) is int, wanted="must be a whole number, without quotes",
    takes=frozenset({"unit", "minimum", "maximum"}),
    kin="number", claims=True, leads_to_name=True, listing="row",
    measure=lambda data: Decimal(str(data)),
    adds=True,
    called=frozenset({"count", "int", "number", "numeric", "quantity", "whole", "wholenumber"}),
)  # fmt: skip
