"""Lines that nobody has read yet: each is read, whatever happens meanwhile, with the question that stood when it was typed."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from state.draft.changes import LinesRead
from state.draft.draft import ChatLine, Draft, Status
from state.draft.reply import Reply, ToolCall
from state.engine.context import TurnContext
from state.engine.effects import CallModel, Fetch
from state.engine.events import DocumentsReceived
from state.engine.tool_calls import RULES, Results, ToolCalls
from state.engine.tools import judge_calls
from state.fields import kind_of
from state.fields.base import Context
from state.form import Form
from state.understanding.evidence import asked_then, fresh_lines, joined, normalized, runs, unread_lines
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
        read_lines(turn, ToolCalls(RULES), waiting)
        turn.change(LinesRead())


def read_burst(turn: TurnContext, done: ToolCalls) -> None:
    """Without a model, lines that waited together are read one after the other."""
    lines = fresh_lines(turn.draft)
    if len(lines) > 1:
        read_lines(turn, done, lines)


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
    calls = tuple(c for line in lines for c in _read(form, draft, line, context).calls)
    return Reply(calls=calls, stop="calls" if calls else "end", model=RULES)


def _read(form: Form, draft: Draft, line: ChatLine, context: Context) -> Reply:
    """A line under the question that stood when it was typed."""
    return read_open(form, replace(draft, asked=asked_then(line, draft)), line.text, line.message, context)


def is_whole_text(form: Form, call: ToolCall, line: ChatLine, draft: Draft) -> bool:
    """Whether the call takes the whole line for the open text that was asked."""
    asked = form.fields.get(asked_then(line, draft))
    given = (call.arguments or {}).get(asked.name) if asked else None
    whole = isinstance(given, str) and normalized(given) == normalized(line.text)
    return asked is not None and kind_of(asked).verbatim and whole


def read_lines(
    turn: TurnContext, done: ToolCalls, lines: Sequence[ChatLine], fit: Fit = lambda _call, _line: True
) -> None:
    """Rules read lines, oldest first; of two that tell the same, the newer counts. What each leaves over is read as one with its neighbours'."""
    if len(lines) == 1:
        _judge(turn, done, [c for c in _calls(turn, lines[0]) if fit(c, lines[0])])
        return
    told = [(line, _told(turn, line)) for line in lines]
    texts: list[ChatLine] = []
    rests: dict[int, str] = {}
    overruled: list[ToolCall] = []
    for i, line in enumerate(lines):
        calls = [c for c in _calls(turn, line) if fit(c, line)]
        newer = {n: data for _, later in told[i + 1 :] for n, data in later.items()}
        if any(is_whole_text(turn.form, c, line, turn.draft) for c in calls):
            texts.append(line)
            calls = [c for c in calls if not is_whole_text(turn.form, c, line, turn.draft)]
        old = [c for c in calls if any(n in newer and newer[n] != data for n, data in _given(turn, c).items())]
        overruled += old
        taken = _judge(turn, done, [c for c in calls if c not in old])
        rests[i] = _without(line.text, [*taken, *old]) if line not in texts else ""
    for run in runs(turn.draft, texts):
        _take_text(turn, done, joined(run))
    _judge(turn, done, overruled)
    _read_rests(turn, done, lines, rests, fit)


def _take_text(turn: TurnContext, done: ToolCalls, line: ChatLine) -> None:
    _judge(turn, done, [c for c in _calls(turn, line) if is_whole_text(turn.form, c, line, turn.draft)])


def _read_rests(
    turn: TurnContext, done: ToolCalls, lines: Sequence[ChatLine], rests: Mapping[int, str], fit: Fit
) -> None:
    for run in runs(turn.draft, lines):
        left = [replace(line, text=rests[lines.index(line)]) for line in run if rests[lines.index(line)]]
        if len(left) > 1:
            whole = joined(left)
            calls = [c for c in _calls(turn, whole) if fit(c, whole)]
            _judge(turn, done, [c for c in calls if not is_whole_text(turn.form, c, whole, turn.draft)])


def _calls(turn: TurnContext, line: ChatLine) -> tuple[ToolCall, ...]:
    return _read(turn.form, turn.draft, line, turn.context).calls if turn.draft.open else ()


def _told(turn: TurnContext, line: ChatLine) -> dict[str, Any]:
    return {n: data for call in _calls(turn, line) for n, data in _given(turn, call).items()}


def _given(turn: TurnContext, call: ToolCall) -> dict[str, Any]:
    """What a setter sets."""
    return {n: data for n, data in (call.arguments or {}).items() if n in turn.form.fields}


def _judge(turn: TurnContext, done: ToolCalls, calls: Sequence[ToolCall]) -> list[ToolCall]:
    """The calls of which something came."""
    results: Results = judge_calls(turn, done, Reply(calls=tuple(calls), model=RULES)) if calls else {}
    return [c for c in calls if results.get(c.id, {}).get("status") != "rejected"]


def _without(text: str, calls: Sequence[ToolCall]) -> str:
    """What is left of a text once the words of these calls are taken out; empty where no word is."""
    for call in calls:
        text = text.replace(str((call.arguments or {}).get("words", "")), " ", 1)
    return text.strip() if re.search(r"\w", text) else ""
