"""What becomes of the cards before: answered, void, asked again below, or without their buttons in a draft that is closed."""

from state.draft.changes import CardAnswered, CardOpened, Proposed
from state.draft.draft import Proposal
from state.engine.cards import (
    Answered,
    Moved,
    Notice,
    Read,
    Verbatim,
)
from state.engine.events import Clicked
from state.engine.screen import Screen


def close_card(screen: Screen) -> None:
    """The open card turns into its answer; unanswered, it says that it counts no more."""
    draft, card = screen.draft, screen.draft.card
    if card is None:
        return
    answered = card.field in draft.values and card.field not in draft.reopened
    if card.kind == "read" and not any(
        r.document == card.document and set(card.fields) & set(r.values) for r in draft.readings
    ):
        screen.repaint(card.id, Read(card.document, card.fields, card.lead_in))
    elif card.kind == "question" and answered:
        screen.repaint(card.id, Answered(card.field))
        screen.change(CardAnswered(card.field, card.id))
    else:
        stale = card.kind == "review" and card.hash != draft.hash
        said = (*card.lead_in, Verbatim(card.words)) if card.words else card.lead_in
        screen.repaint(card.id, Moved("changed" if stale else "below", card.field, said))
    screen.change(CardOpened(None))


def paint_choice(screen: Screen) -> None:
    """The card that offered the way which was taken turns into what was chosen on it."""
    way, card = screen.turn.taken, screen.draft.card
    if way is not None and card is not None and card.kind == "crossroads" and card == screen.turn.before.card:
        screen.repaint(card.id, Notice((*card.lead_in, Verbatim(f"✓ {way.label or way.on}"))))
        screen.change(CardOpened(None))


def repaint_changed(screen: Screen) -> None:
    """Cards of earlier answers that this event changed show the answer as it is now."""
    for name in screen.turn.changed:
        card = screen.turn.before.answered_cards.get(name)
        if card:
            screen.repaint(card, Answered(name) if name in screen.draft.values else Moved("changed", name))


def void_proposals(screen: Screen) -> None:
    """What waited for a click and waits no more says so on its card."""
    turn, now = screen.turn, screen.draft.proposal
    every = (turn.before.proposal, *(c.proposal for c in turn.changes if isinstance(c, Proposed)))
    for proposal in every:
        if proposal is not None and (now is None or proposal.card != now.card):
            screen.repaint(proposal.card, _void(screen, proposal))


def _void(screen: Screen, proposal: Proposal) -> Moved:
    event = screen.turn.event
    act = event.act if isinstance(event, Clicked) and event.card == proposal.card else ""
    if screen.draft.status is not screen.turn.before.status:
        return Moved("closed")
    if act == "change":
        return Moved("changed", proposal.field)
    return Moved("kept" if proposal.act == "change" or act in ("stay", "keep") else "below")


def end_cards(screen: Screen) -> None:
    """A draft that is closed offers nothing to click: its open card is closed, and its answered ones are painted without their buttons."""
    if screen.draft.status is screen.turn.before.status:
        return
    if screen.draft.card is not None:
        screen.repaint(screen.draft.card.id, Moved("closed"))
        screen.change(CardOpened(None))
    for name, card in screen.draft.answered_cards.items():
        if name in screen.draft.values:
            screen.repaint(card, Answered(name))
