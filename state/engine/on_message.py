"""A person wrote a message (Said): a command, a plain answer to what was asked, a pick, a way on, or open words for a reader."""

from collections.abc import Callable, Mapping

from state.draft.changes import ChatLineAdded, FormsWished, LinesRead, TurnBegun
from state.draft.display import display_values
from state.draft.draft import ChatLine, Draft, Option, WishedForms
from state.draft.missing import missing
from state.engine import acts, operations
from state.engine.additions import reopen, together
from state.engine.cards import Phrase, Verbatim
from state.engine.change_answers import answer_change
from state.engine.context import TurnContext
from state.engine.disclosures import hear_worse
from state.engine.effects import CallModel, Fetch, Gather
from state.engine.events import MessageReceived
from state.engine.extension import ask_to_extend
from state.engine.haste import answers_unread, is_quick
from state.engine.offers import accept, acceptable, hear
from state.engine.on_note import fetch_note, takes_note
from state.engine.on_report import acts_after, hear_doing, hear_note_first
from state.engine.presentation import Alone, Next, Standing
from state.engine.putting_back import asks_which, declines, keep_for_question
from state.engine.transitions import phase_said, to_person, way_mentioned, way_said
from state.engine.unread import relieve
from state.engine.values import currency_told, make_value, none_of_these, pick, problem_with, put, refuse
from state.fields import is_closed, kind_of
from state.form import Field
from state.form.field import Data
from state.understanding.acceptance import is_acceptance, is_refusal
from state.understanding.commands import SpokenCommand as Command
from state.understanding.commands import read_command
from state.understanding.evidence import is_one_of, unread_lines
from state.understanding.form_commands import read_form_command
from state.understanding.plain_answers import read_pick, read_whole, turns_all_down

SEEN = 2000
"""Characters of one message that a model sees; the whole of it stays in its event."""


def on_message(turn: TurnContext, event: MessageReceived) -> None:
    """Somebody else's words in the same thread are no answer and leave no trace. Words beside files wait until these have their places."""
    if event.who != turn.draft.owner:
        return
    relieve(turn)
    turn.change(TurnBegun(), *_heard(event, turn.draft))
    hear(turn, event.message)
    if turn.draft.handed:
        return
    if event.files and takes_note(turn.form, turn.draft):
        fetch_note(turn, event)
    elif event.files and not turn.draft.open and hear_note_first(turn):
        turn.change(LinesRead("newest"))
    elif event.files and turn.draft.open:
        days = turn.form.retention_days
        turn.do(Fetch(event.files, turn.draft.turn, days, turn.draft.asked, event.message, event.text))
    else:
        heed(turn, event)


def _heard(event: MessageReceived, draft: Draft) -> list[ChatLineAdded]:
    """Files stand before the words that came with them: those are what is to be understood."""
    sent = [
        ChatLineAdded(
            ChatLine("user", sent_act(tuple(f.name for f in event.files))[:SEEN], event.message, clicked=True)
        )
    ]
    asked = _asked_before(draft) if event.early and not _opens(draft) else draft.asked
    line = ChatLine("user", event.text[: SEEN + 1], event.message, asked=asked, unread=not draft.handed)
    words = [ChatLineAdded(line)]
    return [*(sent if event.files else []), *(words if event.text.strip() or not event.files else [])]


def _asked_before(draft: Draft) -> str:
    """The question that the person had before them when they wrote the line before this one; after a click, none that is known."""
    said = [s for s in (*draft.opening, *draft.window) if s.role == "user"]
    return (said[-1].asked or "") if said and not said[-1].clicked else ""


def _opens(draft: Draft) -> bool:
    """Return True where no question stood before the open one: words that crossed it open the form, and can be meant for no other."""
    said = (s for s in (*draft.opening, *draft.window) if s.role == "user")
    return not any(line.clicked or line.asked for line in said)


def sent_act(names: tuple[str, ...]) -> str:
    """How the sending of files stands in the conversation."""
    return f"[clicked] Sent: {', '.join(names)}"


def heed(turn: TurnContext, event: MessageReceived) -> None:
    """Do what the words ask for, take what they plainly answer, or have them read."""
    _heed(turn, event)
    if turn.model is None or turn.model.purpose != "understand":
        turn.change(LinesRead("newest"))


def _heed(turn: TurnContext, event: MessageReceived) -> None:
    if event.wished:
        _offer_other(turn, event)
        return
    if not turn.draft.open and hear_doing(turn, event.text):
        return
    command = _ordered(turn, event)
    own = read_form_command(turn.form, event.text)
    orders = operations.COMMANDS if turn.form.conversational else COMMANDS
    if command is not None and command in orders:
        orders[command](turn)
    elif own is not None:
        turn.do(Gather("command", name=own[0], rest=own[1]))
    elif operations.answered(turn, event.text):
        pass
    elif not turn.draft.open:
        _when_closed(turn, event)
    else:
        _open_words(turn, event)


