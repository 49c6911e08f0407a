"""Percentages: rates, shares, discounts. Canonical: a decimal number such as "12.5", which means 12.5 %."""

from collections.abc import Iterable, Iterator
from decimal import Decimal
from functools import cache, lru_cache
from typing import Any

from babel.numbers import format_percent
from babel.units import format_unit

from state.fields.base import Candidate, Context, Kind, Unreadable
from state.fields.decimal import canonical, is_amount
from state.fields.values.numerals import figures, number_in, numerals
from state.fields.values.quantities import (
    bare_numbers,
    counted,
    is_within,
    one_answer,
    parse_number,
    plain_numbers,
    within,
)
from state.fields.values.reach import place
from state.fields.words.naming import FIELDS
from state.fields.words.plain import if_plain
from state.form import Field
from state.form.data import Data
from state.language.table import Table, phrases
from state.language.tokens import masked, tokens, trimmed

PLACES = 9
LEAST, MOST = 0, 100
"""What a form allows that says nothing else."""


def whole(field: Field, text: str, context: Context) -> Data | None:
    """Return the one percentage, or plain number, of a message that says nothing else."""
    plain = (Candidate(canonical(n.value), n.start, n.end) for n in bare_numbers(text, context))
    return one_answer(field, text, _fitting(field, _marked(text, context) or plain), context)


def find(field: Field, text: str, context: Context) -> tuple[Candidate, ...]:
    """Return the numbers marked as percentages; without any, plain numbers as a decimal has them."""
    marked = _marked(text, context)
    plain = (Candidate(canonical(n.value), n.start, n.end) for n in plain_numbers(field, text, context))
    return tuple(_fitting(field, marked)) if marked else counted(field, text, _fitting(field, plain), context)


def parse(field: Field, given: object, context: Context) -> Data:
    """The number as a string, its mark taken off. Raises Unreadable: not_a_number, too_many_decimals, too_small, too_large."""
    number = _unmarked(given, context) if isinstance(given, str) else given
    value = within(_limited(field), parse_number(number, context, doubtful=True), context)
    if value != round(value, PLACES):
        raise Unreadable("too_many_decimals", {"decimals": str(PLACES)})
    return canonical(value)


def show(_field: Field, data: Data, context: Context) -> str:
    """With the locale's separator and mark: "12.5%", "12,5 %"."""
    share = Decimal(str(data)).normalize().scaleb(-2)
    return str(format_percent(share, locale=context.babel, decimal_quantization=False))


def schema(_field: Field) -> dict[str, Any]:
    """A number: 12.5 for 12.5 %."""
    return {"type": "number"}


def _marked(text: str, context: Context) -> list[Candidate]:
    """ "5%", "5 %", "5 percent"."""
    return sorted((*_signed(masked(text), context), *_worded(masked(text), context)), key=lambda r: r.start)


def _signed(text: str, context: Context) -> Iterator[Candidate]:
    for figure in figures(text):
        behind = text[figure.end : figure.end + 3].split()
        glued = figure.core.endswith("%")
        value = number_in(figure.core.removesuffix("%"), context)
        if value is not None and (glued or (behind[:1] == ["%"] and text[figure.end] != "%")):
            end = figure.end if glued else text.index("%", figure.end) + 1
            yield Candidate(canonical(value), figure.start, end, named=True)


def _worded(text: str, context: Context) -> Iterator[Candidate]:
    """Numbers before a word such as "percent"."""
    row = tokens(text, context.language)
    for numeral in numerals(text, context):
        after = place(row, numeral.end)
        word = _percent(context.locale).at(row, after)
        if word is not None and not row[after].stop:
            yield Candidate(canonical(numeral.value), numeral.start, row[after + word[0] - 1].end, named=True)


@cache
def _percent(locale: str) -> Table[str]:
    """CLDR's word for percent, as one word or two, and what else people say."""
    context = Context(locale, "")
    said = format_unit(1, "concentr-percent", locale=context.babel).lstrip("1 \u00a0")
    return phrases((said, said.replace(" ", ""), *context.language.percent), context.language)


def _unmarked(given: str, context: Context) -> str:
    text = trimmed(given)
    if text.endswith("%"):
        return text.removesuffix("%").rstrip()
    reading = next(_worded(text, context), None)
    alone = reading is not None and (reading.start, reading.end) == (0, len(text))
    return str(reading.data) if reading is not None and alone else text


def _fitting(field: Field, found: Iterable[Candidate]) -> Iterator[Candidate]:
    return (r for r in found if _fits(field, Decimal(str(r.data))))


def _fits(field: Field, value: Decimal) -> bool:
    return value == round(value, PLACES) and is_within(_limited(field), value)


@lru_cache(maxsize=FIELDS)
def _limited(field: Field) -> Field:
    """The field with the limits that hold where its form sets none."""
    least = LEAST if field.minimum is None else field.minimum
    most = MOST if field.maximum is None else field.maximum
    return field.model_copy(update={"minimum": least, "maximum": most})


KIND = Kind(
    name="percentage", whole=if_plain(whole), find=find, parse=parse, show=show, schema=schema,
    fits=is_amount, wanted='must be a number in quotes, like "12.5"', takes=frozenset({"minimum", "maximum"}),
    kin="number", claims=True,
    measure=lambda data: Decimal(str(data)),
    called=frozenset({"pct", "percent", "rate"}),
)  # fmt: skip
