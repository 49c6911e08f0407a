"""A person wrote a message: a command, a plain answer to what was asked, a pick, or open words for a reader."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from state.advance import acting, operating
from state.advance.answering import make_value, pick, put
from state.advance.calls import RULES, Calls, judge_calls
from state.advance.closed import said_when_closed
from state.advance.consenting import consents
from state.advance.going import go
from state.advance.moving import pull, way_mentioned, way_said
from state.advance.offering import accept, acceptable, hear
from state.advance.phases import choose_phase, phase_said
from state.advance.refusing import refuse
from state.advance.showing import show_next
from state.advance.work import Work
from state.draft.changes import ChatLineAdded, TurnBegun
from state.draft.display import display_values
from state.draft.draft import ChatLine, Data, Option
from state.engine.cards import Phrase
from state.engine.effects import CallModel, Fetch, Gather
from state.engine.events import MessageReceived
from state.fields import is_closed, kind_of
from state.form import Field
from state.understanding.acceptance import is_acceptance
from state.understanding.commands import SpokenCommand as Command
from state.understanding.commands import read_command, read_form_command
from state.understanding.plain_answers import read_pick, read_whole
from state.understanding.reader import read_open

SEEN = 2000
"""Characters of one message that a model sees; the whole of it stays in its event."""


def said(work: Work, event: MessageReceived) -> None:
    """Somebody else's words in the same thread are no answer and leave no trace. Words beside files wait until these have their places."""
    if event.who != work.draft.owner:
        return
    work.change(TurnBegun(), *_heard(event))
    hear(work, event.message)
    if work.draft.handed:
        return
    if event.files and work.draft.open:
        days = work.form.retention_days
        work.do(Fetch(event.files, work.draft.turn, days, work.draft.asked, event.message, event.text))
    else:
        heed(work, event)


def heed(work: Work, event: MessageReceived) -> None:
    """Do what the words ask for, take what they plainly answer, or have them read."""
    command = _ordered(work, event)
    own = read_form_command(work.form, event.text)
    orders = operating.COMMANDS if work.form.conversational else COMMANDS
    if command is not None and command in orders:
        orders[command](work)
    elif own is not None:
        work.do(Gather("command", name=own[0], rest=own[1]))
    elif not work.draft.open:
        said_when_closed(work, event)
    else:
        _open_words(work, event)


def _ordered(work: Work, event: MessageReceived) -> Command | None:
    """The command that the words give; "yes, that's it" to what was just offered takes it and finishes nothing."""
    command = read_command(event.text, work.form.language)
    takes = command is Command.SUBMIT and is_acceptance(event.text, work.form.language) and acceptable(work)
    return None if takes else command


def _open_words(work: Work, event: MessageReceived) -> None:
    phase = phase_said(work.form, event.text)
    if consents(work, event.text):
        work.do(Gather("submit", hash=work.draft.hash))
    elif phase is not None:
        choose_phase(work, phase)
        show_next(work)
    elif mentioned := way_mentioned(work, event.text):
        pull(work, mentioned)
        show_next(work)
    else:
        _answer(work, event)


def _heard(event: MessageReceived) -> list[ChatLineAdded]:
    """Files stand before the words that came with them: those are what is to be understood."""
    sent = [
        ChatLineAdded(
            ChatLine("user", sent_act(tuple(f.name for f in event.files))[:SEEN], event.message, clicked=True)
        )
    ]
    words = [ChatLineAdded(ChatLine("user", event.text[: SEEN + 1], event.message))]
    return [*(sent if event.files else []), *(words if event.text.strip() or not event.files else [])]


def sent_act(names: tuple[str, ...]) -> str:
    """How the sending of files stands in the conversation."""
    return f"[clicked] Sent: {', '.join(names)}"


def _answer(work: Work, event: MessageReceived) -> None:
    field = work.form.fields.get(work.draft.asked)
    option = read_pick(work.draft.options.get(work.draft.asked, ()), event.text)
    if field is not None and option is not None:
        _picked(work, field, option, event)
        return
    data = read_whole(field, event.text, work.context) if field is not None and is_closed(field) else None
    if field is not None and data is not None and not kind_of(field).searchable:
        _typed(work, field, data, event)
    elif is_acceptance(event.text, work.form.language) and acceptable(work):
        _accepted(work, event)
    elif way := way_said(work, event.text):
        go(work, way)
    else:
        work.do(CallModel(work.draft.turn))


def _accepted(work: Work, event: MessageReceived) -> None:
    """A plain yes takes all that was offered just before."""
    for offer in acceptable(work):
        accept(work, offer, event.text)
    fresh = [o.field for o in work.before.offers if o.field in work.changed and o.field not in work.before.values]
    if fresh:
        work.tell(Phrase("got_it", {"what": display_values(work.form, work.draft, tuple(fresh), work.context)}))
    _go_on(work)


def _picked(work: Work, field: Field, option: Option, event: MessageReceived) -> None:
    pick(work, field, option, event.text, event.message)
    _go_on(work)


def _typed(work: Work, field: Field, data: Data, event: MessageReceived) -> None:
    value = make_value(work, field, data, "typed", event.text, event.message)
    if not refuse(work, field, value.data):
        put(work, field, value)
        if not kind_of(field).verbatim:
            _take_along(work, field, event)
        _go_on(work)


def _take_along(work: Work, field: Field, event: MessageReceived) -> None:
    """Other answers of the same tool that the message holds as well: "GBP 720" tells the amount and its currency."""
    found = read_open(work.form, work.draft, event.text, event.message, work.context)
    calls = tuple(c for c in found.calls if field.tool and c.tool == f"set_{field.tool}")
    judge_calls(work, Calls(RULES), replace(found, calls=calls))


def _go_on(work: Work) -> None:
    """The next question is on screen at once; the model is told by an action summary and may lead over to it."""
    show_next(work)
    work.do(CallModel(work.draft.turn, purpose="lead_in", changed=work.changed))


COMMANDS: Mapping[Command, Callable[[Work], None]] = {
    Command.CANCEL: acting.ask_cancel,
    Command.START_OVER: acting.ask_restart,
    Command.HELP: acting.help_out,
    Command.MISSING: acting.list_missing,
    Command.PERSON: acting.call_person,
    Command.UNDO: acting.undo,
    Command.SUBMIT: acting.finish,
    Command.MY_REQUESTS: acting.list_requests,
}
