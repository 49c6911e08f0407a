"""Clicks on the card of what was read from a document: one value, all of them, or none."""

from collections.abc import Callable

from state.draft.changes import ChatLineAdded, TurnBegun
from state.draft.display import display_values
from state.draft.draft import ChatLine, DocumentReading, OpenCard
from state.draft.missing import reachable
from state.engine import acts
from state.engine.context import TurnContext
from state.engine.events import Clicked
from state.engine.presentation import Next, StayOrNext
from state.engine.readings import confirm, differing, drop

Handler = Callable[[TurnContext, Clicked], None]


def _on_reading(do: Callable[[TurnContext, Clicked, OpenCard, DocumentReading], bool]) -> Handler:
    """For clicks on what was read from a document: only on the card that is open, and only on what it shows. `do` says whether there was any."""

    def handle(turn: TurnContext, event: Clicked) -> None:
        card = turn.draft.card
        live = card is not None and card.kind == "read" and card.id == event.card
        reading = next((r for r in turn.draft.readings if card and live and r.document == card.document), None)
        if card is None or reading is None or not do(turn, event, card, reading):
            acts.out_of_date(turn, event)

    return handle


@_on_reading
def take_one(turn: TurnContext, event: Clicked, card: OpenCard, reading: DocumentReading) -> bool:
    """One value is right, or is to stand in the place of what was said."""
    return _take(turn, card, reading, tuple(n for n in _undecided(card, reading) if n == event.field))


@_on_reading
def take_all(turn: TurnContext, _event: Clicked, card: OpenCard, reading: DocumentReading) -> bool:
    """All that contradicts nothing is right; what differs from an answer wants a click of its own."""
    differ = differing(turn, reading)
    return _take(turn, card, reading, tuple(n for n in _undecided(card, reading) if n not in differ))


@_on_reading
def leave(turn: TurnContext, _event: Clicked, card: OpenCard, reading: DocumentReading) -> bool:
    """What is left of the proposal is not right, or not wanted."""
    turn.change(TurnBegun())
    drop(turn, reading, _undecided(card, reading))
    turn.present(Next())
    return True


def _take(turn: TurnContext, card: OpenCard, reading: DocumentReading, names: tuple[str, ...]) -> bool:
    if not names:
        return False
    turn.change(TurnBegun())
    confirm(turn, reading, names)
    counting = {f.name for f in reachable(turn.form, turn.draft)} & set(turn.draft.values)
    taken = tuple(n for n in names if n in counting)
    act = f"[clicked] Confirmed: {display_values(turn.form, turn.draft, taken, turn.context)}"
    turn.change(ChatLineAdded(ChatLine("user", act, card.id, clicked=True)))
    turn.present(StayOrNext())
    turn.ask_model(act=act)
    return True


def _undecided(card: OpenCard, reading: DocumentReading) -> tuple[str, ...]:
    """What the card shows and the person has not decided: nothing that they cannot see is ever taken."""
    return tuple(name for name in card.fields if name in reading.values)
