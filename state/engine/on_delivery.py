"""Something that the person waits for could not be delivered, or was after all: said once where they wait, and taken back there."""

from state.draft.changes import DeliveryNoted
from state.engine.cards import Notice, Phrase
from state.engine.context import TurnContext
from state.engine.events import DeliveryChanged


def on_delivery(turn: TurnContext, event: DeliveryChanged) -> None:
    """A line of its own says what could not be delivered; the same line says later that it has been. Nothing else changes."""
    card = turn.draft.undelivered.get(event.what, "")
    if event.came == "held" and not card:
        told = turn.show(Notice((Phrase(f"held_{event.what}"),)), own=True)
        turn.change(DeliveryNoted(event.what, told))
    if event.came == "delivered" and card:
        turn.turn_into(card, Notice((Phrase(f"delivered_{event.what}"),)))
        turn.change(DeliveryNoted(event.what))
