"""The card of what comes next: what a document says, the question for the first missing field, the review, or a choice of ways."""

from dataclasses import replace

from state.draft.changes import CardOpened, OffersMade, Proposed
from state.draft.display import asked
from state.draft.draft import OpenCard, Proposal
from state.draft.missing import missing
from state.draft.stages import at_review
from state.engine.cards import (
    Card,
    Confirm,
    Crossroads,
    Notice,
    Phrase,
    Question,
    Read,
    Review,
    Utterance,
    Verbatim,
)
from state.engine.context import bot_line
from state.engine.events import ModelReplied
from state.engine.old_cards import close_card
from state.engine.presentation import Next
from state.engine.screen import Screen
from state.form import Field
from state.guards.persona import model_asks, question_target, thin_answer
from state.rules import Grade

AT_ONCE = 10
"""Values of a document that one card shows; the next card shows the next."""


def open_next(screen: Screen, shows: Next, lead_in: tuple[Utterance, ...]) -> None:
    """Close the open card, and post the one for what comes next."""
    form, draft = screen.turn.form, screen.draft
    fields = missing(form, draft)
    waiting = draft.proposal if draft.proposal and draft.proposal.act == "disclose" else None
    if draft.readings:
        _open_reading(screen, lead_in)
    elif waiting and not fields:
        _ask_to_disclose(screen, waiting)
    elif form.conversational:
        help_line = Phrase("op_help", {"form": form.title, "introduction": form.introduction})
        screen.post(Notice(lead_in or (help_line,)))
    elif fields:
        _open_question(screen, _target(screen, shows.words) or fields[0], lead_in, shows)
    elif at_review(form, draft):
        lead_in = (*lead_in, Verbatim(shows.words)) if shows.words else lead_in
        _open(screen, OpenCard(screen.next_id, "review", hash=draft.hash, lead_in=lead_in), Review(lead_in))
    else:
        _open(screen, OpenCard(screen.next_id, "crossroads", lead_in=lead_in), Crossroads(draft.stage, lead_in))


def _open(screen: Screen, opened: OpenCard, card: Card) -> None:
    """Post it and make it the one that may be clicked; where it is that already, nothing changes."""
    if opened == screen.draft.card:
        return
    close_card(screen)
    screen.post(card)
    screen.change(CardOpened(opened, opened.field))
    place_offers(screen, opened.id)


def _open_reading(screen: Screen, lead_in: tuple[Utterance, ...]) -> None:
    """What was read from a document waits for its clicks before anything else is asked."""
    reading = screen.draft.readings[0]
    fields = tuple(name for name in screen.turn.form.fields if name in reading.values)[:AT_ONCE]
    opened = OpenCard(screen.next_id, "read", lead_in=lead_in, document=reading.document, fields=fields)
    _open(screen, opened, Read(reading.document, fields, lead_in))


def _ask_to_disclose(screen: Screen, waiting: Proposal) -> None:
    """Nothing else is left to ask: whether the person discloses is asked again, below."""
    if waiting.card != screen.next_id:
        close_card(screen)
        screen.change(Proposed(replace(waiting, card=screen.post(Confirm("disclose", waiting.field)))))


def _open_question(screen: Screen, field: Field, lead_in: tuple[Utterance, ...], shows: Next) -> None:
    card = question(screen, field, lead_in, shows.words)
    opened = OpenCard(screen.next_id, "question", field.name, "", lead_in, shows.words, card.again)
    fresh = opened != screen.draft.card
    _open(screen, opened, card)
    if shows.prepared and fresh:
        screen.change(bot_line(asked(screen.turn.form, screen.draft, field, screen.turn.context)))


def _target(screen: Screen, words: str) -> Field | None:
    """What the model's question is about; without one, what was answered too thinly."""
    turn = screen.turn
    target = question_target(turn.form, turn.rules, screen.draft, words) if words else None
    return target or _vague(screen)


def _vague(screen: Screen) -> Field | None:
    """What was answered too thinly, once a reader has looked at the words; an order or a click is no thin answer."""
    turn = screen.turn
    return thin_answer(turn.form, turn.rules, turn.draft) if isinstance(turn.event, ModelReplied) else None


def question(screen: Screen, field: Field, lead_in: tuple[Utterance, ...] = (), words: str = "") -> Question:
    """The question's card as the draft stands: coached, with a way to keep the answer, or with the offer of a person."""
    draft = screen.draft
    again = field.name in draft.reopened and field.name in draft.values
    brief = again and draft.values[field.name].grade == Grade.BRIEF
    vague = brief or field == _vague(screen) or _twice(screen, field)
    stuck = draft.turns_in_vain >= screen.turn.form.patience
    return Question(
        field.name, lead_in, coach=brief, keep=again and not brief, offer_person=stuck, words=words, again=vague
    )


def _twice(screen: Screen, field: Field) -> bool:
    """Where the model asks, the same prepared sentence does not come twice in a row."""
    turn, card = screen.turn, screen.turn.before.card
    same = card is not None and card.field == field.name and not card.words and not card.again
    return same and isinstance(turn.event, ModelReplied) and model_asks(turn.form, turn.draft)


def painted(screen: Screen, card: OpenCard, lead_in: tuple[Utterance, ...]) -> Card:
    """The open card as it stands, below another lead-in."""
    if card.kind == "read":
        return Read(card.document, card.fields, lead_in)
    if card.kind == "review":
        return Review(lead_in)
    if card.kind == "crossroads":
        return Crossroads(screen.draft.stage, lead_in)
    return question(screen, screen.turn.form.fields[card.field], lead_in)


def place_offers(screen: Screen, card: str) -> None:
    """The card that shows what is offered now."""
    offers = screen.draft.offers
    if any(not o.heard and o.card != card for o in offers):
        screen.change(OffersMade(tuple(o if o.heard else replace(o, card=card) for o in offers)))
