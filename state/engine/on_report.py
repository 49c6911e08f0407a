"""What was approved was done, or was not: the owner's report (ReportMade), what is wrong with it, and what follows.

A report is judged and always kept: what should not have been done is recorded as a breach, never refused.
"""

from collections.abc import Callable, Mapping
from typing import Any, Literal

from state.draft.changes import Reported, ReportRead
from state.draft.decisions import Report
from state.draft.draft import Draft, Status
from state.draft.reporting import (
    approved_figures,
    read_entries,
    report_form,
    shown_figures,
    table_of,
)
from state.engine.approval import wrong_with
from state.engine.cards import Confirm, DecisionCard, Moved, Notice, Phrase, ReportCard
from state.engine.cases import open_breach, sentence_of
from state.engine.context import TurnContext
from state.engine.effects import Repaint, Whisper
from state.engine.events import Clicked, MessageReceived, ReportMade
from state.engine.haste import too_soon
from state.engine.on_note import await_note, hold_against_again
from state.engine.presentation import Alone
from state.engine.route import NOBODY, acts_now, how_it_stands, move_record, paint_receipt, state_of
from state.form import Form
from state.form.field import Data
from state.understanding.doing import told_of

UNUSED: Literal["unused"] = "unused"


def report_mark(draft: Draft) -> str:
    """What was reported so far: a box that was opened before counts no more."""
    return str(len(draft.reports))


def may_report(form: Form, draft: Draft) -> bool:
    """Whether the owner may report now, or put right what they reported."""
    filed = draft.record and draft.status in (Status.SUBMITTED, Status.ESCALATED)
    if form.filing.report is None or not filed:
        return False
    return not draft.settled if draft.reports else bool(form.filing.states.get(draft.state, NOBODY).report)


def awaits_report(form: Form, draft: Draft) -> bool:
    """Return True while something was approved, and nobody has said what was done with it."""
    return may_report(form, draft) and not draft.reports and bool(draft.held_until)


# The owner's box, or the click on what was read of their words


def on_report(turn: TurnContext, event: ReportMade) -> None:
    """A report that every guard lets through is kept, with whatever is wrong with it; any other is refused in private."""
    why = next((said for guard in GUARDS if (said := guard(turn, event)) is not None), None)
    if why is not None:
        turn.do(Whisper(event.who, why))
        return
    _record(turn, event)


def report_by_its_owner(turn: TurnContext, event: ReportMade) -> Phrase | None:
    """Nobody reports what another person did."""
    return Phrase("not_yours") if event.who != turn.draft.owner else None


def report_still_open(turn: TurnContext, _event: ReportMade) -> Phrase | None:
    """The record is one that may be reported on, and no note bears out yet what was reported."""
    if may_report(turn.form, turn.draft):
        return None
    key = "report_settled" if turn.draft.settled else "report_over"
    return Phrase(key, {"state_name": turn.draft.state or "received"})


def report_as_opened(turn: TurnContext, event: ReportMade) -> Phrase | None:
    """Nothing was reported since the box was opened, or the card shown."""
    pending = turn.draft.reporting
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
        return (turn.draft.reporting.figures if turn.draft.reporting else {}), []
    found, wrong = read_entries(turn.form, event.entries, turn.context)
    return found, [Phrase(w.key, {n: str(v) for n, v in w.args_.items()}) for w in wrong.values()]


def _record(turn: TurnContext, event: ReportMade) -> None:
    before, here = turn.draft, turn.form.filing.states.get(turn.draft.state, NOBODY)
    figures, _ = _figures(turn, event)
    first = before.reports[0] if before.reports else None
    after, until = (first.after, first.until) if first else (before.state, before.valid_until or before.held_until)
    words = before.reporting.words if before.reporting and not event.entries else ""
    limits = _limits(turn, event.facts)
    turn.change(Reported(Report(event.at, event.who, figures, words, event.card, after, until, *limits)))
    if first is None:
        move_record(turn, here.report, "report")
    if first is None and before.docket.card:
        turn.do(Repaint(before.docket.card, DecisionCard(before.state)))
    found = (open_breach(turn, *one) for one in wrong_with(turn, turn.draft.reports[-1], event.facts))
    opened = [breach for breach in found if breach is not None]
    if before.reporting is not None:
        turn.turn_into(before.reporting.card, ReportCard(recorded=True))
    told = Phrase("report_corrected" if first else "report_taken", {"what": _told(turn, figures)})
    lines = (told, *(sentence_of(b) for b in opened), *((Phrase("breach_told"),) if opened else ()))
    lines = (*lines, *await_note(turn), *hold_against_again(turn, event.facts))
    turn.present(Alone(lines, acts_now(turn)))
    paint_receipt(turn)


