"""What was approved was done, or was not: the owner's report (ReportMade), what is wrong with it, and the note that has to say the same.

A report is judged and always kept: what should not have been done is recorded as a breach, never refused.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal
from typing import Any, Literal

from state.draft.changes import DocumentKept, LinesRead
from state.draft.display import currency_field
from state.draft.documents import UNOPENED, UNREAD, Document
from state.draft.draft import Draft, Status, with_record
from state.draft.record import EXTEND, KEEP, Figure, Note, Report
from state.draft.record_changes import NoteSet, Reported, ReportRead
from state.draft.reporting import approved_figures, read_entries, report_form, shown_figures, table_of
from state.draft.utterance import Phrase, Utterance
from state.draft.working_days import day_of, instant_of
from state.engine.acts import hear_worse
from state.engine.cards import CaseCard, Confirm, DecisionCard, Moved, Notice, ReportCard
from state.engine.context import Alone, TurnContext
from state.engine.effects import Discard, Fetch, Forward, Remind, Repaint, Whisper
from state.engine.events import Clicked, DocumentsReceived, MessageReceived, ReportMade, TimerFired, too_soon
from state.engine.route import (
    NOBODY,
    acts_now,
    announce,
    case_card,
    how_it_stands,
    move_record,
    open_breach,
    paint_receipt,
    sentence_of,
    state_of,
)
from state.fields import kind_of
from state.form import Field, Form
from state.form.field import Data
from state.rules import FormFault
from state.understanding.doing import told_of
from state.understanding.note_text import NoteReading, read_note

MORNING = 8
"""The hour, by the person's own clock, at which they are reminded."""
YEAR = 366
Facts = Mapping[str, Any]
Wrong = tuple[str, Mapping[str, str], str]
"""The kind of breach, what its sentence names, or a rule's own sentence."""
UNUSED: Literal["unused"] = "unused"


def report_mark(draft: Draft) -> str:
    """Return a mark of what was reported so far: a box that was opened before another report counts no more."""
    return str(len(draft.filed.reports))


def may_report(form: Form, draft: Draft) -> bool:
    """Return True if the owner may report now, or correct what they reported."""
    filed = draft.filed.number and draft.status in (Status.SUBMITTED, Status.ESCALATED)
    if form.filing.report is None or not filed:
        return False
    return (
        not draft.filed.settled
        if draft.filed.reports
        else bool(form.filing.states.get(draft.filed.state, NOBODY).report)
    )


def awaits_report(form: Form, draft: Draft) -> bool:
    """Return True while something was approved, and nobody has said what was done with it."""
    return may_report(form, draft) and not draft.filed.reports and bool(draft.filed.held_until)


# The owner's box, or the click on what was read of their words


def on_report(turn: TurnContext, event: ReportMade) -> None:
    """Keep a report that every guard lets through, with whatever is wrong with it; refuse any other in private."""
    why = next((said for guard in GUARDS if (said := guard(turn, event)) is not None), None)
    if why is not None:
        turn.do(Whisper(event.who, why))
    else:
        _record(turn, event)


def report_by_its_owner(turn: TurnContext, event: ReportMade) -> Phrase | None:
    """Nobody reports what another person did."""
    return Phrase("not_yours") if event.who != turn.draft.owner else None


def report_still_open(turn: TurnContext, _event: ReportMade) -> Phrase | None:
    """The record is one that may be reported on, and no note has confirmed the report yet."""
    if may_report(turn.form, turn.draft):
        return None
    key = "report_settled" if turn.draft.filed.settled else "report_over"
    return Phrase(key, {"state_name": turn.draft.filed.state or "received"})


def report_as_opened(turn: TurnContext, event: ReportMade) -> Phrase | None:
    """Nothing was reported since the box was opened, or the card shown."""
    pending = turn.draft.filed.reporting
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
        return (turn.draft.filed.reporting.figures if turn.draft.filed.reporting else {}), []
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
    found = (open_breach(turn, *one) for one in wrong_with(turn, turn.draft.filed.reports[-1], event.facts))
    opened = [breach for breach in found if breach is not None]
    if before.filed.reporting is not None:
        turn.turn_into(before.filed.reporting.card, ReportCard(recorded=True))
    what = " · ".join(text for _, text in shown_figures(turn.form, figures, turn.context))
    said = Phrase("report_corrected" if first else "report_taken", {"what": what})
    lines = (said, *(sentence_of(b) for b in opened), *((Phrase("breach_told"),) if opened else ()))
    turn.present(Alone((*lines, *await_note(turn), *hold_against_again(turn, event.facts)), acts_now(turn)))
    paint_receipt(turn)


