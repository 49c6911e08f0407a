"""What follows an approval: the report, the note and the breaches name fields and states that exist, and somebody answers for them."""

from collections.abc import Iterator

from state.fields import element_of, kind_of
from state.form.execution import NoteTable, ReportTable
from state.form.filing import DECIDED
from state.form.locate import Path as Keys
from state.form.near import meant
from state.form.order import contradiction, falls
from state.workflow.form_case import Finding, FormCase

REPORT, NOTE = ("filing", "report"), ("filing", "note")
IN_A_BOX = frozenset({"input", "yes_or_no", "buttons", "tick", "date_picker"})
"""How a field is answered that can stand in the report's box."""


def ways(case: FormCase) -> Iterator[Finding]:
    """States lead to the report's and to no other that does not exist, and there is a report where one says so."""
    table = case.form.filing
    known = {*table.states, *DECIDED}
    for name, state in table.states.items():
        keys: Keys = ("filing", "states", name)
        for key in ("report", "unused"):
            to = getattr(state, key)
            if to and to not in known:
                yield (
                    (*keys, key),
                    f'"{to}" is no state. Correct the name, or add [filing.states.{to}].{meant(to, known)}',
                )
        if state.report and table.report is None:
            yield (*keys, "report"), "Nothing says what is to be reported. Add [filing.report], or take `report` out."
        if not state.valid and not state.report:
            yield (*keys, "valid"), "`valid` is about a report from this state. Add `report`, or take it out."
    if table.report and not any(state.report for state in table.states.values()):
        yield REPORT, "No state leads to a report. Write `report` into the one that somebody's approval leads to."


def answered_for(case: FormCase) -> Iterator[Finding]:
    """Whatever may be wrong is looked at by somebody; a note bears out a report."""
    table = case.form.filing
    if table.report and table.breaches is None:
        yield (
            REPORT,
            'Nobody looks at what is wrong with a report. Add [filing.breaches] with `by = "…"`, the role that does.',
        )
    if table.report is None and (table.note or table.breaches):
        keys = NOTE if table.note else ("filing", "breaches")
        yield keys, "This is about what was reported. Add [filing.report], or take it out."


def fields(case: FormCase) -> Iterator[Finding]:
    """The report's own keys name its fields, and those are answered in a box."""
    table = case.form.filing.report
    if table is None:
        return
    for name, field in table.fields.items():
        if element_of(field) not in IN_A_BOX or kind_of(field).by_file:
            yield (
                (*REPORT, "fields", name, "kind"),
                f"A field of kind {field.kind} is not answered in a box. Take another kind.",
            )
    for key, names in (
        ("day", (table.day,)),
        ("approved", tuple(table.approved)),
        ("most", table.most),
        ("same", table.same),
        ("count", (table.count,) if table.count else ()),
    ):
        yield from (
            ((*REPORT, key), f'"{n}" is no field of the report. Correct the name.{meant(n, table.fields)}')
            for n in names
            if n not in table.fields
        )
    yield from _as_approved(case, table)


def _as_approved(case: FormCase, table: ReportTable) -> Iterator[Finding]:
    day = table.fields.get(table.day)
    if day is not None and not kind_of(day).on_day:
        yield (*REPORT, "day"), f"`{table.day}` is of kind {day.kind}. Name the day on which it was done."
    for name, answer in table.approved.items():
        mine, theirs = table.fields.get(name), case.form.fields.get(answer)
        if theirs is None:
            told = f'"{answer}" is no field of this form. Correct the name.{meant(answer, case.form.fields)}'
            yield (*REPORT, "approved", name), told
        elif mine is not None and mine.kind != theirs.kind:
            yield (
                (*REPORT, "approved", name),
                f"`{name}` is of kind {mine.kind}, and `{answer}` of kind {theirs.kind}. Let them be of one kind.",
            )
    for key in ("most", "same"):
        for name in getattr(table, key):
            if name in table.fields and name not in table.approved:
                yield (
                    (*REPORT, key),
                    f"Nothing says what was approved of `{name}`. Name its answer in `approved`.",
                )
            elif key == "most" and name in table.fields and kind_of(table.fields[name]).measure is None:
                yield (*REPORT, key), f"`{name}` is of kind {table.fields[name].kind}: none is above another."


def figures(case: FormCase) -> Iterator[Finding]:
    """A note's figures are fields of the report or of the form."""
    table, note = case.form.filing.report, case.form.filing.note
    known = (*(table.fields if table else ()), *case.form.fields)
    for name in note.figures if note else ():
        if name not in known:
            yield (
                (*NOTE, "figures"),
                f'"{name}" is no field of the report or of the form. Correct it.{meant(name, known)}',
            )


def reminded(case: FormCase) -> Iterator[Finding]:
    """A note is not reminded of before there is anything to remind of."""
    note = case.form.filing.note
    for low, high in falls(("remind", "days"), vars(note) if note else {}):
        yield (*NOTE, low), contradiction(low, high, 0)


CHECKS = (ways, answered_for, fields, figures, reminded)


def named_limits(note: NoteTable | None) -> Iterator[tuple[str, str]]:
    """The numbers of a note that rules.py has to give, each with its key."""
    if note is not None and isinstance(note.days, str):
        yield "days", note.days
