"""A person clicked (Clicked): one small handler for each act, and one table. Only the owner's click on a live card changes anything."""

from collections.abc import Callable, Mapping

from state.draft.changes import (
    ChatLineAdded,
    HandedBack,
    SubmissionChosen,
    TurnBegun,
)
from state.draft.draft import HANDED_BACK, ChatLine
from state.draft.missing import missing
from state.draft.utterance import Phrase, Verbatim
from state.engine import acts, last_time, operations, readings
from state.engine.cards import Notice
from state.engine.click_answers import (
    Handler,
    accept_offer,
    amend,
    ask_anew,
    box_closed,
    change_locked,
    clear_files,
    feedback,
    keep_present,
    leave_out,
    on_card,
    pick_result,
    set_answer,
    submit_anyway,
    turn_down,
    use_all,
)
from state.engine.context import STANDS, Alone, Next, Standing, TurnContext, message_of
from state.engine.disclosures import disclose
from state.engine.effects import Gather, Whisper
from state.engine.events import Clicked
from state.engine.haste import hasty
from state.engine.on_decision import OWNERS_ACTS
from state.engine.on_report import REPORTING
from state.engine.transitions import way_on
from state.understanding.evidence import unread_lines


def on_click(turn: TurnContext, event: Clicked) -> None:
    """Another person's click gets a private note; a click on a card that no longer counts gets the present one."""
    if event.act == "hand_back":
        _hand_back(turn, event)
    elif event.who != turn.draft.owner:
        turn.do(Whisper(event.who, Phrase("not_yours")))
    elif turn.draft.handed:
        turn.do(Whisper(event.who, Phrase("handed_over")))
    elif hasty(turn, event):
        _too_soon(turn, event)
    elif not turn.draft.open and event.act not in WHEN_CLOSED and not _waits(turn, event):
        _when_closed(turn, event)
    else:
        HANDLERS[event.act](turn, event)


def _too_soon(turn: TurnContext, event: Clicked) -> None:
    """Nothing changes; a menu is given another id, so that the same choice can be made in it again."""
    turn.do(Whisper(event.who, Phrase("too_soon")))
    if event.act == "answer" and event.hash:
        box_closed(turn, event)


def _waits(turn: TurnContext, event: Clicked) -> bool:
    """Whether the click decides about the disclosure that is asked about on its card."""
    proposal = turn.draft.proposal
    return event.act in ("disclose_confirmed", "stay") and proposal is not None and proposal.card == event.card


def _when_closed(turn: TurnContext, event: Clicked) -> None:
    """The draft is closed: say so, once, where the click was."""
    if event.act in ("submit", "cancel_confirmed", "restart_confirmed", "disclose_confirmed", "answer"):
        turn.do(Whisper(event.who, Phrase(STANDS[turn.draft.status], {"number": turn.draft.record})))
    else:
        turn.present(Standing())


def _disclose(turn: TurnContext, event: Clicked) -> None:
    proposal = turn.draft.proposal
    if not proposal or proposal.act != "disclose" or proposal.card != event.card:
        acts.out_of_date(turn, event)
        return
    turn.change(TurnBegun())
    disclose(turn, turn.form.fields[proposal.field], proposal.words, proposal.message)


def _confirmed(act: str, do: Callable[[TurnContext], None]) -> Handler:
    def handle(turn: TurnContext, event: Clicked) -> None:
        proposal = turn.draft.proposal
        if not proposal or proposal.act != act or proposal.card != event.card:
            acts.out_of_date(turn, event)
            return
        turn.change(TurnBegun())
        do(turn)

    return handle


def _submit(turn: TurnContext, event: Clicked) -> None:
    """Consent counts for what the card showed, and only while nothing is missing, waits for an answer or was written and not read."""
    draft, card = turn.draft, turn.draft.card
    shown_now = card is not None and card.kind == "review" and card.id == event.card
    same = shown_now and event.hash == draft.hash == (card.hash if card else "")
    if not same or missing(turn.form, draft) or draft.disclosures or draft.proposal:
        acts.out_of_date(turn, event)
    elif unread_lines(draft):
        turn.change(TurnBegun())
        turn.present(Next((Phrase("reading_first"),)))
    else:
        turn.do(Gather("submit", hash=draft.hash))


def _explain(turn: TurnContext, event: Clicked) -> None:
    field = turn.form.fields.get(event.field)
    if field is None:
        acts.out_of_date(turn, event)
        return
    turn.change(TurnBegun())
    turn.present(Next((Verbatim(field.help or field.ask),)))


