"""A conversation that does things: replies become operations, operations become cards, and only a click confirms."""

from collections.abc import Callable, Mapping
from typing import Literal

from state.advance import acting, filing
from state.advance.calls import RULES
from state.advance.showing import hear_bot, show_next
from state.advance.work import Work
from state.draft.changes import ChatLineAdded, Counted, OperationWaits, TurnBegun
from state.draft.draft import ChatLine, PendingOperation
from state.draft.operations import Wanted
from state.draft.reply import Round
from state.draft.scope import PERSON
from state.engine.cards import (
    Act,
    Notice,
    Phrase,
    Utterance,
    Verbatim,
)
from state.engine.effects import (
    Attach,
    CallModel,
    Effect,
    Operate,
    Repaint,
    Whisper,
)
from state.engine.events import Clicked, ModelReplied, OperationCompleted
from state.guards.operations import Verdict, judge_reply
from state.understanding.commands import SpokenCommand as Command

HEARD = 600
"""Characters of an outcome that stay in the conversation."""
Acts = tuple[Literal["take_back", "person", "help", "begin"], ...]


def answered(work: Work, event: ModelReplied) -> None:
    """A reply in a conversation of operations alone: run what it calls, show what it says, or ask once more, then say so."""
    if any(call.tool == PERSON for call in event.reply.calls):
        _say(work, (*work.news, Phrase("person_offer")), ("person",))
        return
    verdict = judge_reply(work.form, work.draft, event.reply, work.context)
    for call in event.reply.calls:
        work.log(call, event.reader, verdict.results.get(call.id, {"status": "ok"}))
    if verdict.flaw:
        _once_more(work, event, verdict)
    elif verdict.wanted:
        operate(work, verdict.wanted)
    else:
        hear_bot(work, verdict.text)
        _say(work, (*work.news, Verbatim(verdict.text)))


def operate(work: Work, wanted: tuple[Wanted, ...]) -> None:
    """Hand calls to the operations; what was news waits for their outcome."""
    if work.news:
        _say(work, tuple(work.news))
    work.do(Operate("call", work.draft.turn, wanted))


def _once_more(work: Work, event: ModelReplied, verdict: Verdict) -> None:
    """What was wrong is said to the model once; after that the person gets a clear sentence, and nothing has run."""
    if event.reader != RULES and not event.regenerated:
        rounds = (*event.exchange, Round(event.reply, verdict.results, verdict.flaw))
        work.do(CallModel(event.turn, event.step + 1, event.purpose, event.act, (), rounds, regenerated=True))
    else:
        _say(work, (*work.news, Phrase("op_invalid")), ("help",))


def operated(work: Work, event: OperationCompleted) -> None:
    """Show what came of it: on the card that was clicked, or below."""
    _OUTCOMES[event.came](work, event)
    for sheet in event.files:
        work.do(Attach(sheet.name, sheet.title, sheet.text, sheet.data))


def _done(work: Work, event: OperationCompleted) -> None:
    if event.last:
        work.change(Counted("last_entry", event.last))
    _hear(work, event.text)
    filing.file_waiting(work, event)
    acts: Acts = ("take_back",) if event.undoable else ()
    notice = Notice((*work.news, *event.told), acts, event.proposal)
    if event.card:
        work.do(Repaint(event.card, notice))
    if event.act == "undo" or not event.card:
        _say(work, notice.lines, acts, event.proposal)


def _waits(work: Work, event: OperationCompleted) -> None:
    """One proposal at a time: a newer one ends the older."""
    _drop(work)
    _hear(work, event.text)
    card = work.post(Act(event.proposal, (*work.news, *event.told)))
    work.change(OperationWaits(PendingOperation(event.proposal, card)))
    work.do(Operate("expire", work.draft.turn, proposal=event.proposal, card=card, after=event.seconds))


def _refused(work: Work, event: OperationCompleted) -> None:
    """What cannot be done is said; a card that was clicked in vain offers nothing any more."""
    if event.card:
        work.do(Repaint(event.card, Notice(event.told)))
    else:
        _say(work, (*work.news, *event.told))


def _ended(work: Work, event: OperationCompleted) -> None:
    """Its time has passed, or it was cancelled: the card says so, once."""
    waiting = work.draft.waiting
    if waiting and waiting.proposal == event.proposal:
        work.change(OperationWaits(None))
    if event.card:
        work.do(Repaint(event.card, Notice((Phrase(f"op_{event.came}"),))))


def _nothing(_work: Work, _event: OperationCompleted) -> None:
    """The proposal had come to its end before: its card says how."""


_OUTCOMES: Mapping[str, Callable[[Work, OperationCompleted], None]] = {
    "done": _done, "waits": _waits, "refused": _refused, "cancelled": _ended, "expired": _ended, "nothing": _nothing,
}  # fmt: skip


def confirm(work: Work, event: Clicked) -> None:
    """The click that runs it: only on the card that waits, only once, and with no word of a model's."""
    waiting = work.draft.waiting
    if waiting is None or (waiting.card, waiting.proposal) != (event.card, event.value):
        work.do(Whisper(event.who, Phrase("op_used")))
        return
    work.change(TurnBegun(), OperationWaits(None))
    work.do(Operate("confirm", work.draft.turn, proposal=waiting.proposal, card=waiting.card))


def decline(work: Work, event: Clicked) -> None:
    """The other click: nothing runs, now or later."""
    waiting = work.draft.waiting
    if waiting is None or waiting.card != event.card:
        work.do(Whisper(event.who, Phrase("op_used")))
        return
    work.change(TurnBegun())
    _drop(work)
    filing.let_go(work)


def take_back(work: Work, event: Clicked) -> None:
    """Undo what this card reports."""
    work.change(TurnBegun())
    work.do(Operate("undo", work.draft.turn, proposal=str(event.value or ""), card=event.card))


def _undo(work: Work) -> None:
    """Undo the last thing that was done."""
    if work.draft.waiting:
        _drop(work)
    else:
        work.do(Operate("undo", work.draft.turn))


def _cancel(work: Work) -> None:
    if work.draft.waiting:
        _drop(work)
        filing.let_go(work)
    else:
        _say(work, (Phrase("op_nothing_waits"),))


def _help(work: Work) -> None:
    _say(work, (Phrase("op_help", {"form": work.form.title, "introduction": work.form.introduction}),))


COMMANDS: Mapping[Command, Callable[[Work], None]] = {
    Command.CANCEL: _cancel,
    Command.START_OVER: _cancel,
    Command.HELP: _help,
    Command.MISSING: _help,
    Command.PERSON: acting.call_person,
    Command.UNDO: _undo,
    Command.SUBMIT: _help,
    Command.MY_REQUESTS: _help,
}


def _drop(work: Work) -> None:
    """End the proposal that waits, on the server and on its card."""
    waiting = work.draft.waiting
    if waiting is not None:
        work.change(OperationWaits(None))
        ends: Effect = Operate("cancel", work.draft.turn, proposal=waiting.proposal, card=waiting.card)
        work.do(ends, Repaint(waiting.card, Notice((Phrase("op_cancelled"),))))


def _hear(work: Work, text: str) -> None:
    """What was done enters the conversation as code's own line: what the person said before it is used up."""
    if text:
        work.change(ChatLineAdded(ChatLine("assistant", text[:HEARD], clicked=True)))


def _say(work: Work, told: tuple[Utterance, ...], acts: Acts = (), about: str = "") -> None:
    """Sentences; in a form with questions of its own, above the one that is open."""
    if work.form.conversational or not work.draft.open or acts:
        work.post(Notice(told, acts, about))
    else:
        show_next(work, *told)
