"""What is reported after filing (ReportMade), the note that has to say it (DocumentsReceived), and breaches; doubt is for a person to judge."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from typing import Any

from state.draft.changes import DocumentKept, LinesRead
from state.draft.display import approved_figures, currency_field, read_entries, report_form, shown_figures, table_of
from state.draft.documents import UNOPENED, UNREAD, Document
from state.draft.draft import with_record
from state.draft.record import EXTEND, KEEP, Breach, Figure, Note, Report
from state.draft.record_changes import BreachSet, NoteSet, Reported
from state.draft.route import NOBODY, acts_now, last_day_of_note, may_report, report_mark, sentence_of, wanted_by
from state.draft.utterance import Phrase, Utterance
from state.draft.working_days import MORNING, day_of, instant_of
from state.engine.acts import hear_worse
from state.engine.cards import CaseCard, DecisionCard, ReportCard
from state.engine.context import Alone, TurnContext
from state.engine.effects import Announce, Discard, Ephemeral, Fetch, Forward, Remind, Repaint
from state.engine.events import DocumentsReceived, MessageReceived, ReportMade, TimerFired, too_soon
from state.fields import kind_of
from state.form import Field
from state.form.field import Data
from state.record.filing import move_record, paint_receipt
from state.rules import FormFault
from state.understanding.note_text import NoteReading, read_note

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
    turn.do(Announce("record", record=turn.filed.number, state=turn.filed.state, to=to, id=case.card, case=case.id))


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
    turn.do(*(Repaint(one.card, CaseCard(one.id)) for one in before.filed.breaches if one.open))
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
