"""A person clicked: one small handler per act, and one table. Only the owner's click on a live card changes anything."""

from collections.abc import Callable, Mapping
from typing import Literal

from state.advance import acting, operating, stale
from state.advance.answering import keep, make_value, pick, put, reopen, too_few
from state.advance.disclosing import disclose
from state.advance.going import go_back, go_clicked, hand_back
from state.advance.offering import accept
from state.advance.read_clicked import leave, take_all, take_one
from state.advance.refusing import read_entry, refuse
from state.advance.showing import show_next
from state.advance.work import Work
from state.draft.changes import (
    ChatLineAdded,
    Closed,
    OptionsFound,
    Proposed,
    TurnBegun,
    ValueRetired,
)
from state.draft.display import display_value
from state.draft.draft import ChatLine
from state.draft.missing import in_stage, missing
from state.engine.cards import Moved, Notice, Phrase, Verbatim
from state.engine.effects import (
    CallModel,
    Discard,
    Gather,
    Repaint,
    Whisper,
)
from state.engine.events import Clicked
from state.form import Field


def clicked(work: Work, event: Clicked) -> None:
    """Another person's click gets a private note; a click on a card that no longer counts gets the current one."""
    if event.act == "hand_back":
        hand_back(work, event)
        return
    if event.who != work.draft.owner:
        work.do(Whisper(event.who, Phrase("not_yours")))
        return
    if work.draft.handed:
        work.do(Whisper(event.who, Phrase("handed_over")))
        return
    if not work.draft.open and event.act not in WHEN_CLOSED:
        stale.closed(work, event)
        return
    HANDLERS[event.act](work, event)


Handler = Callable[[Work, Clicked], None]


def _on_card(do: Callable[[Work, Clicked, Field], None]) -> Handler:
    """For clicks that answer: only the card that is open now counts, and only for its own field."""

    def handle(work: Work, event: Clicked) -> None:
        card, field = work.draft.card, work.form.fields.get(event.field)
        if field is None or card is None or card.id != event.card or card.field != event.field:
            stale.card(work, event)
            return
        do(work, event, field)

    return handle


def _set(how: Literal["clicked", "entered"]) -> Callable[[Work, Clicked, Field], None]:
    """Set what a button, a menu or a modal says."""

    def do(work: Work, event: Clicked, field: Field) -> None:
        data = read_entry(work, field, event.value)
        if data is None:
            return
        work.change(TurnBegun())
        if not refuse(work, field, data):
            put(work, field, make_value(work, field, data, how, event.label or str(event.value), event.card))
            _acted(work, field)

    return do


def _acted(work: Work, field: Field) -> None:
    """Write the act into the conversation, show what comes next, and let the model lead over to it."""
    value = work.draft.values[field.name]
    act = f"[clicked] {field.label}: {display_value(field, value, work.context)}"
    work.change(ChatLineAdded(ChatLine("user", act, value.provenance.message, clicked=True)))
    show_next(work)
    work.do(CallModel(work.draft.turn, purpose="lead_in", act=act, changed=work.changed))


def _accept(work: Work, event: Clicked) -> None:
    """The button of an offer on the card that is open now."""
    card, field = work.draft.card, work.form.fields.get(event.field)
    offer = next((o for o in work.draft.offers if (o.field, o.data) == (event.field, event.value)), None)
    settable = (
        field is not None and field in in_stage(work.form, work.draft) and field.name not in work.draft.locked_fields
    )
    if card is None or card.id != event.card or offer is None or field is None or not settable:
        stale.card(work, event)
        return
    work.change(TurnBegun())
    accept(work, offer, event.label or offer.label)
    _acted(work, field)


def _pick(work: Work, event: Clicked, field: Field) -> None:
    option = next((o for o in work.draft.options.get(field.name, ()) if o.id == event.value), None)
    if option is None:
        stale.card(work, event)
        return
    work.change(TurnBegun())
    pick(work, field, option, option.label, event.card)
    _acted(work, field)


def _none_of_these(work: Work, _event: Clicked, field: Field) -> None:
    work.change(TurnBegun(), OptionsFound(field.name, ()))
    show_next(work, Phrase("none_of_these_said", {"label": field.label}))


def _edit(work: Work, event: Clicked) -> None:
    field = work.form.fields.get(event.field)
    if field is None or field.name not in work.draft.values:
        stale.card(work, event)
        return
    work.change(TurnBegun())
    reopen(work, field)
    show_next(work)


def _keep(work: Work, event: Clicked) -> None:
    proposal = work.draft.proposal
    if proposal and proposal.card == event.card:
        work.change(TurnBegun())
        acting.stay(work)
    else:
        _keep_answer(work, event)


@_on_card
def _keep_answer(work: Work, event: Clicked, field: Field) -> None:
    value = work.draft.values.get(field.name)
    if value is None or too_few(field, value.data):
        stale.card(work, event)
        return
    work.change(TurnBegun())
    keep(work, field)
    show_next(work)


