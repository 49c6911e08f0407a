"""A register of gifts that is filed by data alone, and drafts of it to judge."""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from state.draft.draft import Draft, Provenance, Value
from state.form import Form
from state.record.filing import filed
from state.rules import Filing, Rules
from tests.forms.form_cases import form_of

SAID = Provenance("U0ALEX", "2026-11-20T12:00:00+00:00", "typed")
GIFTS = """
title = "Gifts"
version = "1"
prefix = "GIFT"

[fields.value]
kind = "money"
label = "Value"
ask = "What is it worth?"

[fields.currency]
kind = "currency"
label = "Currency"
ask = "Which currency is that in?"

[fields.country]
kind = "choice"
label = "Country"
ask = "In which country?"
choices = ["GB", "IR", "KP"]

[fields.official]
kind = "yes_no"
label = "Public official"
ask = "Is the giver a public official?"

[fields.guests]
kind = "integer"
label = "Guests"
ask = "How many are invited?"

[fields.day]
kind = "date"
label = "Day"
ask = "When is it?"

[fields.note]
kind = "text"
label = "Note"
ask = "What is it?"
"""
PLAIN: dict[str, Any] = {
    "value": "20.00", "currency": "GBP", "country": "GB", "official": False, "guests": 1, "day": "2026-11-20", "note": "wine",
}  # fmt: skip


def gifts(folder: Path, filing: str) -> Form:
    """The form with these tables of filing."""
    return form_of(folder / "gifts", GIFTS + filing)


def filing_of(
    form: Form, rules: Rules | None = None, facts: Mapping[str, Any] = MappingProxyType({}), **changed: Any
) -> Filing:
    """What a plain gift becomes, with some answers changed; None takes one out."""
    values = {name: data for name, data in {**PLAIN, **changed}.items() if data is not None}
    draft = Draft("d", "gifts", "T1", "U0ALEX", "c", values={name: Value(data, SAID) for name, data in values.items()})
    return filed(form, rules or Rules(), draft, facts)
