"""Answers given by a click: on the open card, from an offer, in the box of the Edit menu, to a change that waits."""

from collections.abc import Callable
from typing import Literal

from state.draft.changes import (
    ChatLineAdded,
    Closed,
    Counted,
    OffersMade,
    Proposed,
    TurnBegun,
    ValueRetired,
)
from state.draft.display import display_value, display_values
from state.draft.draft import ChatLine, How, Offer, Value
from state.draft.missing import in_stage
from state.draft.put_back import usable
from state.engine import acts
from state.engine.context import TurnContext, message_of
from state.engine.effects import Discard, LookUp
from state.engine.events import Clicked
from state.engine.offers import accept
from state.engine.presentation import Again, Next
from state.engine.values import (
    currency_told,
    keep,
    make_value,
    none_of_these,
    pick,
    put,
    read_entry,
    refuse,
    reopen,
    too_few,
)
from state.fields import kind_of
from state.form import Field
from state.form.field import Data

Handler = Callable[[TurnContext, Clicked], None]


def on_card(do: Callable[[TurnContext, Clicked, Field], None]) -> Handler:
    """For clicks that answer: only the card that is open now counts, and only for its own field."""

    def handle(turn: TurnContext, event: Clicked) -> None:
        field = turn.form.fields.get(event.field)
        if field is None or not _stands(turn, event):
            acts.out_of_date(turn, event)
        else:
            do(turn, event, field)

    return handle


def _stands(turn: TurnContext, event: Clicked) -> bool:
    """Whether the question stands on the open card; one of several that stand together, in its message: the others may be quicker."""
    card = turn.draft.card
    if card is None or card.kind != "question":
        return False
    several = event.field in card.fields and message_of(card.id) == message_of(event.card)
    return several or (card.id, card.field) == (event.card, event.field)


def set_answer(how: Literal["clicked", "entered"]) -> Callable[[TurnContext, Clicked, Field], None]:
    """Set what a button, a menu or a modal says."""

    def do(turn: TurnContext, event: Clicked, field: Field) -> None:
        data = read_entry(turn, field, event.value)
        if data is None:
            return
        turn.change(TurnBegun())
        if not refuse(turn, field, data):
            _put(turn, event, field, data, how)

    return do


def _put(turn: TurnContext, event: Clicked, field: Field, data: Data, how: How) -> None:
    """Set an answer, and the currency that was written beside an amount."""
    words = event.label or str(event.value)
    beside = currency_told(turn, field, event.value)
    put(turn, field, make_value(turn, field, data, how, words, event.card))
    if beside is not None and not refuse(turn, *beside):
        put(turn, beside[0], make_value(turn, *beside, how, words, event.card))
    _acted(turn, field)


def _acted(turn: TurnContext, field: Field) -> None:
    """Write the act into the conversation, show what comes next, and let the model lead over to it."""
    value = turn.draft.values[field.name]
    act = f"[clicked] {field.label}: {display_value(field, value, turn.context)}"
    turn.change(ChatLineAdded(ChatLine("user", act, value.provenance.message, clicked=True)))
    turn.present(Next())
    turn.ask_model(act=act)


def accept_offer(turn: TurnContext, event: Clicked) -> None:
    """The button of an offer on the card that is open now."""
    card, field = turn.draft.card, turn.form.fields.get(event.field)
    offer = next((o for o in turn.draft.offers if (o.field, o.data) == (event.field, event.value)), None)
    settable = (
        field is not None and field in in_stage(turn.form, turn.draft) and field.name not in turn.draft.locked_fields
    )
    if card is None or card.id != event.card or offer is None or field is None or not settable:
        acts.out_of_date(turn, event)
        return
    turn.change(TurnBegun())
    accept(turn, offer, event.label or offer.label)
    _acted(turn, field)


def use_all(turn: TurnContext, event: Clicked) -> None:
    """Take all that was read in the person's words and stands together on the open card."""
    read = _on_card(turn, event)
    if not read:
        acts.out_of_date(turn, event)
        return
    turn.change(TurnBegun())
    for offer in read:
        accept(turn, offer, event.label)
    act = f"[clicked] Confirmed: {display_values(turn.form, turn.draft, tuple(o.field for o in read), turn.context)}"
    turn.change(ChatLineAdded(ChatLine("user", act, event.card, clicked=True)))
    turn.present(Next())
    turn.ask_model(act=act)


def leave_out(turn: TurnContext, event: Clicked) -> None:
    """Take one value out of what was read; the others stay on the card."""
    if event.field not in {o.field for o in _on_card(turn, event)}:
        acts.out_of_date(turn, event)
        return
    turn.change(TurnBegun(), OffersMade(tuple(o for o in turn.draft.offers if o.field != event.field)))
    turn.present(Again())


