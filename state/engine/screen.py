"""The screen of one turn: the card of what comes next, and what becomes of the cards before it."""

from dataclasses import replace

from state.draft.changes import CardAnswered, CardOpened, Change, OffersMade, Proposed, apply
from state.draft.display import asked
from state.draft.draft import Offer, OpenCard, Proposal
from state.draft.missing import missing
from state.draft.stages import at_review
from state.engine.cards import (
    Answered,
    Card,
    Confirm,
    Crossroads,
    Moved,
    Notice,
    Phrase,
    Question,
    Read,
    Review,
    Utterance,
    Verbatim,
)
from state.engine.context import TurnContext, bot_line
from state.engine.effects import Effect, Post, Repaint
from state.engine.events import Clicked, ModelReplied
from state.engine.presentation import Next
from state.form import Field
from state.guards.persona import model_asks, question_target, thin_answer
from state.rules import Grade


class Screen:
    """`draft` is the settled one with the cards as they are so far; `changes` and `effects` are what `advance` takes over."""

    def __init__(self, turn: TurnContext) -> None:
        self.turn, self.draft = turn, turn.draft
        self.changes: list[Change] = []
        self.effects: list[Effect] = []
        self.model = turn.model
        self._posted = len(turn.cards)

    @property
    def next_id(self) -> str:
        """The id that the next posted card gets."""
        return self.turn.card_id(self._posted + 1)

    def change(self, change: Change) -> None:
        """Change which cards are open, answered or said."""
        self.draft = apply(self.draft, change)
        self.changes.append(change)

    def do(self, *effects: Effect) -> None:
        """Add effects."""
        self.effects.extend(effects)

    def post(self, card: Card) -> str:
        """A new message with this card; gives its id."""
        name = self.next_id
        self._posted += 1
        self.do(Post(name, card))
        return name

    def repaint(self, card: str, other: Card) -> None:
        """An earlier card painted anew, once a turn: what was said first about it counts."""
        if not any(isinstance(e, Repaint) and e.id == card for e in self.effects):
            self.do(Repaint(card, other))


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
    now = screen.draft.proposal
    if screen.draft.status is not screen.turn.before.status:
        return Moved("closed")
    if now is not None and (now.act, now.field, now.value) == (proposal.act, proposal.field, proposal.value):
        return Moved("below", proposal.field)
    if proposal.field in screen.draft.reopened:
        return Moved("below", proposal.field)
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
    since = _since(screen, field)
    opened = OpenCard(screen.next_id, "question", field.name, "", lead_in, shows.words, card.again, since=since)
    fresh = opened != screen.draft.card
    _open(screen, opened, card)
    if shows.prepared and fresh:
        screen.change(bot_line(asked(screen.turn.form, screen.draft, field, screen.turn.context)))


def _since(screen: Screen, field: Field) -> str:
    """The card that put this question first, where it has stood since."""
    before = screen.draft.card
    if before is None or (before.kind, before.field) != ("question", field.name):
        return ""
    return before.since if before.id == screen.next_id else before.since or before.id


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
    """The card that shows what is offered now; what was put back for an open field is shown with its own question, or at the review."""
    opened = screen.draft.card
    field = opened.field if opened is not None and opened.kind == "question" else ""
    shown = {field, *screen.draft.values} if field else set(screen.turn.form.fields)
    offers = tuple(replace(o, card=card) if _is_shown(o, shown) else o for o in screen.draft.offers)
    if offers != screen.draft.offers:
        screen.change(OffersMade(offers))


def _is_shown(offer: Offer, fields: set[str]) -> bool:
    return not offer.heard and (not offer.said or offer.field in fields)