# In words


def acts_after(turn: TurnContext) -> tuple[Literal["report", "unused", "correct"], ...]:
    """Return the buttons beside an answer to words about a filed record."""
    late: tuple[Literal["report"], ...] = ("report",) if may_report(turn.form, turn.draft) else ()
    return acts_now(turn) or (() if turn.draft.filed.reports else late)


def hear_doing(turn: TurnContext, text: str) -> bool:
    """Put a whole utterance that says that it was done, or was not, to the person for a click. Return False for any other words."""
    told = told_of(text, turn.context.language) if may_report(turn.form, turn.draft) else None
    if told is None or (told == "unused" and turn.draft.filed.reports):
        return False
    if told == "unused":
        return ask_unused(turn)
    if turn.draft.filed.reports:
        turn.present(Alone((Phrase("report_again"),), ("correct",)))
        return True
    if turn.draft.filed.reporting is not None:
        turn.turn_into(turn.draft.filed.reporting.card, Moved("changed"))
    # What was approved, as done today.
    figures = {**approved_figures(turn.form, turn.draft), table_of(turn.form).day: turn.context.today}
    turn.change(ReportRead(Report(turn.event.at, turn.event.who, figures, text, turn.show(ReportCard()))))
    others = turn.event.others if isinstance(turn.event, MessageReceived) else ()
    if others:
        turn.present(Alone((Phrase("report_others", {"others": ", ".join(others)}),)))
    return True


def hear_note_first(turn: TurnContext) -> bool:
    """Ask for the report before a file that would confirm it. Return False where no report is waited for."""
    if turn.form.filing.note is None or turn.draft.filed.reports or not acts_now(turn):
        return False
    turn.present(Alone((Phrase("note_first", {"number": turn.draft.filed.number}),), acts_now(turn)))
    return True


# Buttons


def on_report_asked(turn: TurnContext, _event: Clicked) -> None:
    """Answer the report button of a record that takes no report any more with its state."""
    turn.present(Alone((Phrase("report_over", {"state_name": turn.draft.filed.state or "received"}),)))


def ask_unused(turn: TurnContext) -> bool:
    """Ask for a click. Return False where nothing was approved."""
    if not state_of(turn).unused:
        return False
    turn.show(Confirm(UNUSED))
    return True


def on_unused(turn: TurnContext, event: Clicked) -> None:
    """Ask for the click that gives the approval up."""
    if not ask_unused(turn):
        on_report_asked(turn, event)


def on_unused_confirmed(turn: TurnContext, event: Clicked) -> None:
    """Give the approval up, where it was not reported as done meanwhile, or ended."""
    here = state_of(turn)
    if not here.unused:
        on_report_asked(turn, event)
        return
    move_record(turn, here.unused, UNUSED)
    waiting = turn.draft.filed.reporting
    if waiting is not None:
        turn.change(ReportRead(None))
        turn.turn_into(waiting.card, Moved("changed"))
    turn.turn_into(event.card, Notice((Phrase("unused_taken"), *how_it_stands(turn)), ("begin",)))
    paint_receipt(turn)


# What is wrong with it


def wrong_with(turn: TurnContext, report: Report, facts: Facts) -> Iterator[Wrong]:
    """Return each thing that is not as it was approved: of the report, or of what a note says in its place."""
    draft = with_record(turn.draft, reports=(*turn.draft.filed.reports[:-1], report))
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


# The note: the file that has to say what was reported; what is in doubt, a person judges


def takes_note(form: Form, draft: Draft) -> bool:
    """Return True if a file that is sent now is the note of what was reported."""
    filed = draft.status in (Status.SUBMITTED, Status.ESCALATED)
    return form.filing.note is not None and filed and bool(draft.filed.reports) and not draft.filed.settled


def fetch_note(turn: TurnContext, event: MessageReceived) -> None:
    """Have the file fetched, and kept as long as the record has to be; ask which request is meant where it may be another.

    Words beside it say what it is; a worse answer among them counts.
    """
    if event.text.strip():
        hear_worse(turn, event.text, event.message)
        turn.change(LinesRead("newest"))
    if event.others:
        told = {"number": turn.draft.filed.number, "others": ", ".join(event.others)}
        turn.present(Alone((Phrase("note_which", told),)))
        return
    keep = turn.form.retain.years * YEAR if turn.form.retain else turn.form.retention_days
    turn.do(Fetch(event.files, turn.draft.turn, keep, "", event.message, event.text))


