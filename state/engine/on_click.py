"""A person clicked (Clicked): one small handler for each act, and one table at the foot. Only the owner's click on an open card changes anything."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from state.draft import changes
from state.draft.display import display_value, display_values
from state.draft.draft import HANDED_BACK, ChatLine, How, Offer, Proposal
from state.draft.missing import in_stage, missing
from state.draft.utterance import Phrase, Verbatim
from state.engine import acts, on_documents, on_facts, on_operation, values
from state.engine.cards import Change, Moved, Notice
from state.engine.context import STANDS, Again, Alone, Next, ShowClosed, TurnContext, message_of
from state.engine.effects import Discard, Ephemeral, Gather, LookUp
from state.engine.events import BY_FIELD, UNLESS_DISCLOSING, Clicked, could_be_read, is_final
from state.engine.offers import accept, read_on
from state.engine.on_query import keep_declined
from state.engine.settle import way_on
from state.fields import kind_of
from state.form import Field
from state.form.field import Data
from state.understanding.evidence import unread_lines

Handler = Callable[[TurnContext, Clicked], None]


def on_click(turn: TurnContext, event: Clicked) -> None:
    """Handle the owner's click on an open card; another person's gets a private note, one on an old card the present card."""
    proposal = turn.draft.proposal
    decides = event.act in ("disclose_confirmed", "stay") and proposal is not None and proposal.card == event.card
    closed = not turn.draft.open and event.act not in WHEN_CLOSED and not decides
    if event.act == "hand_back":
        _hand_back(turn, event)
    elif closed and event.who == turn.draft.owner and hasty(turn, event):
        return  # the second of a double click: what the first one came to stands where both were made
    elif refused(turn, event):
        return
    elif closed:
        if event.act in ("submit", "cancel_confirmed", "restart_confirmed", "disclose_confirmed", "answer"):
            turn.do(Ephemeral(event.who, Phrase(STANDS[turn.draft.status], {"number": turn.filed.number})))
        else:
            turn.present(ShowClosed())
    else:
        HANDLERS[event.act](turn, event)


def refused(turn: TurnContext, event: Clicked) -> bool:
    """Return True for a click that counts in no case, once a private note has said why."""
    if event.who != turn.draft.owner:
        turn.do(Ephemeral(event.who, Phrase("not_yours")))
    elif turn.draft.handed:
        turn.do(Ephemeral(event.who, Phrase("handed_over")))
    elif hasty(turn, event):
        turn.do(Ephemeral(event.who, Phrase("too_soon")))
        if event.act == "answer" and event.hash:
            box_closed(turn, event)  # a menu gets another id, so that the same choice can be made in it again
    else:
        return False
    return True


def hasty(turn: TurnContext, event: Clicked) -> bool:
    """Return True if the click is an act that wants reading, on a card that nobody can have read."""
    field, proposal = turn.form.fields.get(event.field), turn.draft.proposal
    if event.act in BY_FIELD:
        wants = field is not None and (kind_of(field).declaration or field.lock != "review")
    elif event.act in UNLESS_DISCLOSING:
        wants = proposal is not None and proposal.act == "disclose"
    else:
        wants = is_final(event.act)
    return wants and not could_be_read(event.clicked_at, event.shown)


# Answers: on the open card, from an offer, in the box of the Edit menu, to a change that waits


def on_card(do: Callable[[TurnContext, Clicked, Field], None]) -> Handler:
    """Return a handler of answers by click: the open card alone counts, for its own fields, each in its own message."""

    def handle(turn: TurnContext, event: Clicked) -> None:
        field, card = turn.form.fields.get(event.field), turn.draft.card
        here = card is not None and card.kind == "question"
        if here and card is not None:
            several = event.field in card.fields and message_of(card.id) == message_of(event.card)
            here = several or (card.id, card.field) == (event.card, event.field)
        if field is None or not here:
            acts.out_of_date(turn, event)
        else:
            do(turn, event, field)

    return handle


@on_card
def set_answer(turn: TurnContext, event: Clicked, field: Field) -> None:
    """Set what a button, a menu or a modal says."""
    turn.change(changes.TurnBegun())
    data = values.read_entry(turn, field, event.value)
    if data is not None and not values.refuse(turn, field, data):
        _put(turn, event, field, data, "clicked" if event.act == "answer" else "entered")


def _put(turn: TurnContext, event: Clicked, field: Field, data: Data, how: How) -> None:
    """Set an answer, and the currency that was written beside an amount."""
    words = event.label or str(event.value)
    beside = values.currency_told(turn, field, event.value)
    values.put(turn, field, values.make_value(turn, field, data, how, words, event.card))
    if beside is not None and not values.refuse(turn, *beside):
        values.put(turn, beside[0], values.make_value(turn, *beside, how, words, event.card))
    _acted(turn, field)


def _acted(turn: TurnContext, field: Field) -> None:
    value = turn.draft.values[field.name]
    shown = display_value(field, value, turn.context)
    acts.lead_over(turn, f"[clicked] {field.label}: {shown}", value.provenance.message)


def accept_offer(turn: TurnContext, event: Clicked) -> None:
    """Take an offer by its button on the card that is open now."""
    card, field = turn.draft.card, turn.form.fields.get(event.field)
    offer = next((o for o in turn.draft.offers if (o.field, o.data) == (event.field, event.value)), None)
    settable = field in in_stage(turn.form, turn.draft) and event.field not in turn.draft.locked_fields
    if card is None or card.id != event.card or offer is None or field is None or not settable:
        acts.out_of_date(turn, event)
        return
    turn.change(changes.TurnBegun())
    accept(turn, offer, event.label or offer.label)
    _acted(turn, field)


def use_all(turn: TurnContext, event: Clicked) -> None:
    """Take all that was read in the person's words and is together on the open card."""
    read = _on_card(turn, event)
    if not read:
        acts.out_of_date(turn, event)
        return
    turn.change(changes.TurnBegun())
    for offer in read:
        accept(turn, offer, event.label)
    shown = display_values(turn.form, turn.draft, tuple(o.field for o in read), turn.context)
    acts.lead_over(turn, f"[clicked] Confirmed: {shown}", event.card)


