"""The note: the file that has to say what was reported (DocumentsReceived); what is in doubt, a person judges."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

from state.draft.changes import DocumentKept, LinesRead
from state.draft.display import currency_field
from state.draft.documents import UNOPENED, UNREAD, Document
from state.draft.record import Figure, Note
from state.draft.record_changes import NoteSet
from state.draft.reporting import report_form
from state.draft.route import acts_now, last_day_of_note, report_mark, sentence_of, wanted_by
from state.draft.utterance import Phrase, Utterance
from state.draft.working_days import MORNING, instant_of
from state.engine.acts import hear_worse
from state.engine.cards import CaseCard
from state.engine.context import Alone, TurnContext
from state.engine.effects import Discard, Fetch, Forward, Remind, Repaint
from state.engine.events import DocumentsReceived, MessageReceived, TimerFired
from state.fields import kind_of
from state.form import Field
from state.form.field import Data
from state.record.breaches import Facts, Wrong, announce, case_card, open_breach, wrong_with
from state.record.moving import paint_receipt
from state.rules import FormFault
from state.understanding.note_text import NoteReading, read_note

YEAR = 366


def fetch_note(turn: TurnContext, event: MessageReceived) -> None:
    """Have the file fetched, and kept as long as the record has to be; ask which request is meant where it may be another.

    Words beside it say what it is; a worse answer among them counts.
    """
    if event.text.strip():
        hear_worse(turn, event.text, event.message)
        turn.change(LinesRead("newest"))
    if event.others:
        told = {"number": turn.filed.number, "others": ", ".join(event.others)}
        turn.present(Alone((Phrase("note_which", told),)))
        return
    keep = turn.form.retain.years * YEAR if turn.form.retain else turn.form.retention_days
    turn.do(Fetch(event.files, turn.draft.turn, keep, "", event.message, event.text))


def on_note(turn: TurnContext, event: DocumentsReceived) -> None:
    """Judge each file; once one of them says what was reported, no further one is needed."""
    lines = tuple(line for document in event.documents for line in _taken(turn, document, event.facts))
    turn.present(Alone(lines, acts_now(turn.form, turn.draft)))
    paint_receipt(turn)


def _taken(turn: TurnContext, document: Document, facts: Facts) -> Iterator[Utterance]:
    """Keep a file that can be opened as a note, while none has confirmed the report yet."""
    if document.problem not in UNREAD | UNOPENED:
        yield Phrase(f"file_{document.problem}", {"file": document.name})
    elif turn.filed.settled:
        turn.do(Discard((document.id,)))
        yield Phrase("file_not_needed", {"file": document.name})
    else:
        turn.change(DocumentKept(document))
        note = Note(f"note-{len(turn.filed.notes) + 1}", document.id, document.name, turn.event.at, "unread")
        yield from _hold(turn, note, facts)


def _hold(turn: TurnContext, note: Note, facts: Facts) -> Iterator[Utterance]:
    """Compare a note with the report and the approval: it says the same, it says something else, or a person has to look."""
    reading = _read(turn, turn.draft.documents[note.document])
    figures = tuple(_noted(turn, reading))
    wanted = turn.form.filing.note.figures if turn.form.filing.note else ()
    held = replace(note, report=len(turn.filed.reports), figures=figures, doubts=tuple(sorted(reading.doubts)))
    if reading.doubts or not wanted or not {f.name for f in figures} >= set(wanted):
        yield from _put_before_a_person(turn, replace(held, came="unread"))
        return
    differ: list[Wrong] = [("note_differs", _difference(turn, note, f), "") for f in figures if not f.same]
    wrong = differ or list(_not_approved(turn, reading, facts))
    turn.change(NoteSet(replace(held, came="differs" if wrong else "matched")))
    if not wrong:
        yield Phrase("note_matched", {"file": note.name})
        return
    turn.do(Forward(note.document, note.name, turn.filed.pending.channel))
    opened = (open_breach(turn, *one) for one in wrong)
    yield from (sentence_of(breach) for breach in opened if breach)
    yield Phrase("note_differs" if differ else "breach_told", {"file": note.name})


def _difference(turn: TurnContext, note: Note, figure: Figure) -> Mapping[str, str]:
    label = (report_form(turn.form).fields.get(figure.name) or turn.form.fields[figure.name]).label
    return {"label": label, "file": note.name, "now": figure.noted, "was": figure.reported}


def _not_approved(turn: TurnContext, reading: NoteReading, facts: Facts) -> Iterator[Wrong]:
    """Yield what is wrong with the trade as the note has it, and was not with the report."""
    report = turn.filed.reports[-1]
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
        turn.do(Forward(note.document, note.name, turn.filed.pending.channel))
    yield Phrase("note_unread", {"file": note.name})


def hold_against_again(turn: TurnContext, facts: Facts) -> tuple[Utterance, ...]:
    """Compare a corrected report with the note that came before it."""
    notes = [n for n in turn.filed.notes if n.came in ("differs", "unread") and not n.by]
    return tuple(_hold(turn, notes[-1], facts)) if notes and not turn.filed.settled else ()


def _read(turn: TurnContext, document: Document) -> NoteReading:
    """Return what the note says, and why it may say something else: a condition of the approval is for a person to check as well."""
    conditions = any(d.conditions and not d.void for d in turn.filed.decisions)
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
    note, report, mini = turn.form.filing.note, turn.filed.reports[-1], report_form(turn.form)
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


def await_note(turn: TurnContext) -> tuple[Utterance, ...]:
    """Set the timers for the note, and say until when it is wanted; nothing where none is, or one is there."""
    last, note, zone, mark = (
        last_day_of_note(turn.form, turn.draft),
        turn.form.filing.note,
        turn.draft.zone,
        report_mark(turn.draft),
    )
    if last is None or note is None:
        return ()
    soon = instant_of(last - timedelta(days=note.remind), MORNING, zone)
    if soon > turn.event.at:
        turn.do(Remind("note_due", soon, turn.filed.state, mark))
    turn.do(Remind("note_late", instant_of(last + timedelta(days=1), 0, zone), turn.filed.state, mark))
    return (Phrase("note_wanted", {"filed_on": last.isoformat()}),)


def on_note_due(turn: TurnContext, _event: TimerFired) -> None:
    """Remind the owner that the time for the note is about to end."""
    if last := wanted_by(turn.form, turn.draft):
        turn.present(Alone((Phrase("note_due", {"number": turn.filed.number, "filed_on": last}),)))


def on_note_late(turn: TurnContext, _event: TimerFired) -> None:
    """Open a breach: the note did not come in time."""
    last = wanted_by(turn.form, turn.draft)
    if not last or any(b.open and b.kind == "note_late" for b in turn.filed.breaches):
        return
    breach = open_breach(turn, "note_late", {"filed_on": last})
    if breach is not None:
        number = Phrase("told_of", {"number": turn.filed.number})
        turn.present(Alone((number, sentence_of(breach), Phrase("breach_told"), Phrase("note_still"))))
        paint_receipt(turn)
