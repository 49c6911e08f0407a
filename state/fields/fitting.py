"""Whether a value that an author wrote is one that the field can have, in its canonical form."""

from state.fields import kind_of
from state.form.field import Field, Plain
from state.form.near import meant


def misfit(field: Field, value: Plain | tuple[str, ...]) -> str:
    """What the value should have been ("must be true or false."), and what to write; empty where it fits."""
    kind = kind_of(field)
    if kind.fits(field, value):
        return ""
    if field.choices:
        values = [c.value for c in field.choices]
        return f"must be one of its choices: {', '.join(values)}.{meant(value, values)}"
    return f"{kind.wanted}."
