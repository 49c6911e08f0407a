"""Files came: each goes to the field that was asked, else to the first open one that takes it; what nobody takes is not kept."""

from state.advance import filing
from state.advance.acting import say_closed
from state.advance.answering import make_value, put
from state.advance.failing import count_failure
from state.advance.proposing import read
from state.advance.refusing import problem_with
from state.advance.said import heed, sent_act
from state.advance.showing import show_next
from state.advance.work import Work
from state.draft.changes import DocumentKept, Reopened, ValueSet
from state.draft.documents import FAILED, UNREAD, Document
from state.draft.draft import Data
from state.draft.missing import missing, unfilled
from state.engine.cards import Phrase, Utterance
from state.engine.effects import CallModel, Discard, Post
from state.engine.events import DocumentsReceived, MessageReceived
from state.fields import kind_of
from state.form import Field


def received(work: Work, event: DocumentsReceived) -> None:
    """A closed draft takes nothing; words that came with the files are read once these have their places."""
    if not work.draft.open:
        _discard(work, event.documents)
        say_closed(work)
        return
    if work.form.conversational and filing.takes_files(work.form):
        filing.received(work, event)
        _read_words(work, event)
        return
    before = work.draft.held
    for document in event.documents:
        _place(work, document, event.asked)
    if replaced := tuple(sorted(before - work.draft.held)):
        work.do(Discard(replaced))
    count_failure(work, any(d.problem in FAILED for d in event.documents))
    if work.draft.handed:
        show_next(work)
        return
    if not _read_words(work, event) and event.turn == work.draft.turn and work.changed:
        act = sent_act(tuple(d.name for d in event.documents))
        work.do(CallModel(work.draft.turn, purpose="lead_in", act=act, changed=work.changed))
    if not any(isinstance(e, Post) for e in work.effects):
        show_next(work)


def _read_words(work: Work, event: DocumentsReceived) -> bool:
    """Words beside the files are read as if they were said now, unless the person has gone on. Says whether there were any."""
    if event.turn != work.draft.turn or not event.worded:
        return False
    heed(work, MessageReceived(event.id, event.at, work.draft.owner, event.words, event.message))
    return True


def _place(work: Work, document: Document, asked: str) -> None:
    if document.problem not in UNREAD:
        work.tell(Phrase(f"file_{document.problem}", {"file": document.name}))
        return
    field = _taker(work, document, asked)
    if field is None:
        _refuse(work, document, Phrase(_why_nobody(work), {"file": document.name}))
        return
    work.change(DocumentKept(document))
    problem = problem_with(work, field, _joined(work, field, document))
    if problem is not None:
        _refuse(work, document, problem)
    else:
        _take(work, field, document)


def _taker(work: Work, document: Document, asked: str) -> Field | None:
    """The field that was asked when the file was sent, or the one that is open first; only one that takes such files."""
    wanted = [f for f in missing(work.form, work.draft) if kind_of(f).by_file]
    first = sorted(wanted, key=lambda f: f.name != asked)
    return next((f for f in first if takes(f, document)), None)


def takes(field: Field, document: Document) -> bool:
    """Whether a field takes files of this kind."""
    return document.family in (field.accept or ("pdf", "image"))


def _held(work: Work, field: Field) -> tuple[str, ...]:
    """The files that a field of several holds already; a full one that the person reopened begins anew."""
    value = work.draft.values.get(field.name)
    held = value.data if value is not None and isinstance(value.data, tuple) else ()
    return held if len(held) < kind_of(field).most(field) else ()


def _joined(work: Work, field: Field, document: Document) -> Data:
    return (*_held(work, field), document.id) if kind_of(field).several else document.id


def _take(work: Work, field: Field, document: Document) -> None:
    """One file answers; of several, the field stays open until there are as many as it takes, or the person says that it is all."""
    data = _joined(work, field, document)
    value = make_value(
        work, field, data, "document", "", document.message, who=work.draft.owner, label=_label(work, data)
    )
    work.tell(Phrase("file_taken", {"file": document.name, "field": field.name}))
    if isinstance(data, tuple) and len(data) < kind_of(field).most(field):
        work.change(ValueSet(field.name, value), Reopened(field.name))
    else:
        put(work, field, value)
    if not read(work, document, field):
        work.tell(Phrase("file_unread", {"file": document.name}))


def _label(work: Work, data: Data) -> str:
    ids = data if isinstance(data, tuple) else (str(data),)
    return ", ".join(work.draft.documents[i].name for i in ids if i in work.draft.documents)


def _why_nobody(work: Work) -> str:
    wanted = any(kind_of(f).by_file for f in unfilled(work.form, work.draft))
    return "file_other_kind" if wanted else "file_not_needed"


def _refuse(work: Work, document: Document, why: Utterance) -> None:
    work.tell(why)
    _discard(work, (document,))


def _discard(work: Work, documents: tuple[Document, ...]) -> None:
    stored = tuple(d.id for d in documents if d.problem in UNREAD)
    if stored:
        work.do(Discard(stored))
