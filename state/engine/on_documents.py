"""Files came (DocumentsReceived): each goes to the field that was asked, else to the first open one that takes it; what nobody takes is not kept.

A file is compared with what was asked for. One that does not fit, or fits something else, waits for the person's click.
"""

from collections.abc import Sequence
from dataclasses import replace

from state.draft.changes import DocumentKept
from state.draft.documents import FAILED, UNOPENED, UNREAD, Document
from state.draft.missing import missing, unfilled
from state.draft.utterance import Phrase, Utterance
from state.engine.acts import count_failure
from state.engine.context import NOTHING, Next, ShowClosed, TurnContext
from state.engine.effects import Discard
from state.engine.events import DocumentsReceived, MessageReceived
from state.engine.on_message import add_beside_files, handle_words, sent_act
from state.engine.on_operation import attach, takes_files
from state.engine.on_reading import filed, joined, take, told_by
from state.engine.tools import propose
from state.engine.values import problem_with
from state.fields import kind_of
from state.form import Field, Paper
from state.understanding.documents import words_told


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
    like = _reads_like(turn, document, takers)
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


def _reads_like(turn: TurnContext, document: Document, first: list[Field]) -> Field | Paper | None:
    """Return the kind of document that most of the text speaks for, the `first` ones among equals; None where nothing does."""
    kinds: list[Field | Paper] = [*first, *turn.form.fields.values(), *turn.form.papers.values()]
    best = max(kinds, key=lambda kind: _evidence(turn, document, kind), default=None)
    return best if best is not None and _evidence(turn, document, best) else None


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
