"""A person clicked: one small handler per act, and one table. Only the owner's click on a live card changes anything."""

from collections.abc import Callable, Mapping

from state.advance import acting, stale
from state.advance.answering import keep, make_value, pick, put, reopen
from state.advance.disclosing import disclose
from state.advance.refusing import read_entry, refuse
from state.advance.showing import show_next
from state.advance.work import Work
from state.cards import Line, Moved, Notice, Words
from state.changes import Closed, Heard, OptionsFound, Proposed, TurnBegun
from state.draft import Data, Spoken, Value
from state.effects import CallModel, Gather, Repaint, Whisper
from state.events import Clicked
from state.form import Field
from state.missing import missing
from state.telling import shown


def clicked(work: Work, event: Clicked) -> None:
    """Another person's click gets a private note; a click on a card that no longer counts gets the current one."""
    if event.who != work.draft.owner:
        work.do(Whisper(event.who, Line("not_yours")))
        return
    if not work.draft.open and event.act not in WHEN_CLOSED:
        stale.closed(work, event)
        return
    HANDLERS[event.act](work, event)


def _field(work: Work, event: Clicked) -> Field | None:
    return work.form.fields.get(event.field)


def _live(work: Work, event: Clicked) -> Field | None:
    """The clicked card's field, if that card is the one that may be clicked."""
    card = work.draft.card
    live = card is not None and card.id == event.card and card.field == event.field
    return _field(work, event) if live else None


def _answer(work: Work, event: Clicked) -> None:
    field = _live(work, event)
    if field is None:
        stale.card(work, event)
        return
    data = read_entry(work, field, event.value)
    if data is not None:
        _set(work, event, field, data, "clicked")


def _enter(work: Work, event: Clicked) -> None:
    field = _live(work, event)
    if field is None:
        stale.card(work, event)
        return
    data = read_entry(work, field, event.value)
    if data is not None:
        _set(work, event, field, data, "entered")


def _set(work: Work, event: Clicked, field: Field, data: Data, how: str) -> None:
    words = event.label or str(event.value)
    value = make_value(work, field, data, "clicked" if how == "clicked" else "entered", words, event.card)
    work.change(TurnBegun())
    if not refuse(work, field, data):
        put(work, field, value)
        _acted(work, field)


def _acted(work: Work, field: Field) -> None:
    """Write the act into the conversation, show what comes next, and let the model lead over to it."""
    value = work.draft.values[field.name]
    act = f"[clicked] {field.label}: {shown(field, value, work.context)}"
    work.change(Heard(Spoken("user", act, value.provenance.message, clicked=True)))
    show_next(work)
    work.do(CallModel(work.draft.turn, purpose="lead_in", act=act, changed=work.changed))


def _pick(work: Work, event: Clicked) -> None:
    field = _live(work, event)
    options = work.draft.options.get(event.field, ())
    option = next((o for o in options if o.id == event.value), None)
    if field is None or option is None:
        stale.card(work, event)
        return
    work.change(TurnBegun())
    pick(work, field, option, option.label, event.card)
    _acted(work, field)


def _none_of_these(work: Work, event: Clicked) -> None:
    field = _live(work, event)
    if field is None:
        stale.card(work, event)
        return
    work.change(TurnBegun(), OptionsFound(field.name, ()))
    show_next(work, Line("none_of_these_said", {"label": field.label}))


def _edit(work: Work, event: Clicked) -> None:
    field = _field(work, event)
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
        return
    field = _live(work, event)
    if field is None or field.name not in work.draft.values:
        stale.card(work, event)
        return
    work.change(TurnBegun())
    keep(work, field)
    show_next(work)


def _submit_anyway(work: Work, event: Clicked) -> None:
    field = _live(work, event)
    if field is None or field.name not in work.draft.values:
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
    put(work, field, _clicked_value(work, field, value, event))
    _acted(work, field)


def _clicked_value(work: Work, field: Field, value: Value, event: Clicked) -> Value:
    words = value.provenance.words or event.label
    return make_value(work, field, value.data, "clicked", words, event.card)


def _disclose(work: Work, event: Clicked) -> None:
    proposal = work.draft.proposal
    if not proposal or proposal.act != "disclose" or proposal.card != event.card:
        stale.card(work, event)
        return
    work.change(TurnBegun())
    disclose(work, work.form.fields[proposal.field], proposal.words, proposal.message)


def _confirmed(act: str, do: Callable[[Work], None]) -> "Handler":
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
    field = _field(work, event)
    if field is None:
        stale.card(work, event)
        return
    work.change(TurnBegun())
    show_next(work, Words(field.help or field.ask))


def _asked_for(do: Callable[[Work], None]) -> "Handler":
    def handle(work: Work, event: Clicked) -> None:
        work.change(TurnBegun())
        do(work)

    return handle


def _undo(work: Work, event: Clicked) -> None:
    if not work.draft.undo or event.card != work.draft.undo_card:
        stale.card(work, event)
        return
    work.change(TurnBegun())
    work.do(Repaint(event.card, Notice((Line("taken_back"),))))
    acting.undo(work)


def _command(work: Work, event: Clicked) -> None:
    work.do(Gather("command", name=event.field, rest=str(event.value or "")))


def _begin(work: Work, event: Clicked) -> None:
    """The first card of a new draft; in an open one, the present card again."""
    key = "greeting" if work.draft.card is None else "here_it_is"
    work.change(TurnBegun())
    show_next(work, Line(key, {"form": work.form.title, "introduction": work.form.introduction}))


Handler = Callable[[Work, Clicked], None]

WHEN_CLOSED = frozenset({"person", "help", "missing", "show", "command"})

HANDLERS: Mapping[str, Handler] = {
    "answer": _answer,
    "enter": _enter,
    "pick": _pick,
    "none_of_these": _none_of_these,
    "edit": _edit,
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
}
