"""A draft's values as people read them, in the form's language."""

import re

from babel.numbers import get_currency_symbol

from state.draft.draft import Data, Draft, Value
from state.fields import kind_of
from state.fields.base import Context
from state.form import Field, Form

BRACES = re.compile(r"\{([a-z][a-z0-9_]*)\}")


def display_value(field: Field, value: Value, context: Context) -> str:
    """One value: "250", "No", "Tesco PLC (GB00BLGZ9862)"."""
    return value.label or plainly(field, value.data, context)


def plainly(field: Field, data: Data, context: Context) -> str:
    """A bare value as people read it; a sum in the form's one currency with that currency's sign."""
    said = kind_of(field).show(field, data, context)
    if field.kind != "money" or not field.currency:
        return said
    symbol = get_currency_symbol(field.currency, locale=context.babel)
    return context.language.written_money.format(symbol=symbol, amount=said)


def asked(form: Form, draft: Draft, field: Field, context: Context) -> str:
    """A field's question, with the answers that it names, or the labels of what has none."""

    def named(found: re.Match[str]) -> str:
        other, value = form.fields.get(found[1]), draft.values.get(found[1])
        return found[0] if other is None else display_value(other, value, context) if value else other.label

    return BRACES.sub(named, field.ask)


def display_values(form: Form, draft: Draft, names: tuple[str, ...], context: Context) -> str:
    """Several values in one breath: "Buy · 200 shares · GBP 720.00"; a money field takes its currency along."""
    currencies = [n for n in names if form.fields[n].kind == "currency"]
    paired = bool(currencies) and any(form.fields[n].kind == "money" for n in names)
    parts = [_part(form, draft, n, context, paired) for n in names if n in draft.values]
    return " · ".join(p for p in parts if p)


def _part(form: Form, draft: Draft, name: str, context: Context, paired: bool) -> str:
    field = form.fields[name]
    text = display_value(field, draft.values[name], context)
    if field.kind == "currency" and paired:
        return ""
    if field.kind == "money" and paired:
        code = next(draft.values[n].data for n, f in form.fields.items() if f.kind == "currency" and n in draft.values)
        return f"{code} {text}"
    if field.kind in ("yes_no", "acknowledgement"):
        return f"{field.label}: {text}"
    return f"{text} {field.unit}".strip()
