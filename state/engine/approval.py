"""What was done, held against what was approved: by its day, by its figures, and by the form's own rules."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from decimal import Decimal
from typing import Any

from state.draft.decisions import EXTEND, KEEP, Report
from state.draft.draft import Draft
from state.draft.reporting import approved_figures, table_of
from state.draft.working_days import day_of
from state.engine.context import TurnContext
from state.fields import kind_of
from state.form.field import Data
from state.form.filing import ReportTable

Wrong = tuple[str, Mapping[str, str], str]
"""The kind of breach, what its sentence names, or a rule's own sentence."""


def wrong_with(turn: TurnContext, report: Report, facts: Mapping[str, Any]) -> Iterator[Wrong]:
    """Return each thing that is not as it was approved: of the report, or of what a note says in its place."""
    as_told = replace(turn.draft, reports=(*turn.draft.reports[:-1], report))
    yield from ((kind, said, "") for kind, said in (*breached_by_day(turn, report), *breached_by_figures(turn, report)))
    yield from (("rule", {}, told) for told in turn.rules.breaches(as_told, facts))


def breached_by_day(turn: TurnContext, report: Report) -> Iterator[tuple[str, Mapping[str, str]]]:
    """A day before the approval, after its end, or under none."""
    draft = turn.draft
    day, since, until = str(report.figures[table_of(turn.form).day]), _approved_on(turn, report), report.until
    stood = turn.form.filing.states.get(report.after)
    if not until and stood is not None and not stood.valid:
        yield "unapproved", {"state_name": report.after, "filed_on": day}
    elif since and day < since:
        yield "day_before", {"filed_on": day, "since_on": since}
    elif until and day > until:
        yield "day_after", {"filed_on": day, "until_on": until}
    elif stood is not None and not stood.valid:
        yield _too_late(draft, report, day)


def _too_late(draft: Draft, report: Report, day: str) -> tuple[str, Mapping[str, str]]:
    """Told only when the approval had ended, or of one that was given up, or stopped, before its end."""
    told = day_of(draft.reports[0].at, draft.zone)
    if told > report.until:
        return "reported_late", {"filed_on": told, "until_on": report.until}
    return "unapproved", {"state_name": report.after, "filed_on": day}


def _approved_on(turn: TurnContext, report: Report) -> str:
    """The person's day on which it was approved: by the last verdict that led to the state, else by its filing."""
    draft = turn.draft
    verdicts = (d for d in draft.decisions if not d.void and d.verdict not in (EXTEND, KEEP))
    led = [d.at for d in verdicts if d.to and _counts(turn, d.to)]
    at = led[-1] if led else draft.filed_at
    return day_of(at, draft.zone) if at and (report.until or led) else ""


def _counts(turn: TurnContext, state: str) -> bool:
    """Whether something approved stands behind a record in this state."""
    known = turn.form.filing.states.get(state)
    return known is not None and bool(known.report) and known.valid


def breached_by_figures(turn: TurnContext, report: Report) -> Iterator[tuple[str, Mapping[str, str]]]:
    """More than was approved, or something else."""
    table = table_of(turn.form)
    approved = approved_figures(turn.form, turn.draft)
    for name, given in report.figures.items():
        if name not in approved:
            continue
        field = table.fields[name]
        shown = {
            key: kind_of(field).displayed(field, data, turn.context)
            for key, data in (("now", given), ("was", approved[name]))
        }
        said = {"label": field.label, **shown}
        if name in table.most and _above(table, name, given, approved[name]):
            yield "more", said
        elif name in table.same and given != approved[name]:
            yield "other", said


def _above(table: ReportTable, name: str, given: Data, approved: Data) -> bool:
    measure = kind_of(table.fields[name]).measure
    return measure is not None and Decimal(str(measure(given))) > Decimal(str(measure(approved)))
