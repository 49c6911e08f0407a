"""The screen of one turn: cards posted and painted anew, what happens to the cards of before, and the card of what comes next."""

import re
from dataclasses import replace
from typing import Literal

from state.draft import changes
from state.draft.changes import CardOpened, OffersMade, Proposed, UndoKept, apply
from state.draft.display import asked, declared_by, display_values, shown
from state.draft.draft import OpenCard, Proposal
from state.draft.missing import in_stage, missing
from state.draft.stages import at_review
from state.draft.topics import explained, passages
from state.draft.utterance import Phrase, Utterance, Verbatim
from state.engine.cards import Card, Change, Confirm, Crossroads, Moved, Notice, Question, Read, Review
from state.engine.context import Next, TurnContext, bot_line, message_of
from state.engine.effects import Effect, Post, Repaint
from state.engine.events import Clicked, FactsGathered, MessageReceived, ModelReplied
from state.engine.offers import RULES
from state.fields import kind_of
from state.form import Field
from state.guards.persona import model_asks, question_target, thin_answer
from state.rules import Grade


class Screen:
    """Hold the settled draft with the cards as they are so far, and the changes and effects that `advance` takes over."""

    def __init__(self, turn: TurnContext) -> None:
        self.turn, self.draft = turn, turn.draft
        self.changes: list[changes.Change] = []
        self.effects: list[Effect] = []
        self.model = turn.model
        self._posted = len(turn.cards)

    @property
    def into(self) -> str:
        """Return the card whose message the next posted card takes over; "" where it gets a message of its own."""
        taken = self._posted or self.turn.into in self.turn.repaints
        return "" if taken else self.turn.into

    @property
    def next_id(self) -> str:
        """Return the id that the next posted card gets."""
        return self.turn.card_id(self._posted + 1, self.into)

    def change(self, change: changes.Change) -> None:
        """Change which cards are open, answered or said."""
        self.draft = apply(self.draft, change)
        self.changes.append(change)

    def do(self, *effects: Effect) -> None:
        """Add effects."""
        self.effects.extend(effects)

    def post(self, card: Card) -> str:
        """Post a card in the message that it takes over, or in one of its own; return its id."""
        name, into = self.next_id, self.into
        self._posted += 1
        self.do(Post(name, card, into))
        return name

    def post_below(self, card: Card) -> None:
        """Post a card in a message of its own, below everything."""
        self._posted += 1
        self.do(Post(self.turn.card_id(self._posted), card))

    @property
    def waits(self) -> bool:
        """Return True if a card of this turn waits for a click: nothing else is asked until it is answered."""
        proposal = self.draft.proposal
        return proposal is not None and any(post.id == proposal.card for post in self.turn.cards)

    def repaint(self, card: str, other: Card) -> None:
        """Paint an earlier card anew, once a turn: the first painting counts. One whose message was taken over is gone."""
        taken = any(isinstance(e, Post) and e.into and message_of(e.into) == message_of(card) for e in self.effects)
        if not taken and not any(isinstance(e, Repaint) and e.id == card for e in self.effects):
            self.do(Repaint(card, other))


def close_card(screen: Screen, *, brief: bool = True) -> None:
    """Close the open card: its message is taken over by the next one, or keeps its words. `brief` leaves out a stage's own."""
    card = screen.draft.card
    if card is None:
        return
    if not card.hidden and message_of(card.id) != message_of(screen.into or "-"):
        screen.repaint(card.id, _left(screen, card, brief=brief))
    screen.change(CardOpened(None))


def _left(screen: Screen, card: OpenCard, why: Literal["below", "closed"] = "below", *, brief: bool = True) -> Card:
    """Return what an open card's message turns into: its words, with the answer where its question has one."""
    draft = screen.draft
    waits = any(r.document == card.document and set(card.fields) & set(r.values) for r in draft.readings)
    if card.kind == "read" and not waits:
        return Read(card.document, card.fields, card.lead_in)
    answered = card.kind == "question" and card.field in draft.values and card.field not in draft.reopened
    return Moved("answered" if answered else why, card.field, _as_it_was(screen, card, brief=brief))


def _as_it_was(screen: Screen, card: OpenCard, *, brief: bool) -> Question | Crossroads | Review | Read:
    told = tuple(t for t in card.lead_in if not (isinstance(t, Phrase) and t.key in AGAIN))
    if card.kind == "read":
        return Read(card.document, card.fields, told)
    if card.kind == "review":
        return Review(told)
    if card.kind == "crossroads":
        return Crossroads(screen.turn.before.stage, told, brief)
    return Question(card.field, told, words=card.words, fields=card.fields)


