"""Offers of the bot: values that it puts to the person, and their acceptance by a button, a plain yes, or a reader's call."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from state.draft import rejection as no
from state.draft.changes import OffersMade, UndoKept
from state.draft.display import display_value
from state.draft.draft import How, Offer, Option, Provenance, Value
from state.draft.missing import in_stage
from state.draft.scope import scope
from state.engine.cards import Moved, Notice, Phrase
from state.engine.context import TurnContext
from state.engine.events import Clicked
from state.engine.values import make_value, put
from state.fields import kind_of
from state.fields.base import Unreadable
from state.form import Field
from state.form.field import Data
from state.guards import ProposedWrite, judge
from state.guards.writes import OFFER_GUARDS
from state.understanding.evidence import as_written, holds_quote, newest_line, place_of, said_by_person, unread_lines

MOST = 5
"""Offers that stand at a time."""
WORDS = 300
"""Characters of an offered text: a button has to carry it."""


def make_offer(turn: TurnContext, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Put a value to the person, if the field could take it; gives the tool's result."""
    name = str(arguments.get("field", ""))
    target = next((f for f in scope(turn.form, turn.draft).offerable if f.name == name), None)
    if target is None:
        return no.bad_arguments("`field` must name a field that may be offered now").result()
    option = _option(turn, target, arguments.get("value"))
    if kind_of(target).searchable and option is None:
        return no.bad_arguments("only a result that is on screen may be offered").result()
    case = ProposedWrite(
        turn.form, turn.rules, turn.draft, turn.context, turn.draft.owner, target, arguments.get("value"), ""
    )
    try:
        data = option.id if option else case.data
    except Unreadable as problem:
        return no.bad_arguments(f"'{name}' cannot be read ({problem.key})").result()
    if target.suggest and (data is not True or target.name == turn.draft.asked):
        return no.bad_arguments(f"of '{name}' only a yes is offered, while it is not the question").result()
    if kind_of(target).verbatim:
        data = _as_somebody_wrote(turn, target, str(data))
    if not data:
        return no.bad_arguments("of a text only words of the user's or the form's are offered").result()
    refusal = judge(case, OFFER_GUARDS)
    if refusal or len(str(data)) > WORDS:
        return (refusal or no.bad_arguments("the value is too long to be offered")).result()
    return _made(turn, target, data, option)


def _made(turn: TurnContext, field: Field, data: Data, option: Option | None) -> dict[str, Any]:
    standing = tuple(o for o in turn.draft.offers if not o.heard)
    if any(o.field == field.name and o.data == data for o in standing):
        return {"status": "ok", "note": "this offer stands already"}
    held = turn.draft.values.get(field.name)
    if len(standing) >= MOST or (held is not None and held.data == data):
        return no.filled(field.name).result() if held else no.bad_arguments("too many offers stand").result()
    label = option.label if option else display_value(field, _bare(data), turn.context)
    offer = Offer(field.name, data, label, turn.draft.turn, option=option)
    turn.change(OffersMade((*standing, offer)))
    return {"status": "ok", "note": "the user now sees a button for this value, and may say yes to it"}


def _as_somebody_wrote(turn: TurnContext, field: Field, text: str) -> str:
    """A text as the person said it or the form knows it, "" where neither does: a button is read like any other sentence."""
    said = (line.text for line in said_by_person(turn.draft))
    heard = next((heard for heard in (*said, *field.known) if holds_quote(heard, text) and place_of(heard, text)), "")
    return as_written(heard, text)


def _bare(data: Data) -> Value:
    return Value(data, Provenance("", "", "rule"))


def _option(turn: TurnContext, field: Field, given: object) -> Option | None:
    return next((o for o in turn.draft.options.get(field.name, ()) if given in (o.id, o.label)), None)


def hear(turn: TurnContext, message: str) -> None:
    """The person's next message: what was shown before may be accepted by it alone, and older offers are gone.

    One that an unread line heard waits until that is read; what was put back to them stands until its question is answered.
    """
    unread = {line.message for line in unread_lines(turn.draft)}
    kept = tuple(o for o in turn.draft.offers if o.heard and o.heard in unread)
    on_screen = (o for o in turn.draft.offers if o not in kept and (o.card if o.said else not o.heard))
    shown = tuple(replace(o, heard=message or "said") for o in on_screen)
    waiting = tuple(o for o in turn.draft.offers if o.said and not o.card and o not in kept)
    if turn.draft.offers:
        turn.change(OffersMade((*kept, *shown, *waiting)))


def acceptable(turn: TurnContext) -> tuple[Offer, ...]:
    """Offers that a plain yes takes now: put just before the newest message, one for a field, for fields that may still be set.

    What was read in the person's words waits for the click.
    """
    said = newest_line(turn.draft)
    offers = tuple(o for o in turn.draft.offers if said and not o.said and o.heard == (said.message or "said"))
    if not offers:
        return ()
    open_names = {f.name for f in in_stage(turn.form, turn.draft)} - turn.draft.locked_fields
    fields = [o.field for o in offers]
    return tuple(o for o in offers if o.field in open_names and fields.count(o.field) == 1)


def accept(turn: TurnContext, offer: Offer, words: str) -> None:
    """The owner took the offer by an act of their own, a click, or a message that says just that.

    Where it replaces an answer, the person is shown both and may take it back.
    """
    field, was, value = (
        turn.form.fields[offer.field],
        turn.draft.values.get(offer.field),
        accepted_value(turn, offer, words),
    )
    put(turn, field, value)
    if was is not None:
        together = {name: old for name, old in turn.draft.undo.items() if name in turn.changed}
        show_change(turn, field, was, together)


def show_change(turn: TurnContext, field: Field, was: Value, together: Mapping[str, Value]) -> None:
    """Tell "was → now" above what comes next, with Undo, which takes back this answer and those that changed together with it.

    Where every reply has its shape, it is told in a message of its own.
    """
    now = turn.draft.values[field.name]
    texts = {
        "label": field.label,
        "was": display_value(field, was, turn.context),
        "now": display_value(field, now, turn.context),
    }
    told, card = Phrase("was_now", texts), ""
    if turn.form.persona.shape:
        if turn.draft.undo_card:
            turn.turn_into(turn.draft.undo_card, Moved("below"))
        card = turn.show(Notice((told,), ("undo",)), own=True)
    else:
        turn.tell(told)
    turn.change(UndoKept({**together, field.name: was}, card))


def accepted_value(turn: TurnContext, offer: Offer, words: str, *, reader: str = "") -> Value:
    """The value with the offer's card as its message, and the accepting words, or those of the person's that it was read from."""
    field = turn.form.fields[offer.field]
    where = offer.card or offer.heard or turn.event.id
    how: How = "clicked" if offer.said and isinstance(turn.event, Clicked) else "accepted"
    value = make_value(turn, field, offer.data, how, offer.said or words, where, reader=reader, who=turn.draft.owner)
    return replace(value, label=offer.option.label, facts={**offer.option.facts}) if offer.option else value