def leave_out(turn: TurnContext, event: Clicked) -> None:
    """Take one value out of what was read; the others stay on the card."""
    if event.field not in {o.field for o in _on_card(turn, event)}:
        acts.out_of_date(turn, event)
        return
    turn.change(changes.TurnBegun(), changes.OffersMade(tuple(o for o in turn.draft.offers if o.field != event.field)))
    turn.present(Again())


def _on_card(turn: TurnContext, event: Clicked) -> tuple[Offer, ...]:
    """Return what one click takes on the card that is open now, for fields that may still be set; on the review, whatever it shows."""
    card = turn.draft.card
    if card is None or card.id != event.card:
        return ()
    return read_on(turn, turn.draft, {card.field, *card.fields} - {""} if card.kind == "question" else set())


@on_card
def pick_result(turn: TurnContext, event: Clicked, field: Field) -> None:
    option = next((o for o in turn.draft.options.get(field.name, ()) if o.id == event.value), None)
    if option is None:
        acts.out_of_date(turn, event)
        return
    turn.change(changes.TurnBegun())
    values.pick(turn, field, option, option.label, event.card)
    _acted(turn, field)


@on_card
def not_in_list(turn: TurnContext, event: Clicked, field: Field) -> None:
    if not on_facts.can_be_unlisted(turn, field):
        acts.out_of_date(turn, event)
        return
    turn.change(changes.TurnBegun())
    on_facts.take_unlisted(turn, field, event.label, event.card)
    _acted(turn, field)


@on_card
def turn_down(turn: TurnContext, _event: Clicked, field: Field) -> None:
    turn.change(changes.TurnBegun())
    values.none_of_these(turn, field)


def ask_anew(turn: TurnContext, event: Clicked) -> None:
    field = turn.form.fields.get(event.field)
    if field is None or field.name not in turn.draft.values:
        acts.out_of_date(turn, event)
        return
    turn.change(changes.TurnBegun())
    values.reopen(turn, field)
    turn.present(Next())


def amend(turn: TurnContext, event: Clicked) -> None:
    """Edit an answer in the modal: the same one again changes nothing, another one counts at once, locked or not."""
    field, held = turn.form.fields.get(event.field), turn.draft.values.get(event.field)
    if field is None or held is None:
        acts.out_of_date(turn, event)
        return
    data, beside = values.read_entry(turn, field, event.value), values.currency_told(turn, field, event.value)
    other = beside is not None and (b := turn.draft.values.get(beside[0].name)) is not None and b.data != beside[1]
    if data is None or (data == held.data and not other):
        box_closed(turn, event)
        return
    turn.change(changes.TurnBegun())
    if not values.refuse(turn, field, data):
        _put(turn, event, field, data, "entered")


def box_closed(turn: TurnContext, event: Clicked) -> None:
    """Have the menu usable for the same answer again: its box was closed without one."""
    card = turn.draft.card
    if card is not None and message_of(card.id) == message_of(event.card):
        turn.change(changes.Counted("boxes_closed", turn.draft.boxes_closed + 1))
        turn.present(Again())


