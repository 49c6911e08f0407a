"""Numbers: whole ones (an int), those with decimals (a string such as "1.75"), and percentages ("12.5" means 12.5 %).

Three decimals are written as four: "1.755" could be read as a whole number where a dot parts thousands; "1.7550" could not.
"""

import re
from decimal import Decimal
from functools import lru_cache

from babel.numbers import format_decimal, format_percent

from state.fields.base import Context, Kind, Unreadable, text_of, the_whole
from state.fields.naming import FIELDS
from state.fields.values.quantities import Number, is_within, parse_number, readers, shares, within
from state.form import Field
from state.form.field import Data

AMOUNT = re.compile(r"-?\d+(\.\d+)?")
PLACES, THREE = 9, 3
LEAST, MOST = 0, 100
"""The percentages that a form allows that says nothing else."""


def measured(data: Data) -> Decimal:
    """Return a canonical number as one that can be compared."""
    return Decimal(str(data))


def is_amount(_field: Field, value: object) -> bool:
    """Return True if an author wrote a decimal number in quotes."""
    return isinstance(value, str) and AMOUNT.fullmatch(value) is not None


def _canonical(value: Decimal) -> str:
    """Return the number without needless zeros, and never with just three decimals."""
    plain = format(value.normalize() + 0, "f")
    return f"{plain}0" if len(plain.partition(".")[2]) == THREE else plain


def _integer(field: Field, number: Number, _context: Context) -> Data | None:
    plain = not number.doubtful and number.value == number.value.to_integral_value()
    return int(number.value) if plain and is_within(field, number.value) else None


def parse_integer(field: Field, given: object, context: Context) -> Data:
    """Return an int. Raises Unreadable: not_a_number, not_whole, ambiguous_amount, too_small, too_large."""
    value = within(field, parse_number(given, context, field=field), context)
    if value != value.to_integral_value():
        raise Unreadable("not_whole")
    return int(value)


def show_integer(_field: Field, data: Data, context: Context) -> str:
    """Return it with the locale's thousands separators, from as many digits as that language wants them."""
    plain = len(str(data).removeprefix("-")) < context.language.grouped_from
    return str(format_decimal(int(str(data)), locale=context.babel, group_separator=not plain))


def _decimal(field: Field, number: Number, _context: Context) -> Data | None:
    exact = number.value == round(number.value, PLACES) and is_within(field, number.value)
    return _canonical(number.value) if exact else None


def parse_decimal(field: Field, given: object, context: Context) -> Data:
    """Return the number as a string. Raises Unreadable: not_a_number, too_many_decimals, too_small, too_large."""
    value = within(field, parse_number(given, context, doubtful=True, field=field), context)
    if value != round(value, PLACES):
        raise Unreadable("too_many_decimals", {"decimals": str(PLACES)})
    return _canonical(value)


def show_decimal(_field: Field, data: Data, context: Context) -> str:
    """Return it with the locale's separators and as many decimals as there are."""
    return str(format_decimal(Decimal(str(data)).normalize(), locale=context.babel, decimal_quantization=False))


@lru_cache(maxsize=FIELDS)
def _limited(field: Field) -> Field:
    """Return a field of percentages with the limits that hold where its form sets none."""
    least = LEAST if field.minimum is None else field.minimum
    most = MOST if field.maximum is None else field.maximum
    return field.model_copy(update={"minimum": least, "maximum": most})


def parse_percentage(field: Field, given: object, context: Context) -> Data:
    """Return the number as a string, its mark taken off. Raises Unreadable: not_a_number, too_many_decimals, too_small, too_large."""
    text = text_of(given)
    marked = the_whole(text, shares(text, context))
    return parse_decimal(_limited(field), marked.value if marked else given, context)


def show_percentage(_field: Field, data: Data, context: Context) -> str:
    """Return it with the locale's separator and mark: "12.5%", "12,5 %"."""
    share = Decimal(str(data)).normalize().scaleb(-2)
    return str(format_percent(share, locale=context.babel, decimal_quantization=False))


WHOLE, FIND = readers(_integer)
INTEGER = Kind(
    name="integer",
    about="A whole number in figures or words (“thirty-five”); “2k” is 2000, “about 200” and “200 or 300” are put back or asked.",
    whole=WHOLE, find=FIND, parse=parse_integer, show=show_integer, schema=lambda _: {"type": "integer"},
    fits=lambda _, value: type(value) is int, wanted="must be a whole number, without quotes",
    takes=frozenset({"unit", "minimum", "maximum"}), beside=("units",), kin="number", listing="row",
    measure=measured, adds=True,
)  # fmt: skip
WHOLE, FIND = readers(_decimal)
DECIMAL = Kind(
    name="decimal",
    about="A number with decimals, as the form's language writes it.",
    whole=WHOLE, find=FIND, parse=parse_decimal, show=show_decimal, schema=lambda _: {"type": "number"},
    fits=is_amount, wanted='must be a number in quotes, like "12.50"', takes=frozenset({"unit", "minimum", "maximum"}),
    kin="number", listing="amount", measure=measured, adds=True,
)  # fmt: skip
WHOLE, FIND = readers(lambda field, number, context: _decimal(_limited(field), number, context), shares)
PERCENTAGE = Kind(
    name="percentage",
    about="A share: “12,5 %”, “5 percent”; from 0 to 100 unless limits say otherwise.",
    whole=WHOLE, find=FIND, parse=parse_percentage, show=show_percentage, schema=lambda _: {"type": "number"},
    fits=is_amount, wanted='must be a number in quotes, like "12.5"', takes=frozenset({"minimum", "maximum"}),
    kin="number", measure=measured,
)  # fmt: skip
