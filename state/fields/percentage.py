"""Percentages: rates, shares, discounts. Canonical: a decimal number such as "12.5", which means 12.5 %."""

from decimal import Decimal
from functools import lru_cache
from typing import Any

from babel.numbers import format_percent

from state.fields.base import Context, Kind, Unreadable
from state.fields.decimal import canonical, is_amount
from state.fields.naming import FIELDS
from state.fields.values.amounts import shares
from state.fields.values.quantities import Number, is_within, parse_number, readers, within
from state.form import Field
from state.form.field import Data
from state.language.tokens import trimmed

PLACES = 9
LEAST, MOST = 0, 100
"""What a form allows that says nothing else."""


def _data(field: Field, number: Number, _context: Context) -> Data | None:
    """Return the value of a number within the field's limits."""
    fits = number.value == round(number.value, PLACES) and is_within(_limited(field), number.value)
    return canonical(number.value) if fits else None


def parse(field: Field, given: object, context: Context) -> Data:
    """Return the number as a string, its mark taken off. Raises Unreadable: not_a_number, too_many_decimals, too_small, too_large."""
    text = trimmed(given) if isinstance(given, str) else ""
    marked = next((s.value for s in shares(text, context) if (s.start, s.end) == (0, len(text))), given)
    value = within(_limited(field), parse_number(marked, context, doubtful=True), context)
    if value != round(value, PLACES):
        raise Unreadable("too_many_decimals", {"decimals": str(PLACES)})
    return canonical(value)


def show(_field: Field, data: Data, context: Context) -> str:
    """With the locale's separator and mark: "12.5%", "12,5 %"."""
    share = Decimal(str(data)).normalize().scaleb(-2)
    return str(format_percent(share, locale=context.babel, decimal_quantization=False))


def schema(_field: Field) -> dict[str, Any]:
    """Return a number: 12.5 for 12.5 %."""
    return {"type": "number"}


@lru_cache(maxsize=FIELDS)
def _limited(field: Field) -> Field:
    """Return the field with the limits that hold where its form sets none."""
    least = LEAST if field.minimum is None else field.minimum
    most = MOST if field.maximum is None else field.maximum
    return field.model_copy(update={"minimum": least, "maximum": most})


WHOLE, FIND = readers(_data, shares)
KIND = Kind(
    name="percentage", whole=WHOLE, find=FIND, parse=parse, show=show, schema=schema,
    fits=is_amount, wanted='must be a number in quotes, like "12.5"', takes=frozenset({"minimum", "maximum"}),
    kin="number", claims=True,
    measure=lambda data: Decimal(str(data)),
)  # fmt: skip