def keep_present(turn: TurnContext, event: Clicked) -> None:
    proposal = turn.draft.proposal
    if proposal and proposal.card == event.card:
        turn.change(changes.TurnBegun())
        acts.stay(turn)
        if proposal.value is not None:
            keep_declined(turn, proposal.value)
    else:
        _keep_answer(turn, event)


@on_card
def _keep_answer(turn: TurnContext, event: Clicked, field: Field) -> None:
    value = turn.draft.values.get(field.name)
    if value is None or values.too_few(field, value.data):
        acts.out_of_date(turn, event)
        return
    turn.change(changes.TurnBegun())
    values.keep(turn, field)
    turn.present(Next())


@on_card
def clear_files(turn: TurnContext, event: Clicked, field: Field) -> None:
    """Drop the files of a field that takes several: they are to be sent anew."""
    held = turn.draft.values.get(field.name)
    if held is None or not isinstance(held.data, tuple):
        acts.out_of_date(turn, event)
        return
    turn.change(changes.TurnBegun(), changes.ValueRetired(field.name, "cleared"))
    turn.do(Discard(held.data))
    turn.present(Next())


@on_card
def submit_anyway(turn: TurnContext, event: Clicked, field: Field) -> None:
    if field.name not in turn.draft.values:
        acts.out_of_date(turn, event)
        return
    turn.change(changes.TurnBegun(), changes.Closed(field.name))
    _acted(turn, field)


def change_locked(turn: TurnContext, event: Clicked) -> None:
    """Change an answer as its card says; where another thing is to be searched, the answer counts until one is picked."""
    proposal = turn.draft.proposal
    value = proposal.value if proposal and proposal.act == "change" and proposal.card == event.card else None
    field = turn.form.fields.get(proposal.field) if proposal else None
    if value is None or field is None:
        acts.out_of_date(turn, event)
        return
    turn.change(changes.TurnBegun(), changes.Proposed(None))
    source = value.provenance
    if kind_of(field).searchable:
        values.reopen(turn, field)
        turn.do(LookUp(field.name, str(value.data), turn.draft.turn, source.words, source.message))
        turn.present(Next())
    else:
        changed = values.make_value(turn, field, value.data, "clicked", source.words or event.label, event.card)
        values.put(turn, field, replace(changed, declared=value.declared))
        turn.turn_into(event.card, Moved("changed", field.name, Change(field.name, turn.before.values[field.name])))
        _acted(turn, field)


# What else a click may ask for


def _confirmed(act: str, do: Callable[[TurnContext, Proposal], None]) -> Handler:
    """Return a handler of the click on a card that asks about this act."""

    def handle(turn: TurnContext, event: Clicked) -> None:
        proposal = turn.draft.proposal
        if not proposal or proposal.act != act or proposal.card != event.card:
            acts.out_of_date(turn, event)
            return
        turn.change(changes.TurnBegun())
        do(turn, proposal)

    return handle


def _submit(turn: TurnContext, event: Clicked) -> None:
    """Consent to what the card showed, while nothing is missing, waits for an answer, or was written and not read."""
    draft, card = turn.draft, turn.draft.card
    shown_now = card is not None and card.kind == "review" and card.id == event.card
    same = shown_now and event.hash == draft.hash == (card.hash if card else "")
    if not same or missing(turn.form, draft) or draft.disclosures or draft.proposal:
        acts.out_of_date(turn, event)
    elif unread_lines(draft):  # in the same turn: a new one would end the reading, as often as somebody presses
        turn.present(Next((Phrase("reading_first"),)))
    else:
        turn.do(Gather("submit", hash=draft.hash))


def _explain(turn: TurnContext, event: Clicked) -> None:
    field = turn.form.fields.get(event.field)
    if field is None:
        acts.out_of_date(turn, event)
        return
    turn.change(changes.TurnBegun())
    turn.present(Next((Verbatim(field.help or field.ask),)))


def _undo(turn: TurnContext, event: Clicked) -> None:
    if not turn.draft.undo or event.card != turn.draft.undo_card:
        acts.out_of_date(turn, event)
        return
    card, back = turn.draft.card, tuple(turn.draft.undo)
    turn.change(changes.TurnBegun())
    acts.undo(turn)
    if card is None or message_of(card.id) != message_of(event.card):
        turn.turn_into(event.card, Notice((acts.taken_back(turn, back),)))


