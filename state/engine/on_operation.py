"""Operations came to something (Operated): shown on the card that was clicked, or below; what waits for a click gets its card."""

from collections.abc import Callable, Mapping

from state.draft.changes import ChatLineAdded, Counted, OperationEnded
from state.draft.draft import ChatLine
from state.draft.utterance import Phrase, Utterance
from state.engine.attachments import attach_waiting
from state.engine.cards import Notice
from state.engine.context import Acts, TurnContext
from state.engine.effects import Attach, Whisper
from state.engine.events import OperationCompleted
from state.engine.operations import say
from state.engine.waiting import by_proposal, end, ending, give_way, instead_of, put_up

HEARD = 600
"""Characters of an outcome that stay in the conversation."""
NOTHING_LEFT = Phrase("op_nothing_to_undo")


def on_operation(turn: TurnContext, event: OperationCompleted) -> None:
    """One small handler for each way in which operations end; files that they made are put into the conversation."""
    OUTCOMES[event.came](turn, event)
    for sheet in event.files:
        turn.do(Attach(sheet.name, sheet.title, sheet.text, sheet.data, alt=sheet.alt))


def _done(turn: TurnContext, event: OperationCompleted) -> None:
    if event.last:
        turn.change(Counted("last_entry", event.last))
        attach_waiting(turn, event)
    if event.undoable or event.act == "undo":
        turn.change(Counted("deed_turn", turn.draft.turn))
    _hear(turn, event.text)
    told = (*event.told, *instead_of(give_way(turn, event)))
    acts: Acts = ("take_back",) if event.undoable else ()
    if by_proposal(turn, event.proposal):
        turn.change(OperationEnded(event.proposal))
    if event.card:
        turn.turn_into(event.card, Notice(told, acts, event.proposal))
    if event.act == "undo" or not event.card:
        say(turn, told, acts, event.proposal)


def _waits(turn: TurnContext, event: OperationCompleted) -> None:
    """It gets a card of its own; what waits already goes on waiting."""
    _hear(turn, event.text)
    put_up(turn, event)


def _refused(turn: TurnContext, event: OperationCompleted) -> None:
    """What cannot be done is said; a card that was clicked in vain offers nothing any more, and says what it was.

    One on which nothing is left to take back goes on saying how it ended.
    """
    one = by_proposal(turn, event.proposal) if event.proposal else None
    if one is not None:
        end(turn, one, event.told)
    elif event.card and event.told == (NOTHING_LEFT,):
        turn.do(Whisper(turn.draft.owner, NOTHING_LEFT))
    elif event.card and event.act != "confirm":
        turn.turn_into(event.card, Notice(event.told))
    elif not event.card:
        say(turn, event.told)


def _ended(turn: TurnContext, event: OperationCompleted) -> None:
    """Its time has passed: its card says so, once, and what it was; where the talk has gone on below that card, so does a line there."""
    one = by_proposal(turn, event.proposal)
    if one is None:
        return
    why: tuple[Utterance, ...] = (Phrase(f"op_{event.came}"),)
    gone_on = one.what and 0 <= one.turn < turn.draft.turn and not one.clicked
    end(turn, one, why)
    if gone_on:
        say(turn, ending(why, one))


def _nothing(_turn: TurnContext, _event: OperationCompleted) -> None:
    """The proposal had come to its end before: its card says how."""


def _hear(turn: TurnContext, text: str) -> None:
    """What was done enters the conversation as code's own line: what the person said before it is used up."""
    if text:
        turn.change(ChatLineAdded(ChatLine("assistant", text[:HEARD], clicked=True)))


OUTCOMES: Mapping[str, Callable[[TurnContext, OperationCompleted], None]] = {
    "done": _done, "waits": _waits, "asks": _waits, "refused": _refused, "cancelled": _ended, "expired": _ended, "nothing": _nothing,
}  # fmt: skip
