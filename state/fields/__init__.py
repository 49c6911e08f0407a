"""The kinds of fields: one file each, one table. Everything that is particular to a kind of answer is found through `kind_of`."""

from collections.abc import Mapping

from state.fields import (
    acknowledgement,
    choice,
    choices,
    currency,
    date,
    decimal,
    document,
    email,
    identifier,
    integer,
    lookup,
    money,
    period,
    phone,
    text,
    time,
    yes_no,
)
from state.fields.base import Kind
from state.form import Field

KINDS: Mapping[str, Kind] = {
    "text": text.KIND,
    "yes_no": yes_no.KIND,
    "acknowledgement": acknowledgement.KIND,
    "integer": integer.KIND,
    "decimal": decimal.KIND,
    "money": money.KIND,
    "currency": currency.KIND,
    "date": date.KIND,
    "time": time.KIND,
    "period": period.KIND,
    "choice": choice.KIND,
    "choices": choices.KIND,
    "identifier": identifier.KIND,
    "email": email.KIND,
    "phone": phone.KIND,
    "lookup": lookup.KIND,
    "document": document.KIND,
    "documents": document.KIND,
}


def kind_of(field: Field) -> Kind:
    """What the field's kind can do."""
    return KINDS[field.kind]
