"""Whether a value that an author wrote is one that the field can have, in its canonical form."""

import re
from collections.abc import Callable, Mapping
from datetime import date, time
from typing import Any

from babel.numbers import list_currencies

from state.form.schema import Field, Kind, Plain

AMOUNT = re.compile(r"-?\d+(\.\d+)?")
CURRENCIES: frozenset[str] = frozenset(list_currencies())
"""ISO 4217, past codes included."""


def misfit(field: Field, value: Plain | tuple[str, ...]) -> str:
    """What the value should have been ("must be true or false"); empty where it fits."""
    fits, wanted = FITS.get(field.kind, TEXT)
    if fits(field, value):
        return ""
    return f"must be one of its choices: {', '.join(c.value for c in field.choices)}" if field.choices else wanted


def _date(_field: Field, value: Plain) -> bool:
    try:
        return isinstance(value, str) and date.fromisoformat(value).isoformat() == value
    except ValueError:
        return False


def _period(field: Field, value: Plain) -> bool:
    first, _, last = str(value).partition("/")
    return _date(field, first) and _date(field, last) and first <= last


def _time(_field: Field, value: Plain) -> bool:
    try:
        return isinstance(value, str) and time.fromisoformat(value).strftime("%H:%M") == value
    except ValueError:
        return False


def _amount(_field: Field, value: Plain) -> bool:
    return isinstance(value, str) and AMOUNT.fullmatch(value) is not None


def _chosen(field: Field, value: Plain | tuple[str, ...]) -> bool:
    """One choice (as conditions name it) or several."""
    values = value if isinstance(value, tuple) else (value,)
    return bool(values) and all(field.choice(v) is not None for v in values)


Fit = tuple[Callable[[Field, Any], bool], str]
TEXT: Fit = (lambda _, v: isinstance(v, str), "must be text in quotes")
FLAG: Fit = (lambda _, v: isinstance(v, bool), "must be true or false, without quotes")
FITS: Mapping[Kind, Fit] = {
    "yes_no": FLAG,
    "acknowledgement": FLAG,
    "integer": (lambda _, v: type(v) is int, "must be a whole number, without quotes"),
    "decimal": (_amount, 'must be a number in quotes, like "12.50"'),
    "money": (_amount, 'must be an amount in quotes, like "12.50"'),
    "currency": (lambda _, v: v in CURRENCIES, 'must be an ISO 4217 code, like "GBP"'),
    "date": (_date, 'must be a date in quotes, like "2026-11-20"'),
    "time": (_time, 'must be a time in quotes, like "14:30"'),
    "period": (_period, 'must be two dates in quotes, like "2026-11-01/2026-11-30"'),
    "choice": (lambda f, v: f.choice(v) is not None, "must be one of its choices"),
    "choices": (_chosen, "must be one or several of its choices"),
}
