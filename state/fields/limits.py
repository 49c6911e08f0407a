"""Values and limits that a form's author writes: "GBP 100", 1000, "12.5", 2026-12-01."""

import re
from dataclasses import dataclass
from datetime import date, time
from decimal import Decimal

from state.fields import kind_of
from state.fields.base import Context, Unreadable
from state.fields.money import CURRENCIES
from state.fields.values.quantities import amounts
from state.form.field import Field, Plain
from state.form.source import meant


def misfit(field: Field, value: Plain | tuple[str, ...]) -> str:
    """What the value should have been ("must be true or false."), and what to write; empty where it fits."""
    kind = kind_of(field)
    if kind.fits(field, value):
        return ""
    if field.choices:
        values = [c.value for c in field.choices]
        return f"must be one of its choices: {', '.join(values)}.{meant(value, values)}"
    return f"{kind.wanted}."


PLAIN_SUM = re.compile(r"(?:(?P<code>[A-Za-z]{3}) ?)?(?P<sum>\d+(?:\.\d+)?)(?: ?(?P<after>[A-Za-z]{3}))?")


@dataclass(frozen=True)
class Limit:
    """`value` is a number, or a day or time in ISO 8601; of money, in `currency`."""

    value: Decimal | str
    currency: str = ""


def limit_of(field: Field, written: str | float | date | time, locale: str) -> Limit:
    """Return the limit that an author wrote for a field. Raises ValueError with a sentence that says what to write."""
    kind = kind_of(field)
    if kind.measure is None:
        raise ValueError(f"A field of kind {field.kind} is never above or below anything. Use `equals`.")
    text = _text(written)
    if kind.money == "amount":
        amount, code = _read(text, locale)
        code = code or field.currency
        if amount is None or (code and code not in CURRENCIES):
            raise ValueError(f'`{field.name}` is compared with "{text}", which is no sum. Write one like "GBP 100".')
        if not code:
            raise ValueError(f'A limit in money names its currency: write "GBP {amount}", or the code that is meant.')
        if field.currency and code != field.currency:
            raise ValueError(f'`{field.name}` is always in {field.currency}. Write "{field.currency} {amount}".')
        return Limit(amount, code)
    free = field.model_copy(update={"minimum": None, "maximum": None})
    for canonical in (written, text):
        if isinstance(canonical, int | str) and kind.fits(free, canonical):
            return Limit(kind.measure(canonical))
    value = _as_said(free, text, locale)
    if not isinstance(value, Decimal):
        raise ValueError(f"`{field.name}` is compared with {text!r}, which {misfit(free, text)}")
    return Limit(value)


def _text(written: str | float | date | time) -> str:
    if isinstance(written, time):
        return f"{written:%H:%M}"
    return written.isoformat() if isinstance(written, date) else str(written).strip()


def _as_said(field: Field, text: str, locale: str) -> Decimal | str | None:
    """Return a number as the form's language writes it. A day or a time in words hangs on the day on which it is read, and is none."""
    kind = kind_of(field)
    try:
        return kind.measure(kind.parse(field, text, Context(locale, ""))) if kind.measure else None
    except (Unreadable, ValueError):
        return None


def _read(text: str, locale: str) -> tuple[Decimal | None, str]:
    """Return the amount and its code, where it has one; figures with a point count as TOML has them, anything else as the language does."""
    found = PLAIN_SUM.fullmatch(text)
    if found:
        return Decimal(found["sum"]), (found["code"] or found["after"] or "").upper()
    whole = [a for a in amounts(text, Context(locale, "")) if (a.start, a.end) == (0, len(text))]
    return (whole[0].value, whole[0].mark.code) if whole else (None, "")