def on_note(turn: TurnContext, event: DocumentsReceived) -> None:
    """Judge each file; once one of them says what was reported, no further one is needed."""
    lines = tuple(line for document in event.documents for line in _taken(turn, document, event.facts))
    turn.present(Alone(lines, acts_now(turn)))
    paint_receipt(turn)


def _taken(turn: TurnContext, document: Document, facts: Facts) -> Iterator[Utterance]:
    """Keep a file that can be opened as a note, while none has confirmed the report yet."""
    if document.problem not in UNREAD | UNOPENED:
        yield Phrase(f"file_{document.problem}", {"file": document.name})
    elif turn.draft.filed.settled:
        turn.do(Discard((document.id,)))
        yield Phrase("file_not_needed", {"file": document.name})
    else:
        turn.change(DocumentKept(document))
        note = Note(f"note-{len(turn.draft.filed.notes) + 1}", document.id, document.name, turn.event.at, "unread")
        yield from _hold(turn, note, facts)


def _hold(turn: TurnContext, note: Note, facts: Facts) -> Iterator[Utterance]:
    """Compare a note with the report and the approval: it says the same, it says something else, or a person has to look."""
    reading = _read(turn, turn.draft.documents[note.document])
    figures = tuple(_noted(turn, reading))
    wanted = turn.form.filing.note.figures if turn.form.filing.note else ()
    held = replace(note, report=len(turn.draft.filed.reports), figures=figures, doubts=tuple(sorted(reading.doubts)))
    if reading.doubts or not wanted or not {f.name for f in figures} >= set(wanted):
        yield from _put_before_a_person(turn, replace(held, came="unread"))
        return
    differ: list[Wrong] = [("note_differs", _difference(turn, note, f), "") for f in figures if not f.same]
    wrong = differ or list(_not_approved(turn, reading, facts))
    turn.change(NoteSet(replace(held, came="differs" if wrong else "matched")))
    if not wrong:
        yield Phrase("note_matched", {"file": note.name})
        return
    turn.do(Forward(note.document, note.name, turn.draft.filed.pending.channel))
    opened = (open_breach(turn, *one) for one in wrong)
    yield from (sentence_of(breach) for breach in opened if breach)
    yield Phrase("note_differs" if differ else "breach_told", {"file": note.name})


def _difference(turn: TurnContext, note: Note, figure: Figure) -> Mapping[str, str]:
    label = (report_form(turn.form).fields.get(figure.name) or turn.form.fields[figure.name]).label
    return {"label": label, "file": note.name, "now": figure.noted, "was": figure.reported}


def _not_approved(turn: TurnContext, reading: NoteReading, facts: Facts) -> Iterator[Wrong]:
    """Yield what is wrong with the trade as the note has it, and was not with the report."""
    report = turn.draft.filed.reports[-1]
    noted = {name: data for name, (data, _) in reading.figures.items() if name in report.figures}
    known = list(wrong_with(turn, report, facts))
    found = list(wrong_with(turn, replace(report, figures={**report.figures, **noted}), facts))
    if len(found) > len(known):
        yield from (one for one in found if one not in known)


def _put_before_a_person(turn: TurnContext, note: Note) -> Iterator[Utterance]:
    case = replace(note, card=note.card or case_card(turn))
    turn.change(NoteSet(case))
    if note.card:
        turn.do(Repaint(note.card, CaseCard(note.id)))
    else:
        announce(turn, case)
        turn.do(Forward(note.document, note.name, turn.draft.filed.pending.channel))
    yield Phrase("note_unread", {"file": note.name})


def hold_against_again(turn: TurnContext, facts: Facts) -> tuple[Utterance, ...]:
    """Compare a corrected report with the note that came before it."""
    notes = [n for n in turn.draft.filed.notes if n.came in ("differs", "unread") and not n.by]
    return tuple(_hold(turn, notes[-1], facts)) if notes and not turn.draft.filed.settled else ()


# Its figures


def _read(turn: TurnContext, document: Document) -> NoteReading:
    """Return what the note says, and why it may say something else: a condition of the approval is for a person to check as well."""
    conditions = any(d.conditions and not d.void for d in turn.draft.filed.decisions)
    doubts = frozenset({*document.doubts, *(("conditions",) if conditions else ())})
    if document.problem:
        return NoteReading(doubts=doubts)
    try:
        own = turn.rules.note(document.text, turn.draft) if turn.rules.note else {}
    except FormFault as fault:
        turn.note_fault(fault)
        return NoteReading(doubts=doubts | {"rules"})
    found = read_note(turn.form, turn.draft, document.text, own, turn.context)
    return replace(found, doubts=found.doubts | doubts)


