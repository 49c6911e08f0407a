"""Which way on a person means: by a button's trigger, by its words or its number, or by words that lead to somebody from anywhere."""

from state.draft.stages import chosen_ways, open_transitions
from state.engine.context import TurnContext
from state.fields.values.positions import position
from state.form import Form, Transition
from state.form.schema import Stage
from state.language import language_of
from state.language.tokens import tokens
from state.understanding.evidence import WORD, holds_quote, normalized


def way_on(turn: TurnContext, trigger: str) -> Transition | None:
    """The open way of a trigger that people may pull."""
    return next((w for w in open_transitions(turn.form, turn.draft) if w.on == trigger and w.chosen), None)


def way_said(turn: TurnContext, text: str) -> Transition | None:
    """The way that a whole message names: by its label, its words or, where a choice is on screen, its number."""
    ways = chosen_ways(turn.form, turn.draft)
    if not ways:
        return None
    said = _keys(turn, text)
    named = next((w for w in ways if said and any(_keys(turn, name) == said for name in (w.label, *w.words))), None)
    if named is not None or turn.draft.asked:
        return named
    labelled = [w for w in ways if w.label]
    place = position(text, len(labelled), language_of(turn.form.language)) if labelled else None
    return labelled[place - 1] if place is not None else None


def way_mentioned(turn: TurnContext, text: str) -> Transition | None:
    """The way from anywhere whose words stand in the message."""
    ways = open_transitions(turn.form, turn.draft)
    return next((w for w in ways if any(holds_quote(text, word) for word in w.mentions)), None)


def person_way(turn: TurnContext) -> Transition | None:
    """The open way from anywhere that leads to a person."""
    ways = open_transitions(turn.form, turn.draft)
    return next((w for w in ways if w in turn.form.anywhere and turn.form.stages[w.to].hands_over), None)


def wants_person(form: Form, text: str) -> bool:
    """Whether the message holds words that lead to a person from anywhere, whatever the stage."""
    ways = (w for w in form.anywhere if form.stages[w.to].hands_over)
    return any(holds_quote(text, word) for w in ways for word in w.mentions)


def submitting_way(turn: TurnContext) -> Transition | None:
    """The way that Submit follows: the one that the person chose, else the stage's first one."""
    ways = [w for w in open_transitions(turn.form, turn.draft) if w.submits]
    return next((w for w in ways if w.on == turn.draft.going), ways[0] if ways and not turn.draft.going else None)


def phase_said(form: Form, text: str) -> Stage | None:
    """The phase that the whole message names."""
    if not form.phases:
        return None
    said = WORD.findall(normalized(text))
    return next((s for s in form.stages.values() if any(WORD.findall(normalized(w)) == said for w in s.words)), None)


def _keys(turn: TurnContext, text: str) -> tuple[str, ...]:
    """The words of a text as they are compared; marks and pictures are none."""
    return tuple(
        t.key for t in tokens(normalized(text), language_of(turn.form.language)) if any(c.isalnum() for c in t.key)
    )
