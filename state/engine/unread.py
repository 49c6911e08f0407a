"""Lines that nobody has read yet: each is read, whatever happens meanwhile, with the question that stood when it was typed."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from state.draft.changes import LinesRead
from state.draft.draft import ChatLine, Draft, Status
from state.draft.reply import Reply, ToolCall
from state.engine.context import TurnContext
from state.engine.effects import CallModel, Fetch
from state.engine.events import DocumentsReceived
from state.engine.offers import RULES, Results, ToolCalls
from state.engine.settle import go_on
from state.engine.tools import judge_calls
from state.fields import kind_of
from state.fields.base import Context
from state.form import Form
from state.understanding.attempts import tries_to_answer
from state.understanding.evidence import asked_then, fresh_lines, joined, runs, unread_lines
from state.understanding.reader import read_open

MOST, LENGTH = 24, 8000
"""Unread lines, and characters of them, that wait for a model; from there on rules read them."""
Fit = Callable[[ToolCall, ChatLine], bool]


def see_to_reading(turn: TurnContext) -> None:
    """An act that ended a model call has its lines read by the next one: a superseded call loses its text, never its lines."""
    draft, before = turn.draft, turn.before
    given_up = draft.status is Status.CANCELLED or draft.handed
    ended = draft.turn != before.turn or draft.status != before.status or isinstance(turn.event, DocumentsReceived)
    if not ended or given_up or not unread_lines(draft) or any(isinstance(e, Fetch) for e in turn.effects):
        return
    turn.model = replace(turn.model or CallModel(draft.turn), purpose="understand")


def relieve(turn: TurnContext) -> None:
    """Where a model leaves too much unread, rules read it."""
    waiting = unread_lines(turn.draft)
    if len(waiting) >= MOST or sum(len(line.text) for line in waiting) >= LENGTH:
        done = ToolCalls(RULES)
        read_lines(turn, done, waiting)
        turn.change(LinesRead())


def note_read(turn: TurnContext, done: ToolCalls) -> None:
    """A judged reply has read what was unread, unless the model is asked on: then nothing is lost if that call is superseded."""
    asked_on = turn.model is not None and not done.wanted
    if not asked_on and unread_lines(turn.draft):
        turn.change(LinesRead())


def read_fresh(form: Form, draft: Draft, context: Context) -> Reply:
    """What rules make of the lines that a reading is about. Several are left to the engine, which reads each on what the others came to."""
    lines = fresh_lines(draft)
    if len(lines) > 1 and not form.conversational:
        return Reply(model=RULES)
    replies = [_read(form, draft, line, context) for line in _whole_orders(form, draft, lines, context)]
    if len(replies) == 1:
        return replies[0]
    calls = tuple(c for reply in replies for c in reply.calls)
    asks = next((reply.text for reply in reversed(replies) if reply.text), "")
    return Reply("" if calls else asks, calls, stop="calls" if calls else "end", model=RULES)


def _whole_orders(form: Form, draft: Draft, lines: Sequence[ChatLine], context: Context) -> Sequence[ChatLine]:
    """The lines; where some that try to say something come to nothing alone ("taxi" / "18 euros"), these with their neighbours as one."""
    telling = [line for line in lines if tries_to_answer(line.text, context)]
    apart = [line for line in telling if not _read(form, draft, line, context).calls]
    return [joined(telling)] if apart and len(telling) > 1 else lines


def _read(form: Form, draft: Draft, line: ChatLine, context: Context) -> Reply:
    """A line under the question that stood when it was typed."""
    return read_open(form, replace(draft, asked=asked_then(line, draft)), line.text, line.message, context)


def read_lines(
    turn: TurnContext, done: ToolCalls, lines: Sequence[ChatLine], fit: Fit = lambda _call, _line: True
) -> tuple[ChatLine, ...]:
    """Have rules read lines, oldest first; neighbours that come to nothing alone, or that answer a question for words, as one.

    Gives the lines of which nothing came.
    """
    missed: list[ChatLine] = []
    for run in runs(turn.draft, lines):
        asked = turn.form.fields.get(asked_then(run[0], turn.draft))
        text = asked is not None and kind_of(asked).verbatim and asked.name not in turn.draft.values
        left = run if text and len(run) > 1 else [line for line in run if not _judge(turn, done, line, fit)]
        whole = len(run) > 1 and left and _judge(turn, done, joined(run if text else left), fit)
        missed += [] if whole else left
    return tuple(missed)


def _judge(turn: TurnContext, done: ToolCalls, line: ChatLine, fit: Fit) -> bool:
    """Judge what rules make of a line on the draft as it is by now; says whether anything came of it."""
    open_ = turn.draft.open and not turn.handed
    found = _read(turn.form, turn.draft, line, turn.context).calls if open_ else ()
    reply = Reply(calls=tuple(c for c in found if fit(c, line)), model=RULES)
    results: Results = judge_calls(turn, done, reply) if reply.calls else {}
    go_on(turn)
    return any(result.get("status") != "rejected" for result in results.values())
