"""Sums of money, and currencies.

Canonical: the amount alone, a decimal string ("720.00"), in the minor units (ISO 4217) of the field's one currency or two; and the
ISO 4217 code of money that is tender today, which is never assumed: "$" alone names none.
"""

from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from typing import Any

from babel.numbers import format_decimal, get_currency_precision, get_currency_symbol, list_currencies

from state.fields.base import Candidate, Context, Kind, Unreadable, described, text_of, the_whole
from state.fields.naming import is_of_each
from state.fields.number import is_amount, measured
from state.fields.values.marks import Mark, code_of, marks, may_be
from state.fields.values.quantities import Amount, Number, amounts, is_within, one_answer, parse_number, readers, within
from state.form import Field
from state.form.field import Data
from state.language.tokens import masked, trimmed

CURRENCIES: frozenset[str] = frozenset(list_currencies())
"""ISO 4217, past codes included."""


def whole_currency(field: Field, text: str, context: Context) -> Data | None:
    """Return the one currency of a message that says nothing else."""
    code = code_of(trimmed(text))
    return (
        code
        if code and _is_allowed(field, code)
        else one_answer(field, text, find_currency(field, text, context), context)
    )


def find_currency(field: Field, text: str, context: Context) -> tuple[Candidate, ...]:
    """Return the currencies of sums first, then those that are named without one; a mark that leaves the country open names none."""
    clean = masked(text)
    beside = {a.mark.start: a for a in amounts(clean, context)}
    clear = [m for m in marks(clean, context) if m.code and (m.start in beside or not m.weak)]
    told = (
        Candidate(m.code, beside[m.start].start, beside[m.start].end, named=True)
        if m.start in beside
        else Candidate(m.code, m.start, m.end)
        for m in clear
    )
    return tuple(sorted((r for r in told if _is_allowed(field, str(r.data))), key=lambda r: not r.named))


def parse_currency(field: Field, given: object, context: Context) -> Data:
    """Return the code. Raises Unreadable: not_a_currency, ambiguous_currency, not_a_choice."""
    text = text_of(given)
    code = code_of(text)
    if not code:
        named = the_whole(text, marks(text, context))
        if named is None:
            raise Unreadable("not_a_currency")
        code = named.code
    if not code:
        raise Unreadable("ambiguous_currency")
    if not _is_allowed(field, code):
        raise Unreadable("not_a_choice", {"choices": ", ".join(c.label for c in field.choices)})
    return code


def currency_schema(field: Field) -> dict[str, Any]:
    """Return a string; the form's own currencies where it lists them."""
    listed = {"enum": [c.value for c in field.choices]} if field.choices else {"description": "ISO 4217"}
    return {"type": "string", **listed}


def _is_allowed(field: Field, code: str) -> bool:
    return not field.choices or field.choice(code) is not None


CURRENCY = Kind(
    name="currency",
    about="A currency: its code, sign or name.",
    whole=whole_currency, find=find_currency, parse=parse_currency, schema=currency_schema,
    fits=lambda _, value: value in CURRENCIES, wanted='must be an ISO 4217 code, like "GBP"',
    money="currency", usual=lambda _, currency: currency,
)  # fmt: skip


LEAST = 0


def parse(field: Field, given: object, context: Context) -> Data:
    """Return the amount. Raises Unreadable: not_a_number, ambiguous_amount, too_many_decimals, wrong_currency, too_small, too_large."""
    text = text_of(given)
    marked = the_whole(text, amounts(text, context))
    if marked and not _is_of(field, marked.mark, context):
        raise Unreadable("wrong_currency", {"currency": field.currency})
    if marked and marked.doubtful:
        raise Unreadable("ambiguous_amount")
    value = marked.value if marked else parse_number(given, context)
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


def added(amounts: Iterable[tuple[object, object]]) -> dict[str, Decimal]:
    """Return what amounts with their currencies come to, each currency by itself, in the order of their codes."""
    sums: dict[str, Decimal] = {}
    for amount, code in amounts:
        sums[str(code)] = sums.get(str(code), Decimal(0)) + Decimal(str(amount))
    return dict(sorted(sums.items()))


def show_sums(sums: Mapping[str, Decimal], locale: str) -> str:
    """Return sums of several currencies beside each other: "EUR 12.50 + GBP 200.00"."""
    return " + ".join(show_money(str(amount), code, locale) for code, amount in sorted(sums.items()))


def places(field: Field) -> int:
    """Return the decimals of the field's amounts."""
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
    """Check that its one currency is a currency."""
    if field.currency and field.currency not in CURRENCIES:
        yield "currency", f'"{field.currency}" is no ISO 4217 code. Write one like "GBP".'


WHOLE, FIND = readers(_data, amounts)
MONEY = Kind(
    name="money",
    about="A sum with a sign, a code or a currency's name (“£12.50”, “twelve euros”), or bare where it is asked.",
    whole=WHOLE, parse=parse, show=show, schema=described("e.g. 720.00"),
    display=display, fits=is_amount, wanted='must be an amount in quotes, like "12.50"',
    takes=frozenset({"currency", "unit", "minimum", "maximum"}), flaws=flaws,
    find=lambda f, text, c: tuple(r for r in FIND(f, text, c) if not is_of_each(f, text, r.start, r.end, c)),
    kin="number", money="amount", listing="amount",
    measure=measured, adds=True,
)  # fmt: skip
