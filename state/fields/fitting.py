"""Whether a value that an author wrote is one that the field can have, in its canonical form."""

from state.fields import kind_of
from state.form.field import Field, Plain


def misfit(field: Field, value: Plain | tuple[str, ...]) -> str:
    """What the value should have been ("must be true or false"); empty where it fits."""
    kind = kind_of(field)
    if kind.fits(field, value):
        return ""
    return f"must be one of its choices: {', '.join(c.value for c in field.choices)}" if field.choices else kind.wanted
