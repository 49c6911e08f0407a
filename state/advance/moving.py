"""Along the form's table of stages: what code follows by itself, what a person pulls, and what happens on arrival.

A model only proposes a trigger; it is taken where the table allows it, like a person's word.
"""

from state.advance.transitions import move
from state.advance.work import Work
from state.draft.changes import (
    ChatLineAdded,
    HandedOver,
    Reopened,
    StageMoved,
    SubmissionChosen,
    Unlocked,
    WayTaken,
)
from state.draft.draft import ChatLine
from state.draft.stages import automatic, chosen_ways, open_transitions, way_key
from state.draft.utterance import Verbatim
from state.engine.effects import Announce
from state.fields.values.positions import position
from state.form import Form, Transition
from state.language import language_of
from state.language.tokens import tokens
from state.rules import Decision
from state.understanding.evidence import holds_quote, normalized

TOOK_OVER = "[clicked] A person took the conversation over"
"""How the model is told where the stretch begins in which a person answered."""


def travel(work: Work) -> None:
    """Follow what code may follow now, until a stage waits for somebody; what was read from a document waits for its clicks first."""
    if work.draft.readings:
        return
    for _ in work.form.stages:
        way = _next(work)
        if way is None:
            return
        take(work, way)


def pull(work: Work, way: Transition) -> None:
    """A person's choice of a way: one that files waits for the review, any other is taken."""
    if way.submits:
        work.change(SubmissionChosen(way.on))
    else:
        take(work, way)


def take(work: Work, way: Transition, why: str = "") -> None:
    """Follow a transition, and do what its stage says on arrival; `why` a person is wanted, where that is not the trigger."""
    left = work.draft.stage
    if way.at_most is not None:
        key = way_key(left, way.on)
        work.change(WayTaken(key, work.draft.ways_taken.get(key, 0) + 1))
    work.change(StageMoved(way.to, way.on))
    if way.again:
        _ask_anew(work)
    _arrive(work, why or way.on)


def _ask_anew(work: Work) -> None:
    """What was answered in this stage is open again, the first field first; the answers stand until other ones are given."""
    names = work.form.stage_names(work.draft.stage)
    for field in reversed(list(work.form.fields.values())):
        if names.intersection(field.stage) and field.name in work.draft.values:
            work.change(Unlocked(field.name), Reopened(field.name))


def hand_over(work: Work, why: str) -> None:
    """A person takes the conversation: the bot falls silent, those who decide get the packet. By the table, where it has a stage for it."""
    way = person_way(work)
    if way is not None:
        take(work, way, why)
    else:
        _hand(work, why)


def person_way(work: Work) -> Transition | None:
    """The open way from anywhere that leads to a person."""
    ways = open_transitions(work.form, work.draft)
    return next((w for w in ways if w in work.form.anywhere and work.form.stages[w.to].hands_over), None)


def rewind(work: Work) -> None:
    """A changed answer on which an earlier stage's ways hang leads back to that stage; what code follows from there, it follows again."""
    for name in work.changed:
        field = work.form.fields[name]
        earlier = next((stage for name in field.stage if (stage := work.form.stages.get(name))), None)
        if earlier is None or earlier.name == work.draft.stage or name not in work.before.values:
            continue
        if any(way.when and name in way.when.fields for way in earlier.transitions):
            work.change(StageMoved(earlier.name, "changed"))
            return


def way_on(work: Work, trigger: str) -> Transition | None:
    """The open way of a trigger that people may pull."""
    return next((w for w in open_transitions(work.form, work.draft) if w.on == trigger and w.chosen), None)


def way_said(work: Work, text: str) -> Transition | None:
    """The way that a whole message names: by its label, its words or, where a choice is on screen, its number."""
    ways = chosen_ways(work.form, work.draft)
    said = _keys(work, text)
    named = next((w for w in ways if said and any(_keys(work, name) == said for name in (w.label, *w.words))), None)
    if named is not None or work.draft.asked:
        return named
    labelled = [w for w in ways if w.label]
    place = position(text, len(labelled), language_of(work.form.language)) if labelled else None
    return labelled[place - 1] if place is not None else None


def way_mentioned(work: Work, text: str) -> Transition | None:
    """The way from anywhere whose words stand in the message."""
    ways = open_transitions(work.form, work.draft)
    return next((w for w in ways if any(holds_quote(text, word) for word in w.mentions)), None)


def wants_person(form: Form, text: str) -> bool:
    """Whether the message holds words that lead to a person from anywhere, whatever the stage."""
    ways = (w for w in form.anywhere if form.stages[w.to].hands_over)
    return any(holds_quote(text, word) for w in ways for word in w.mentions)


def submitting_way(work: Work) -> Transition | None:
    """The way that Submit follows: the one that the person chose, else the stage's first one."""
    ways = [w for w in open_transitions(work.form, work.draft) if w.submits]
    return next((w for w in ways if w.on == work.draft.going), ways[0] if ways and not work.draft.going else None)


def _next(work: Work) -> Transition | None:
    if work.draft.handed or not work.draft.open:
        return None
    decided = _decided(work)
    if decided is not None:
        return decided
    return automatic(work.form, work.draft)


def _decided(work: Work) -> Transition | None:
    """The way that rules.py names out of a code-only stage; what it tells is told with the stage that follows."""
    stage = work.form.stages.get(work.draft.stage)
    if stage is None or not stage.decide:
        return None
    decision = work.rules.decisions[stage.decide](work.draft, {"today": work.context.today})
    decided = decision if isinstance(decision, Decision) else Decision(decision)
    work.tell(*(Verbatim(sentence) for sentence in decided.told))
    return next((w for w in open_transitions(work.form, work.draft) if w.on == decided.trigger), None)


def _arrive(work: Work, why: str) -> None:
    stage = work.form.stages[work.draft.stage]
    if stage.hands_over:
        _hand(work, why)
    elif stage.final and work.form.submitting and work.draft.open:
        move(work, "end")


def _hand(work: Work, why: str) -> None:
    work.change(HandedOver(why), ChatLineAdded(ChatLine("user", TOOK_OVER, clicked=True)))
    work.do(Announce("person", reasons=(why,)))


def _keys(work: Work, text: str) -> tuple[str, ...]:
    """The words of a text as they are compared; marks and pictures are none."""
    return tuple(
        t.key for t in tokens(normalized(text), language_of(work.form.language)) if any(c.isalnum() for c in t.key)
    )
