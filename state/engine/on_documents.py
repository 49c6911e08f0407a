"""Files came (DocumentsReceived): each goes to the field that was asked, else to the first open one that takes it; what nobody takes is not kept.

What they propose, read from their text or quoted by a model, is kept beside the draft until the person's click, never a value of it.
"""

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

from state.draft.changes import DocumentKept, ReadingsChanged, Reopened, TurnBegun, ValueSet
from state.draft.display import display_values
from state.draft.documents import FAILED, UNREAD, Document
from state.draft.draft import DocumentReading, Value
from state.draft.missing import missing, reachable, unfilled
from state.draft.utterance import Phrase, Utterance
from state.engine import acts
from state.engine.acts import count_failure
from state.engine.context import NOTHING, Next, ShowClosed, StayOrNext, TurnContext
from state.engine.effects import Discard
from state.engine.events import Clicked, DocumentsReceived, MessageReceived
from state.engine.on_message import add_beside_files, handle_words, sent_act
from state.engine.on_operation import attach, takes_files
from state.engine.tools import propose
from state.engine.values import make_value, problem_with, put
from state.fields import kind_of
from state.fields.base import Unreadable
from state.form import Field
from state.form.field import Data
from state.understanding.documents import read_paper
from state.understanding.evidence import holds_quote


def on_documents(turn: TurnContext, event: DocumentsReceived) -> None:
    """Place files, then read the words that came with them; a closed draft takes none."""
    if not turn.draft.open:
        _discard(turn, event.documents)
        turn.present(ShowClosed())
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
    """Read words beside the files as if they were said now. Return False where there are none, or the person has gone on."""
    if event.turn != turn.draft.turn or not event.worded:
        return False
    handle_words(turn, MessageReceived(event.id, event.at, turn.draft.owner, event.words, event.message))
    return True


def _place(turn: TurnContext, document: Document, asked: str, added: tuple[Field, ...]) -> None:
    """Give a file to the field that was asked when it was sent, or to the first open one; only to one that takes such files."""
    if document.problem not in UNREAD:
        turn.tell(Phrase(f"file_{document.problem}", {"file": document.name}))
        return

    def first(fields: Iterable[Field]) -> Field | None:
        return next((f for f in fields if document.family in (f.accept or ("pdf", "image"))), None)

    told = first(added)
    wanted = [f for f in missing(turn.form, turn.draft) if kind_of(f).by_file]
    field = told or first(sorted(wanted, key=lambda f: f.name != asked))
    if field is None:
        other = any(kind_of(f).by_file for f in unfilled(turn.form, turn.draft))
        _refuse(turn, document, Phrase("file_other_kind" if other else "file_not_needed", {"file": document.name}))
        return
    turn.change(DocumentKept(document))
    problem = problem_with(turn, field, joined(turn, field, document))
    if problem is not None:
        _refuse(turn, document, problem)
    elif document.text and field.known_by and not any(holds_quote(document.text, one) for one in field.known_by):
        # It does not look like what was asked for, so that only a click takes it.
        propose(turn, document.id, {field.name: _filed(turn, field, document)})
    else:
        take(turn, field, document, goes_on=told is None)


def _refuse(turn: TurnContext, document: Document, why: Utterance) -> None:
    turn.tell(why)
    _discard(turn, (document,))


def _discard(turn: TurnContext, documents: tuple[Document, ...]) -> None:
    stored = tuple(d.id for d in documents if d.problem in UNREAD)
    if stored:
        turn.do(Discard(stored))


def take(turn: TurnContext, field: Field, document: Document, *, goes_on: bool = True) -> None:
    """Take a file for an answer; a field of several stays open until it has as many as it takes, or the person says that it is all.

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
    """Return the field's files with this one; a full field that the person reopened begins anew."""
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
    _drop(turn, reading, names)
    if (but is None or reading.document != but.id) and reading.document not in turn.draft.held:
        turn.do(Discard((reading.document,)))


def _drop(turn: TurnContext, reading: DocumentReading, names: tuple[str, ...]) -> None:
    """Take proposals away without setting anything."""
    left = replace(reading, values={n: v for n, v in reading.values.items() if n not in names})
    readings = (left if r.document == reading.document else r for r in turn.draft.readings)
    turn.change(ReadingsChanged(tuple(r for r in readings if r.values)))


