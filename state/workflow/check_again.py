"""What "same as last time" may take: things that hold another time as well, and nothing that a person has to say anew."""

from collections.abc import Iterator

from state.fields import kind_of
from state.form import Field
from state.workflow.form_case import Finding, FormCase

PICKED = ("review", "confirmed")
"""Locks that wait for the review, or for a pick from results."""


def lasting(case: FormCase) -> Iterator[Finding]:
    """No declaration, amount, day or reason is taken from an earlier record."""
    for name in case.form.again:
        field = case.form.fields.get(name)
        if field is None:
            yield ("again",), f'There is no field "{name}". Correct the name.'
        elif why := _must_be_told(field):
            yield ("again",), f"`{name}` {why}, so it has to be told anew each time. Leave it out."


def _must_be_told(field: Field) -> str:
    kind = kind_of(field)
    if field.worse is not None or kind.declaration or kind.polar or field.disclosure:
        return "is a declaration"
    if field.grade:
        return "is a reason that is graded"
    if field.lock not in PICKED:
        return f'locks when it is {field.lock} (lock = "{field.lock}")'
    if field.repeat:
        return "is one of several that repeat"
    return "" if kind.lasting else f"is of the kind {field.kind}"


CHECKS = (lasting,)