def _offer_other(turn: TurnContext, event: MessageReceived) -> None:
    """A wish for another form goes over to it by a click, and answers nothing here; to a question for words it may be the answer after all."""
    field = turn.form.fields.get(turn.draft.asked)
    if field is not None and kind_of(field).verbatim and field.name not in turn.draft.locked_fields:
        keep_for_question(turn, field, (event.text.strip(),), event.text)
    turn.change(FormsWished(WishedForms(event.wished, event.message)))
    told = (Phrase("other_form", {"form": turn.form.title}),)
    if turn.draft.open:
        turn.present(Next(told))
    elif any(form.name == turn.form.name for form in event.wished):
        turn.present(Alone((Phrase("report_or_begin"),), acts_after(turn)))
    else:
        turn.present(Alone(told))


def _ordered(turn: TurnContext, event: MessageReceived) -> Command | None:
    """The command that the words give; "yes, that's it" to what was just offered takes it and finishes nothing."""
    command = read_command(event.text, turn.form.language)
    if command is Command.EXTEND and turn.draft.open:
        return None
    if command is not Command.SUBMIT or not acceptable(turn):
        return command
    return None if is_acceptance(event.text, turn.form.language) else command


def _when_closed(turn: TurnContext, event: MessageReceived) -> None:
    """A disclosure counts at once, or is asked about; anything else is for the model, or the sentence that says how things stand."""
    if hear_worse(turn, event.text, event.message):
        return
    if turn.draft.proposal and _is_yes_or_no(turn, event.text):
        acts.ask_for_click(turn)
        return
    way = to_person(turn.form, event.text) if turn.form.hands_over else None
    if way is not None:
        turn.tell(*([Verbatim(way.says)] if way.says else []))
        turn.person = "asked"
        turn.present(Next())
    elif event.text.strip():
        turn.ask_model(CallModel(turn.draft.turn))
    else:
        turn.present(Standing())


def _open_words(turn: TurnContext, event: MessageReceived) -> None:
    phase = phase_said(turn.form, event.text)
    if consents(turn, event.text) and not event.early and not is_quick(event):
        turn.do(Gather("submit", hash=turn.draft.hash))
    elif phase is not None:
        turn.phase = phase.name
        turn.present(Next())
    elif mentioned := way_mentioned(turn, event.text):
        turn.way = mentioned
        turn.present(Next())
    elif event.early and not _opens(turn.before):
        turn.ask_model(CallModel(turn.draft.turn))
    elif answers_unread(turn, event):
        _put_back_whole(turn, event)
    elif not reopen(turn, event.text):
        _answer(turn, event)


def _put_back_whole(turn: TurnContext, event: MessageReceived) -> None:
    """What may be meant for another question is put back with the open one, as it was written; what no button carries is to be checked."""
    field, text = turn.form.fields.get(turn.draft.asked), event.text.strip()
    words = field is not None and kind_of(field).verbatim and not event.early
    data = text if words else _whole(turn, field, text)
    if field is None or data is None or kind_of(field).searchable or problem_with(turn, field, data) is not None:
        turn.ask_model(CallModel(turn.draft.turn))
        return
    if not keep_for_question(turn, field, (data,), text):
        put(turn, field, make_value(turn, field, data, "typed", text, event.message, sure=False))
    turn.present(Next())


def consents(turn: TurnContext, text: str) -> bool:
    """Whether the message submits what the open review card shows: a whole utterance that the form lists, while that card is the last thing said.

    Never a part of it ("yesterday"), never beside a question that waits.
    """
    card = turn.before.card
    if card is None or card.kind != "review" or not is_one_of(text, turn.form.consent):
        return False
    last = turn.before.shown_turn == turn.before.turn
    waiting = turn.draft.proposal or turn.draft.disclosures or missing(turn.form, turn.draft)
    unread = len(unread_lines(turn.draft)) > 1
    return last and not waiting and not unread and card.hash == turn.draft.hash


def _answer(turn: TurnContext, event: MessageReceived) -> None:
    if answer_change(turn, event):
        return
    if _is_yes_or_no(turn, event.text):
        _to_what_waits(turn, event.text)
        return
    meant = _meant(turn, event.text)
    if len(meant) > 1:
        turn.present(Next((Phrase("several_asked"),)))
        return
    field = meant[0] if meant else turn.form.fields.get(turn.draft.asked)
    option = read_pick(turn.draft.options.get(turn.draft.asked, ()), event.text)
    if field is not None and option is not None:
        _picked(turn, field, option, event)
        return
    data = _whole(turn, field, event.text)
    if field is not None and data is not None and not kind_of(field).searchable:
        _typed(turn, field, data, event)
    elif field is not None and _turns_down(turn, field, event.text):
        none_of_these(turn, field)
    elif field is not None and declines(turn, field.name, event.text):
        turn.present(Next())
    elif acceptable(turn) and is_acceptance(event.text, turn.form.language):
        _accepted(turn, event)
    elif way := way_said(turn, event.text):
        acts.go(turn, way)
    else:
        turn.ask_model(CallModel(turn.draft.turn))


