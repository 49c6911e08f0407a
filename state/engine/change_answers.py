"""What a person types at a card that asks "was → now?": the value that it shows, the one that was, a third one, a yes or a no."""

from dataclasses import replace

from state.draft.changes import Proposed
from state.draft.draft import Proposal
from state.engine import acts
from state.engine.cards import Change, Phrase
from state.engine.context import TurnContext
from state.engine.events import MessageReceived
from state.engine.offers import show_change
from state.engine.presentation import Next
from state.engine.values import make_value, put, refuse
from state.fields import kind_of
from state.form import Field
from state.form.field import Data
from state.understanding.acceptance import is_acceptance, is_refusal
from state.understanding.corrections import announcing

FEW = 5
"""Words of the longest name of a thing that is looked up."""


def answer_change(turn: TurnContext, event: MessageReceived) -> bool:
    """Do what words typed at a change that waits say of it; False where they say something else, which leaves the card.

    No model is asked to lead over: it could give the same words to the question above.
    """
    waiting = turn.draft.proposal
    if waiting is None or waiting.value is None or waiting.turn != turn.before.turn:
        return False
    field, held = turn.form.fields[waiting.field], turn.draft.values[waiting.field]
    agreed = _agreed(turn, event.text)
    plain = _value(turn, field, event.text) if agreed is None else waiting.value.data if agreed else held.data
    data = plain
    if data is None:
        return False
    if agreed is not None and kind_of(field).polar:
        _ask(turn, field, waiting, waiting.value.data, event)
    elif plain == held.data:
        acts.stay(turn)
    elif plain is None or _by_click(turn, field):
        _ask(turn, field, waiting, data, event)
    elif not refuse(turn, field, plain):
        turn.change(Proposed(None))
        put(turn, field, make_value(turn, field, plain, "typed", event.text, event.message))
        show_change(turn, field, held, {})
        turn.present(Next())
    return True


def _agreed(turn: TurnContext, text: str) -> bool | None:
    """A plain yes or no; one that the question above would take as well, if it does not name what that asks."""
    if is_acceptance(text, turn.form.language) or is_refusal(text, turn.form.language):
        return is_acceptance(text, turn.form.language)
    asked = turn.form.fields.get(turn.draft.asked)
    if asked is None or not kind_of(asked).polar or kind_of(asked).find(asked, text, turn.context):
        return None
    plain = kind_of(asked).whole(asked, text, turn.context)
    return plain if isinstance(plain, bool) else None


def _value(turn: TurnContext, field: Field, text: str) -> Data | None:
    """The value that the message is, words before it that put something right aside."""
    if kind_of(field).searchable:
        name = text[len(announcing(text, turn.context)) :].strip(" ,:;.–—-")
        return name if 0 < len(name.split()) <= FEW else None
    rest = text[len(announcing(text, turn.context)) :].lstrip(" ,:;.–—-")
    found = (kind_of(field).whole(field, words, turn.context) for words in (text, rest) if words)
    return next((data for data in found if data is not None), None)


def _by_click(turn: TurnContext, field: Field) -> bool:
    """Return True if only a click changes the answer: it is locked, declared, picked from results, or another locked one hangs on it."""
    names = {field.name, *(f.name for f in turn.form.dependents(field.name))}
    return bool(names & turn.draft.locked_fields) or kind_of(field).declaration or kind_of(field).searchable


def _ask(turn: TurnContext, field: Field, waiting: Proposal, data: Data, event: MessageReceived) -> None:
    """Point to the button, with the value on it that was said last."""
    value = waiting.value
    if value is None or value.data != data:
        if refuse(turn, field, data):
            return
        value = make_value(turn, field, data, "typed", event.text, event.message)
    card = turn.show(Change(field.name, value, (Phrase("press_one"),)))
    turn.change(Proposed(replace(waiting, card=card, value=value, turn=turn.draft.turn)))