@_on_card
def _clear(work: Work, event: Clicked, field: Field) -> None:
    """Files of a field of several are to be sent anew; those of before go."""
    held = work.draft.values.get(field.name)
    if held is None or not isinstance(held.data, tuple):
        stale.card(work, event)
        return
    work.change(TurnBegun(), ValueRetired(field.name, "cleared"))
    work.do(Discard(held.data))
    show_next(work)


@_on_card
def _submit_anyway(work: Work, event: Clicked, field: Field) -> None:
    if field.name not in work.draft.values:
        stale.card(work, event)
        return
    work.change(TurnBegun(), Closed(field.name))
    _acted(work, field)


def _change(work: Work, event: Clicked) -> None:
    proposal = work.draft.proposal
    value = proposal.value if proposal and proposal.act == "change" and proposal.card == event.card else None
    field = work.form.fields.get(proposal.field) if proposal else None
    if proposal is None or value is None or field is None:
        stale.card(work, event)
        return
    work.change(TurnBegun(), Proposed(None))
    work.do(Repaint(proposal.card, Moved("changed", field.name)))
    words = value.provenance.words or event.label
    put(work, field, make_value(work, field, value.data, "clicked", words, event.card))
    _acted(work, field)


def _disclose(work: Work, event: Clicked) -> None:
    proposal = work.draft.proposal
    if not proposal or proposal.act != "disclose" or proposal.card != event.card:
        stale.card(work, event)
        return
    work.change(TurnBegun())
    disclose(work, work.form.fields[proposal.field], proposal.words, proposal.message)


def _confirmed(act: str, do: Callable[[Work], None]) -> Handler:
    def handle(work: Work, event: Clicked) -> None:
        proposal = work.draft.proposal
        if not proposal or proposal.act != act or proposal.card != event.card:
            stale.card(work, event)
            return
        work.change(TurnBegun())
        do(work)

    return handle


def _submit(work: Work, event: Clicked) -> None:
    """Consent counts for what the card showed, and only while nothing is missing or waits for an answer."""
    draft, card = work.draft, work.draft.card
    shown_now = card is not None and card.kind == "review" and card.id == event.card
    same = shown_now and event.hash == draft.hash == (card.hash if card else "")
    if not same or missing(work.form, draft) or draft.disclosures or draft.proposal:
        stale.card(work, event)
        return
    work.do(Gather("submit", hash=draft.hash))


def _explain(work: Work, event: Clicked) -> None:
    field = work.form.fields.get(event.field)
    if field is None:
        stale.card(work, event)
        return
    work.change(TurnBegun())
    show_next(work, Verbatim(field.help or field.ask))


def _asked_for(do: Callable[[Work], None]) -> Handler:
    def handle(work: Work, event: Clicked) -> None:
        work.change(TurnBegun())
        do(work)

    return handle


def _undo(work: Work, event: Clicked) -> None:
    if not work.draft.undo or event.card != work.draft.undo_card:
        stale.card(work, event)
        return
    work.change(TurnBegun())
    work.do(Repaint(event.card, Notice((Phrase("taken_back"),))))
    acting.undo(work)


def _command(work: Work, event: Clicked) -> None:
    work.do(Gather("command", name=event.field, rest=str(event.value or "")))


def _begin(work: Work, event: Clicked) -> None:
    """The first card of a new draft; in an open one, the present card again."""
    key = "op_help" if work.form.conversational else "greeting" if work.draft.card is None else "here_it_is"
    work.change(TurnBegun())
    show_next(work, Phrase(key, {"form": work.form.title, "introduction": work.form.introduction}))


WHEN_CLOSED = frozenset({"person", "help", "missing", "show", "command"})

HANDLERS: Mapping[str, Handler] = {
    "answer": _on_card(_set("clicked")),
    "enter": _on_card(_set("entered")),
    "accept": _accept,
    "pick": _on_card(_pick),
    "none_of_these": _on_card(_none_of_these),
    "edit": _edit,
    "clear": _clear,
    "take": take_one,
    "take_all": take_all,
    "leave": leave,
    "keep": _keep,
    "submit_anyway": _submit_anyway,
    "change": _change,
    "undo": _undo,
    "explain": _explain,
    "submit": _submit,
    "cancel": _asked_for(acting.ask_cancel),
    "cancel_confirmed": _confirmed("cancel", acting.cancel),
    "restart": _asked_for(acting.ask_restart),
    "restart_confirmed": _confirmed("restart", acting.restart),
    "disclose_confirmed": _disclose,
    "stay": _asked_for(acting.stay),
    "missing": _asked_for(acting.list_missing),
    "help": _asked_for(acting.help_out),
    "person": _asked_for(acting.call_person),
    "show": _asked_for(acting.show),
    "begin": _begin,
    "command": _command,
    "go": go_clicked,
    "back": go_back,
    "confirm": operating.confirm,
    "decline": operating.decline,
    "take_back": operating.take_back,
}
