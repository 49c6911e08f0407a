"""The person chooses a way on: by a button, by its words, or by words that a model understood."""

from state.advance.moving import pull, way_on
from state.advance.showing import show_next
from state.advance.stale import card as stale_card
from state.advance.work import Work
from state.draft.changes import (
    CardOpened,
    ChatLineAdded,
    HandedBack,
    Reopened,
    StageMoved,
    SubmissionChosen,
    TurnBegun,
    Unlocked,
)
from state.draft.draft import ChatLine
from state.engine.cards import Notice, Phrase, Verbatim
from state.engine.effects import CallModel, Repaint
from state.engine.events import Clicked
from state.form import Transition


def go_clicked(work: Work, event: Clicked) -> None:
    """A button of the open card; one whose way is closed by now is out of date."""
    way = way_on(work, str(event.value))
    if way is None or work.draft.card is None or work.draft.card.id != event.card:
        stale_card(work, event)
        return
    act = f"[clicked] {event.label or way.label or way.on}"
    work.change(TurnBegun(), ChatLineAdded(ChatLine("user", act, event.card, clicked=True)))
    go(work, way, act)


def go(work: Work, way: Transition, act: str = "") -> None:
    """Take the way, or open the review for one that files; the card that offered it shows what was chosen."""
    mark_choice(work, way)
    pull(work, way)
    show_next(work)
    if work.draft.open and not work.draft.handed:
        work.do(CallModel(work.draft.turn, purpose="lead_in", act=act, changed=work.changed))


def mark_choice(work: Work, way: Transition) -> None:
    """The open card turns into what was chosen on it."""
    card = work.draft.card
    if card is not None and card.kind == "crossroads":
        work.do(Repaint(card.id, Notice((*card.lead_in, Verbatim(f"✓ {way.label or way.on}")))))
        work.change(CardOpened(None))


def go_back(work: Work, event: Clicked) -> None:
    """The review was opened by a way that the person does not take after all."""
    if not work.draft.going or work.draft.card is None or work.draft.card.id != event.card:
        stale_card(work, event)
        return
    work.change(TurnBegun(), SubmissionChosen(""))
    show_next(work)


def hand_back(work: Work, event: Clicked) -> None:
    """A person gives the conversation back: the bot goes on where it stopped, and the model is told of the stretch between."""
    if not work.draft.handed:
        return
    work.change(
        TurnBegun(), ChatLineAdded(ChatLine("user", "[clicked] A person handed the conversation back", clicked=True))
    )
    work.change(HandedBack(event.who))
    _return(work)
    if work.draft.open:
        show_next(work, Phrase("handed_back"))
    else:
        work.post(Notice((Phrase("handed_back"),), ("begin",)))


def _return(work: Work) -> None:
    """Back to the stage before; the answers that led to the person are opened again, else they would lead there at once."""
    with_person, before = work.form.stages.get(work.draft.stage), work.form.stages.get(work.draft.came_from)
    if with_person is None or not with_person.hands_over or before is None:
        return
    work.change(StageMoved(before.name, "handed_back"))
    led = (w.when.fields for w in before.transitions if w.to == with_person.name and w.automatic and w.when)
    for name in sorted(set().union(*led) & set(work.draft.values)):
        work.change(Unlocked(name), Reopened(name))
