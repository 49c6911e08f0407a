"""What documents say and are doubted for, and the clicks on it (Clicked): a file taken for a field, its values proposed, taken or left.

What is proposed, read from a file's text or quoted by a model, is kept beside the draft until the person's click, never a value of it.
"""

from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

from state.draft.changes import ReadingsChanged, Reopened, TurnBegun, ValueSet
from state.draft.display import display_values
from state.draft.documents import UNOPENED, Document
from state.draft.draft import DocumentReading, Value
from state.draft.missing import reachable
from state.draft.utterance import Phrase
from state.engine import acts
from state.engine.context import Next, StayOrNext, TurnContext
from state.engine.effects import Discard
from state.engine.events import Clicked
from state.engine.tools import propose
from state.engine.values import make_value, problem_with, put
from state.fields import kind_of
from state.fields.base import Unreadable
from state.form import Field
from state.form.field import Data
from state.understanding.documents import read_paper
from state.understanding.evidence import holds_quote


def take(turn: TurnContext, field: Field, document: Document, *, goes_on: bool = True, sure: bool = True) -> None:
    """Take a file for an answer; a field of several stays open until it has as many as it takes, or the person says that it is all.

    Unless it `goes_on`, its question has not come yet, and is not opened by the file. One whose text nobody could read, or that is not
    `sure` to be what was asked for, is marked to be checked. What else was proposed for a field that is full now is dropped.
    """
    unread = not document.text and (field.known_by is not None or document.problem in UNOPENED)
    value = filed(turn, field, document, sure=sure and not unread)
    turn.tell(Phrase("file_taken", {"file": document.name, "field": field.name}))
    open_ = isinstance(value.data, tuple) and len(value.data) < kind_of(field).most(field)
    if goes_on and open_:
        turn.change(ValueSet(field.name, value), Reopened(field.name))
    else:
        put(turn, field, value)
    for other in turn.draft.readings:
        if other.document == document.id:
            _drop(turn, document.id, [n for n in other.values if kind_of(turn.form.fields[n]).by_file])
        elif field.name in other.values and not open_:
            _let_go(turn, other, (field.name,))
    if unread:
        turn.tell(Phrase("file_unchecked", {"file": document.name}))
    elif not read(turn, document, field):
        turn.tell(Phrase("file_unread", {"file": document.name}))


def joined(turn: TurnContext, field: Field, document: Document) -> Data:
    """Return the field's files with this one; a full field that the person reopened begins anew."""
    if not kind_of(field).several:
        return document.id
    value = turn.draft.values.get(field.name)
    held = value.data if value is not None and isinstance(value.data, tuple) else ()
    return (*(held if len(held) < kind_of(field).most(field) else ()), document.id)


def filed(turn: TurnContext, field: Field, document: Document, *, sure: bool = True) -> Value:
    """Return the field's answer with this file; not `sure` where it, or one that the field has already, has to be checked."""
    data, before = joined(turn, field, document), turn.draft.values.get(field.name)
    ids = data if isinstance(data, tuple) else (str(data),)
    label = ", ".join(turn.draft.documents[i].name for i in ids if i in turn.draft.documents)
    sure = sure and (len(ids) == 1 or before is None or before.sure)
    return make_value(turn, field, data, "document", "", document.message, sure=sure, who=turn.draft.owner, label=label)


def _let_go(turn: TurnContext, reading: DocumentReading, names: Collection[str]) -> None:
    """Drop proposals; a file that was only proposed itself is not kept, and the person is told so."""
    _drop(turn, reading.document, names)
    left = any(reading.document == r.document for r in turn.draft.readings)
    if not left and reading.document not in turn.draft.held:
        turn.do(Discard((reading.document,)))
        turn.tell(Phrase("file_dropped", {"file": turn.draft.documents[reading.document].name}))


def _drop(turn: TurnContext, document: str, names: Collection[str]) -> None:
    """Take proposals of a document away without setting anything."""
    readings = (
        replace(r, values={n: v for n, v in r.values.items() if r.document != document or n not in names})
        for r in turn.draft.readings
    )
    turn.change(ReadingsChanged(tuple(r for r in readings if r.values)))


def read(turn: TurnContext, document: Document, taker: Field) -> bool:
    """Propose what the form's reader, or labelled lines, find in the document, and name contradictions. False where nothing was read."""
    wanted = [f for f in reachable(turn.form, turn.draft) if taker.name in f.from_documents and kind_of(f).on_paper]
    if wanted and not document.text:
        return False
    found = told_by(turn, document, taker.name, wanted)
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


def told_by(turn: TurnContext, document: Document, taker: str, wanted: list[Field]) -> Mapping[str, tuple[Data, str]]:
    """Return the fields' values in a document taken for `taker`, each with a quote that is there and yields the value."""
    reader = turn.rules.readers.get(taker) if wanted else None
    if reader is None:
        return {f.name: got for f in wanted if (got := read_paper(f, document.text, turn.context))}
    read_by: Mapping[str, tuple[Any, str]] = reader(document.text)
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
    doubted = reading.document not in turn.draft.held
    turn.tell(*(Phrase("read_left", {"label": turn.form.fields[n].label}) for n in shown if not doubted))
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
            take(turn, field, turn.draft.documents[reading.document], sure=value.sure)
        elif problem := problem_with(turn, field, value.data):
            turn.tell(problem)
        else:
            source = replace(value.provenance, who=event.who, at=event.at)
            put(turn, field, replace(value, provenance=source, sure=True))
    _drop(turn, reading.document, names)
    counting = {f.name for f in reachable(turn.form, turn.draft)} & set(turn.draft.values)
    taken = tuple(n for n in names if n in counting)
    act = f"[clicked] Confirmed: {display_values(turn.form, turn.draft, taken, turn.context)}"
    acts.lead_over(turn, act, event.card, StayOrNext())
    return True
