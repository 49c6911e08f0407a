"""What was approved was done, or was not: the owner's report (ReportMade), what is wrong with it, and what follows.

A report is judged and always kept: what should not have been done is recorded as a breach, never refused.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal
from typing import Any, Literal

from state.draft.changes import DocumentKept, LinesRead, NoteSet, Reported, ReportRead
from state.draft.decisions import EXTEND, KEEP
from state.draft.display import currency_field
from state.draft.documents import UNOPENED, UNREAD, Document
from state.draft.draft import Data, Draft, Status
from state.draft.execution import Figure, Note, Report
from state.draft.reporting import approved_figures, read_entries, report_form, shown_figures, table_of
from state.draft.today import day_of, instant_of
from state.draft.utterance import Phrase, Utterance
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
from state.form.execution import ReportTable
from state.rules import FormFault
from state.understanding.doing import told_of
from state.understanding.note_text import NoteReading, read_note

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


MORNING = 8
"""The hour, by the person's own clock, at which they are reminded."""
YEAR = 366
Facts = Mapping[str, Any]


def takes_note(form: Form, draft: Draft) -> bool:
    """Whether a file that is sent now is the note of what was reported."""
    filed = draft.status in (Status.SUBMITTED, Status.ESCALATED)
    return form.filing.note is not None and filed and bool(draft.reports) and not draft.settled


def fetch_note(turn: TurnContext, event: MessageReceived) -> None:
    """Have the file fetched, and kept as long as the record has to be; where another request may be meant, ask which.

    Words beside it say what it is; a worse answer among them counts.
    """
    if event.text.strip():
        hear_worse(turn, event.text, event.message)
        turn.change(LinesRead("newest"))
    if event.others:
        told = {"number": turn.draft.record, "others": ", ".join(event.others)}
        turn.present(Alone((Phrase("note_which", told),)))
        return
    keep = turn.form.retain.years * YEAR if turn.form.retain else turn.form.retention_days
    turn.do(Fetch(event.files, turn.draft.turn, keep, "", event.message, event.text))


def on_note(turn: TurnContext, event: DocumentsReceived) -> None:
    """Each file is judged; once one of them says what was reported, no further one is needed."""
    told: list[Utterance] = []
    for document in event.documents:
        told += _taken(turn, document, event.facts)
    turn.present(Alone(tuple(told), acts_now(turn)))
    paint_receipt(turn)


def _taken(turn: TurnContext, document: Document, facts: Facts) -> Iterator[Utterance]:
    if document.problem not in UNREAD | UNOPENED:
        yield Phrase(f"file_{document.problem}", {"file": document.name})
    elif turn.draft.settled:
        turn.do(Discard((document.id,)))
        yield Phrase("file_not_needed", {"file": document.name})
    else:
        turn.change(DocumentKept(document))
        note = Note(f"note-{len(turn.draft.notes) + 1}", document.id, document.name, turn.event.at, "unread")
        yield from _hold(turn, note, facts)


def _hold(turn: TurnContext, note: Note, facts: Facts) -> Iterator[Utterance]:
    """Hold a note against the report and the approval: it says the same, it says something else, or a person has to look."""
    reading = _read(turn, turn.draft.documents[note.document])
    figures = tuple(_noted(turn, reading))
    wanted = turn.form.filing.note.figures if turn.form.filing.note else ()
    held = replace(note, report=len(turn.draft.reports), figures=figures, doubts=tuple(sorted(reading.doubts)))
    if reading.doubts or not wanted or not {f.name for f in figures} >= set(wanted):
        yield from _put_before_a_person(turn, replace(held, came="unread"))
        return
    differ = [f for f in figures if not f.same]
    other: list[Wrong] = [("note_differs", _difference(turn, note, figure), "") for figure in differ]
    wrong = other or list(_not_approved(turn, reading, facts))
    if not wrong:
        turn.change(NoteSet(replace(held, came="matched")))
        yield Phrase("note_matched", {"file": note.name})
        return
    turn.change(NoteSet(replace(held, came="differs")))
    turn.do(Forward(note.document, note.name, turn.draft.docket.channel))
    opened = (open_breach(turn, *one) for one in wrong)
    yield from (sentence_of(breach) for breach in opened if breach)
    yield Phrase("note_differs" if differ else "breach_told", {"file": note.name})


def _difference(turn: TurnContext, note: Note, figure: Figure) -> Mapping[str, str]:
    label = (report_form(turn.form).fields.get(figure.name) or turn.form.fields[figure.name]).label
    return {"label": label, "file": note.name, "now": figure.noted, "was": figure.reported}


def _not_approved(turn: TurnContext, reading: NoteReading, facts: Facts) -> Iterator[Wrong]:
    """What is wrong with the trade as the note has it, and was not with the report."""
    report = turn.draft.reports[-1]
    noted = {name: data for name, (data, _) in reading.figures.items() if name in report.figures}
    known, found = (
        list(wrong_with(turn, one, facts)) for one in (report, replace(report, figures={**report.figures, **noted}))
    )
    if len(found) > len(known):
        yield from (one for one in found if one not in known)