AGAIN = frozenset({"out_of_date", "here_it_is", "pass_on"})
"""Words that only lead to a card which comes again, or to its button: they go with it."""
COURTEOUS = re.compile("say_|heard_|got_it|greeting|gathered|nothing_gathered|out_of_date|here_it_is")
"""How the keys of words begin that answer nothing."""


def answers_words(turn: TurnContext, told: tuple[Utterance, ...]) -> bool:
    """Return True if the person's typed words are answered by what a card tells, beyond a courtesy."""
    event = turn.event
    typed = isinstance(event, MessageReceived)
    typed |= isinstance(event, ModelReplied) and event.purpose == "understand"
    typed |= isinstance(event, FactsGathered) and event.purpose == "command"
    return typed and any(not (isinstance(t, Phrase) and COURTEOUS.match(t.key)) for t in told)


def still_told(screen: Screen, told: tuple[Utterance, ...]) -> tuple[Utterance, ...]:
    """Add what the card told whose message is taken over, where the person did nothing in between: it was on screen for a moment only."""
    card = screen.turn.before.card
    if card is None or card.id != screen.into or isinstance(screen.turn.event, Clicked):
        return told
    lasting = (t for t in card.lead_in if not (isinstance(t, Phrase) and t.key in PASSING))
    return (*(t for t in lasting if t not in told), *told)


PASSING = frozenset({
    "none_of_these_said", "nothing_found", "lookup_failed", "coach_brief", "got_it", "was_now", "taken_back",
    "not_understood", "out_of_date", "here_it_is", "press_one", "press_submit", "press_edit", "several_asked", "greeting", "reading_first",
    "heard_hold", "reply_kept", "heard_thanks", "heard_greeting", "heard_doubt", "line_not_understood", "gathered", "nothing_gathered",
})  # fmt: skip
"""Words of the moment, which a reply that takes over their card replaces."""


def hide_card(screen: Screen) -> None:
    """Hide the open card while a card of its own waits for a click: it comes again after that, unless it was answered meanwhile."""
    draft, card = screen.draft, screen.draft.card
    if card is None or not (screen.waits or card.hidden) or card != screen.turn.before.card:
        return
    asked = "" if draft.asked in draft.values and draft.asked not in draft.reopened else draft.asked
    if not card.hidden:
        screen.repaint(card.id, _left(screen, card))
    if not card.hidden or asked != draft.asked:
        screen.change(CardOpened(replace(card, hidden=True), asked))


def paint_choice(screen: Screen) -> None:
    """Paint the way that was taken on the card that offered it, without what had a button beside it."""
    way, card = screen.turn.taken, screen.draft.card
    if way is not None and card is not None and card.kind == "crossroads" and card == screen.turn.before.card:
        if card.id != screen.into:
            told = (t for t in card.lead_in if not (isinstance(t, Phrase) and t.key in ("was_now", "pass_on")))
            screen.repaint(card.id, Notice((*told, Verbatim(f"✓ {way.label or way.on}"))))
        screen.change(CardOpened(None))


def void_proposals(screen: Screen) -> None:
    """Paint cards that waited for a click and wait no more."""
    turn, now = screen.turn, screen.draft.proposal
    every = (turn.before.proposal, *(c.proposal for c in turn.changes if isinstance(c, Proposed)))
    for proposal in every:
        if proposal is not None and (now is None or proposal.card != now.card):
            screen.repaint(proposal.card, _void(screen, proposal))


def _void(screen: Screen, proposal: Proposal) -> Moved:
    event, draft, before, now = screen.turn.event, screen.draft, screen.turn.before, screen.draft.proposal
    act = event.act if isinstance(event, Clicked) and event.card == proposal.card else ""
    asked = Confirm(proposal.act, proposal.field) if proposal.act != "change" else None
    was = Change(proposal.field, proposal.value) if proposal.value else asked
    if draft.status is not before.status:
        return Moved("closed")
    again = now is not None and (now.act, now.field, now.value) == (proposal.act, proposal.field, proposal.value)
    if again or proposal.field in draft.reopened:
        return Moved("below", proposal.field, was)
    changes = proposal.act == "change"
    if act == "change" or (changes and draft.values.get(proposal.field) != before.values.get(proposal.field)):
        return Moved("changed", proposal.field)
    if changes and now is not None:
        return Moved("below", proposal.field, was)
    kept = changes or act in ("stay", "keep")
    return Moved("kept", proposal.field) if kept else Moved("below", proposal.field, was)


def end_cards(screen: Screen) -> None:
    """Take what may be clicked from the cards of a draft that is closed."""
    card, undo = screen.draft.card, screen.turn.before.undo_card
    if screen.draft.open or screen.draft.status is screen.turn.before.status:
        return
    if undo and (card is None or message_of(card.id) != message_of(undo)):
        screen.repaint(undo, Moved("closed"))
    if card is None:
        return
    if not card.hidden:
        screen.repaint(card.id, _left(screen, card, "closed"))
    screen.change(CardOpened(None))


