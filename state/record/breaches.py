"""Breaches: deviations from the approval, each a case that reviewers have to close, as they judge a note."""

from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any

from state.draft.draft import with_record
from state.draft.record import EXTEND, KEEP, Breach, Note, Report
from state.draft.record_changes import BreachSet
from state.draft.reporting import approved_figures, table_of
from state.draft.working_days import day_of
from state.engine.context import TurnContext
from state.engine.effects import Announce
from state.fields import kind_of

Facts = Mapping[str, Any]

Wrong = tuple[str, Mapping[str, str], str]
"""The kind of breach, what its sentence names, or a rule's own sentence."""


def wrong_with(turn: TurnContext, report: Report, facts: Facts) -> Iterator[Wrong]:
    """Return each thing that is not as it was approved: of the report, or of what a note says in its place."""
    draft = with_record(turn.draft, reports=(*turn.filed.reports[:-1], report))
    yield from ((kind, said, "") for kind, said in (*breached_by_day(turn, report), *breached_by_figures(turn, report)))
    yield from (("rule", {}, sentence) for sentence in turn.rules.breaches(draft, facts))


def breached_by_day(turn: TurnContext, report: Report) -> Iterator[tuple[str, Mapping[str, str]]]:
    """Yield a day before the approval, after its end, or under none."""
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
        # Only when the approval had ended, or of one that was given up, or stopped, before its end.
        reported = day_of(draft.filed.reports[0].at, draft.zone)
        if reported > report.until:
            yield "reported_late", {"filed_on": reported, "until_on": report.until}
        else:
            yield "unapproved", {"state_name": report.after, "filed_on": day}


def _approved_on(turn: TurnContext, report: Report) -> str:
    """Return the person's day of the approval: of the last verdict that led to an approved state, else of the filing."""
    draft, states = turn.draft, turn.form.filing.states
    approved = {name for name, state in states.items() if state.report and state.valid}
    verdicts = (d for d in draft.filed.decisions if not d.void and d.verdict not in (EXTEND, KEEP))
    led = [d.at for d in verdicts if d.to in approved]
    at = led[-1] if led else draft.filed.filed_at
    return day_of(at, draft.zone) if at and (report.until or led) else ""


def breached_by_figures(turn: TurnContext, report: Report) -> Iterator[tuple[str, Mapping[str, str]]]:
    """Yield figures that are more than was approved, or other ones."""
    table, approved = table_of(turn.form), approved_figures(turn.form, turn.draft)
    for name, now in report.figures.items():
        if name not in approved:
            continue
        field, was = table.fields[name], approved[name]
        kind = kind_of(field)
        shown = {key: kind.displayed(field, data, turn.context) for key, data in (("now", now), ("was", was))}
        measure = kind.measure if name in table.most else None
        if measure is not None and Decimal(str(measure(now))) > Decimal(str(measure(was))):
            yield "more", {"label": field.label, **shown}
        elif name in table.same and now != was:
            yield "other", {"label": field.label, **shown}


CASES = 20
"""The number of the first case among an event's cards: no other card gets so far."""


def open_breach(turn: TurnContext, kind: str, said: Mapping[str, str], words: str = "", by: str = "") -> Breach | None:
    """Open a breach and post it for those who close it. Return None where the very same was opened before."""
    known = turn.filed.breaches
    if any((one.kind, one.said, one.words) == (kind, said, words) for one in known):
        return None
    breach = Breach(f"breach-{len(known) + 1}", kind, turn.event.at, said, words, by, case_card(turn))
    turn.change(BreachSet(breach))
    announce(turn, breach)
    return breach


def case_card(turn: TurnContext) -> str:
    """Return the id of the event's next case card."""
    return turn.card_id(CASES + len(turn.filed.breaches) + len(turn.filed.notes))


def announce(turn: TurnContext, case: Breach | Note) -> None:
    """Post a case for the reviewers, in the channel of the record."""
    to = turn.filed.pending.channel
    turn.do(
        Announce(
            "record",
            record=turn.filed.number,
            state=turn.filed.state,
            to=to,
            id=case.card,
            case=case.id,
        )
    )
