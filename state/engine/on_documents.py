"""Files came (Received): each goes to the field that was asked, else to the first open one that takes it; what nobody takes is not kept."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from state.draft.changes import DocumentKept, ReadingsChanged, Reopened, TurnBegun, ValueSet
from state.draft.display import display_values
from state.draft.documents import FAILED, UNREAD, Document
from state.draft.draft import Data, DocumentReading, OpenCard, Value
from state.draft.missing import missing, reachable, unfilled
from state.draft.utterance import Phrase, Utterance
from state.engine import acts
from state.engine.acts import count_failure
from state.engine.context import NOTHING, Next, Standing, StayOrNext, TurnContext
from state.engine.effects import Discard
from state.engine.events import Clicked, DocumentsReceived, MessageReceived
from state.engine.on_message import add_beside_files, handle_words, sent_act
from state.engine.on_operation import attach, takes_files
from state.engine.on_report import on_note, takes_note
from state.engine.tools import propose
from state.engine.values import make_value, problem_with, put
from state.fields import kind_of
from state.fields.base import Unreadable
from state.form import Field
from state.understanding.document_text import read_paper
from state.understanding.evidence import holds_quote


def on_documents(turn: TurnContext, event: DocumentsReceived) -> None:
    """A closed draft takes nothing but the note that a report waits for; words that came with the files are read once these have their places."""
    if takes_note(turn.form, turn.draft):
        on_note(turn, event)
    elif not turn.draft.open:
        _discard(turn, event.documents)
        turn.present(Standing())
    elif turn.form.conversational and takes_files(turn.form):
        attach(turn, event)
        _read_words(turn, event)
    else:
        _place_all(turn, event)


def _place_all(turn: TurnContext, event: DocumentsReceived) -> None:
    before = turn.draft.held
    timely = event.worded and event.turn == turn.draft.turn
    added = add_beside_files(turn, event.words, event.message) if timely else ()
    for document in event.documents:
        _place(turn, document, event.asked, added)
    if replaced := tuple(sorted(before - turn.draft.held)):
        turn.do(Discard(replaced))
    count_failure(turn, any(d.problem in FAILED for d in event.documents))
    if not turn.handed and not _read_words(turn, event) and event.turn == turn.draft.turn and turn.changed:
        turn.ask_model(act=sent_act(tuple(d.name for d in event.documents)))
    if turn.shows == NOTHING and not turn.cards:
        turn.present(Next())


def _read_words(turn: TurnContext, event: DocumentsReceived) -> bool:
    """Words beside the files are read as if they were said now, unless the person has gone on. Says whether there were any."""
    if event.turn != turn.draft.turn or not event.worded:
        return False
    handle_words(turn, MessageReceived(event.id, event.at, turn.draft.owner, event.words, event.message))
    return True


def _place(turn: TurnContext, document: Document, asked: str, added: tuple[Field, ...] = ()) -> None:
    if document.problem not in UNREAD:
        turn.tell(Phrase(f"file_{document.problem}", {"file": document.name}))
        return
    told = next((f for f in added if takes(f, document)), None)
    field = told or _taker(turn, document, asked)
    if field is None:
        _refuse(turn, document, Phrase(_why_nobody(turn), {"file": document.name}))
        return
    turn.change(DocumentKept(document))
    problem = problem_with(turn, field, joined(turn, field, document))
    if problem is not None:
        _refuse(turn, document, problem)
    elif document.text and field.known_by and not any(holds_quote(document.text, one) for one in field.known_by):
        doubt(turn, field, document)
    else:
        take(turn, field, document, goes_on=told is None)


def _taker(turn: TurnContext, document: Document, asked: str) -> Field | None:
    """The field that was asked when the file was sent, or the one that is open first; only one that takes such files."""
    wanted = [f for f in missing(turn.form, turn.draft) if kind_of(f).by_file]
    first = sorted(wanted, key=lambda f: f.name != asked)
    return next((f for f in first if takes(f, document)), None)


def takes(field: Field, document: Document) -> bool:
    """Whether a field takes files of this kind."""
    return document.family in (field.accept or ("pdf", "image"))


def _why_nobody(turn: TurnContext) -> str:
    wanted = any(kind_of(f).by_file for f in unfilled(turn.form, turn.draft))
    return "file_other_kind" if wanted else "file_not_needed"


def _refuse(turn: TurnContext, document: Document, why: Utterance) -> None:
    turn.tell(why)
    _discard(turn, (document,))


def _discard(turn: TurnContext, documents: tuple[Document, ...]) -> None:
    stored = tuple(d.id for d in documents if d.problem in UNREAD)
    if stored:
        turn.do(Discard(stored))


def doubt(turn: TurnContext, field: Field, document: Document) -> None:
    """Propose a file for the field that asked for it: it does not look like what was asked for, so that only a click takes it."""
    propose(turn, document.id, {field.name: _filed(turn, field, document)})


def take(turn: TurnContext, field: Field, document: Document, *, goes_on: bool = True) -> None:
    """One file answers; of several, the field stays open until there are as many as it takes, or the person says that it is all.

    Unless it `goes_on`, its question has not come yet, and is not opened by the file. A file that was doubted before is not kept.
    """
    value = _filed(turn, field, document)
    turn.tell(Phrase("file_taken", {"file": document.name, "field": field.name}))
    if goes_on and isinstance(value.data, tuple) and len(value.data) < kind_of(field).most(field):
        turn.change(ValueSet(field.name, value), Reopened(field.name))
    else:
        put(turn, field, value)
    for other in [r for r in turn.draft.readings if field.name in r.values]:
        _let_go(turn, other, (field.name,), document)
    if not read(turn, document, field):
        turn.tell(Phrase("file_unread", {"file": document.name}))


def joined(turn: TurnContext, field: Field, document: Document) -> Data:
    """The field's files with this one; a full field that the person reopened begins anew."""
    if not kind_of(field).several:
        return document.id
    value = turn.draft.values.get(field.name)
    held = value.data if value is not None and isinstance(value.data, tuple) else ()
    return (*(held if len(held) < kind_of(field).most(field) else ()), document.id)


