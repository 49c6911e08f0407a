"""Whole numbers: quantities, people, years. Canonical: an int."""

from decimal import Decimal
from itertools import pairwise
from typing import Any

from babel.numbers import format_decimal

from state.fields.base import Candidate, Context, Kind, Unreadable
from state.fields.values.numerals import Numeral, is_doubtful, numerals, total
from state.fields.values.quantities import counted, is_within, one_answer, one_leaning, parse_number, within
from state.fields.values.written import written_numbers
from state.fields.words.naming import own_words
from state.fields.words.plain import if_plain
from state.form import Field
from state.form.data import Data
from state.language.table import listed
from state.language.tokens import masked, tokens


def whole(field: Field, text: str, context: Context) -> Data | None:
    """The one number of a message that says nothing else; in digits or in words."""
    found = _readings(field, text, context) or _one(field, text, context)
    return one_answer(field, text, counted(field, text, found, context), context)


def find(field: Field, text: str, context: Context) -> tuple[Candidate, ...]:
    """Whole numbers that belong to no sum, date, code or limit; those with the field's name or unit beside them first."""
    found = counted(field, text, _readings(field, text, context), context)
    return tuple(r for r in found if r.named or not _may_be_article(text, r))


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


def leans(field: Field, text: str, context: Context) -> Data | None:
    """The one number that a message names as an estimate or a limit."""
    found = counted(field, text, _readings(field, text, context, loose=True), context, loose=True)
    return one_leaning(field, text, (r for r in found if not _may_be_article(text, r)), context)


def _readings(field: Field, text: str, context: Context, *, loose: bool = False) -> list[Candidate]:
    said = [n for n in numerals(masked(text), context) if loose or field.estimate or not n.rough]
    found = [(n, _value(n, context)) for n in said]
    whole = [Candidate(int(v), n.start, n.end) for n, v in found if v is not None]
    return [r for r in whole if is_within(field, Decimal(str(r.data)))]


def _one(field: Field, text: str, context: Context) -> list[Candidate]:
    """ "a year", to a question that counts years."""
    row = tokens(masked(text), context.language)
    own, lasting = own_words(field, context), listed(context.language, "durations")
    found = (
        Candidate(1, one.start, one.end)
        for one, unit in pairwise(row)
        if one.key in context.language.one_article and unit.key in own and lasting.at((unit,), 0)
    )
    return [r for r in found if is_within(field, Decimal(1))]


def _value(numeral: Numeral, context: Context) -> Decimal | None:
    padded = len(numeral.digits) > 1 and numeral.digits.startswith("0")
    doubtful = numeral.times == 1 and is_doubtful(numeral.digits, context)
    value = None if padded or doubtful else total(numeral, context)
    return value if value is not None and value == value.to_integral_value() else None


def _may_be_article(text: str, reading: Candidate) -> bool:
    """ "one" and "un" stand in many sentences that count nothing."""
    return reading.data == 1 and not text[reading.start].isdigit()


def unsure(_field: Field, text: str, context: Context) -> tuple[Candidate, ...]:
    """Numbers in words, an article that could be a one included."""
    return written_numbers(text, context)


KIND = Kind(
    beside=("units",),
    name="integer", whole=if_plain(whole), find=find, parse=parse, show=show, schema=schema,
    fits=lambda _, value: type(value) is int, wanted="must be a whole number, without quotes",
    takes=frozenset({"unit", "minimum", "maximum", "estimate"}),
    leans=leans, unsure=unsure, kin="number", claims=True, leads_to_name=True, listing="row",
    measure=lambda data: Decimal(str(data)),
    adds=True,
    called=frozenset({"count", "int", "number", "numeric", "quantity", "whole", "wholenumber"}),
)  # fmt: skip
