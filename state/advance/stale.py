"""Clicks that come too late: nothing changes, and the person sees how things stand."""

from state.advance.acting import say_closed
from state.advance.showing import show_next
from state.advance.work import Work
from state.engine.cards import Moved, Phrase
from state.engine.effects import Repaint, Whisper
from state.engine.events import Clicked


def card(work: Work, event: Clicked) -> None:
    """A second click with the same answer is no news; any other gets the current card."""
    if _repeats(work, event):
        return
    if event.card and event.card not in _alive(work):
        work.do(Repaint(event.card, Moved("changed", event.field)))
    show_next(work, Phrase("out_of_date"))


def closed(work: Work, event: Clicked) -> None:
    """The draft is closed: say so, once, where the click was."""
    if event.act in ("submit", "cancel_confirmed", "restart_confirmed", "disclose_confirmed", "answer"):
        key = {"submitted": "already_filed", "escalated": "with_compliance", "cancelled": "cancelled"}[
            work.draft.status
        ]
        work.do(Whisper(event.who, Phrase(key, {"number": work.draft.record})))
    else:
        say_closed(work)


def _repeats(work: Work, event: Clicked) -> bool:
    value = work.draft.values.get(event.field)
    answered = work.draft.answered_cards.get(event.field) == event.card
    return bool(event.card) and answered and value is not None and value.data == event.value


def _alive(work: Work) -> set[str]:
    cards = set(work.draft.answered_cards.values())
    return cards | ({work.draft.card.id} if work.draft.card else set())