def place_undo(screen: Screen) -> None:
    """Note the card that takes a change back: the one that came with it, or that took over its message and still tells of it."""
    card, draft = screen.draft.card, screen.draft
    if not draft.undo or card is None or card.hidden or draft.undo_card == card.id:
        return
    tells = any(isinstance(t, Phrase) and t.key == "was_now" for t in card.lead_in)
    if not draft.undo_card or (tells and message_of(draft.undo_card) == message_of(card.id)):
        screen.change(UndoKept(draft.undo, card.id))


AT_ONCE = 10
"""Values of a document that one card shows; the next card shows the next."""


def open_next(screen: Screen, shows: Next, lead_in: tuple[Utterance, ...]) -> None:
    """Close the open card, and post the one for what comes next."""
    form, draft = screen.turn.form, screen.draft
    fields = missing(form, draft)
    # A field that still collects its files is open by itself: that is nothing that the person wants to answer anew.
    anew = any(name in form.fields and not kind_of(form.fields[name]).collects for name in draft.reopened)
    waiting = draft.proposal if draft.proposal and draft.proposal.act in ("disclose", "change") else None
    if draft.readings and not anew:
        _open_reading(screen, lead_in)
    elif waiting and (not fields or waiting.act == "change"):
        if not fields:
            close_card(screen)
        _ask_once_more(screen, waiting, lead_in)
    elif form.conversational:
        help_line = Phrase("op_help", {"form": form.title, "introduction": form.introduction})
        screen.post(Notice(lead_in or (help_line,)))
    elif fields:
        _open_question(screen, fields, lead_in, shows)
    elif at_review(form, draft):
        _open(screen, OpenCard(screen.next_id, "review", hash=draft.hash, lead_in=lead_in), Review(lead_in))
    else:
        opened = OpenCard(screen.next_id, "crossroads", lead_in=lead_in, brief=_said_above(screen))
        _open(screen, opened, crossroads(screen, opened))


def crossroads(screen: Screen, opened: OpenCard) -> Crossroads:
    """Return a stage's ways on; with the offer of a person where words have come to nothing."""
    stuck = screen.draft.turns_in_vain >= screen.turn.form.patience
    return Crossroads(screen.draft.stage, opened.lead_in, opened.brief, stuck)


def _said_above(screen: Screen) -> bool:
    """Return True if the stage's words stay to be read in an earlier message; a card that takes over that message says them itself."""
    before = screen.turn.before
    card = before.card
    if card is None or (card.kind, before.stage) != ("crossroads", screen.draft.stage) or card.hidden or screen.waits:
        return False
    return card.brief or message_of(card.id) != message_of(screen.next_id)


def _open(screen: Screen, opened: OpenCard, card: Card) -> bool:
    """Post a card after what waits for a click, as the one that may be clicked. Return False where it is that already."""
    # A review becomes the receipt where it stands.
    answers = opened.kind != "review" and answers_words(screen.turn, opened.lead_in)
    opened = replace(opened, hidden=screen.waits, turn=screen.draft.turn, answers=answers)
    if opened == screen.draft.card:
        return False
    # The message before keeps its stage's words where the new card does not repeat them.
    before = screen.turn.before.card
    first = opened.brief and before is not None and not before.brief
    close_card(screen, brief=not first)
    left = [f for f in missing(screen.turn.form, screen.draft) if f.name in opened.fields]
    # Of several questions on one card a plain word answers none, before a single one is left.
    asked = "" if opened.hidden or len(left) > 1 else opened.field
    if not opened.hidden:
        screen.post(card)
    screen.change(CardOpened(opened, asked))
    if not opened.hidden:
        place_offers(screen, opened.id)
    return True


def tell_above(screen: Screen, told: tuple[Utterance, ...]) -> tuple[Utterance, ...]:
    """Put what is told on the card that waits for a click, where one does; return what is left to be told."""
    proposal = screen.draft.proposal
    for i, effect in enumerate(screen.effects):
        if screen.waits and proposal and isinstance(effect, Post) and effect.id == proposal.card:
            card = effect.card
            if isinstance(card, Change | Confirm):
                screen.effects[i] = replace(effect, card=replace(card, lead_in=(*told, *card.lead_in)))
                return ()
    return told


def _open_reading(screen: Screen, lead_in: tuple[Utterance, ...]) -> None:
    """Ask for the clicks on what was read from a document, before anything else: what it is, then its values."""
    reading = screen.draft.readings[0]
    fields = [field for field in screen.turn.form.fields.values() if field.name in reading.values]
    files = [field for field in fields if kind_of(field).by_file]
    names = tuple(field.name for field in files or fields)[:AT_ONCE]
    opened = OpenCard(screen.next_id, "read", lead_in=lead_in, document=reading.document, fields=names)
    _open(screen, opened, Read(reading.document, names, lead_in))


