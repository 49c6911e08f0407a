"""What a filing gets from the store, inside the transaction that files it: the record's number."""

from dataclasses import replace

from state.draft.changes import RecordGiven, apply
from state.engine.advance import Outcome
from state.engine.cards import Receipt
from state.engine.effects import (
    Announce,
    Attach,
    Effect,
    File,
    Repaint,
)


def files(outcome: Outcome) -> File | None:
    """The filing that the outcome asks for, if any."""
    return next((e for e in outcome.effects if isinstance(e, File)), None)


def with_number(outcome: Outcome, number: str) -> Outcome:
    """The outcome of a filing, once the store has given the record's number."""
    given = RecordGiven(number)
    effects = tuple(_numbered(effect, number) for effect in outcome.effects)
    return Outcome(apply(outcome.draft, given), (*outcome.changes, given), effects, outcome.calls)


def _numbered(effect: Effect, number: str) -> Effect:
    if isinstance(effect, Repaint) and isinstance(effect.card, Receipt):
        return replace(effect, card=replace(effect.card, number=number))
    if isinstance(effect, Announce) and effect.what != "person":
        return replace(effect, record=number)
    if isinstance(effect, Attach):
        return replace(
            effect, name=effect.name.replace("{number}", number), title=effect.title.replace("{number}", number)
        )
    return effect
