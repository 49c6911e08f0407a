"""Percentages: rates, shares, discounts. Canonical: a decimal number such as "12.5", which means 12.5 %."""

import re
from collections.abc import Iterator
from decimal import Decimal
from functools import lru_cache
from typing import Any

from babel.numbers import format_percent

from state.fields.base import Candidate, Context, Kind, Unreadable
from state.fields.decimal import canonical, is_amount
from state.fields.values.numerals import amount, may_be_article, numerals, total
from state.fields.values.quantities import (
    counted,
    is_no_answer,
    is_within,
    one_answer,
    one_leaning,
    parse_number,
    within,
)
from state.fields.values.reach import place
from state.fields.words.naming import FIELDS
from state.fields.words.plain import if_plain
from state.form import Field
from state.form.data import Data
from state.language.table import listed
from state.language.tokens import masked, tokens, trimmed

MARKED = re.compile(r"(?<![\w.,'’/:#%\\+=^@|–-])(-?)([0-9]+(?:[.,][0-9]+)*)\s?%(?![\w%])")
"""Digits with their mark; the second of a range ("5-10%") is none."""
PLACES = 9
LEAST, MOST = 0, 100
"""What a form allows that says nothing else."""


def whole(field: Field, text: str, context: Context) -> Data | None:
    """The one percentage, or plain number, of a message that says nothing else."""
    return one_answer(field, text, find(field, text, context), context)


def find(field: Field, text: str, context: Context) -> tuple[Candidate, ...]:
    """Numbers marked as percentages; without any, plain numbers as a decimal has them. An estimate or a limit is none."""
    row = tokens(masked(text), context.language)
    return tuple(r for r in _readings(field, text, context) if not is_no_answer(row, r, context, field.estimate))


def leans(field: Field, text: str, context: Context) -> Data | None:
    """The one share that a message names as an estimate or a limit."""
    row = tokens(masked(text), context.language)
    loose = (r for r in _readings(field, text, context, loose=True) if not is_no_answer(row, r, context, True))
    return one_leaning(field, text, loose, context)


def _readings(field: Field, text: str, context: Context, *, loose: bool = False) -> list[Candidate]:
    marked = [*_marked(text, context), *_worded(text, context)]
    found = marked or _plain(field, text, context, loose)
    return [r for r in found if _fits(field, Decimal(str(r.data)), context)]


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


def _marked(text: str, context: Context) -> Iterator[Candidate]:
    for match in MARKED.finditer(masked(text)):
        value = amount(match.group(2), context)
        if value is not None:
            yield Candidate(canonical(-value if match.group(1) else value), match.start(), match.end(), named=True)


def _worded(text: str, context: Context) -> Iterator[Candidate]:
    """Numbers before a word such as "percent"."""
    clean = masked(text)
    row = tokens(clean, context.language)
    for numeral in numerals(clean, context):
        after, value = place(row, numeral.end), total(numeral, context)
        word = listed(context.language, "percent").at(row, after)
        if word is not None and value is not None:
            yield Candidate(canonical(value), numeral.start, row[after + word[0] - 1].end, named=True)


def _plain(field: Field, text: str, context: Context, loose: bool) -> tuple[Candidate, ...]:
    said = (
        n for n in numerals(masked(text), context) if not may_be_article(n) and (loose or field.estimate or not n.rough)
    )
    found = ((n, total(n, context)) for n in said)
    told = [Candidate(canonical(v), n.start, n.end) for n, v in found if v is not None]
    return counted(field, text, told, context, loose=loose)


def _unmarked(given: str, context: Context) -> str:
    text = trimmed(given)
    if text.endswith("%"):
        return text.removesuffix("%").rstrip()
    reading = next(_worded(text, context), None)
    alone = reading is not None and (reading.start, reading.end) == (0, len(text))
    return str(reading.data) if reading is not None and alone else text


def _fits(field: Field, value: Decimal, context: Context) -> bool:
    return value == round(value, PLACES) and is_within(_limited(field), value)


@lru_cache(maxsize=FIELDS)
def _limited(field: Field) -> Field:
    """The field with the limits that hold where its form sets none."""
    least = LEAST if field.minimum is None else field.minimum
    most = MOST if field.maximum is None else field.maximum
    return field.model_copy(update={"minimum": least, "maximum": most})


KIND = Kind(
    name="percentage", whole=if_plain(whole), find=find, parse=parse, show=show, schema=schema,
    fits=is_amount, wanted='must be a number in quotes, like "12.5"', takes=frozenset({"minimum", "maximum", "estimate"}),
    leans=leans, kin="number", claims=True,
    measure=lambda data: Decimal(str(data)),
    called=frozenset({"pct", "percent", "rate"}),
)  # fmt: skip
