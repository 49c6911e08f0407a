"""Files in a conversation of operations: each goes with the row that was just touched, or waits for the one that its words make."""

from state.advance.work import Work
from state.draft.changes import Counted, DocumentKept
from state.draft.documents import UNREAD
from state.draft.operations import Wanted
from state.engine.cards import Notice, Phrase
from state.engine.effects import Discard, Operate
from state.engine.events import DocumentsReceived, OperationCompleted
from state.fields import kind_of
from state.fields.tools import file_field
from state.form import Form
from state.form.schema import Operation

LAST, WAITS = "last_entry", "file_waits:"


def takes_files(form: Form) -> Operation | None:
    """The operation that a file calls."""
    return next((o for o in form.operations.values() if file_field(o)), None)


def received(work: Work, event: DocumentsReceived) -> None:
    """With words, the files wait for what these come to; alone, they go with the row that was touched last."""
    good = [d for d in event.documents if d.problem in UNREAD]
    for document in event.documents:
        if document.problem not in UNREAD:
            work.tell(Phrase(f"file_{document.problem}", {"file": document.name}))
    last = work.draft.counts.get(LAST, 0)
    for document in good:
        work.change(DocumentKept(document))
        if last and not event.worded:
            _file(work, document.id, last)
        else:
            work.change(Counted(f"{WAITS}{document.id}", 1))
    if good and not last and not event.worded:
        work.tell(Phrase("op_file_waits", {"file": ", ".join(d.name for d in good)}))
    if work.news and not event.worded:
        work.post(Notice(tuple(work.news)))


def file_waiting(work: Work, event: OperationCompleted) -> None:
    """Files that waited go with the row that was just made."""
    if not event.last:
        return
    for name, waits in work.draft.counts.items():
        if waits and name.startswith(WAITS):
            work.change(Counted(name, 0))
            _file(work, name.removeprefix(WAITS), event.last)


def let_go(work: Work) -> None:
    """Nothing came of the words: files that waited for them are not kept."""
    waiting = [n for n, waits in work.draft.counts.items() if waits and n.startswith(WAITS)]
    if waiting:
        work.change(*(Counted(name, 0) for name in waiting))
        work.do(Discard(tuple(name.removeprefix(WAITS) for name in waiting)))


def _file(work: Work, document: str, number: int) -> None:
    operation = takes_files(work.form)
    row = next((f.name for f in operation.fields.values() if kind_of(f).listing == "row"), "") if operation else ""
    if operation and row:
        work.do(
            Operate("call", work.draft.turn, (Wanted(operation.name, {row: number, file_field(operation): document}),))
        )
