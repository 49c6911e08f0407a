"""Whole numbers: quantities, people, years. Canonical: an int."""

from decimal import Decimal
from typing import Any

from babel.numbers import format_decimal

from state.fields.base import Context, Kind, Unreadable
from state.fields.values.quantities import Number, is_within, parse_number, readers, within
from state.form import Field
from state.form.field import Data


def _data(field: Field, number: Number, _context: Context) -> Data | None:
    """Return the value of a whole number within the field's limits."""
    plain = not number.doubtful and number.value == number.value.to_integral_value()
    return int(number.value) if plain and is_within(field, number.value) else None


def parse(field: Field, given: object, context: Context) -> Data:
    """Return an int. Raises Unreadable: not_a_number, not_whole, ambiguous_amount, too_small, too_large."""
    value = within(field, parse_number(given, context), context)
    if value != value.to_integral_value():
        raise Unreadable("not_whole")
    return int(value)


def show(_field: Field, data: Data, context: Context) -> str:
    """With the locale's thousands separators, from as many digits as that language wants them."""
    plain = len(str(data).removeprefix("-")) < context.language.grouped_from
    return str(format_decimal(int(str(data)), locale=context.babel, group_separator=not plain))


def schema(_field: Field) -> dict[str, Any]:
    """Return an integer."""
    return {"type": "integer"}


WHOLE, FIND = readers(_data)
KIND = Kind(
    beside=("units",),
    name="integer", whole=WHOLE, find=FIND, parse=parse, show=show, schema=schema,
    fits=lambda _, value: type(value) is int, wanted="must be a whole number, without quotes",
    takes=frozenset({"unit", "minimum", "maximum"}),
    kin="number", claims=True, listing="row",
    measure=lambda data: Decimal(str(data)),
    adds=True,
)  # fmt: skip
