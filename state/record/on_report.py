"""The owner reported what they did (ReportMade).

A report is judged and always kept: what should not have been done is recorded as a breach, never refused.
"""

from collections.abc import Callable, Mapping

from state.draft.record import Report
from state.draft.record_changes import Reported
from state.draft.reporting import read_entries, report_form, shown_figures
from state.draft.route import NOBODY, acts_now, may_report, report_mark, sentence_of
from state.draft.utterance import Phrase
from state.engine.cards import DecisionCard, ReportCard
from state.engine.context import Alone, TurnContext
from state.engine.effects import Ephemeral, Repaint
from state.engine.events import ReportMade, too_soon
from state.form.field import Data
from state.record.breaches import open_breach, wrong_with
from state.record.moving import move_record, paint_receipt
from state.record.on_note import await_note, hold_against_again


def on_report(turn: TurnContext, event: ReportMade) -> None:
    """Keep a report that every guard lets through, with whatever is wrong with it; refuse any other in private."""
    why = next((said for guard in GUARDS if (said := guard(turn, event)) is not None), None)
    if why is not None:
        turn.do(Ephemeral(event.who, why))
    else:
        _record(turn, event)


def report_by_its_owner(turn: TurnContext, event: ReportMade) -> Phrase | None:
    """Nobody reports what another person did."""
    return Phrase("not_yours") if event.who != turn.draft.owner else None


def report_still_open(turn: TurnContext, _event: ReportMade) -> Phrase | None:
    """The record is one that may be reported on, and no note has confirmed the report yet."""
    if may_report(turn.form, turn.draft):
        return None
    key = "report_settled" if turn.filed.settled else "report_over"
    return Phrase(key, {"state_name": turn.filed.state or "received"})


def report_as_opened(turn: TurnContext, event: ReportMade) -> Phrase | None:
    """Nothing was reported since the box was opened, or the card shown."""
    pending = turn.filed.reporting
    shown = bool(event.entries) or (pending is not None and pending.card == event.card)
    return None if shown and event.mark == report_mark(turn.draft) else Phrase("report_again")


def report_readable(turn: TurnContext, event: ReportMade) -> Phrase | None:
    """Every field has an answer that its kind takes, and the day is no day to come."""
    figures, wrong = _figures(turn, event)
    if wrong:
        return wrong[0]
    lacks = next((f for f in report_form(turn.form).fields.values() if f.name not in figures and f.required), None)
    return Phrase("report_lacks", {"label": lacks.label}) if lacks else None


GUARDS: tuple[Callable[[TurnContext, ReportMade], Phrase | None], ...] = (
    report_by_its_owner, report_still_open, report_as_opened, report_readable, too_soon,
)  # fmt: skip


def _figures(turn: TurnContext, event: ReportMade) -> tuple[Mapping[str, Data], list[Phrase]]:
    if not event.entries:
        return (turn.filed.reporting.figures if turn.filed.reporting else {}), []
    found, wrong = read_entries(turn.form, event.entries, turn.context)
    return found, [Phrase(w.key, {n: str(v) for n, v in w.args_.items()}) for w in wrong.values()]


def _record(turn: TurnContext, event: ReportMade) -> None:
    before, note = turn.draft, turn.form.filing.note
    figures, _ = _figures(turn, event)
    first = before.filed.reports[0] if before.filed.reports else None
    after, until = (
        (first.after, first.until)
        if first
        else (before.filed.state, before.filed.valid_until or before.filed.held_until)
    )
    words = before.filed.reporting.words if before.filed.reporting and not event.entries else ""
    days, tolerance = (note.days, note.tolerance) if note else (0, 0)
    days = days if isinstance(days, int) else turn.rules.limits(days, event.facts)
    turn.change(Reported(Report(event.at, event.who, figures, words, event.card, after, until, days, tolerance)))
    if first is None:
        move_record(turn, turn.form.filing.states.get(before.filed.state, NOBODY).report, "report")
        if before.filed.pending.card:
            turn.do(Repaint(before.filed.pending.card, DecisionCard(before.filed.state)))
    found = (open_breach(turn, *one) for one in wrong_with(turn, turn.filed.reports[-1], event.facts))
    opened = [breach for breach in found if breach is not None]
    if before.filed.reporting is not None:
        turn.turn_into(before.filed.reporting.card, ReportCard(recorded=True))
    what = " · ".join(text for _, text in shown_figures(turn.form, figures, turn.context))
    said = Phrase("report_corrected" if first else "report_taken", {"what": what})
    lines = (said, *(sentence_of(b) for b in opened), *((Phrase("breach_told"),) if opened else ()))
    turn.present(
        Alone((*lines, *await_note(turn), *hold_against_again(turn, event.facts)), acts_now(turn.form, turn.draft))
    )
    paint_receipt(turn)
