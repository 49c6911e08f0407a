"""Files in a conversation of operations: each goes with the row that was just touched, or waits for the one that its words make."""

from state.draft.changes import DocumentKept, FileWaits
from state.draft.documents import UNREAD
from state.draft.operations import Wanted
from state.engine.cards import Phrase
from state.engine.context import TurnContext
from state.engine.effects import Discard, Operate
from state.engine.events import DocumentsReceived, OperationCompleted
from state.engine.presentation import Hold
from state.fields import file_field, kind_of
from state.form import Form
from state.form.schema import Operation


def takes_files(form: Form) -> Operation | None:
    """The operation that a file calls."""
    return next((o for o in form.operations.values() if file_field(o)), None)


def attach(turn: TurnContext, event: DocumentsReceived) -> None:
    """With words, the files wait for what these come to; alone, they go with the row that was touched last."""
    good = [d for d in event.documents if d.problem in UNREAD]
    for document in event.documents:
        if document.problem not in UNREAD:
            turn.tell(Phrase(f"file_{document.problem}", {"file": document.name}))
    last = turn.draft.last_entry
    for document in good:
        turn.change(DocumentKept(document))
        if last and not event.worded:
            _attach_to(turn, document.id, last)
        else:
            turn.change(FileWaits(document.id, True))
    if good and not last and not event.worded:
        turn.tell(Phrase("op_file_waits", {"file": ", ".join(d.name for d in good)}))
    if not event.worded:
        turn.present(Hold())


def attach_waiting(turn: TurnContext, event: OperationCompleted) -> None:
    """Files that waited go with the row that was just made: those of the proposal that was clicked, else those of the words."""
    one = next((o for o in turn.draft.pending_operations if o.proposal == event.proposal), None)
    for document in one.files if one else turn.draft.files_waiting:
        turn.change(FileWaits(document, False))
        _attach_to(turn, document, event.last)


def let_go(turn: TurnContext) -> None:
    """Nothing came of the words: files that waited for them are not kept."""
    waiting = turn.draft.files_waiting
    if waiting:
        turn.change(*(FileWaits(document, False) for document in waiting))
        turn.do(Discard(waiting))


def _attach_to(turn: TurnContext, document: str, number: int) -> None:
    operation = takes_files(turn.form)
    row = next((f.name for f in operation.fields.values() if kind_of(f).listing == "row"), "") if operation else ""
    if operation and row:
        wanted = Wanted(operation.name, {row: number, file_field(operation): document})
        turn.do(Operate("call", turn.draft.turn, (wanted,)))
