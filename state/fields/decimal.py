"""Numbers with decimals: heights, rates. Canonical: a string such as "1.75"; three decimals are written as four.

That is because "1.755" could be read as a whole number where a dot parts thousands; "1.7550" could not.
"""

import re
from decimal import Decimal
from typing import Any

from babel.numbers import format_decimal

from state.fields.base import Context, Kind, Unreadable
from state.fields.values.quantities import Number, is_within, parse_number, readers, within
from state.form import Field
from state.form.field import Data

AMOUNT = re.compile(r"-?\d+(\.\d+)?")
PLACES = 9
THREE = 3


def _data(field: Field, number: Number, _context: Context) -> Data | None:
    """Return the value of a number within the field's limits."""
    return canonical(number.value) if _is_exact(number.value) and is_within(field, number.value) else None


def parse(field: Field, given: object, context: Context) -> Data:
    """Return the number as a string. Raises Unreadable: not_a_number, too_many_decimals, too_small, too_large."""
    value = within(field, parse_number(given, context, doubtful=True), context)
    if not _is_exact(value):
        raise Unreadable("too_many_decimals", {"decimals": str(PLACES)})
    return canonical(value)


def show(_field: Field, data: Data, context: Context) -> str:
    """With the locale's separators and as many decimals as there are."""
    return str(format_decimal(Decimal(str(data)).normalize(), locale=context.babel, decimal_quantization=False))


def schema(_field: Field) -> dict[str, Any]:
    """Return a number."""
    return {"type": "number"}


def canonical(value: Decimal) -> str:
    """Without needless zeros, and never with just three decimals."""
    plain = format(value.normalize() + 0, "f")
    return f"{plain}0" if len(plain.partition(".")[2]) == THREE else plain


def _is_exact(value: Decimal) -> bool:
    return value == round(value, PLACES)


def is_amount(_field: Field, value: object) -> bool:
    """Return True if an author wrote a decimal number in quotes."""
    return isinstance(value, str) and AMOUNT.fullmatch(value) is not None


WHOLE, FIND = readers(_data)
KIND = Kind(
    name="decimal", whole=WHOLE, find=FIND, parse=parse, show=show, schema=schema,
    fits=is_amount, wanted='must be a number in quotes, like "12.50"', takes=frozenset({"unit", "minimum", "maximum"}),
    kin="number", claims=True, listing="amount",
    measure=lambda data: Decimal(str(data)),
    adds=True,
)  # fmt: skip