def _turns_down(turn: TurnContext, field: Field, text: str) -> bool:
    """Whether results are on screen and none of them is meant."""
    return bool(turn.draft.options.get(field.name)) and turns_all_down(text, turn.context.language)


def _is_yes_or_no(turn: TurnContext, text: str) -> bool:
    """Whether the words answer the card that was put up last, if it waits for a click: what they say of the question above it nobody knows."""
    waiting = turn.draft.proposal
    last = waiting is not None and waiting.act != "change" and waiting.turn == turn.before.turn
    return last and (
        is_acceptance(text, turn.form.language) or _says_no(turn, text) or _plainly(turn, text) is not None
    )


def _meant(turn: TurnContext, text: str) -> tuple[Field, ...]:
    """Of several questions that stand on one card those that the words plainly answer: a mere "no" answers none, since it could be any."""
    card = turn.draft.card
    several = () if card is None or card.kind != "question" or turn.draft.asked else card.fields
    open_ones = (f for f in missing(turn.form, turn.draft) if f.name in several)
    return tuple(f for f in open_ones if is_closed(f) and read_whole(f, text, turn.context) is not None)


def _says_no(turn: TurnContext, text: str) -> bool:
    return is_refusal(text, turn.form.language) or _plainly(turn, text) is False


def _plainly(turn: TurnContext, text: str) -> Data | None:
    """The plain yes or no that the words would be to the question."""
    asked = turn.form.fields.get(turn.draft.asked)
    return read_whole(asked, text, turn.context) if asked is not None and kind_of(asked).polar else None


def _to_what_waits(turn: TurnContext, text: str) -> None:
    """A plain no leaves things as they are; anything else is for a click, and so is what a no to a disclosure would not plainly mean."""
    waiting = turn.draft.proposal
    if waiting is not None and waiting.act != "disclose" and _says_no(turn, text):
        acts.stay(turn)
    else:
        acts.ask_for_click(turn)


def _whole(turn: TurnContext, field: Field | None, text: str) -> Data | None:
    """The answer that the whole message is to the question, where words alone can tell."""
    return None if field is None or not kind_of(field).closed else read_whole(field, text, turn.context)


def _picked(turn: TurnContext, field: Field, option: Option, event: MessageReceived) -> None:
    pick(turn, field, option, event.text, event.message)
    _go_on(turn)


def _typed(turn: TurnContext, field: Field, data: Data, event: MessageReceived) -> None:
    if asks_which(turn, field, data, event.text):
        turn.present(Next())
        return
    value = make_value(turn, field, together(turn, field, data, event.text), "typed", event.text, event.message)
    if not refuse(turn, field, value.data):
        put(turn, field, value)
        if not kind_of(field).verbatim:
            _take_along(turn, field, event)
        _go_on(turn)


def _take_along(turn: TurnContext, field: Field, event: MessageReceived) -> None:
    """The currency that stands beside an amount: "GBP 720" tells both."""
    beside = currency_told(turn, field, event.text)
    if beside is not None and beside[0].name not in turn.draft.values:
        put(turn, beside[0], make_value(turn, *beside, "typed", event.text, event.message))


def _accepted(turn: TurnContext, event: MessageReceived) -> None:
    """A plain yes takes all that was offered just before."""
    for offer in acceptable(turn):
        accept(turn, offer, event.text)
    fresh = [o.field for o in turn.before.offers if o.field in turn.changed and o.field not in turn.before.values]
    if fresh:
        turn.tell(Phrase("got_it", {"what": display_values(turn.form, turn.draft, tuple(fresh), turn.context)}))
    _go_on(turn)


def _go_on(turn: TurnContext) -> None:
    """The next question is on screen at once; the model is told by an action summary and may lead over to it."""
    turn.present(Next())
    turn.ask_model()


COMMANDS: Mapping[Command, Callable[[TurnContext], None]] = {
    Command.CANCEL: acts.ask_cancel,
    Command.START_OVER: acts.ask_restart,
    Command.HELP: acts.help_out,
    Command.MISSING: acts.list_missing,
    Command.PERSON: acts.call_person,
    Command.UNDO: acts.undo,
    Command.SUBMIT: acts.finish,
    Command.EXTEND: ask_to_extend,
    Command.MY_REQUESTS: acts.list_requests,
}
