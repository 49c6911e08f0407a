"""Clicks on the card of what was read from a document: one value, all of them, or none."""

from state.advance import stale
from state.advance.answering import settle
from state.advance.proposing import confirm
from state.advance.readings import differing, drop
from state.advance.showing import repaint_changed, show_next
from state.advance.work import Work
from state.draft.changes import ChatLineAdded, TurnBegun
from state.draft.display import display_values
from state.draft.draft import ChatLine, DocumentReading, OpenCard
from state.engine.cards import Read
from state.engine.effects import CallModel, Repaint
from state.engine.events import Clicked


def take_one(work: Work, event: Clicked) -> None:
    """One value is right, or is to stand in the place of what was said."""
    found = _open(work, event)
    if found is None or event.field not in _left(*found):
        stale.card(work, event)
        return
    _take(work, *found, (event.field,))


def take_all(work: Work, event: Clicked) -> None:
    """All that contradicts nothing is right; what differs from an answer wants a click of its own."""
    found = _open(work, event)
    names = tuple(n for n in _left(*found) if n not in differing(work, found[1])) if found else ()
    if found is None or not names:
        stale.card(work, event)
        return
    _take(work, *found, names)


def leave(work: Work, event: Clicked) -> None:
    """What is left of the proposal is not right, or not wanted."""
    found = _open(work, event)
    if found is None:
        stale.card(work, event)
        return
    work.change(TurnBegun())
    drop(work, found[1], _left(*found))
    show_next(work)


def _open(work: Work, event: Clicked) -> tuple[OpenCard, DocumentReading] | None:
    card = work.draft.card
    if card is None or card.kind != "read" or card.id != event.card:
        return None
    reading = next((r for r in work.draft.readings if r.document == card.document), None)
    return (card, reading) if reading else None


def _left(card: OpenCard, reading: DocumentReading) -> tuple[str, ...]:
    """What the card shows and the person has not decided: nothing that they cannot see is ever taken."""
    return tuple(name for name in card.fields if name in reading.values)


def _take(work: Work, card: OpenCard, reading: DocumentReading, names: tuple[str, ...]) -> None:
    """While something is left on the card, it is painted anew where it stands; then the form goes on."""
    work.change(TurnBegun())
    confirm(work, reading, names)
    settle(work)
    act = f"[clicked] Confirmed: {display_values(work.form, work.draft, tuple(n for n in names if n in work.draft.values), work.context)}"
    work.change(ChatLineAdded(ChatLine("user", act, card.id, clicked=True)))
    if any(r.document == card.document and _left(card, r) for r in work.draft.readings) and not work.news:
        work.do(Repaint(card.id, Read(card.document, card.fields)))
        repaint_changed(work)
        return
    show_next(work)
    work.do(CallModel(work.draft.turn, purpose="lead_in", act=act, changed=work.changed))