def _limits(turn: TurnContext, facts: Mapping[str, Any]) -> tuple[int, int]:
    """A note's days, which rules.py may have to say, and its tolerance."""
    note = turn.form.filing.note
    if note is None:
        return 0, 0
    return note.days if isinstance(note.days, int) else turn.rules.limits(note.days, facts), note.tolerance


def _told(turn: TurnContext, figures: Mapping[str, Data]) -> str:
    return " · ".join(text for _, text in shown_figures(turn.form, figures, turn.context))


# In words


def acts_after(turn: TurnContext) -> tuple[Literal["report", "unused", "correct"], ...]:
    """Return the buttons beside an answer to words about a filed record: whatever they tell of it, a press says it."""
    late: tuple[Literal["report"], ...] = ("report",) if may_report(turn.form, turn.draft) else ()
    return acts_now(turn) or (() if turn.draft.reports else late)


def hear_doing(turn: TurnContext, text: str) -> bool:
    """A whole utterance that says that it was done, or was not, is put to the person for a click. False for any other words."""
    told = told_of(text, turn.context.language) if may_report(turn.form, turn.draft) else None
    if told is None or (told == "unused" and turn.draft.reports):
        return False
    if told == "unused":
        return ask_unused(turn)
    if turn.draft.reports:
        turn.present(Alone((Phrase("report_again"),), ("correct",)))
        return True
    _put_approved(turn, text)
    others = turn.event.others if isinstance(turn.event, MessageReceived) else ()
    if others:
        turn.present(Alone((Phrase("report_others", {"others": ", ".join(others)}),)))
    return True


def _put_approved(turn: TurnContext, text: str) -> None:
    """What was approved stands on a card, as done today."""
    if turn.draft.reporting is not None:
        turn.turn_into(turn.draft.reporting.card, Moved("changed"))
    figures = {**approved_figures(turn.form, turn.draft), table_of(turn.form).day: turn.context.today}
    card = turn.show(ReportCard())
    turn.change(ReportRead(Report(turn.event.at, turn.event.who, figures, text, card)))


def hear_note_first(turn: TurnContext) -> bool:
    """A file that would bear out a report which nobody made yet: that comes first. False where none is waited for."""
    if turn.form.filing.note is None or turn.draft.reports or not acts_now(turn):
        return False
    turn.present(Alone((Phrase("note_first", {"number": turn.draft.record}),), acts_now(turn)))
    return True


# Buttons


def on_report_asked(turn: TurnContext, _event: Clicked) -> None:
    """The button for a report of a record that takes none any more: the person reads how it stands."""
    turn.present(Alone((Phrase("report_over", {"state_name": turn.draft.state or "received"}),)))


def ask_unused(turn: TurnContext) -> bool:
    """Ask once; the click does it. False where nothing was approved."""
    if not state_of(turn).unused:
        return False
    turn.show(Confirm(UNUSED))
    return True


def on_unused(turn: TurnContext, event: Clicked) -> None:
    """A button asks for it."""
    if not ask_unused(turn):
        on_report_asked(turn, event)


def on_unused_confirmed(turn: TurnContext, event: Clicked) -> None:
    """The click that gives the approval up, where it was not reported as done meanwhile, or ended."""
    here = state_of(turn)
    if not here.unused:
        on_report_asked(turn, event)
        return
    move_record(turn, here.unused, UNUSED)
    waiting = turn.draft.reporting
    if waiting is not None:
        turn.change(ReportRead(None))
        turn.turn_into(waiting.card, Moved("changed"))
    turn.turn_into(event.card, Notice((Phrase("unused_taken"), *how_it_stands(turn)), ("begin",)))
    paint_receipt(turn)


REPORTING: Mapping[str, Callable[[TurnContext, Clicked], None]] = {
    "report": on_report_asked,
    "unused": on_unused,
    "unused_confirmed": on_unused_confirmed,
}
