"""Numbers with decimals: heights, rates. Canonical: a string such as "1.75"; three decimals are written as four.

That is because "1.755" could be read as a whole number where a dot parts thousands; "1.7550" could not.
"""

import re
from decimal import Decimal
from typing import Any

from babel.numbers import format_decimal

from state.fields.base import Candidate, Context, Kind, Unreadable
from state.fields.values.numerals import numerals, total
from state.fields.values.quantities import counted, is_within, one_answer, one_leaning, parse_number, within
from state.fields.words.plain import if_plain
from state.form import Field
from state.form.data import Data
from state.language.tokens import masked

AMOUNT = re.compile(r"-?\d+(\.\d+)?")
PLACES = 9
THREE = 3


def whole(field: Field, text: str, context: Context) -> Data | None:
    """The one number of a message that says nothing else."""
    return one_answer(field, text, _readings(field, text, context), context)


def find(field: Field, text: str, context: Context) -> tuple[Candidate, ...]:
    """Numbers that belong to no sum, date, code, limit or estimate; those with the field's name or unit beside them first."""
    return tuple(r for r in _readings(field, text, context) if r.data != "1" or text[r.start].isdigit())


def leans(field: Field, text: str, context: Context) -> Data | None:
    """The one number that a message names as an estimate or a limit."""
    return one_leaning(field, text, _readings(field, text, context, loose=True), context)


def _readings(field: Field, text: str, context: Context, *, loose: bool = False) -> tuple[Candidate, ...]:
    said = [n for n in numerals(masked(text), context) if loose or field.estimate or not n.rough]
    found = [(n, total(n, context)) for n in said]
    fitting = [(n, v) for n, v in found if v is not None and _is_exact(v) and is_within(field, v)]
    return counted(field, text, [Candidate(canonical(v), n.start, n.end) for n, v in fitting], context, loose=loose)


def parse(field: Field, given: object, context: Context) -> Data:
    """The number as a string. Raises Unreadable: not_a_number, too_many_decimals, too_small, too_large."""
    value = within(field, parse_number(given, context, doubtful=True), context)
    if not _is_exact(value):
        raise Unreadable("too_many_decimals", {"decimals": str(PLACES)})
    return canonical(value)


def show(_field: Field, data: Data, context: Context) -> str:
    """With the locale's separators and as many decimals as there are."""
    return str(format_decimal(Decimal(str(data)).normalize(), locale=context.babel, decimal_quantization=False))


def schema(_field: Field) -> dict[str, Any]:
    """A number."""
    return {"type": "number"}


def canonical(value: Decimal) -> str:
    """Without needless zeros, and never with just three decimals."""
    plain = format(value.normalize() + 0, "f")
    return f"{plain}0" if len(plain.partition(".")[2]) == THREE else plain


def _is_exact(value: Decimal) -> bool:
    return value == round(value, PLACES)


def is_amount(_field: Field, value: object) -> bool:
    """Whether an author wrote a decimal number in quotes."""
    return isinstance(value, str) and AMOUNT.fullmatch(value) is not None


KIND = Kind(
    name="decimal", whole=if_plain(whole), find=find, parse=parse, show=show, schema=schema,
    fits=is_amount, wanted='must be a number in quotes, like "12.50"', takes=frozenset({"unit", "minimum", "maximum", "estimate"}),
    leans=leans, kin="number", claims=True, leads_to_name=True, listing="amount",
    measure=lambda data: Decimal(str(data)),
    adds=True,
    called=frozenset({"double", "float", "real"}),
)  # fmt: skip