def read(turn: TurnContext, document: Document, taker: Field) -> bool:
    """Propose what the document says, by the form's own reader for it or by its labelled lines. Return False where none of it could be read.

    Where it contradicts an answer, say so, though no click could take what it says.
    """
    wanted = [f for f in reachable(turn.form, turn.draft) if taker.name in f.from_documents and kind_of(f).on_paper]
    if wanted and not document.text:
        return False
    reader = turn.rules.readers.get(taker.name)
    own = _own(reader(document.text), document, wanted, turn) if reader and wanted else {}
    found = own if reader else {f.name: got for f in wanted if (got := read_paper(f, document.text, turn.context))}
    values = {}
    for name, (data, quote) in found.items():
        field, held = turn.form.fields[name], turn.draft.values.get(name)
        problem = problem_with(turn, field, data)
        if problem is None:
            values[name] = make_value(turn, field, data, "document", quote, document.id, who=turn.draft.owner)
        elif held is not None and held.data != data:
            misfit = {"file": document.name, "words": quote, "label": field.label}
            turn.tell(Phrase("read_misfit", misfit), problem)
    propose(turn, document.id, values)
    return bool(found) or not wanted


def _own(
    read_by: Mapping[str, tuple[Any, str]], document: Document, wanted: list[Field], turn: TurnContext
) -> dict[str, tuple[Data, str]]:
    """Return what the form's reader found, as far as its quotes are in the document and its values can be read."""
    found: dict[str, tuple[Data, str]] = {}
    for field in wanted:
        value, quote = read_by.get(field.name, (None, ""))
        if value is not None and holds_quote(document.text, quote):
            with suppress(Unreadable):
                found[field.name] = (kind_of(field).parse(field, value, turn.context), quote)
    return found


Handler = Callable[[TurnContext, Clicked], None]


def _on_reading(do: Callable[[TurnContext, Clicked, DocumentReading, tuple[str, ...]], bool]) -> Handler:
    """Return a handler of clicks on what was read from a document: only on the card that is open.

    `do` gets the reading and what the card shows of it and the person has not decided: nothing that they cannot see is ever taken. It returns
    False where that is nothing.
    """

    def handle(turn: TurnContext, event: Clicked) -> None:
        card = turn.draft.card
        live = card is not None and card.kind == "read" and card.id == event.card
        reading = next((r for r in turn.draft.readings if card and live and r.document == card.document), None)
        shown = tuple(name for name in card.fields if reading and name in reading.values) if card else ()
        if reading is None or not do(turn, event, reading, shown):
            acts.out_of_date(turn, event)

    return handle


@_on_reading
def take_one(turn: TurnContext, event: Clicked, reading: DocumentReading, shown: tuple[str, ...]) -> bool:
    """Take one value, also in the place of what was said."""
    return _take(turn, event, reading, tuple(n for n in shown if n == event.field))


@_on_reading
def take_all(turn: TurnContext, event: Clicked, reading: DocumentReading, shown: tuple[str, ...]) -> bool:
    """Take all that contradicts nothing; what differs from an answer wants a click of its own."""
    return _take(turn, event, reading, tuple(n for n in shown if n not in turn.draft.values))


@_on_reading
def leave(turn: TurnContext, _event: Clicked, reading: DocumentReading, shown: tuple[str, ...]) -> bool:
    """Drop what is left of the proposal, and say so, since the card that showed it goes."""
    turn.change(TurnBegun())
    for name in shown:
        field = turn.form.fields[name]
        if kind_of(field).by_file:
            turn.tell(Phrase("file_other_kind", {"file": turn.draft.documents[reading.document].name}))
        else:
            turn.tell(Phrase("read_left", {"label": field.label}))
    _let_go(turn, reading, shown)
    turn.present(Next())
    return True


def _take(turn: TurnContext, event: Clicked, reading: DocumentReading, names: tuple[str, ...]) -> bool:
    """Set these values, with the document as their origin; the rest of the proposal stays."""
    if not names:
        return False
    turn.change(TurnBegun())
    for name in names:
        field, value = turn.form.fields[name], reading.values[name]
        if kind_of(field).by_file:
            take(turn, field, turn.draft.documents[reading.document])
        elif problem := problem_with(turn, field, value.data):
            turn.tell(problem)
        else:
            source = replace(value.provenance, who=event.who, at=event.at)
            put(turn, field, replace(value, provenance=source, sure=True))
    _drop(turn, reading, names)
    counting = {f.name for f in reachable(turn.form, turn.draft)} & set(turn.draft.values)
    taken = tuple(n for n in names if n in counting)
    act = f"[clicked] Confirmed: {display_values(turn.form, turn.draft, taken, turn.context)}"
    acts.lead_over(turn, act, event.card, StayOrNext())
    return True