def _put_before_a_person(turn: TurnContext, note: Note) -> Iterator[Utterance]:
    case = replace(note, card=note.card or case_card(turn))
    turn.change(NoteSet(case))
    if note.card:
        turn.do(Repaint(note.card, CaseCard(note.id)))
    else:
        announce(turn, case)
        turn.do(Forward(note.document, note.name, turn.draft.docket.channel))
    yield Phrase("note_unread", {"file": note.name})


def hold_against_again(turn: TurnContext, facts: Facts) -> tuple[Utterance, ...]:
    """A report that was put right is held against the note that came before."""
    notes = [n for n in turn.draft.notes if n.came in ("differs", "unread") and not n.by]
    return tuple(_hold(turn, notes[-1], facts)) if notes and not turn.draft.settled else ()


# Its figures


def _read(turn: TurnContext, document: Document) -> NoteReading:
    """What the note says, and why it may say something else: a condition of the approval is for a person to check as well."""
    doubts = {
        *document.doubts,
        *(("conditions",) if any(d.conditions and not d.void for d in turn.draft.decisions) else ()),
    }
    if document.problem:
        return NoteReading(doubts=frozenset(doubts))
    try:
        own = turn.rules.note(document.text, turn.draft) if turn.rules.note else {}
    except FormFault as fault:
        turn.note_fault(fault)
        return NoteReading(doubts=frozenset({*doubts, "rules"}))
    found = read_note(turn.form, turn.draft, document.text, own, turn.context)
    return replace(found, doubts=found.doubts | doubts)


def _noted(turn: TurnContext, reading: NoteReading) -> Iterator[Figure]:
    """Every figure that the note tells, beside the report's, or beside what was approved."""
    note, report, mini = turn.form.filing.note, turn.draft.reports[-1], report_form(turn.form)
    for name in note.figures if note else ():
        field = mini.fields.get(name) or turn.form.fields[name]
        told = report.figures.get(name) if name in mini.fields else _answer(turn.draft, name)
        if name in reading.figures and told is not None:
            noted, line = reading.figures[name]
            same = figures_agree(field, noted, told, report.tolerance)
            here, there = (
                _with_currency(turn, field, data, figures)
                for data, figures in ((noted, _data(reading)), (told, report.figures))
            )
            yield Figure(name, here, there, same, line)


def _data(reading: NoteReading) -> Mapping[str, Data]:
    return {name: data for name, (data, _) in reading.figures.items()}


def _answer(draft: Draft, name: str) -> Data | None:
    return draft.values[name].data if name in draft.values else None


def figures_agree(field: Field, noted: Data, reported: Data, tolerance: int) -> bool:
    """Whether two figures are the same: an amount of money within so many percent of the reported one, anything else exactly."""
    if kind_of(field).money != "amount":
        return noted == reported
    one, two = Decimal(str(noted)), Decimal(str(reported))
    return abs(one - two) * 100 <= abs(two) * tolerance


def _with_currency(turn: TurnContext, field: Field, data: Data, figures: Mapping[str, Data]) -> str:
    """A figure as people read it, an amount with the currency that is told beside it."""
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
    late = late_day(turn.form, turn.draft)
    if late is None or not _lacks(turn.draft):
        return ()
    zone, mark, last = turn.draft.zone, str(len(turn.draft.reports)), late - timedelta(days=1)
    note = turn.form.filing.note
    soon = instant_of(last - timedelta(days=note.remind if note else 0), MORNING, zone)
    if soon > turn.event.at:
        turn.do(Remind("note_due", soon, turn.draft.state, mark))
    turn.do(Remind("note_late", instant_of(late, 0, zone), turn.draft.state, mark))
    return (Phrase("note_wanted", {"filed_on": last.isoformat()}),)


def late_day(form: Form, draft: Draft) -> date | None:
    """The day from which a note is late; None where none is wanted of what was reported."""
    if form.filing.note is None or draft.report is None:
        return None
    day = date.fromisoformat(str(draft.report.figures[table_of(form).day]))
    return day + timedelta(days=draft.report.days + 1)


def wanted_by(form: Form, draft: Draft) -> str:
    """The last day (ISO 8601) on which the note is in time; empty where none is wanted, or one is there."""
    late = late_day(form, draft)
    return (late - timedelta(days=1)).isoformat() if late and _lacks(draft) else ""


def _lacks(draft: Draft) -> bool:
    """Whether no note came, or none but those that a person did not take."""
    return all(note.came == "refused" for note in draft.notes)


def on_note_due(turn: TurnContext, _event: TimerFired) -> None:
    """The end of the time for the note is near."""
    late = late_day(turn.form, turn.draft)
    if late is not None and _lacks(turn.draft):
        last = (late - timedelta(days=1)).isoformat()
        turn.present(Alone((Phrase("note_due", {"number": turn.draft.record, "filed_on": last}),)))


def on_note_late(turn: TurnContext, _event: TimerFired) -> None:
    """It did not come in time."""
    late = late_day(turn.form, turn.draft)
    if late is None or not _lacks(turn.draft) or any(b.open and b.kind == "note_late" for b in turn.draft.breaches):
        return
    breach = open_breach(turn, "note_late", {"filed_on": (late - timedelta(days=1)).isoformat()})
    if breach is not None:
        number = Phrase("told_of", {"number": turn.draft.record})
        turn.present(Alone((number, sentence_of(breach), Phrase("breach_told"), Phrase("note_still"))))
        paint_receipt(turn)


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