def _command(turn: TurnContext, event: Clicked) -> None:
    turn.do(Gather("command", name=event.field, rest=str(event.value or "")))


def _begin(turn: TurnContext, _event: Clicked) -> None:
    """Show the first card of a new draft; in an open one, the present card again."""
    key = "op_help" if turn.form.conversational else "greeting" if turn.draft.card is None else "here_it_is"
    turn.change(changes.TurnBegun())
    turn.present(Next((Phrase(key, {"form": turn.form.title, "introduction": turn.form.introduction}),)))


def _go(turn: TurnContext, event: Clicked) -> None:
    """Follow a way on by a button of the open card; one whose way is closed by now is out of date."""
    way = way_on(turn, str(event.value))
    if way is None or turn.draft.card is None or turn.draft.card.id != event.card:
        acts.out_of_date(turn, event)
        return
    turn.change(changes.TurnBegun())
    turn.way = way
    acts.lead_over(turn, f"[clicked] {event.label or way.label or way.on}", event.card)


def _go_back(turn: TurnContext, event: Clicked) -> None:
    """Leave the review that a way opened which the person does not take after all."""
    if not turn.draft.going or turn.draft.card is None or turn.draft.card.id != event.card:
        acts.out_of_date(turn, event)
        return
    turn.change(changes.TurnBegun(), changes.SubmissionChosen(""))
    turn.present(Next())


def _hand_back(turn: TurnContext, event: Clicked) -> None:
    """Go on where the bot stopped: a person gives the conversation back, and the model reads that there was a stretch between."""
    if not turn.draft.handed:
        turn.do(Ephemeral(event.who, Phrase("back_already"), event.where))
        return
    turn.change(changes.TurnBegun(), changes.ChatLineAdded(ChatLine("user", HANDED_BACK, clicked=True)))
    turn.change(changes.HandedBack(event.who))
    said = (Phrase("handed_back"),)
    turn.present(Next(said) if turn.draft.open else Alone(said, ("begin",)))


def _asked_for(do: Callable[[TurnContext], None]) -> Handler:
    """Return a handler of a click that asks for the same as words may."""

    def handle(turn: TurnContext, _event: Clicked) -> None:
        turn.change(changes.TurnBegun())
        do(turn)

    return handle


def _ask_person(turn: TurnContext, event: Clicked) -> None:
    turn.change(changes.TurnBegun())
    acts.call_person(turn, str(event.value or ""))


def _of_what_was_read(in_document: Handler, in_words: Handler) -> Handler:
    """Return a handler for the card of a document, or for what was read in words, on the question's card."""

    def handle(turn: TurnContext, event: Clicked) -> None:
        card = turn.draft.card
        (in_document if card is not None and card.kind == "read" else in_words)(turn, event)

    return handle


WHEN_CLOSED = frozenset({"box_closed", "feedback", "person", "help", "missing", "show", "command"})


HANDLERS: Mapping[str, Handler] = {
    "answer": set_answer,
    "enter": set_answer,
    "accept": accept_offer,
    "pick": pick_result,
    "none_of_these": turn_down,
    "unlisted": not_in_list,
    "edit": ask_anew,
    "amend": amend,
    "box_closed": box_closed,
    "feedback": lambda _turn, _event: None,  # what a person thinks of a model's words is kept as this event
    "clear": clear_files,
    "take": on_documents.take_one,
    "take_all": _of_what_was_read(on_documents.take_all, use_all),
    "leave": _of_what_was_read(on_documents.leave, leave_out),
    "keep": keep_present,
    "submit_anyway": submit_anyway,
    "change": change_locked,
    "undo": _undo,
    "explain": _explain,
    "submit": _submit,
    "cancel": _asked_for(acts.ask_cancel),
    "cancel_confirmed": _confirmed("cancel", lambda turn, _: acts.cancel(turn)),
    "restart": _asked_for(acts.ask_restart),
    "restart_confirmed": _confirmed("restart", lambda turn, _: acts.restart(turn)),
    "disclose_confirmed": _confirmed(
        "disclose", lambda turn, asked: acts.disclose(turn, turn.form.fields[asked.field], asked.words, asked.message)
    ),
    "stay": _asked_for(acts.stay),
    "missing": _asked_for(acts.list_missing),
    "help": _asked_for(acts.help_out),
    "person": _ask_person,
    "show": _asked_for(acts.show),
    "begin": _begin,
    "command": _command,
    "go": _go,
    "back": _go_back,
    "confirm": on_operation.confirm,
    "decline": on_operation.decline,
    "take_back": on_operation.take_back,
    "again": on_facts.take_last_time,
}
