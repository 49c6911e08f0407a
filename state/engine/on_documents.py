"""Files came (DocumentsReceived): each goes to the field that was asked, else to the first open one that takes it; what nobody takes is not kept.

A file is compared with what was asked for. One that does not fit, or fits something else, waits for the person's click.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from state.draft.changes import DocumentKept, ReadingsChanged, Reopened, TurnBegun, ValueSet
from state.draft.display import display_values
from state.draft.documents import FAILED, UNOPENED, UNREAD, Document
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
from state.form import Field, Paper
from state.form.field import Data
from state.understanding.documents import read_paper, words_told
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
        before = turn.draft.held
        timely = event.worded and event.turn == turn.draft.turn
        added = add_beside_files(turn, event.words, event.message) if timely else ()
        for document in event.documents:
            _place(turn, document, event.asked, added, alone=len(event.documents) == 1)
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


def _place(turn: TurnContext, document: Document, asked: str, added: tuple[Field, ...], *, alone: bool) -> None:
    """Give a file to the asked field, else the first that takes it; where it reads like another's, move it, or ask if `alone`."""
    wanted = sorted((f for f in missing(turn.form, turn.draft) if kind_of(f).by_file), key=lambda f: f.name != asked)
    takers = [f for f in (*added, *wanted) if document.family in (f.accept or ("pdf", "image"))]
    # the kind that most of the text speaks for, the takers first among equals
    kinds: list[Field | Paper] = [*takers, *turn.form.fields.values(), *turn.form.papers.values()]
    best = max(kinds, key=lambda kind: _evidence(turn, document, kind), default=None)
    like = best if best is not None and _evidence(turn, document, best) else None
    field = like if isinstance(like, Field) and like in takers and not alone else next(iter(takers), None)
    why_not = _unfit(turn, field, document)
    if field is None or why_not is not None:
        _refuse(turn, document, why_not)
        return
    turn.change(DocumentKept(document))
    problem = problem_with(turn, field, joined(turn, field, document))
    if problem is not None:
        _refuse(turn, document, problem)
    elif not _doubted(turn, document, field, takers, like):
        take(turn, field, document, goes_on=field not in added)
        also = [
            f for f in takers if f != field and _evidence(turn, document, f) == _evidence(turn, document, field) > 0
        ]
        _ask_about(turn, document, also[:1], "file_also", sure=also)


def _unfit(turn: TurnContext, field: Field | None, document: Document) -> Utterance | None:
    """Return why no field takes a file, be it as a doubted one; None where one may."""
    name = {"file": document.name}
    if document.problem not in UNREAD and (document.problem not in UNOPENED or field is None or field.unread != "keep"):
        return Phrase(f"file_{document.problem}", name)
    if field is None:
        other = any(kind_of(f).by_file for f in unfilled(turn.form, turn.draft))
        return Phrase("file_other_kind" if other else "file_not_needed", name)
    if field.unread == "refuse" and not document.text:
        return Phrase("file_no_reader" if document.problem == "no_reader" else "file_unreadable", name)
    doubted = {r.document for r in turn.draft.readings} - turn.draft.held
    mine = turn.draft.values[field.name].data if field.name in turn.draft.values else ()
    again = doubted.union(mine if isinstance(mine, tuple) else ()) & {d.id for d in _sent_before(turn, document)}
    return Phrase("file_twice", name) if again else None


def _sent_before(turn: TurnContext, document: Document) -> list[Document]:
    """Return the same file as it was sent before; a picture without words by its name too, since one may serve as several views."""
    others = [d for d in turn.draft.documents.values() if d.digest == document.digest != "" and d.id != document.id]
    return [d for d in others if d.text or d.name == document.name]


def _doubted(
    turn: TurnContext, document: Document, field: Field, takers: list[Field], like: Field | Paper | None
) -> bool:
    """Ask about a file that cannot be opened, was sent before for something else, or reads like something else; False where it may be taken."""
    if document.problem in UNOPENED:
        return _ask_about(turn, document, [field], "file_for_person")
    if like == field:
        return False
    before = {d.id for d in _sent_before(turn, document)}
    for name, value in turn.draft.values.items():
        if name != field.name and before.intersection(
            value.data if isinstance(value.data, tuple) else (str(value.data),)
        ):
            return _ask_about(turn, document, [field], "file_again", turn.form.fields[name].label)
    open_ = [like] if isinstance(like, Field) and like in takers else []
    if like is not None and (field.known_by or open_):
        return _ask_about(turn, document, [*open_, field], "file_reads_like", like.label, sure=open_)
    return bool(field.known_by and document.text) and _ask_about(turn, document, [field], "file_unlike")


def _ask_about(
    turn: TurnContext, document: Document, fields: list[Field], why: str, other: str = "", sure: Sequence[Field] = ()
) -> bool:
    """Propose a file for these fields, for a click; `sure` are those that it reads like. Return True."""
    facts = {"why": why, "other": other}
    propose(turn, document.id, {f.name: replace(filed(turn, f, document, sure=f in sure), facts=facts) for f in fields})
    return True


def _evidence(turn: TurnContext, document: Document, kind: Field | Paper) -> int:
    """Return how many of the words and fields by which such a document is known are in this one."""
    if kind.known_by is None or not document.text:
        return 0
    fields = [turn.form.fields[name] for name in kind.known_by.fields]
    return words_told(document.text, kind.known_by.words) + len(told_by(turn, document, kind.name, fields))


def _refuse(turn: TurnContext, document: Document, why: Utterance | None) -> None:
    if why is not None:
        turn.tell(why)
    _discard(turn, (document,))


def _discard(turn: TurnContext, documents: tuple[Document, ...]) -> None:
    stored = tuple(d.id for d in documents if d.id)
    if stored:
        turn.do(Discard(stored))


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