def _undo(turn: TurnContext, event: Clicked) -> None:
    if not turn.draft.undo or event.card != turn.draft.undo_card:
        acts.out_of_date(turn, event)
        return
    card, back = turn.draft.card, tuple(turn.draft.undo)
    turn.change(TurnBegun())
    acts.undo(turn)
    if card is None or message_of(card.id) != message_of(event.card):
        turn.turn_into(event.card, Notice((acts.taken_back(turn, back),)))


def _command(turn: TurnContext, event: Clicked) -> None:
    turn.do(Gather("command", name=event.field, rest=str(event.value or "")))


def _begin(turn: TurnContext, _event: Clicked) -> None:
    """The first card of a new draft; in an open one, the present card again."""
    key = "op_help" if turn.form.conversational else "greeting" if turn.draft.card is None else "here_it_is"
    turn.change(TurnBegun())
    turn.present(Next((Phrase(key, {"form": turn.form.title, "introduction": turn.form.introduction}),)))


def _go(turn: TurnContext, event: Clicked) -> None:
    """A way on, by a button of the open card; one whose way is closed by now is out of date."""
    way = way_on(turn, str(event.value))
    if way is None or turn.draft.card is None or turn.draft.card.id != event.card:
        acts.out_of_date(turn, event)
        return
    act = f"[clicked] {event.label or way.label or way.on}"
    turn.change(TurnBegun(), ChatLineAdded(ChatLine("user", act, event.card, clicked=True)))
    acts.go(turn, way, act)


def _go_back(turn: TurnContext, event: Clicked) -> None:
    """The review was opened by a way that the person does not take after all."""
    if not turn.draft.going or turn.draft.card is None or turn.draft.card.id != event.card:
        acts.out_of_date(turn, event)
        return
    turn.change(TurnBegun(), SubmissionChosen(""))
    turn.present(Next())


def _hand_back(turn: TurnContext, event: Clicked) -> None:
    """A person gives the conversation back: the bot goes on where it stopped, and the model is told of the stretch between."""
    if not turn.draft.handed:
        return
    turn.change(TurnBegun(), ChatLineAdded(ChatLine("user", HANDED_BACK, clicked=True)))
    turn.change(HandedBack(event.who))
    said = (Phrase("handed_back"),)
    turn.present(Next(said) if turn.draft.open else Alone(said, ("begin",)))


def _asked_for(do: Callable[[TurnContext], None]) -> Handler:
    def handle(turn: TurnContext, _event: Clicked) -> None:
        turn.change(TurnBegun())
        do(turn)

    return handle


def _of_what_was_read(in_document: Handler, in_words: Handler) -> Handler:
    """What was read in a document stands on a card of its own, what was read in words on the question's."""

    def handle(turn: TurnContext, event: Clicked) -> None:
        card = turn.draft.card
        (in_document if card is not None and card.kind == "read" else in_words)(turn, event)

    return handle


WHEN_CLOSED = frozenset(
    {"box_closed", "feedback", "person", "help", "missing", "show", "command", *OWNERS_ACTS, *REPORTING}
)

HANDLERS: Mapping[str, Handler] = {
    "answer": on_card(set_answer("clicked")),
    "enter": on_card(set_answer("entered")),
    "accept": accept_offer,
    "pick": on_card(pick_result),
    "none_of_these": on_card(turn_down),
    "edit": ask_anew,
    "amend": amend,
    "box_closed": box_closed,
    "feedback": feedback,
    "clear": clear_files,
    "take": readings.take_one,
    "take_all": _of_what_was_read(readings.take_all, use_all),
    "leave": _of_what_was_read(readings.leave, leave_out),
    "keep": keep_present,
    "submit_anyway": submit_anyway,
    "change": change_locked,
    "undo": _undo,
    "explain": _explain,
    "submit": _submit,
    "cancel": _asked_for(acts.ask_cancel),
    "cancel_confirmed": _confirmed("cancel", acts.cancel),
    "restart": _asked_for(acts.ask_restart),
    "restart_confirmed": _confirmed("restart", acts.restart),
    "disclose_confirmed": _disclose,
    "stay": _asked_for(acts.stay),
    "missing": _asked_for(acts.list_missing),
    "help": _asked_for(acts.help_out),
    "person": _asked_for(acts.call_person),
    "show": _asked_for(acts.show),
    "begin": _begin,
    "command": _command,
    "go": _go,
    "back": _go_back,
    "confirm": operations.confirm,
    "decline": operations.decline,
    "take_back": operations.take_back,
    "again": last_time.take,
    **OWNERS_ACTS,
    **REPORTING,
}