def _filed(turn: TurnContext, field: Field, document: Document) -> Value:
    data = joined(turn, field, document)
    ids = data if isinstance(data, tuple) else (str(data),)
    label = ", ".join(turn.draft.documents[i].name for i in ids if i in turn.draft.documents)
    return make_value(turn, field, data, "document", "", document.message, who=turn.draft.owner, label=label)


def _let_go(turn: TurnContext, reading: DocumentReading, names: tuple[str, ...], but: Document | None = None) -> None:
    """Drop proposals; a file that was only proposed itself is not kept."""
    drop(turn, reading, names)
    if (but is None or reading.document != but.id) and reading.document not in turn.draft.held:
        turn.do(Discard((reading.document,)))


def drop(turn: TurnContext, reading: DocumentReading, names: tuple[str, ...]) -> None:
    """Take proposals away without setting anything."""
    left = replace(reading, values={n: v for n, v in reading.values.items() if n not in names})
    readings = (left if r.document == reading.document else r for r in turn.draft.readings)
    turn.change(ReadingsChanged(tuple(r for r in readings if r.values)))


def differing(turn: TurnContext, reading: DocumentReading) -> tuple[str, ...]:
    """Proposed fields to which the person gave another answer."""
    return tuple(n for n in reading.values if n in turn.draft.values)


def confirm(turn: TurnContext, reading: DocumentReading, names: tuple[str, ...]) -> None:
    """The person's click: these values are set, with the document as their origin; the rest of the proposal stays."""
    for name in names:
        field, value = turn.form.fields[name], reading.values[name]
        if kind_of(field).by_file:
            take(turn, field, turn.draft.documents[reading.document])
            continue
        problem = problem_with(turn, field, value.data)
        if problem is not None:
            turn.tell(problem)
            continue
        now = replace(value.provenance, who=turn.event.who, at=turn.event.at)
        put(turn, field, replace(value, provenance=now, sure=True))
    drop(turn, reading, names)


def read(turn: TurnContext, document: Document, taker: Field) -> bool:
    """Propose what the document says, by the form's own reader for it or by its labelled lines. False where nothing of that could be read."""
    wanted = [f for f in reachable(turn.form, turn.draft) if taker.name in f.from_documents and kind_of(f).on_paper]
    if wanted and not document.text:
        return False
    reader = turn.rules.readers.get(taker.name)
    own = _own(reader(document.text), document, wanted, turn) if reader and wanted else {}
    found = own if reader else {f.name: got for f in wanted if (got := read_paper(f, document.text, turn.context))}
    for name, (data, quote) in found.items():
        _tell_misfit(turn, turn.form.fields[name], document, data, quote)
    values = {name: _proposed(turn, turn.form.fields[name], document, *got) for name, got in found.items()}
    propose(turn, document.id, {name: value for name, value in values.items() if value is not None})
    return bool(found) or not wanted


