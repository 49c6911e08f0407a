"""Which card the person sees next, and what becomes of the one before it."""

from dataclasses import replace

from state.advance.answering import settle
from state.advance.offering import place, withdraw
from state.advance.readings import prune
from state.advance.work import Work
from state.draft.changes import (
    CardAnswered,
    CardOpened,
    ChatLineAdded,
    Counted,
    Proposed,
)
from state.draft.display import display_values
from state.draft.draft import ChatLine, OpenCard
from state.draft.missing import missing
from state.draft.stages import at_review
from state.engine.cards import (
    Answered,
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
from state.engine.effects import CallModel, LookUp, Repaint
from state.engine.events import ModelReplied
from state.form import Field
from state.guards.persona import model_asks, question_target, thin_answer
from state.rules import Grade

AT_ONCE = 10
"""Values of a document that one card shows; the next card shows the next."""


def show_next(work: Work, *news: Utterance, words: str = "") -> None:
    """Settle, close the open card, and put the next missing field's question or the review below the news.

    `words` are the question as the model put it, about the gap that they name.
    """
    _settle(work)
    withdraw(work)
    drop_proposal(work)
    work.change(Counted("shown_turn", work.draft.turn))
    lead_in = (*work.news, *news) or _shape(work, words)
    if work.draft.handed or not work.draft.open:
        _leave(work, lead_in)
        return
    if _wait_for_results(work, lead_in):
        return
    close_card(work)
    repaint_changed(work)
    open_card(work, lead_in, words)


def _settle(work: Work) -> None:
    """What follows from the values, until no proposal of a document goes because of it."""
    prune(work)
    settle(work)
    while prune(work):
        settle(work)


def _shape(work: Work, words: str) -> tuple[Utterance, ...]:
    """Where every reply has a shape, a prepared one says what has become clear as well."""
    if words or not work.form.persona.shape:
        return ()
    what = display_values(work.form, work.draft, tuple(n for n in work.changed if n in work.draft.values), work.context)
    return (Phrase("got_it", {"what": what}) if what else Phrase("not_understood"),)


def drop_proposal(work: Work) -> None:
    """What waited for a click before this turn counts no more; a disclosure waits until the person has said yes or no."""
    proposal = work.draft.proposal
    if proposal and proposal.act != "disclose" and proposal.turn != work.draft.turn:
        work.do(Repaint(proposal.card, Moved("kept" if proposal.act == "change" else "below")))
        work.change(Proposed(None))


def open_card(work: Work, lead_in: tuple[Utterance, ...] = (), words: str = "") -> None:
    """Post the card for what comes next, and make it the one that may be clicked."""
    fields = missing(work.form, work.draft)
    waiting = work.draft.proposal
    if work.draft.readings:
        _open_reading(work, lead_in)
    elif waiting and not fields:
        work.change(Proposed(replace(waiting, card=work.post(Confirm("disclose", waiting.field)))))
    elif work.form.conversational:
        work.post(
            Notice(lead_in or (Phrase("op_help", {"form": work.form.title, "introduction": work.form.introduction}),))
        )
    elif fields:
        _ask(work, _target(work, words) or fields[0], lead_in, words)
    elif at_review(work.form, work.draft):
        lead_in = (*lead_in, Verbatim(words)) if words else lead_in
        name = work.post(Review(lead_in))
        work.change(CardOpened(OpenCard(name, "review", hash=work.draft.hash, lead_in=lead_in)))
    else:
        name = work.post(Crossroads(work.draft.stage, lead_in))
        work.change(CardOpened(OpenCard(name, "crossroads", lead_in=lead_in)))
    if work.draft.card:
        place(work, work.draft.card.id)


def _open_reading(work: Work, lead_in: tuple[Utterance, ...]) -> None:
    """What was read from a document waits for its clicks before anything else is asked."""
    reading = work.draft.readings[0]
    fields = tuple(name for name in work.form.fields if name in reading.values)[:AT_ONCE]
    name = work.post(Read(reading.document, fields, lead_in))
    work.change(CardOpened(OpenCard(name, "read", lead_in=lead_in, document=reading.document, fields=fields)))


def _target(work: Work, words: str) -> Field | None:
    """What the model's question is about; without one, what was answered too thinly."""
    target = question_target(work.form, work.rules, work.draft, words) if words else None
    return target or _vague(work)


def _vague(work: Work) -> Field | None:
    """What was answered too thinly, once a reader has looked at the words; an order or a click is no thin answer."""
    return thin_answer(work.form, work.rules, work.draft) if isinstance(work.event, ModelReplied) else None


def _ask(work: Work, field: Field, lead_in: tuple[Utterance, ...], words: str) -> None:
    card = question(work, field, lead_in, words)
    name = work.post(card)
    work.change(CardOpened(OpenCard(name, "question", field.name, "", lead_in, words, card.again), field.name))


def _leave(work: Work, lead_in: tuple[Utterance, ...]) -> None:
    """A person takes over, or the form's table has come to its end: said once, and nothing is asked any more."""
    close_card(work)
    repaint_changed(work)
    stage = work.form.stages.get(work.draft.stage)
    ends = stage is not None and (stage.hands_over if work.draft.handed else stage.final)
    ending = (Verbatim(stage.ask),) if stage and ends and stage.ask else ()
    if work.draft.handed and not work.before.handed:
        work.post(Notice((*lead_in, *(ending or (Phrase("handed_over"),))), ("hand_back",)))
    elif not work.draft.open and work.before.open:
        freeze_cards(work)
        work.post(Notice((*lead_in, *(ending or (Phrase("cancelled"),))), ("begin",)))


def question(work: Work, field: Field, lead_in: tuple[Utterance, ...] = (), words: str = "") -> Question:
    """The question's card as the draft stands: coached, with a way to keep the answer, or with the offer of a person."""
    draft = work.draft
    again = field.name in draft.reopened and field.name in draft.values
    brief = again and draft.values[field.name].grade == Grade.BRIEF
    vague = brief or field == _vague(work) or _twice(work, field)
    stuck = draft.turns_in_vain >= work.form.patience
    return Question(
        field.name, lead_in, coach=brief, keep=again and not brief, offer_person=stuck, words=words, again=vague
    )


def _twice(work: Work, field: Field) -> bool:
    """Where the model asks, the same prepared sentence does not come twice in a row."""
    card = work.before.card
    same = card is not None and card.field == field.name and not card.words and not card.again
    return same and isinstance(work.event, ModelReplied) and model_asks(work.form, work.draft)


def close_card(work: Work) -> None:
    """The open card turns into its answer; unanswered, it says that it counts no more."""
    card = work.draft.card
    if card is None:
        return
    answered = card.field in work.draft.values and card.field not in work.draft.reopened
    if card.kind == "read" and not any(
        r.document == card.document and set(card.fields) & set(r.values) for r in work.draft.readings
    ):
        work.do(Repaint(card.id, Read(card.document, card.fields, card.lead_in)))
    elif card.kind == "question" and answered:
        work.do(Repaint(card.id, Answered(card.field)))
        work.change(CardAnswered(card.field, card.id))
    else:
        stale = card.kind == "review" and card.hash != work.draft.hash
        said = (*card.lead_in, Verbatim(card.words)) if card.words else card.lead_in
        work.do(Repaint(card.id, Moved("changed" if stale else "below", card.field, said)))
    work.change(CardOpened(None))


def repaint_changed(work: Work) -> None:
    """Cards of earlier answers that this event changed show the answer as it is now."""
    painted = {e.id for e in work.effects if isinstance(e, Repaint)}
    for name in work.changed:
        card = work.before.answered_cards.get(name)
        if card and card not in painted:
            work.do(Repaint(card, Answered(name) if name in work.draft.values else Moved("changed", name)))


def freeze_cards(work: Work) -> None:
    """A draft that is closed offers nothing to edit: its answered cards are painted without their buttons."""
    painted = {e.id for e in work.effects if isinstance(e, Repaint)}
    cards = ((name, card) for name, card in work.draft.answered_cards.items() if name in work.draft.values)
    work.do(*(Repaint(card, Answered(name)) for name, card in cards if card not in painted))


def decorate(work: Work, text: str) -> None:
    """Put the model's words above the open card's question, below what rules.py said there; what has been answered meanwhile needs none."""
    card = work.draft.card
    offered = work.draft.offers != work.before.offers
    if card is None or not (text or offered):
        return
    if card.kind == "question" and text and model_asks(work.form, work.draft):
        _reword(work, card, text)
        return
    ruled = tuple(display_values for display_values in card.lead_in if isinstance(display_values, Verbatim))
    lead_in = (*ruled, *work.news, Verbatim(text)) if text else card.lead_in
    shown = _shown(work, card, lead_in)
    work.do(Repaint(card.id, shown))
    work.change(CardOpened(replace(card, lead_in=lead_in), work.draft.asked))
    place(work, card.id)
    if text:
        hear_bot(work, text)


def _shown(work: Work, card: OpenCard, lead_in: tuple[Utterance, ...]) -> Review | Crossroads | Read | Question:
    if card.kind == "read":
        return Read(card.document, card.fields, lead_in)
    if card.kind == "review":
        return Review(lead_in)
    if card.kind == "crossroads":
        return Crossroads(work.draft.stage, lead_in)
    return question(work, work.form.fields[card.field], lead_in)


def _reword(work: Work, card: OpenCard, text: str) -> None:
    """The open card's question in the model's words; words about another gap are left out, since this one may be answered already."""
    target = question_target(work.form, work.rules, work.draft, text)
    if target is not None and target.name == card.field:
        work.do(Repaint(card.id, question(work, target, card.lead_in, text)))
        work.change(CardOpened(replace(card, words=text), card.field))
        hear_bot(work, text)


def hear_bot(work: Work, text: str) -> None:
    """What the bot said enters the conversation that a model sees."""
    work.change(ChatLineAdded(ChatLine("assistant", text[:600])))


def hold(work: Work) -> None:
    """A card waits for a click, or the model is asked on: news that cannot wait goes by itself."""
    if work.news and any(isinstance(e, CallModel) for e in work.effects) is False:
        work.post(Notice(tuple(work.news)))


def _wait_for_results(work: Work, lead_in: tuple[Utterance, ...]) -> bool:
    """Where the next question depends on results that are being looked up, the results' card carries the news."""
    fields = missing(work.form, work.draft)
    asked = fields[0].name if fields else ""
    for i, effect in enumerate(work.effects):
        if isinstance(effect, LookUp) and effect.field == asked:
            work.effects[i] = LookUp(effect.field, effect.query, effect.turn, effect.words, effect.message, lead_in)
            return True
    return False
