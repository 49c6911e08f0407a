"""Sums of money. Canonical: the amount alone, a decimal string ("720.00"); its currency is a field of its own or fixed by the form.

A field with a fixed currency has that currency's minor units (ISO 4217), any other two.
"""

from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import Any

from babel.numbers import format_decimal, get_currency_precision, get_currency_symbol

from state.fields.base import Candidate, Context, Kind, Unreadable
from state.fields.currency import CURRENCIES, as_code
from state.fields.decimal import is_amount
from state.fields.values.amounts import Amount, amounts
from state.fields.values.marks import may_be
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
from state.language.tokens import masked, trimmed

LEAST = 0


def whole(field: Field, text: str, context: Context) -> Data | None:
    """Return the one sum of a message that says nothing else, with or without a mark of money."""
    marked = _marked(field, text, context)
    plain = _bare(field, bare_numbers(text, context))
    return one_answer(field, text, marked if marked is not None else plain, context)


def find(field: Field, text: str, context: Context) -> tuple[Candidate, ...]:
    """Return the sums with a mark of money beside them; where there are none, numbers, those with the field's name first."""
    marked = _marked(field, text, context, open_words=True)
    if marked is not None:
        return marked
    return counted(field, text, _bare(field, plain_numbers(field, text, context)), context)


def parse(field: Field, given: object, context: Context) -> Data:
    """The amount. Raises Unreadable: not_a_number, ambiguous_amount, too_many_decimals, wrong_currency, too_small, too_large."""
    text = trimmed(given) if isinstance(given, str) else ""
    sums = [a for a in amounts(text, context) if (a.start, a.end) == (0, len(text))]
    value = _of_field(field, sums[0], text, context) if sums else parse_number(given, context)
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


def _of_field(field: Field, found: Amount, text: str, context: Context) -> Decimal:
    if not _is_of(field, found, text, context):
        raise Unreadable("wrong_currency", {"currency": field.currency})
    if found.doubtful:
        raise Unreadable("ambiguous_amount")
    return found.value


def _is_of(field: Field, found: Amount, text: str, context: Context) -> bool:
    """Return True if the mark may be the field's own currency ("$" is one of several)."""
    mark = found.mark
    own = mark.code or (may_be(text[mark.start : mark.end], field.currency, context) and field.currency)
    return field.currency in ("", own)


def _marked(field: Field, text: str, context: Context, *, open_words: bool = False) -> tuple[Candidate, ...] | None:
    """The sums with a mark that the field can have; None where the text holds no mark beside a number."""
    clean = masked(text)
    every = amounts(clean, context)
    clear = (a for a in every if not (a.doubtful or (a.weak and open_words)))
    told = (a for a in clear if _fits(field, a.value) and _is_of(field, a, clean, context))
    found = tuple(Candidate(_canonical(field, a.value), a.start, a.end, named=True) for a in told)
    return found if every else None


def _bare(field: Field, found: Iterable[Numeral]) -> Iterator[Candidate]:
    fitting = (n for n in found if not n.doubtful and _fits(field, n.value))
    return (Candidate(_canonical(field, n.value), n.start, n.end) for n in fitting)


def _fits(field: Field, value: Decimal) -> bool:
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
    takes=frozenset({"currency", "unit", "minimum", "maximum"}), flaws=flaws,
    kin="number", claims=True, money="amount", listing="amount",
    measure=lambda data: Decimal(str(data)),
    adds=True,
    called=frozenset({"amount", "cost", "price", "sum"}),
)  # fmt: skip