def _own(
    read_by: Mapping[str, tuple[Any, str]], document: Document, wanted: list[Field], turn: TurnContext
) -> dict[str, tuple[Data, str]]:
    """What the form's reader found, as far as its quotes stand in the document and its values can be read."""
    found: dict[str, tuple[Data, str]] = {}
    for field in wanted:
        value, quote = read_by.get(field.name, (None, ""))
        if value is None or not holds_quote(document.text, quote):
            continue
        try:
            found[field.name] = (kind_of(field).parse(field, value, turn.context), quote)
        except Unreadable:
            continue
    return found


def _proposed(turn: TurnContext, field: Field, document: Document, data: Data, quote: str) -> Value | None:
    if problem_with(turn, field, data) is not None:
        return None
    return make_value(turn, field, data, "document", quote, document.id, who=turn.draft.owner)


def _tell_misfit(turn: TurnContext, field: Field, document: Document, data: Data, quote: str) -> None:
    """A document that contradicts what stands is told of, though no click could take what it says."""
    problem, held = problem_with(turn, field, data), turn.draft.values.get(field.name)
    if problem is not None and held is not None and held.data != data:
        turn.tell(Phrase("read_misfit", {"file": document.name, "words": quote, "label": field.label}), problem)


Handler = Callable[[TurnContext, Clicked], None]


def _on_reading(do: Callable[[TurnContext, Clicked, OpenCard, DocumentReading], bool]) -> Handler:
    """For clicks on what was read from a document: only on the card that is open, and only on what it shows. `do` says whether there was any."""

    def handle(turn: TurnContext, event: Clicked) -> None:
        card = turn.draft.card
        live = card is not None and card.kind == "read" and card.id == event.card
        reading = next((r for r in turn.draft.readings if card and live and r.document == card.document), None)
        if card is None or reading is None or not do(turn, event, card, reading):
            acts.out_of_date(turn, event)

    return handle


@_on_reading
def take_one(turn: TurnContext, event: Clicked, card: OpenCard, reading: DocumentReading) -> bool:
    """One value is right, or is to stand in the place of what was said."""
    return _take(turn, card, reading, tuple(n for n in _undecided(card, reading) if n == event.field))


@_on_reading
def take_all(turn: TurnContext, _event: Clicked, card: OpenCard, reading: DocumentReading) -> bool:
    """All that contradicts nothing is right; what differs from an answer wants a click of its own."""
    differ = differing(turn, reading)
    return _take(turn, card, reading, tuple(n for n in _undecided(card, reading) if n not in differ))


@_on_reading
def leave(turn: TurnContext, _event: Clicked, card: OpenCard, reading: DocumentReading) -> bool:
    """What is left of the proposal is not right, or not wanted: said, since the card that showed it goes."""
    turn.change(TurnBegun())
    left = _undecided(card, reading)
    turn.tell(*(_left(turn, reading, name) for name in left))
    _let_go(turn, reading, left)
    turn.present(Next())
    return True


def _left(turn: TurnContext, reading: DocumentReading, name: str) -> Phrase:
    field = turn.form.fields[name]
    if kind_of(field).by_file:
        return Phrase("file_other_kind", {"file": turn.draft.documents[reading.document].name})
    return Phrase("read_left", {"label": field.label})


def _take(turn: TurnContext, card: OpenCard, reading: DocumentReading, names: tuple[str, ...]) -> bool:
    if not names:
        return False
    turn.change(TurnBegun())
    confirm(turn, reading, names)
    counting = {f.name for f in reachable(turn.form, turn.draft)} & set(turn.draft.values)
    taken = tuple(n for n in names if n in counting)
    act = f"[clicked] Confirmed: {display_values(turn.form, turn.draft, taken, turn.context)}"
    acts.lead_over(turn, act, card.id, StayOrNext())
    return True


def _undecided(card: OpenCard, reading: DocumentReading) -> tuple[str, ...]:
    """What the card shows and the person has not decided: nothing that they cannot see is ever taken."""
    return tuple(name for name in card.fields if name in reading.values)
