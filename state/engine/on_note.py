"""The file that bears a report out: its figures are read by code and held against the report; what code cannot read, a person judges."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import date, timedelta

from state.draft.changes import DocumentKept, LinesRead, NoteSet
from state.draft.display import currency_field
from state.draft.documents import UNREAD, Document
from state.draft.draft import Data, Draft, Status
from state.draft.execution import Came, Figure, Note
from state.draft.reporting import report_form, table_of
from state.draft.today import instant_of
from state.engine.cards import CaseCard, Phrase, Utterance
from state.engine.cases import announce, case_card, open_breach, sentence_of
from state.engine.context import TurnContext
from state.engine.disclosures import hear_worse
from state.engine.effects import Discard, Fetch, Forward, Remind, Repaint
from state.engine.events import DocumentsReceived, MessageReceived, TimerFired
from state.engine.presentation import Alone
from state.engine.route import acts_now, paint_receipt
from state.fields import kind_of
from state.fields.base import Unreadable
from state.form import Field, Form
from state.understanding.document_text import read_paper

MORNING = 8
"""The hour, by the person's own clock, at which they are reminded."""
YEAR = 366


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
    """Each file is judged; once one of them bears the report out, no further one is needed."""
    told: list[Utterance] = []
    for document in event.documents:
        told += _taken(turn, document)
    turn.present(Alone(tuple(told), acts_now(turn)))
    paint_receipt(turn)


def _taken(turn: TurnContext, document: Document) -> Iterator[Utterance]:
    if document.problem not in UNREAD:
        yield Phrase(f"file_{document.problem}", {"file": document.name})
    elif turn.draft.settled:
        turn.do(Discard((document.id,)))
        yield Phrase("file_not_needed", {"file": document.name})
    else:
        turn.change(DocumentKept(document))
        note = Note(f"note-{len(turn.draft.notes) + 1}", document.id, document.name, turn.event.at, "unread")
        yield from _hold(turn, note)


def _hold(turn: TurnContext, note: Note) -> Iterator[Utterance]:
    """Hold a note against the report: it bears it out, it says something else, or a person has to look."""
    figures = tuple(_figures(turn, turn.draft.documents[note.document]))
    wanted = turn.form.filing.note.figures if turn.form.filing.note else ()
    differ = [f for f in figures if not f.same]
    whole = wanted and {f.name for f in figures} >= set(wanted)
    came: Came = "differs" if differ else "matched" if whole else "unread"
    held = replace(note, came=came, report=len(turn.draft.reports), figures=figures)
    if came == "unread":
        yield from _put_before_a_person(turn, held)
        return
    turn.change(NoteSet(held))
    if came == "matched":
        yield Phrase("note_matched", {"file": note.name})
        return
    turn.do(Forward(note.document, note.name, turn.draft.docket.channel))
    for figure in differ:
        said = {"label": figure.name, "file": note.name, "now": figure.noted, "was": figure.reported}
        breach = open_breach(turn, "note_differs", {**said, "label": _label(turn, figure.name)})
        yield from (sentence_of(breach),) if breach else ()
    yield Phrase("note_differs", {"file": note.name})


def _put_before_a_person(turn: TurnContext, note: Note) -> Iterator[Utterance]:
    case = replace(note, card=note.card or case_card(turn))
    turn.change(NoteSet(case))
    if note.card:
        turn.do(Repaint(note.card, CaseCard(note.id)))
    else:
        announce(turn, case)
        turn.do(Forward(note.document, note.name, turn.draft.docket.channel))
    yield Phrase("note_unread", {"file": note.name})


def hold_against_again(turn: TurnContext) -> tuple[Utterance, ...]:
    """A report that was put right is held against the note that came before."""
    notes = [n for n in turn.draft.notes if n.came in ("differs", "unread") and not n.by]
    return tuple(_hold(turn, notes[-1])) if notes and not turn.draft.settled else ()


# Its figures


def _figures(turn: TurnContext, document: Document) -> Iterator[Figure]:
    """Every figure that the note tells for certain, beside the report's."""
    note, report, text = turn.form.filing.note, turn.draft.report, document.text
    if note is None or report is None or not text:
        return
    mini = report_form(turn.form)
    own = turn.rules.note(text, turn.draft) if turn.rules.note else None
    for name in note.figures:
        field = mini.fields.get(name) or turn.form.fields[name]
        told = report.figures.get(name) if name in mini.fields else _answer(turn.draft, name)
        found = _noted(turn, field, text, own, told)
        if found is not None and told is not None:
            same = figures_agree(field, found[0], told, report.tolerance)
            here, there = (_currency(turn, field, own), _currency(turn, field, None)) if own else ("", "")
            noted, reported = _shown(turn, field, found[0]), _shown(turn, field, told)
            yield Figure(name, f"{here} {noted}".strip(), f"{there} {reported}".strip(), same, found[1])


def _answer(draft: Draft, name: str) -> Data | None:
    return draft.values[name].data if name in draft.values else None


def _noted(
    turn: TurnContext,
    field: Field,
    text: str,
    own: Mapping[str, tuple[object, str]] | None,
    told: Data | None,
) -> tuple[Data, str] | None:
    """What the note says of a field, and the line for it; by the form's own reader, else by its labelled lines."""
    if own is None and kind_of(field).searchable:
        return (told, "") if told is not None and str(told).casefold() in text.casefold() else None
    if own is None:
        return read_paper(field, text, turn.context)
    if field.name not in own:
        return None
    given, line = own[field.name]
    try:
        return (str(given) if kind_of(field).searchable else kind_of(field).parse(field, given, turn.context)), line
    except Unreadable:
        return None


def figures_agree(field: Field, noted: Data, reported: Data, tolerance: int) -> bool:
    """Whether two figures are the same: numbers within so many percent of the reported one, anything else exactly."""
    measure = kind_of(field).measure
    if measure is None or kind_of(field).on_day:
        return noted == reported
    one, two = measure(noted), measure(reported)
    if isinstance(one, str) or isinstance(two, str):
        return one == two
    return abs(one - two) * 100 <= abs(two) * tolerance


def _shown(turn: TurnContext, field: Field, data: Data) -> str:
    value = turn.draft.values.get(field.name)
    if value is not None and value.data == data and value.label:
        return value.label
    return str(data) if kind_of(field).searchable else kind_of(field).displayed(field, data, turn.context)


def _currency(turn: TurnContext, amount: Field, own: Mapping[str, tuple[object, str]] | None) -> str:
    """The currency that stands beside an amount: in the note that was read, or in the report."""
    beside = currency_field(report_form(turn.form), amount) if amount.name in report_form(turn.form).fields else None
    if beside is None or turn.draft.report is None:
        return ""
    return str(own.get(beside.name, ("",))[0]) if own is not None else str(turn.draft.report.figures[beside.name])


def _label(turn: TurnContext, name: str) -> str:
    return (report_form(turn.form).fields.get(name) or turn.form.fields[name]).label


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
