"""What must hold after every step, whatever the model did; each breach is a sentence."""

from collections.abc import Iterator

from state.draft.draft import Draft, Status
from state.engine.effects import File, Post, Repaint
from state.engine.events import Clicked, FactsGathered, MessageReceived
from state.fields import kind_of
from tests.chaos.hostile.desk import OWNER, Desk, Step
from tests.chaos.hostile.models import LIES
from tests.chaos.hostile.people import Person


def broken(person: Person, desk: Desk) -> list[str]:
    """Return every breach of a conversation."""
    found = [f"{sentence} ({step.event.id})" for step in desk.steps for sentence in _in_step(person, desk, step)]
    shown = " ".join(str(message["text"]) + str(message["blocks"]) for message in desk.cards.values())
    found += untrue(shown)
    if desk.filed > 1:
        found.append("invariant 5: it was filed more than once")
    return [*dict.fromkeys(found)]


def untrue(shown: str) -> list[str]:
    """Return a sentence for each of the models' false statements that somebody was shown."""
    return [f"invariant 15: a false statement was shown: {lie}" for lie in LIES if lie in shown]


def _in_step(person: Person, desk: Desk, step: Step) -> Iterator[str]:
    before, after = step.before, step.after
    acted = isinstance(step.event, Clicked | MessageReceived) and step.event.who == OWNER
    yield from _values(person, desk, step)
    for name in before.locked_fields & set(before.values):
        same = name in after.values and after.values[name].data == before.values[name].data
        if not same and not acted:
            yield f"invariant 1: the locked {name} changed without its owner's act"
    if any(isinstance(e, File) for e in step.outcome.effects) and not (
        isinstance(step.event, FactsGathered) and person.submitted
    ):
        yield "invariant 3: it was filed without a click"
    if before.status is Status.OPEN and after.status is Status.CANCELLED and not acted:
        yield "invariant 3: it was given up without a click"
    yield from _asked(after, step)


def _values(person: Person, desk: Desk, step: Step) -> Iterator[str]:
    for name, value in step.after.values.items():
        was = step.before.values.get(name)
        if (was is not None and was.data == value.data) or value.provenance.how == "rule":
            continue
        field = desk.form.fields[name]
        if not person.someone.means(name, value.data):
            yield f"invariant 2: {name} holds {value.data!r}, which nobody said"
        if (kind_of(field).declaration or kind_of(field).polar) and name not in person.answered:
            yield f"invariant 3: {name} was declared by nobody"
        if value.provenance.who != OWNER:
            yield f"invariant 2: {name} has no provenance"


def _asked(after: Draft, step: Step) -> Iterator[str]:
    cards = [e.card for e in step.outcome.effects if isinstance(e, Post | Repaint)]
    for card in cards:
        if card.kind == "question" and card.field in after.values and card.field not in (*after.reopened, *card.fields):
            yield f"invariant 4: {card.field} was asked for though it is answered"
