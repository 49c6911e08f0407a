"""The file that has to say what was reported: its figures are held against the report and the approval; what is in doubt, a person judges."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from state.draft.changes import DocumentKept, LinesRead, NoteSet
from state.draft.decisions import Figure, Note
from state.draft.display import currency_field
from state.draft.documents import UNOPENED, UNREAD, Document
from state.draft.draft import Draft, Status
from state.draft.reporting import report_form, table_of
from state.draft.working_days import instant_of
from state.engine.approval import Wrong, wrong_with
from state.engine.cards import CaseCard, Phrase, Utterance
from state.engine.cases import announce, case_card, open_breach, sentence_of
from state.engine.context import TurnContext
from state.engine.disclosures import hear_worse
from state.engine.effects import Discard, Fetch, Forward, Remind, Repaint
from state.engine.events import DocumentsReceived, MessageReceived, TimerFired
from state.engine.on_fault import note_fault
from state.engine.presentation import Alone
from state.engine.route import acts_now, paint_receipt
from state.fields import kind_of
from state.form import Field, Form
from state.form.field import Data
from state.rules import FormFault
from state.understanding.note_text import NoteReading, read_note

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
    figures = tuple(_figures(turn, reading))
    wanted = turn.form.filing.note.figures if turn.form.filing.note else ()
    held = replace(note, report=len(turn.draft.reports), figures=figures, doubts=tuple(sorted(reading.doubts)))
    if reading.doubts or not wanted or not {f.name for f in figures} >= set(wanted):
        yield from _put_before_a_person(turn, replace(held, came="unread"))
        return
    differ = [f for f in figures if not f.same]
    other: list[Wrong] = [("note_differs", _told(turn, note, figure), "") for figure in differ]
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


def _told(turn: TurnContext, note: Note, figure: Figure) -> Mapping[str, str]:
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
        note_fault(turn, fault)
        return NoteReading(doubts=frozenset({*doubts, "rules"}))
    found = read_note(turn.form, turn.draft, document.text, own, turn.context)
    return replace(found, doubts=found.doubts | doubts)


def _figures(turn: TurnContext, reading: NoteReading) -> Iterator[Figure]:
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
