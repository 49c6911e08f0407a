"""A conversation that does things: what a reply calls becomes operations, only a click confirms what waits, files go with rows."""

from collections.abc import Callable, Mapping

from state.draft.changes import DocumentKept, FileWaits, OperationWaits, TurnBegun
from state.draft.documents import UNREAD
from state.draft.operations import Wanted
from state.draft.reply import Round
from state.draft.scope import PERSON
from state.draft.speech import Act, Saying
from state.engine import acts
from state.engine.cards import Notice, Phrase, Utterance, Verbatim
from state.engine.context import TurnContext
from state.engine.effects import CallModel, Discard, Operate, Whisper
from state.engine.events import Clicked, DocumentsReceived, ModelReplied, OperationCompleted
from state.engine.presentation import Acts, Alone, Hold, Next
from state.engine.speech import heed_small_talk, told_by, voiced
from state.engine.tool_calls import RULES
from state.fields import kind_of
from state.fields.tools import file_field
from state.form import Form
from state.form.schema import Operation
from state.guards.operations import Verdict, asked_by_rules, judge_reply
from state.understanding.commands import SpokenCommand as Command
from state.understanding.corrections import is_announced
from state.understanding.evidence import newest_line
from state.understanding.explanations import is_asking


def answer(turn: TurnContext, event: ModelReplied) -> None:
    """A reply in a conversation of operations alone: run what it calls, show what it says, or ask once more, then say so."""
    if any(call.tool == PERSON for call in event.reply.calls):
        say(turn, (Phrase("person_offer"),), ("person",))
        return
    verdict = judge_reply(turn.form, turn.draft, event.reply, turn.context)
    for call in event.reply.calls:
        turn.log(call, event.reader, verdict.results.get(call.id, {"status": "ok"}))
    if verdict.flaw:
        _once_more(turn, event, verdict)
    elif verdict.wanted:
        operate(turn, verdict.wanted)
        turn.present(Hold())
    elif verdict.said:
        _voice(turn, verdict.said)
    else:
        turn.hear_bot(verdict.text)
        say(turn, (Verbatim(verdict.text),))


def _voice(turn: TurnContext, said: tuple[Saying, ...]) -> None:
    """What was wanted said, as code words it. A text of the house's own is heard: it may be the question that comes next."""
    told = (*told_by(said), *voiced(turn, said))
    for saying in said:
        if saying.text:
            turn.hear_bot(saying.text)
    person = any(saying.act is Act.OFFER_PERSON for saying in said)
    say(turn, told, ("person",) if person else ())


def operate(turn: TurnContext, wanted: tuple[Wanted, ...]) -> None:
    """Hand calls to the operations; what comes of them is shown once it is known."""
    turn.do(Operate("call", turn.draft.turn, wanted))


def _once_more(turn: TurnContext, event: ModelReplied, verdict: Verdict) -> None:
    """What was wrong is said to the model once; after that the person gets a clear sentence, and nothing has run."""
    if event.reader != RULES and not event.regenerated:
        rounds = (*event.exchange, Round(event.reply, verdict.results, verdict.flaw))
        turn.ask_model(CallModel(event.turn, event.step + 1, event.purpose, event.act, (), rounds, regenerated=True))
    else:
        _make_do(turn, event)


def _make_do(turn: TurnContext, event: ModelReplied) -> None:
    """Nothing could be used: what the rules would ask, else that a question cannot be answered, else that nothing was understood."""
    asked = asked_by_rules(turn.form, turn.draft, turn.context) if event.reader != RULES else None
    line = newest_line(turn.draft)
    if turn.draft.waiting and line is not None and is_announced(line.text, turn.context):
        drop(turn)
        say(turn, (Phrase("op_say_again"),))
    elif asked is not None:
        _voice(turn, (asked,))
    elif line is not None and is_asking(line.text, turn.context):
        say(turn, voiced(turn, (Saying(Act.CANNOT_ANSWER),)), ("help",))
    else:
        say(turn, heed_small_talk(turn) or (Phrase("op_invalid"),), ("help",))


def confirm(turn: TurnContext, event: Clicked) -> None:
    """The click that runs it: only on the card that waits, only once, and with no word of a model's."""
    waiting = turn.draft.waiting
    if waiting is None or (waiting.card, waiting.proposal) != (event.card, event.value):
        turn.do(Whisper(event.who, Phrase("op_used")))
        return
    turn.change(TurnBegun(), OperationWaits(None))
    turn.do(Operate("confirm", turn.draft.turn, proposal=waiting.proposal, card=waiting.card))


def decline(turn: TurnContext, event: Clicked) -> None:
    """The other click: nothing runs, now or later."""
    waiting = turn.draft.waiting
    if waiting is None or waiting.card != event.card:
        turn.do(Whisper(event.who, Phrase("op_used")))
        return
    turn.change(TurnBegun())
    drop(turn)
    let_go(turn)


def take_back(turn: TurnContext, event: Clicked) -> None:
    """Undo what this card reports."""
    turn.change(TurnBegun())
    turn.do(Operate("undo", turn.draft.turn, proposal=str(event.value or ""), card=event.card))


def drop(turn: TurnContext) -> None:
    """End the proposal that waits, on the server and on its card."""
    waiting = turn.draft.waiting
    if waiting is not None:
        turn.change(OperationWaits(None))
        turn.do(Operate("cancel", turn.draft.turn, proposal=waiting.proposal, card=waiting.card))
        turn.turn_into(waiting.card, Notice((Phrase("op_cancelled"),)))


def say(turn: TurnContext, told: tuple[Utterance, ...], acts: Acts = (), about: str = "") -> None:
    """Sentences; in a form with questions of its own, above the one that is open."""
    if turn.form.conversational or not turn.draft.open or acts:
        turn.present(Alone(told, acts, about))
    else:
        turn.present(Next(told))


def _undo(turn: TurnContext) -> None:
    """Undo the last thing that was done."""
    if turn.draft.waiting:
        drop(turn)
    else:
        turn.do(Operate("undo", turn.draft.turn))


def _cancel(turn: TurnContext) -> None:
    if turn.draft.waiting:
        drop(turn)
        let_go(turn)
    else:
        say(turn, (Phrase("op_nothing_waits"),))


def _help(turn: TurnContext) -> None:
    say(turn, (Phrase("op_help", {"form": turn.form.title, "introduction": turn.form.introduction}),))


COMMANDS: Mapping[Command, Callable[[TurnContext], None]] = {
    Command.CANCEL: _cancel,
    Command.START_OVER: _cancel,
    Command.HELP: _help,
    Command.MISSING: _help,
    Command.PERSON: acts.call_person,
    Command.UNDO: _undo,
    Command.SUBMIT: _help,
    Command.MY_REQUESTS: _help,
}


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
    """Files that waited go with the row that was just made."""
    if not event.last:
        return
    for document in turn.draft.files_waiting:
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
