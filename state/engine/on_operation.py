"""Operations came to something (Operated): shown on the card that was clicked, or below; what waits for a click gets its card."""

from collections.abc import Callable, Mapping

from state.draft.changes import ChatLineAdded, Counted, OperationWaits
from state.draft.draft import ChatLine, PendingOperation
from state.engine.cards import Act, Notice, Phrase
from state.engine.context import TurnContext
from state.engine.effects import Attach, Operate
from state.engine.events import OperationCompleted
from state.engine.operations import attach_waiting, drop, say
from state.engine.presentation import Acts

HEARD = 600
"""Characters of an outcome that stay in the conversation."""


def on_operation(turn: TurnContext, event: OperationCompleted) -> None:
    """One small handler for each way in which operations end; files that they made are put into the conversation."""
    OUTCOMES[event.came](turn, event)
    for sheet in event.files:
        turn.do(Attach(sheet.name, sheet.title, sheet.text, sheet.data, alt=sheet.alt))


def _done(turn: TurnContext, event: OperationCompleted) -> None:
    if event.last:
        turn.change(Counted("last_entry", event.last))
    _hear(turn, event.text)
    attach_waiting(turn, event)
    acts: Acts = ("take_back",) if event.undoable else ()
    if event.card:
        turn.turn_into(event.card, Notice(event.told, acts, event.proposal))
    if event.act == "undo" or not event.card:
        say(turn, event.told, acts, event.proposal)


def _waits(turn: TurnContext, event: OperationCompleted) -> None:
    """One proposal at a time: a newer one ends the older."""
    drop(turn)
    _hear(turn, event.text)
    card = turn.show(Act(event.proposal, event.told))
    turn.change(OperationWaits(PendingOperation(event.proposal, card)))
    turn.do(Operate("expire", turn.draft.turn, proposal=event.proposal, card=card, after=event.seconds))


def _refused(turn: TurnContext, event: OperationCompleted) -> None:
    """What cannot be done is said; a card that was clicked in vain offers nothing any more."""
    if event.card:
        turn.turn_into(event.card, Notice(event.told))
    else:
        say(turn, event.told)


def _ended(turn: TurnContext, event: OperationCompleted) -> None:
    """Its time has passed, or it was cancelled: the card says so, once."""
    waiting = turn.draft.waiting
    if waiting and waiting.proposal == event.proposal:
        turn.change(OperationWaits(None))
    if event.card:
        turn.turn_into(event.card, Notice((Phrase(f"op_{event.came}"),)))


def _nothing(_turn: TurnContext, _event: OperationCompleted) -> None:
    """The proposal had come to its end before: its card says how."""


def _hear(turn: TurnContext, text: str) -> None:
    """What was done enters the conversation as code's own line: what the person said before it is used up."""
    if text:
        turn.change(ChatLineAdded(ChatLine("assistant", text[:HEARD], clicked=True)))


OUTCOMES: Mapping[str, Callable[[TurnContext, OperationCompleted], None]] = {
    "done": _done, "waits": _waits, "refused": _refused, "cancelled": _ended, "expired": _ended, "nothing": _nothing,
}  # fmt: skip
