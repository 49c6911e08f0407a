"""Sums of money. Canonical: the amount alone, a decimal string ("720.00"); its currency is a field of its own or fixed by the form.

A field with a fixed currency has that currency's minor units (ISO 4217), any other two.
"""

from collections.abc import Iterator
from decimal import Decimal

from babel.numbers import format_decimal, get_currency_precision, get_currency_symbol

from state.fields.base import Context, Kind, Unreadable, described
from state.fields.currency import CURRENCIES
from state.fields.decimal import is_amount
from state.fields.values.amounts import Amount, amounts
from state.fields.values.marks import Mark, may_be
from state.fields.values.quantities import Number, is_within, parse_number, readers, within
from state.form import Field
from state.form.field import Data
from state.language.tokens import trimmed

LEAST = 0


def parse(field: Field, given: object, context: Context) -> Data:
    """Return the amount. Raises Unreadable: not_a_number, ambiguous_amount, too_many_decimals, wrong_currency, too_small, too_large."""
    text = trimmed(given) if isinstance(given, str) else ""
    sums = [a for a in amounts(text, context) if (a.start, a.end) == (0, len(text))]
    if sums and not _is_of(field, sums[0].mark, context):
        raise Unreadable("wrong_currency", {"currency": field.currency})
    if sums and sums[0].doubtful:
        raise Unreadable("ambiguous_amount")
    value = sums[0].value if sums else parse_number(given, context)
    if not _is_exact(field, within(field, value, context, LEAST)):
        raise Unreadable("too_many_decimals", {"decimals": str(places(field))})
    return _canonical(field, value)


def show(field: Field, data: Data, context: Context) -> str:
    """Return the amount in the locale's way, without its currency."""
    return _formatted(Decimal(str(data)), places(field), context)


def show_money(amount: str, currency: str, locale: str) -> str:
    """Return an amount with the code of its currency and that currency's minor units: "GBP 720.00"."""
    value = Decimal(amount)
    digits = get_currency_precision(currency) if currency else 2
    exact = value == round(value, digits)
    return f"{currency} {_formatted(value, digits if exact else 2, Context(locale, ''))}".strip()


def places(field: Field) -> int:
    """Decimals of the field's amounts."""
    return get_currency_precision(field.currency) if field.currency else 2


def _formatted(value: Decimal, digits: int, context: Context) -> str:
    pattern = "#,##0." + "0" * digits if digits else "#,##0"
    return str(format_decimal(value, format=pattern, locale=context.babel))


def _data(field: Field, number: Number, context: Context) -> Data | None:
    """Return the amount of a sum that the field can have, in its currency where it has one."""
    if number.doubtful or not (_is_exact(field, number.value) and is_within(field, number.value, LEAST)):
        return None
    foreign = isinstance(number, Amount) and not _is_of(field, number.mark, context)
    return None if foreign else _canonical(field, number.value)


def _is_of(field: Field, mark: Mark, context: Context) -> bool:
    """Return True if the mark may be the field's own currency ("$" is one of several)."""
    return field.currency in ("", mark.code) or (not mark.code and may_be(mark.said, field.currency, context))


def _is_exact(field: Field, value: Decimal) -> bool:
    return value == round(value, places(field))


def _canonical(field: Field, value: Decimal) -> str:
    return format(round(value, places(field)) + 0, "f")


def display(field: Field, data: Data, context: Context) -> str:
    """Return a sum in the form's one currency with that currency's sign."""
    if not field.currency:
        return show(field, data, context)
    symbol = get_currency_symbol(field.currency, locale=context.babel)
    return context.language.written_money.format(symbol=symbol, amount=show(field, data, context))


def flaws(field: Field) -> Iterator[tuple[str, str]]:
    """Yield its one currency is a currency."""
    if field.currency and field.currency not in CURRENCIES:
        yield "currency", f'"{field.currency}" is no ISO 4217 code. Write one like "GBP".'


WHOLE, FIND = readers(_data, amounts)
KIND = Kind(
    name="money", whole=WHOLE, find=FIND, parse=parse, show=show, schema=described("e.g. 720.00"),
    display=display, fits=is_amount, wanted='must be an amount in quotes, like "12.50"',
    takes=frozenset({"currency", "unit", "minimum", "maximum"}), flaws=flaws,
    kin="number", claims=True, money="amount", listing="amount",
    measure=lambda data: Decimal(str(data)),
    adds=True,
)  # fmt: skip
