"""What becomes of the cards that stood before: taken over, taken away, painted as void."""

from dataclasses import replace

from state.draft.changes import CardOpened, Proposed, UndoKept
from state.draft.draft import OpenCard, Proposal
from state.draft.utterance import Phrase, Utterance, Verbatim
from state.engine.cards import Card, Moved, Notice, Read
from state.engine.context import message_of
from state.engine.events import Clicked
from state.engine.screen import Screen


def close_card(screen: Screen, said: tuple[Utterance, ...] = ()) -> None:
    """The open card counts no more: its message is taken over by the next one, or says what it told and which question was answered.

    `said` is what else stays to be read there.
    """
    card = screen.draft.card
    if card is None:
        return
    if not card.hidden and message_of(card.id) != message_of(screen.into or "-"):
        screen.repaint(card.id, _left(screen, card, said))
    screen.change(CardOpened(None))


def _left(screen: Screen, card: OpenCard, said: tuple[Utterance, ...] = ()) -> Card:
    """What becomes of an open card's message."""
    draft = screen.draft
    if card.kind == "read" and not any(
        r.document == card.document and set(card.fields) & set(r.values) for r in draft.readings
    ):
        return Read(card.document, card.fields, card.lead_in)
    if card.kind == "question" and card.field in draft.values and card.field not in draft.reopened:
        return Moved("answered", card.field, _worded(card))
    return Moved("below", card.field, (*_lasting(card), *_worded(card), *said))


def _lasting(card: OpenCard) -> tuple[Utterance, ...]:
    return tuple(t for t in card.lead_in if not (isinstance(t, Phrase) and t.key in PASSING))


def still_told(screen: Screen, told: tuple[Utterance, ...]) -> tuple[Utterance, ...]:
    """What the card told whose message is taken over, where the person did nothing in between: it was on screen for a moment only."""
    card = screen.turn.before.card
    if card is None or card.id != screen.into or isinstance(screen.turn.event, Clicked):
        return told
    return (*(t for t in _lasting(card) if t not in told), *told)


PASSING = frozenset({
    "none_of_these_said", "nothing_found", "lookup_failed", "coach_brief", "got_it", "was_now", "taken_back",
    "not_understood", "out_of_date", "here_it_is", "press_one", "several_asked", "greeting", "reading_first",
    "heard_hold", "heard_thanks", "heard_greeting", "heard_doubt", "line_not_understood", "gathered", "nothing_gathered",
})  # fmt: skip
"""What is told for the moment: it goes with the card that said it."""


def _worded(card: OpenCard) -> tuple[Utterance, ...]:
    return (Verbatim(card.words),) if card.words else ()


def hide_card(screen: Screen) -> None:
    """While a card of its own waits for a click, nothing else is asked: the open card comes again after it."""
    card = screen.draft.card
    if card is None or card.hidden or not screen.waits or card != screen.turn.before.card:
        return
    screen.repaint(card.id, _left(screen, card))
    screen.change(CardOpened(replace(card, hidden=True), screen.draft.asked))


def paint_choice(screen: Screen) -> None:
    """The card that offered the way which was taken turns into what was chosen on it."""
    way, card = screen.turn.taken, screen.draft.card
    if way is not None and card is not None and card.kind == "crossroads" and card == screen.turn.before.card:
        if card.id != screen.into:
            screen.repaint(card.id, Notice((*card.lead_in, Verbatim(f"✓ {way.label or way.on}"))))
        screen.change(CardOpened(None))


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
    now = screen.draft.proposal
    if screen.draft.status is not screen.turn.before.status:
        return Moved("closed")
    if now is not None and (now.act, now.field, now.value) == (proposal.act, proposal.field, proposal.value):
        return Moved("below", proposal.field)
    if proposal.field in screen.draft.reopened:
        return Moved("below", proposal.field)
    held, before = screen.draft.values.get(proposal.field), screen.turn.before.values.get(proposal.field)
    if act == "change" or (proposal.act == "change" and held != before):
        return Moved("changed", proposal.field)
    if proposal.act == "change" and now is not None:
        return Moved("below", proposal.field)
    return Moved("kept" if proposal.act == "change" or act in ("stay", "keep") else "below")


def end_cards(screen: Screen) -> None:
    """A draft that is closed offers nothing to click."""
    card, undo = screen.draft.card, screen.turn.before.undo_card
    if screen.draft.open or screen.draft.status is screen.turn.before.status:
        return
    if undo and (card is None or message_of(card.id) != message_of(undo)):
        screen.repaint(undo, Moved("closed"))
    if card is None:
        return
    if not card.hidden:
        screen.repaint(card.id, Moved("closed"))
    screen.change(CardOpened(None))


def place_undo(screen: Screen) -> None:
    """The card that was put up with a change takes it back, and the one that took over its message and tells of it still."""
    card, draft = screen.draft.card, screen.draft
    if not draft.undo or card is None or card.hidden or draft.undo_card == card.id:
        return
    tells = any(isinstance(t, Phrase) and t.key == "was_now" for t in card.lead_in)
    if not draft.undo_card or (tells and message_of(draft.undo_card) == message_of(card.id)):
        screen.change(UndoKept(draft.undo, card.id))
