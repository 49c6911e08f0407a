"""Groups of fields that are asked several times: they exist, end, and open their next time by a field of their own."""

from collections.abc import Iterator

from state.fields import kind_of
from state.form.near import meant
from state.workflow.form_case import Finding, FormCase

MOST = 20


def groups(case: FormCase) -> Iterator[Finding]:
    """Every group has fields, a number of times that can be asked, and a yes/no of its own for more."""
    for name, repeat in case.form.repeats.items():
        keys = ("repeats", name)
        fields = {f.name: f for f in case.form.fields.values() if f.repeat == name}
        if not fields:
            yield keys, f'No field belongs to the group. Write `repeat = "{name}"` in those that do, or take it out.'
        if not 1 <= repeat.most <= MOST:
            yield (*keys, "most"), f"`most` must be from 1 to {MOST}."
        if not 0 <= repeat.needed <= repeat.most:
            yield (*keys, "needed"), "`needed` must be from 0 to `most`."
        if repeat.more and (repeat.more not in fields or not kind_of(fields[repeat.more]).polar):
            yield (
                (*keys, "more"),
                f'"{repeat.more}" is no yes/no field of the group. Name the one that asks for more.{meant(repeat.more, fields)}',
            )


def members(case: FormCase) -> Iterator[Finding]:
    """A field belongs to a group that exists; an operation's field to none."""
    for group in case.groups:
        for keys, field in group:
            if field.repeat and group.keys != ("fields",):
                yield (*keys, "repeat"), "An operation's field is not repeated. Take `repeat` out."
            elif (
                field.repeat and field.repeat not in case.form.repeats and ("repeats", field.repeat) not in case.broken
            ):
                told = f'"{field.repeat}" is no group. Correct the name, or add [repeats.{field.repeat}].'
                yield (*keys, "repeat"), told + meant(field.repeat, case.form.repeats)


CHECKS = (groups, members)
