"""Same as last time: what the person's last record holds for some fields is offered with their questions, and taken by one click.

Nothing of it counts before that click. It is judged as any answer is, when it comes in and when it is taken.
"""

from contextlib import suppress
from dataclasses import replace

from state.draft.changes import ChatLineAdded, LastTimeKnown, TurnBegun
from state.draft.display import display_value
from state.draft.draft import ChatLine, LastTime, Option, Provenance, Value
from state.draft.missing import takeable
from state.engine import acts
from state.engine.context import TurnContext
from state.engine.events import Clicked, FactsGathered
from state.engine.presentation import LeadIn, Next
from state.engine.values import make_value, problem_with, put
from state.fields import kind_of
from state.fields.base import Unreadable
from state.form import Field
from state.form.field import Data


def on_last_time(turn: TurnContext, event: FactsGathered) -> None:
    """The last record is in: what may be the same again is offered on the open card."""
    record, told = str(event.facts.get("number", "")), event.facts.get("values") or {}
    fields = [turn.form.fields[name] for name in turn.form.again if name in told and name in turn.form.fields]
    read = {field.name: _read(turn, field, told[field.name], record) for field in fields}
    values = {name: value for name, value in read.items() if value is not None}
    if not turn.draft.open or event.failed or not record or not values:
        return
    turn.change(LastTimeKnown(LastTime(record, values)))
    turn.present(LeadIn())


def _read(turn: TurnContext, field: Field, told: dict[str, object], record: str) -> Value | None:
    """The value as it would be taken; None where it can be no answer now."""
    data: Data | None = None
    with suppress(Unreadable):
        data = (
            str(told["data"]) if kind_of(field).searchable else kind_of(field).parse(field, told["data"], turn.context)
        )
    if data is None or problem_with(turn, field, data) is not None:
        return None
    if not kind_of(field).searchable:
        return make_value(turn, field, data, "clicked", record, who=turn.draft.owner)
    found = Option(**told["option"])  # type: ignore[arg-type]  # as the look-up gave it just now
    provenance = Provenance(turn.draft.owner, turn.event.at, "chosen", "", record)
    return Value(found.id, provenance, label=found.label, facts={**found.facts})


def take(turn: TurnContext, event: Clicked) -> None:
    """The button of the open card: exactly the fields that it shows, each where it is still open and still allowed."""
    card, last = turn.draft.card, turn.draft.last_time
    names = takeable(turn.form, turn.draft)
    if last is None or card is None or card.id != event.card or not names:
        acts.out_of_date(turn, event)
        return
    turn.change(TurnBegun())
    for name in names:
        field, value = turn.form.fields[name], last.values[name]
        if problem_with(turn, field, value.data) is None:
            put(turn, field, _taken(turn, value, event))
    turn.change(LastTimeKnown(None))
    shown = "; ".join(
        f"{turn.form.fields[n].label}: {display_value(turn.form.fields[n], turn.draft.values[n], turn.context)}"
        for n in names
        if n in turn.draft.values
    )
    act = f"[clicked] Same as last time ({last.record}): {shown}"
    turn.change(ChatLineAdded(ChatLine("user", act, event.card, clicked=True)))
    turn.present(Next())
    turn.ask_model(act=act)


def _taken(turn: TurnContext, value: Value, event: Clicked) -> Value:
    return replace(value, provenance=replace(value.provenance, who=event.who, at=event.at, message=event.card))
