"""Presenting: what the person sees of a settled draft. It judges nothing, and changes nothing but which cards are open and answered."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from state.draft.changes import CardOpened, Counted, StatusMoved, ValueRetired
from state.draft.display import display_values
from state.draft.draft import NEVER, Draft, OpenCard, Status
from state.draft.missing import holds, missing, reachable
from state.draft.topics import Topic, about_record, acts_for
from state.draft.utterance import Phrase, Utterance, Verbatim
from state.engine import context
from state.engine.cards import Moved, Notice, Read
from state.engine.effects import Announce, Gather, LookUp
from state.engine.screen import (
    Screen,
    answers_words,
    close_card,
    end_cards,
    hide_card,
    open_next,
    paint_choice,
    painted,
    place_offers,
    place_undo,
    question,
    still_told,
    tell_above,
    void_proposals,
)
from state.engine.speech import gathered
from state.form import Field
from state.guards.persona import question_target


def present(turn: context.TurnContext) -> Screen:
    """Return card changes and effects for the settled draft; presenting what was presented changes nothing further."""
    screen = Screen(turn)
    screen.do(*turn.cards)
    for card, other in turn.repaints.items():
        screen.repaint(card, other)
    screen.do(*turn.effects)
    paint_choice(screen)
    # where a person takes over, or the table of stages comes to its end, the turn always says so
    handed = bool(turn.draft.handed) and not turn.before.handed
    ended = any(isinstance(c, StatusMoved) and c.on == "end" for c in turn.changes)
    quiet = isinstance(turn.shows, context.Nothing | context.Hold | context.LeadIn)
    shows = context.Next() if quiet and (handed or ended) else turn.shows
    PRESENTERS[type(shows)](screen, shows)
    place_undo(screen)
    hide_card(screen)
    void_proposals(screen)
    end_cards(screen)
    _ask_others(screen)
    return screen


def _next(screen: Screen, shows: context.Next) -> None:
    turn, draft = screen.turn, screen.draft
    if draft.shown_turn != draft.turn:
        screen.change(Counted("shown_turn", draft.turn))
    told = (*turn.news, *_retired(turn), *shows.told)
    if not told and turn.form.persona.shape:
        # Where every question has a shape, what has become clear stands above it.
        fresh = tuple(n for n in turn.changed if n in turn.draft.values)
        what = display_values(turn.form, turn.draft, fresh, turn.context)
        told = (Phrase("got_it", {"what": what}) if what else gathered(turn),)
    lead_in = tell_above(screen, still_told(screen, told))
    if draft.handed or not draft.open:
        _leave(screen, lead_in)
    elif not _wait_for_results(screen, lead_in):
        open_next(screen, shows, lead_in)


def _retired(turn: context.TurnContext) -> tuple[Utterance, ...]:
    """Name answers that hold no more since another one changed, and say if they are asked for again."""
    gone = {c.field for c in turn.changes if isinstance(c, ValueRetired) and c.why != "cleared"}
    again = {f.name for f in reachable(turn.form, turn.draft)}
    return tuple(
        Phrase("moved_again" if name in again else "moved_gone", {"label": field.label})
        for name, field in turn.form.fields.items()
        if name in gone & set(turn.before.values) and name not in turn.draft.values
    )


def _wait_for_results(screen: Screen, lead_in: tuple[Utterance, ...]) -> bool:
    """Put the news on the card of results that are being looked up for the next question. Return False where none are, or no card is on screen."""
    card, turn = screen.draft.card, screen.turn
    if card is not None and card.hidden and screen.draft.proposal is None:
        return False
    for i, effect in enumerate(screen.effects):
        if isinstance(effect, LookUp) and [f.name for f in missing(turn.form, screen.draft)][:1] == [effect.field]:
            screen.effects[i] = replace(effect, lead_in=lead_in)
            return True
    return False


def _leave(screen: Screen, lead_in: tuple[Utterance, ...]) -> None:
    """Say once that a person takes over, that nothing is filed, or how the form's table has come to its end; nothing is asked any more."""
    turn, draft = screen.turn, screen.draft
    close_card(screen)
    stage = turn.form.stages.get(draft.stage)
    ends = stage is not None and (stage.hands_over if draft.handed else stage.final)
    ending = (Verbatim(stage.ask),) if stage and ends and stage.ask else ()
    if draft.handed and not turn.before.handed:
        screen.post(Notice((*lead_in, *(ending or (Phrase("handed_over"),))), ("hand_back",)))
    elif not draft.open and turn.before.open:
        cancelled = (Phrase("cancelled"),) if draft.status is Status.CANCELLED else ()
        _note_standing(screen)
        screen.post(Notice((*lead_in, *cancelled, *ending), ("begin",)))


def _note_standing(screen: Screen) -> None:
    """Note in which turn it was said that nothing is filed."""
    draft = screen.draft
    if draft.status is Status.CANCELLED and draft.stood_turn != draft.turn:
        screen.change(Counted("stood_turn", draft.turn))