def _noted(turn: TurnContext, reading: NoteReading) -> Iterator[Figure]:
    """Yield every figure of the note beside the report's, or beside what was approved."""
    note, report, mini = turn.form.filing.note, turn.draft.filed.reports[-1], report_form(turn.form)
    answers = {name: value.data for name, value in turn.draft.values.items()}
    noted = {name: data for name, (data, _) in reading.figures.items()}
    for name in note.figures if note else ():
        field = mini.fields.get(name) or turn.form.fields[name]
        reported = (report.figures if name in mini.fields else answers).get(name)
        if name in noted and reported is not None:
            same = figures_agree(field, noted[name], reported, report.tolerance)
            here = _with_currency(turn, field, noted[name], noted)
            there = _with_currency(turn, field, reported, report.figures)
            yield Figure(name, here, there, same, reading.figures[name][1])


def figures_agree(field: Field, noted: Data, reported: Data, tolerance: int) -> bool:
    """Return True if two figures are the same: an amount of money within so many percent of the reported one, anything else exactly."""
    if kind_of(field).money != "amount":
        return noted == reported
    one, two = Decimal(str(noted)), Decimal(str(reported))
    return abs(one - two) * 100 <= abs(two) * tolerance


def _with_currency(turn: TurnContext, field: Field, data: Data, figures: Mapping[str, Data]) -> str:
    """Return a figure as people read it, an amount with the currency beside it."""
    value, mini = turn.draft.values.get(field.name), report_form(turn.form)
    if value is not None and value.data == data and value.label:
        return value.label
    if kind_of(field).searchable:
        return str(data)
    beside = currency_field(mini, field) if field.name in mini.fields else None
    return f"{figures.get(beside.name, '') if beside else ''} {kind_of(field).displayed(field, data, turn.context)}".strip()


# In time


def await_note(turn: TurnContext) -> tuple[Utterance, ...]:
    """Set the timers for the note, and say until when it is wanted; nothing where none is, or one is there."""
    last, note, zone, mark = (
        _last_day(turn.form, turn.draft),
        turn.form.filing.note,
        turn.draft.zone,
        report_mark(turn.draft),
    )
    if last is None or note is None:
        return ()
    soon = instant_of(last - timedelta(days=note.remind), MORNING, zone)
    if soon > turn.event.at:
        turn.do(Remind("note_due", soon, turn.draft.filed.state, mark))
    turn.do(Remind("note_late", instant_of(last + timedelta(days=1), 0, zone), turn.draft.filed.state, mark))
    return (Phrase("note_wanted", {"filed_on": last.isoformat()}),)


def _last_day(form: Form, draft: Draft) -> date | None:
    """Return the last day on which the note is in time; None where none is wanted, or one came that no person refused."""
    if (
        form.filing.note is None
        or draft.filed.report is None
        or any(note.came != "refused" for note in draft.filed.notes)
    ):
        return None
    return date.fromisoformat(str(draft.filed.report.figures[table_of(form).day])) + timedelta(
        days=draft.filed.report.days
    )


def wanted_by(form: Form, draft: Draft) -> str:
    """Return the last day (ISO 8601) on which the note is in time; empty where none is wanted, or one is there."""
    last = _last_day(form, draft)
    return last.isoformat() if last else ""


def on_note_due(turn: TurnContext, _event: TimerFired) -> None:
    """Remind the owner that the time for the note is about to end."""
    if last := wanted_by(turn.form, turn.draft):
        turn.present(Alone((Phrase("note_due", {"number": turn.draft.filed.number, "filed_on": last}),)))


def on_note_late(turn: TurnContext, _event: TimerFired) -> None:
    """Open a breach: the note did not come in time."""
    last = wanted_by(turn.form, turn.draft)
    if not last or any(b.open and b.kind == "note_late" for b in turn.draft.filed.breaches):
        return
    breach = open_breach(turn, "note_late", {"filed_on": last})
    if breach is not None:
        number = Phrase("told_of", {"number": turn.draft.filed.number})
        turn.present(Alone((number, sentence_of(breach), Phrase("breach_told"), Phrase("note_still"))))
        paint_receipt(turn)


REPORTING: Mapping[str, Callable[[TurnContext, Clicked], None]] = {
    "report": on_report_asked,
    "unused": on_unused,
    "unused_confirmed": on_unused_confirmed,
}
