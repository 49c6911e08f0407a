"""The card of what comes next: what was read, a question or several, the review, a choice of ways."""

from dataclasses import replace

from state.draft.changes import CardOpened, OffersMade, Proposed
from state.draft.display import asked
from state.draft.draft import OpenCard, Proposal
from state.draft.missing import in_stage, missing
from state.draft.put_back import shown
from state.draft.stages import at_review
from state.draft.utterance import Phrase, Utterance, Verbatim
from state.engine.cards import Card, Change, Confirm, Crossroads, Notice, Question, Read, Review
from state.engine.context import Next, bot_line, message_of
from state.engine.effects import Post
from state.engine.events import ModelReplied
from state.engine.past_cards import close_card
from state.engine.screen import Screen
from state.fields import kind_of
from state.form import Field
from state.guards.persona import model_asks, question_target, thin_answer
from state.rules import Grade

AT_ONCE = 10
"""Values of a document that one card shows; the next card shows the next."""


def open_next(screen: Screen, shows: Next, lead_in: tuple[Utterance, ...]) -> None:
    """Close the open card, and post the one for what comes next."""
    form, draft = screen.turn.form, screen.draft
    fields = missing(form, draft)
    waiting = draft.proposal if draft.proposal and draft.proposal.act in ("disclose", "change") else None
    if draft.readings and not _asked_anew(screen):
        _open_reading(screen, lead_in)
    elif waiting and not fields:
        _ask_once_more(screen, waiting)
    elif form.conversational:
        help_line = Phrase("op_help", {"form": form.title, "introduction": form.introduction})
        screen.post(Notice(lead_in or (help_line,)))
    elif fields:
        _open_question(screen, _target(screen, shows.words) or _first(screen, fields), lead_in, shows)
    elif at_review(form, draft):
        _open(screen, OpenCard(screen.next_id, "review", hash=draft.hash, lead_in=lead_in), Review(lead_in))
    else:
        opened = OpenCard(screen.next_id, "crossroads", lead_in=lead_in, brief=_said_above(screen))
        _open(screen, opened, crossroads(screen, opened))


def _asked_anew(screen: Screen) -> bool:
    """Whether the person wants to answer something anew; a field that still collects its files is open by itself."""
    fields = screen.turn.form.fields
    return any(name in fields and not kind_of(fields[name]).collects for name in screen.draft.reopened)


def crossroads(screen: Screen, opened: OpenCard) -> Crossroads:
    """A stage's ways on as they stand; with the offer of a person where words have come to nothing."""
    stuck = screen.draft.turns_in_vain >= screen.turn.form.patience
    return Crossroads(screen.draft.stage, opened.lead_in, opened.brief, stuck)


def _said_above(screen: Screen) -> bool:
    """Whether the stage's words stay to be read in an earlier message; a card that takes over that message says them itself."""
    before = screen.turn.before
    card = before.card
    if card is None or (card.kind, before.stage) != ("crossroads", screen.draft.stage) or card.hidden or screen.waits:
        return False
    return card.brief or message_of(card.id) != message_of(screen.next_id)


def _first(screen: Screen, fields: tuple[Field, ...]) -> Field:
    """What is asked next: of the questions that stand together on the open card those that are left, before any other."""
    card = screen.turn.before.card
    begun = card.fields if card is not None and card.kind == "question" else ()
    return next((f for f in fields if f.name in begun and f.name not in screen.draft.reopened), fields[0])


def _open(screen: Screen, opened: OpenCard, card: Card) -> bool:
    """Post it and make it the one that may be clicked; where it is that already, nothing changes. It comes after what waits for a click."""
    opened = replace(opened, hidden=screen.waits, turn=screen.draft.turn)
    if opened == screen.draft.card:
        return False
    close_card(screen, said=_stays(screen, opened))
    if not screen.waits:
        screen.post(card)
    screen.change(CardOpened(opened, "" if opened.hidden else _asked(screen, opened)))
    if not screen.waits:
        place_offers(screen, opened.id)
    return True