def _ask_once_more(screen: Screen, waiting: Proposal, lead_in: tuple[Utterance, ...]) -> None:
    """Ask again, below what there is to say, about a change that waits, or a disclosure where nothing else is left to ask."""
    if waiting.card != screen.next_id and not screen.waits:
        turn, draft = screen.turn, screen.draft
        fresh = display_values(turn.form, draft, tuple(n for n in turn.changed if n in draft.values), turn.context)
        lead_in = lead_in or ((Phrase("got_it", {"what": fresh}),) if fresh else ())
        was = waiting.value
        card = Change(waiting.field, was, lead_in) if was else Confirm("disclose", waiting.field, lead_in)
        screen.change(Proposed(replace(waiting, card=screen.post(card), turn=screen.draft.turn)))


def _open_question(screen: Screen, fields: tuple[Field, ...], lead_in: tuple[Utterance, ...], shows: Next) -> None:
    """Ask what the model's question is about, else what was answered too thinly, else what is left on the open card, else what is missing."""
    turn, before = screen.turn, screen.turn.before.card
    begun = before.fields if before is not None and before.kind == "question" else ()
    left = (f for f in fields if f.name in begun and f.name not in screen.draft.reopened)
    target = question_target(turn.form, turn.rules, screen.draft, shows.words) if shows.words else None
    field = target or _vague(screen) or next(left, fields[0])
    names = turn.form.together(field.name)
    here = in_stage(turn.form, screen.draft) if names else ()
    card = question(screen, field, lead_in, shows.words, tuple(f.name for f in here if f.name in names))
    opened = OpenCard(
        screen.next_id, "question", field.name, "", lead_in, shows.words, card.again, fields=card.fields,
        since=_since(screen, field), declares=card.declares,
    )  # fmt: skip
    if _open(screen, opened, card) and shows.prepared:
        screen.change(bot_line(asked(turn.form, screen.draft, field, turn.context)))


def _since(screen: Screen, field: Field) -> str:
    """Return the card that put this question first, where it has been open since."""
    before = screen.draft.card
    if before is None or (before.kind, before.field) != ("question", field.name):
        return ""
    return before.since if before.id == screen.next_id else before.since or before.id


def _vague(screen: Screen) -> Field | None:
    """Return what was answered too thinly, once a reader has looked at the words; a command or a click is no thin answer."""
    turn = screen.turn
    return thin_answer(turn.form, turn.rules, turn.draft) if isinstance(turn.event, ModelReplied) else None


def question(
    screen: Screen, field: Field, lead_in: tuple[Utterance, ...] = (), words: str = "", fields: tuple[str, ...] = ()
) -> Question:
    """Return the question's card: coached, with a way to keep the answer, or with the offer of a person."""
    turn, draft, card = screen.turn, screen.draft, screen.turn.before.card
    again = field.name in draft.reopened and field.name in draft.values
    brief = again and draft.values[field.name].grade == Grade.BRIEF
    # Where the model asks, the same prepared sentence does not come twice in a row.
    same = card is not None and card.field == field.name and not card.words and not card.again
    twice = same and isinstance(turn.event, ModelReplied) and model_asks(turn.form, turn.draft)
    vague = brief or field == _vague(screen) or twice
    stuck = draft.turns_in_vain >= turn.form.patience
    said = bool(words) or _answered_by_model(screen, lead_in)
    return Question(
        field.name, lead_in, brief, again and not brief and not fields, stuck, words, vague, fields, said,
        declared_by(turn.form, draft, fields or (field.name,), turn.context),
    )  # fmt: skip


def _answered_by_model(screen: Screen, lead_in: tuple[Utterance, ...]) -> bool:
    """Return True if a model has just answered a question with a text of the house's: the person may say if that was of use."""
    event, form, draft = screen.turn.event, screen.turn.form, screen.draft
    if not isinstance(event, ModelReplied) or event.reader == RULES:
        return False
    texts = {*passages(form, draft).values(), *explained(form, draft).values()}
    return any(isinstance(one, Verbatim) and one.text in texts for one in lead_in)


def painted(screen: Screen, card: OpenCard, lead_in: tuple[Utterance, ...]) -> Card:
    """Return the open card below another lead-in."""
    if card.kind == "read":
        return Read(card.document, card.fields, lead_in)
    if card.kind == "review":
        return Review(lead_in)
    if card.kind == "crossroads":
        return crossroads(screen, replace(card, lead_in=lead_in))
    asked = question(screen, screen.turn.form.fields[card.field], lead_in, fields=card.fields)
    return replace(asked, declares=card.declares)


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
