"""Files came (Received): each goes to the field that was asked, else to the first open one that takes it; what nobody takes is not kept."""

from state.draft.changes import DocumentKept
from state.draft.documents import FAILED, UNREAD, Document
from state.draft.missing import missing, unfilled
from state.draft.utterance import Phrase, Utterance
from state.engine.acts import count_failure
from state.engine.context import NOTHING, Next, Standing, TurnContext
from state.engine.effects import Discard
from state.engine.events import DocumentsReceived, MessageReceived
from state.engine.on_message import add_beside_files, heed, sent_act
from state.engine.on_operation import attach, takes_files
from state.engine.on_report import on_note, takes_note
from state.engine.readings import doubt, joined, take
from state.engine.values import problem_with
from state.fields import kind_of
from state.form import Field
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
    heed(turn, MessageReceived(event.id, event.at, turn.draft.owner, event.words, event.message))
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