def _stays(screen: Screen, opened: OpenCard) -> tuple[Utterance, ...]:
    """What the message before keeps of its stage's words, where the new card does not repeat them."""
    card = screen.turn.before.card
    first = opened.brief and card is not None and not card.brief
    return (Verbatim(screen.turn.form.stages[screen.draft.stage].ask),) if first else ()


def _asked(screen: Screen, opened: OpenCard) -> str:
    """The field that a plain word answers: of several questions on one card none, before a single one is left."""
    left = [f for f in missing(screen.turn.form, screen.draft) if f.name in opened.fields]
    return "" if len(left) > 1 else opened.field


def together(screen: Screen, field: Field) -> tuple[str, ...]:
    """The fields of this stage that are asked on one card with this one, where the form says so."""
    names = screen.turn.form.together(field.name)
    fields = in_stage(screen.turn.form, screen.draft) if names else ()
    return tuple(f.name for f in fields if f.name in names)


def tell_above(screen: Screen, told: tuple[Utterance, ...]) -> tuple[Utterance, ...]:
    """What is told goes with the card that waits for a click, where one does; gives what is left to be told."""
    proposal = screen.draft.proposal
    for i, effect in enumerate(screen.effects):
        if screen.waits and proposal and isinstance(effect, Post) and effect.id == proposal.card:
            card = effect.card
            if isinstance(card, Change | Confirm):
                screen.effects[i] = replace(effect, card=replace(card, lead_in=(*told, *card.lead_in)))
                return ()
    return told


def _open_reading(screen: Screen, lead_in: tuple[Utterance, ...]) -> None:
    """What was read from a document waits for its clicks before anything else is asked."""
    reading = screen.draft.readings[0]
    fields = tuple(name for name in screen.turn.form.fields if name in reading.values)[:AT_ONCE]
    opened = OpenCard(screen.next_id, "read", lead_in=lead_in, document=reading.document, fields=fields)
    _open(screen, opened, Read(reading.document, fields, lead_in))


def _ask_once_more(screen: Screen, waiting: Proposal) -> None:
    """Nothing else is left to ask: a disclosure or a change that waits is asked about again, below."""
    if waiting.card != screen.next_id and not screen.waits:
        close_card(screen)
        card = Change(waiting.field, waiting.value) if waiting.value else Confirm("disclose", waiting.field)
        screen.change(Proposed(replace(waiting, card=screen.post(card), turn=screen.draft.turn)))


def _open_question(screen: Screen, field: Field, lead_in: tuple[Utterance, ...], shows: Next) -> None:
    card = question(screen, field, lead_in, shows.words, together(screen, field))
    since = _since(screen, field)
    opened = OpenCard(
        screen.next_id, "question", field.name, "", lead_in, shows.words, card.again, fields=card.fields, since=since
    )
    if _open(screen, opened, card) and shows.prepared:
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


def question(
    screen: Screen, field: Field, lead_in: tuple[Utterance, ...] = (), words: str = "", fields: tuple[str, ...] = ()
) -> Question:
    """The question's card as the draft stands: coached, with a way to keep the answer, or with the offer of a person."""
    draft = screen.draft
    again = field.name in draft.reopened and field.name in draft.values
    brief = again and draft.values[field.name].grade == Grade.BRIEF
    vague = brief or field == _vague(screen) or _twice(screen, field)
    stuck = draft.turns_in_vain >= screen.turn.form.patience
    keep = again and not brief and not fields
    return Question(field.name, lead_in, brief, keep, stuck, words, vague, fields, bool(words))


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
        return crossroads(screen, replace(card, lead_in=lead_in))
    return question(screen, screen.turn.form.fields[card.field], lead_in, fields=card.fields)


def place_offers(screen: Screen, card: str) -> None:
    """Note the card that shows what is offered now; what was read for a later question waits for that one once the person has gone on."""
    opened = screen.draft.card
    fields = {opened.field, *opened.fields} - {""} if opened is not None and opened.kind == "question" else set()
    there = shown(screen.turn.form, screen.draft, fields)
    offers = tuple(
        replace(o, card=card) if not o.heard and (not o.said or o in there) else o for o in screen.draft.offers
    )
    if offers != screen.draft.offers:
        screen.change(OffersMade(offers))
