"""Sums of money. Canonical: the amount alone, a decimal string ("720.00"); its currency is a field of its own or fixed by the form.

A field with a fixed currency has that currency's minor units (ISO 4217), any other two.
"""

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from babel.numbers import format_decimal, get_currency_precision, get_currency_symbol

from state.fields.base import Candidate, Context, Kind, Unreadable
from state.fields.currency import CURRENCIES, as_code
from state.fields.decimal import is_amount
from state.fields.values.amounts import Amount, amounts
from state.fields.values.numerals import is_doubtful, may_be_article, numerals, sum_of
from state.fields.values.quantities import (
    counted,
    ends_range,
    is_no_answer,
    is_within,
    one_answer,
    one_leaning,
    parse_number,
    within,
)
from state.fields.values.reach import is_price, place
from state.fields.values.spans import Spans
from state.fields.words.plain import if_plain
from state.fields.words.qualifiers import contradicts, following
from state.form import Field
from state.form.data import Data
from state.language.table import listed
from state.language.tokens import masked, tokens, trimmed

LEAST = 0


def whole(field: Field, text: str, context: Context) -> Data | None:
    """The one sum of a message that says nothing else, with or without a mark of money."""
    return one_answer(field, text, _every(field, text, context), context)


def leans(field: Field, text: str, context: Context) -> Data | None:
    """The one sum that a message names as an estimate or a limit, and no other number with it."""
    found = _every(field, text, context, loose=True)
    sums = Spans((r.start, r.end) for r in found)
    every = (n for n in numerals(masked(text), context) if not may_be_article(n))
    alone = all(sums.hits(n.start, n.end) for n in every)
    return one_leaning(field, text, found, context) if alone else None


def _every(field: Field, text: str, context: Context, *, loose: bool = False) -> tuple[Candidate, ...]:
    marked = _marked(field, text, context, loose)
    bare = () if amounts(masked(text), context) else _bare(field, text, context, loose)
    return tuple({r.data: r for r in (*marked, *bare)}.values())


def find(field: Field, text: str, context: Context) -> tuple[Candidate, ...]:
    """Sums with a mark of money beside them; where there are none, numbers with the field's name beside them."""
    if amounts(masked(text), context):
        return _marked(field, text, context)
    return tuple(r for r in _bare(field, text, context) if r.named)


def parse(field: Field, given: object, context: Context) -> Data:
    """The amount. Raises Unreadable: not_a_number, ambiguous_amount, too_many_decimals, wrong_currency, too_small, too_large."""
    text = trimmed(given) if isinstance(given, str) else ""
    sums = [a for a in amounts(text, context) if (a.start, a.end) == (0, len(text))]
    value = _of_field(field, sums[0]) if sums else parse_number(given, context)
    if not _is_exact(field, within(field, value, context, LEAST)):
        raise Unreadable("too_many_decimals", {"decimals": str(places(field))})
    return _canonical(field, value)


def show(field: Field, data: Data, context: Context) -> str:
    """The amount in the locale's way, without its currency."""
    return _formatted(Decimal(str(data)), places(field), context)


def show_money(amount: str, currency: str, locale: str) -> str:
    """An amount with the code of its currency and that currency's minor units: "GBP 720.00"."""
    value = Decimal(amount)
    digits = get_currency_precision(currency) if currency else 2
    exact = value == round(value, digits)
    return f"{currency} {_formatted(value, digits if exact else 2, Context(locale, ''))}".strip()


def schema(_field: Field) -> dict[str, Any]:
    """A string, so that no digit is lost on the way."""
    return {"type": "string", "description": "e.g. 720.00"}


def places(field: Field) -> int:
    """Decimals of the field's amounts."""
    return get_currency_precision(field.currency) if field.currency else 2


def _formatted(value: Decimal, digits: int, context: Context) -> str:
    pattern = "#,##0." + "0" * digits if digits else "#,##0"
    return str(format_decimal(value, format=pattern, locale=context.babel))


def _of_field(field: Field, found: Amount) -> Decimal:
    if field.currency and found.mark.code not in ("", field.currency):
        raise Unreadable("wrong_currency", {"currency": field.currency})
    if found.value is None:
        raise Unreadable("ambiguous_amount")
    return found.value


def _marked(field: Field, text: str, context: Context, loose: bool = False) -> tuple[Candidate, ...]:
    clean = masked(text)
    row = tokens(clean, context.language)
    loose = loose or field.estimate
    every = amounts(clean, context)
    sums, said = Spans((a.start, a.end) for a in every), [a for a in every if loose or not a.rough]
    found = (
        Candidate(_canonical(field, a.value), a.start, a.end, named=True)
        for a in said
        if a.value is not None and _fits(field, a.value, context)
        if not field.currency or a.mark.code in ("", field.currency)
    )
    return tuple(
        r
        for r in found
        if not is_no_answer(row, r, context, loose) and not is_price(row, r.start, r.end, context)
        if not ends_range(row, r.start, context, sums)
        if not contradicts(field, following(row, r.end), context)
    )


def _bare(field: Field, text: str, context: Context, loose: bool = False) -> tuple[Candidate, ...]:
    row = tokens(masked(text), context.language)
    minor = listed(context.language, "minor_units")
    counted_ = (n for n in numerals(masked(text), context) if not may_be_article(n))
    every = (n for n in counted_ if minor.at(row, place(row, n.end)) is None)
    said = [n for n in every if loose or field.estimate or not n.rough]
    found = [(n, sum_of(n, context)) for n in said]
    clear = [(n, v) for n, v in found if n.words or n.times > 1 or not is_doubtful(n.digits, context)]
    fitting = [(n, v) for n, v in clear if v is not None and _fits(field, v, context)]
    told = [Candidate(_canonical(field, v), n.start, n.end) for n, v in fitting]
    suited = [r for r in told if not contradicts(field, following(row, r.end), context)]
    return counted(field, text, suited, context, loose=loose)


def _fits(field: Field, value: Decimal, context: Context) -> bool:
    return _is_exact(field, value) and is_within(field, value, LEAST)


def _is_exact(field: Field, value: Decimal) -> bool:
    return value == round(value, places(field))


def _canonical(field: Field, value: Decimal) -> str:
    return format(round(value, places(field)) + 0, "f")


def display(field: Field, data: Data, context: Context) -> str:
    """A sum in the form's one currency with that currency's sign."""
    if not field.currency:
        return show(field, data, context)
    symbol = get_currency_symbol(field.currency, locale=context.babel)
    return context.language.written_money.format(symbol=symbol, amount=show(field, data, context))


def flaws(field: Field) -> Iterator[tuple[str, str]]:
    """Its one currency is a currency."""
    if field.currency and field.currency not in CURRENCIES:
        yield "currency", f'"{field.currency}" is no ISO 4217 code. Write one like "GBP".{as_code(field.currency)}'


KIND = Kind(
    name="money", whole=if_plain(whole), find=find, parse=parse, show=show, schema=schema,
    display=display, fits=is_amount, wanted='must be an amount in quotes, like "12.50"',
    takes=frozenset({"currency", "unit", "minimum", "maximum", "estimate"}), flaws=flaws, leans=leans,
    kin="number", claims=True, money="amount", listing="amount",
    measure=lambda data: Decimal(str(data)),
    adds=True,
    called=frozenset({"amount", "cost", "price", "sum"}),
)  # fmt: skip