def _lead_in(screen: Screen, shows: context.LeadIn) -> None:
    """Put what leads over above the open card's question and below what rules.py said there; what has been answered meanwhile needs none."""
    turn, card, told = screen.turn, screen.draft.card, shows.told
    now, before = screen.draft, turn.before
    offered = (now.offers, now.last_time) != (before.offers, before.last_time)
    if card is None or card.hidden or not (told or offered or shows.words):
        return
    if shows.words:
        _reword(screen, card, shows.words)
        return
    fresh = (*turn.news, *told)
    ruled = tuple(t for t in card.lead_in if isinstance(t, Verbatim) and t not in fresh)
    lead_in = (*ruled, *fresh) if told else card.lead_in
    screen.repaint(card.id, painted(screen, card, lead_in))
    place_offers(screen, card.id)
    if lead_in != card.lead_in:
        answers = card.answers or (card.kind != "review" and answers_words(turn, told))
        screen.change(CardOpened(replace(card, lead_in=lead_in, answers=answers), screen.draft.asked))


def _reword(screen: Screen, card: OpenCard, words: str) -> None:
    """Put the open card's question in the model's words; words about another gap are left out, since this one may be answered already."""
    turn = screen.turn
    target = question_target(turn.form, turn.rules, turn.draft, words)
    if card.kind == "question" and target is not None and target.name == card.field and words != card.words:
        screen.repaint(card.id, replace(question(screen, target, card.lead_in, words), declares=card.declares))
        screen.change(CardOpened(replace(card, words=words), screen.draft.asked))
        screen.change(context.bot_line(words))


def _hold(screen: Screen, _shows: context.Hold) -> None:
    told = tell_above(screen, tuple(screen.turn.news))
    if told and screen.model is None:
        screen.post_below(Notice(told))


def _again(screen: Screen, _shows: context.Again) -> None:
    card = screen.draft.card
    if card is not None and not card.hidden:
        screen.repaint(card.id, painted(screen, card, card.lead_in))


def _out_of_date(screen: Screen, shows: context.OutOfDate) -> None:
    card, waits = screen.draft.card, screen.draft.proposal
    alive = {
        context.message_of(c) for c in (card.id if card and not card.hidden else "", waits.card if waits else "") if c
    }
    here = card is not None and not card.hidden and context.message_of(shows.card) == context.message_of(card.id)
    late = Phrase("out_of_date")
    if card is not None and here and waits is None and late in card.lead_in and not screen.turn.news:
        return  # a newer card would make the next click, which may be on its way to this one, come too late again
    if shows.card and context.message_of(shows.card) not in alive:
        screen.repaint(shows.card, Moved("changed", shows.field))
    told = (line for line in (card.lead_in if card is not None else ()) if line != late)
    _next(
        screen, context.Next((late, *told))
    )  # what the present card told is not taken away by a click on an older one


def _standing(screen: Screen, shows: context.ShowClosed) -> None:
    form, draft, news = screen.turn.form, screen.draft, tuple(screen.turn.news)
    if draft.filed.number:
        said = about_record(form, draft, shows.topics or (Topic.NEXT,), screen.turn.context)
        told = said if shows.topics else (Phrase("after_unanswered"), *said)
        screen.post(Notice((*news, *told), acts_for(form, draft, shows.topics), shows.message))
        return
    if draft.status is Status.CANCELLED and draft.stood_turn not in (NEVER, draft.turn):
        screen.post(Notice(news or (Phrase("nothing_open"),), ("begin", "person")))
        return
    _note_standing(screen)
    screen.post(Notice((*news, Phrase(context.STANDS[draft.status])), ("begin",)))


def _alone(screen: Screen, shows: context.Alone) -> None:
    notice = Notice((*screen.turn.news, *shows.told), shows.acts, shows.about)
    if screen.draft.open and not screen.draft.handed:
        screen.post_below(notice)
    else:
        screen.post(notice)


def _stay_or_next(screen: Screen, _shows: context.StayOrNext) -> None:
    card, draft = screen.draft.card, screen.draft
    waits = draft.open and not draft.handed and not screen.turn.news
    left = card and any(r.document == card.document and set(card.fields) & set(r.values) for r in draft.readings)
    if card is None or not waits or not left:
        _next(screen, context.Next())
        return
    screen.repaint(card.id, Read(card.document, card.fields))
    screen.model = None


def _ask_others(screen: Screen) -> None:
    """Ask a person, the model, a profile and the last record for what the turn wants of them."""
    turn, draft, model, before = screen.turn, screen.draft, screen.model, screen.turn.before
    if draft.handed and not before.handed:
        screen.do(Announce("person", reasons=(draft.handed, *turn.person_words)))
    leads_on = draft.open or not before.open
    if model is not None and not draft.handed and (leads_on or model.purpose != "lead_in"):
        screen.do(replace(model, changed=turn.changed))
    # A profile may answer what could not be asked before: nothing is taken from it before the form's condition for it holds.
    if draft.open and (draft.values is not before.values or not before.revision):
        fields = [f for f in turn.form.fields.values() if f.profile and _may_be_asked(f, draft)]
        if any(not (before.revision and before.open and _may_be_asked(f, before)) for f in fields):
            screen.do(Gather("profile"))
    if draft.open and not before.revision and turn.form.again:
        screen.do(Gather("again"))


def _may_be_asked(field: Field, draft: Draft) -> bool:
    return field.when is None or holds(field.when, draft)


PRESENTERS: Mapping[type, Callable[[Screen, Any], None]] = {
    context.Nothing: lambda _screen, _shows: None,
    context.Next: _next,
    context.LeadIn: _lead_in,
    context.Hold: _hold,
    context.Again: _again,
    context.OutOfDate: _out_of_date,
    context.ShowClosed: _standing,
    context.Alone: _alone,
    context.StayOrNext: _stay_or_next,
}