def _on_card(turn: TurnContext, event: Clicked) -> tuple[Offer, ...]:
    """What one click takes on the card that is open now, for fields that may still be set."""
    card = turn.draft.card
    if card is None or card.id != event.card:
        return ()
    fields = {card.field, *card.fields} - {""} if card.kind == "question" else set()
    settable = {f.name for f in in_stage(turn.form, turn.draft)} - turn.draft.locked_fields
    return tuple(o for o in usable(turn.form, turn.draft, fields) if o.field in settable)


def pick_result(turn: TurnContext, event: Clicked, field: Field) -> None:
    option = next((o for o in turn.draft.options.get(field.name, ()) if o.id == event.value), None)
    if option is None:
        acts.out_of_date(turn, event)
        return
    turn.change(TurnBegun())
    pick(turn, field, option, option.label, event.card)
    _acted(turn, field)


def turn_down(turn: TurnContext, _event: Clicked, field: Field) -> None:
    turn.change(TurnBegun())
    none_of_these(turn, field)


def ask_anew(turn: TurnContext, event: Clicked) -> None:
    field = turn.form.fields.get(event.field)
    if field is None or field.name not in turn.draft.values:
        acts.out_of_date(turn, event)
        return
    turn.change(TurnBegun())
    reopen(turn, field)
    turn.present(Next())


def amend(turn: TurnContext, event: Clicked) -> None:
    """An answer edited in the modal: the same one again changes no answer, another one counts at once, locked or not."""
    field = turn.form.fields.get(event.field)
    held = turn.draft.values.get(event.field)
    if field is None or held is None:
        acts.out_of_date(turn, event)
        return
    data, beside = read_entry(turn, field, event.value), currency_told(turn, field, event.value)
    other = beside is not None and (b := turn.draft.values.get(beside[0].name)) is not None and b.data != beside[1]
    if data is None or (data == held.data and not other):
        box_closed(turn, event)
        return
    turn.change(TurnBegun())
    if not refuse(turn, field, data):
        _put(turn, event, field, data, "entered")


def box_closed(turn: TurnContext, event: Clicked) -> None:
    """The box was closed without an answer: the menu that opened it may be used for the same answer again."""
    card = turn.draft.card
    if card is not None and message_of(card.id) == message_of(event.card):
        turn.change(Counted("boxes_closed", turn.draft.boxes_closed + 1))
        turn.present(Again())


def feedback(_turn: TurnContext, _event: Clicked) -> None:
    """What a person thinks of a model's words is kept as this event, and changes nothing."""


def keep_present(turn: TurnContext, event: Clicked) -> None:
    proposal = turn.draft.proposal
    if proposal and proposal.card == event.card:
        turn.change(TurnBegun())
        acts.stay(turn)
    else:
        _keep_answer(turn, event)


@on_card
def _keep_answer(turn: TurnContext, event: Clicked, field: Field) -> None:
    value = turn.draft.values.get(field.name)
    if value is None or too_few(field, value.data):
        acts.out_of_date(turn, event)
        return
    turn.change(TurnBegun())
    keep(turn, field)
    turn.present(Next())


@on_card
def clear_files(turn: TurnContext, event: Clicked, field: Field) -> None:
    """Files of a field of several are to be sent anew; those of before go."""
    held = turn.draft.values.get(field.name)
    if held is None or not isinstance(held.data, tuple):
        acts.out_of_date(turn, event)
        return
    turn.change(TurnBegun(), ValueRetired(field.name, "cleared"))
    turn.do(Discard(held.data))
    turn.present(Next())


@on_card
def submit_anyway(turn: TurnContext, event: Clicked, field: Field) -> None:
    if field.name not in turn.draft.values:
        acts.out_of_date(turn, event)
        return
    turn.change(TurnBegun(), Closed(field.name))
    _acted(turn, field)


def change_locked(turn: TurnContext, event: Clicked) -> None:
    proposal = turn.draft.proposal
    value = proposal.value if proposal and proposal.act == "change" and proposal.card == event.card else None
    field = turn.form.fields.get(proposal.field) if proposal else None
    if proposal is None or value is None or field is None:
        acts.out_of_date(turn, event)
        return
    turn.change(TurnBegun(), Proposed(None))
    if kind_of(field).searchable:
        _search_anew(turn, field, value)
        return
    words = value.provenance.words or event.label
    put(turn, field, make_value(turn, field, value.data, "clicked", words, event.card))
    _acted(turn, field)


def _search_anew(turn: TurnContext, field: Field, sought: Value) -> None:
    """Another thing is to be picked: the answer stands until that is done."""
    reopen(turn, field)
    turn.do(LookUp(field.name, str(sought.data), turn.draft.turn, sought.provenance.words, sought.provenance.message))
    turn.present(Next())
