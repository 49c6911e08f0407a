"""Lines that nobody has read yet: each is read, whatever happens meanwhile, with the question that stood when it was typed."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from state.draft.changes import LinesRead
from state.draft.draft import ChatLine, Data, Draft, Status
from state.draft.reply import Reply, ToolCall
from state.engine.blanket_answers import heed_blankets
from state.engine.context import TurnContext
from state.engine.effects import CallModel, Fetch
from state.engine.events import DocumentsReceived
from state.engine.tool_calls import RULES, Results, ToolCalls
from state.engine.tools import judge_calls
from state.engine.transitions import go_on
from state.fields import kind_of
from state.fields.base import Context
from state.form import Form
from state.understanding.attempts import tries_to_answer
from state.understanding.corrections import is_announced
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
        done = ToolCalls(RULES)
        read_lines(turn, done, waiting)
        heed_blankets(turn, done, waiting)
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


def is_whole_text(form: Form, call: ToolCall, line: ChatLine, draft: Draft) -> bool:
    """Whether the call takes the whole line for the open text that was asked."""
    asked = form.fields.get(asked_then(line, draft))
    given = (call.arguments or {}).get(asked.name) if asked else None
    whole = isinstance(given, str) and normalized(given) == normalized(line.text)
    return asked is not None and kind_of(asked).verbatim and whole


def read_lines(
    turn: TurnContext, done: ToolCalls, lines: Sequence[ChatLine], fit: Fit = lambda _call, _line: True
) -> tuple[ChatLine, ...]:
    """Rules read lines, oldest first; of two that tell the same, the newer counts. What each leaves over is read as one with its neighbours'.

    Gives the lines of which nothing came.
    """
    reading = _Reading(turn, done, fit)
    if len(lines) == 1:
        return () if reading.judge([c for c in reading.calls(lines[0]) if fit(c, lines[0])]) else tuple(lines)
    told = [reading.told(line) for line in lines]
    for i, line in enumerate(lines):
        reading.read(line, {n: data for later in told[i + 1 :] for n, data in later.items()})
    for line in [s for s in lines if reading.rests.get(s.message) == s.text]:
        reading.read(line, {})
    reading.take_texts()
    reading.judge(reading.overruled)
    reading.read_rests(lines)
    reading.read_after_neighbours(lines)
    return tuple(line for line in lines if reading.rests.get(line.message) == line.text)


@dataclass
class _Reading:
    """Rules at work on several lines. `texts` are those that are the open text which was asked, `rests` what the others leave over."""

    turn: TurnContext
    done: ToolCalls
    fit: Fit
    texts: list[ChatLine] = field(default_factory=list)
    overruled: list[ToolCall] = field(default_factory=list)
    rests: dict[str, str] = field(default_factory=dict)

    def read(self, line: ChatLine, newer: Mapping[str, Data]) -> None:
        """Read one line, but for what newer lines tell otherwise."""
        calls = self.calls(line)
        texts = [c for c in calls if self.is_text(c, line)]
        if texts:
            self.texts.append(line)
        old = [c for c in calls if any(newer.get(n, data) != data for n, data in self.given(c).items())]
        self.overruled += old
        taken = self.judge([c for c in calls if c not in old and c not in texts])
        go_on(self.turn)
        self.rests[line.message] = "" if texts else _without(line.text, [*taken, *old])

    def take_texts(self) -> None:
        """Neighbouring lines that are the asked text are one text."""
        for run in runs(self.turn.draft, self.texts):
            line = joined(run)
            self.judge([c for c in self.calls(line) if self.is_text(c, line) and self.fit(c, line)])

    def read_rests(self, lines: Sequence[ChatLine]) -> None:
        """What neighbours leave over is read as one line."""
        for run in runs(self.turn.draft, lines):
            left = [replace(line, text=rest) for line in run if (rest := self.rests.get(line.message))]
            if len(left) > 1:
                whole = joined(left)
                if self.judge([c for c in self.calls(whole) if not self.is_text(c, whole)]):
                    self.rests.update({line.message: "" for line in left})

    def read_after_neighbours(self, lines: Sequence[ChatLine]) -> None:
        """A line of which nothing came may go on with the one before it ("200 shares", "of tesco")."""
        for run in runs(self.turn.draft, lines):
            for before, line in pairwise(run):
                if self.rests.get(line.message) == line.text:
                    found = self.calls(replace(line, text=f"{before.text} {line.text}"))
                    mine = [c for c in found if str((c.arguments or {}).get("words", "\0")) in line.text]
                    if self.judge([c for c in mine if not self.is_text(c, line)]):
                        self.rests[line.message] = ""

    def calls(self, line: ChatLine) -> list[ToolCall]:
        """What rules make of a line on the draft as it is by now."""
        turn = self.turn
        open_ = turn.draft.open and not turn.handed
        found = _read(turn.form, turn.draft, line, turn.context).calls if open_ else ()
        return [c for c in found if self.is_text(c, line) or self.fit(c, line)]

    def told(self, line: ChatLine) -> dict[str, Data]:
        """What a line plainly tells, by field: as the whole answer, or as an announced correction. Nothing less overrules an earlier line."""
        given = {n: data for call in self.calls(line) for n, data in self.given(call).items()}
        context, fields = self.turn.context, self.turn.form.fields
        if is_announced(line.text, context):
            return given
        return {n: d for n, d in given.items() if kind_of(fields[n]).whole(fields[n], line.text, context) == d}

    def given(self, call: ToolCall) -> dict[str, Data]:
        """What a setter sets."""
        return {n: data for n, data in (call.arguments or {}).items() if n in self.turn.form.fields}

    def is_text(self, call: ToolCall, line: ChatLine) -> bool:
        """Whether the call takes the whole line for the text that was asked."""
        return is_whole_text(self.turn.form, call, line, self.turn.draft)

    def judge(self, calls: Sequence[ToolCall]) -> list[ToolCall]:
        """The calls of which something came."""
        reply = Reply(calls=tuple(calls), model=RULES)
        results: Results = judge_calls(self.turn, self.done, reply) if calls else {}
        return [c for c in calls if results[c.id].get("status") != "rejected"]


def _without(text: str, calls: Sequence[ToolCall]) -> str:
    """What is left of a text once the words of these calls are taken out; empty where no word is."""
    for call in calls:
        text = text.replace(str((call.arguments or {}).get("words", "")), " ", 1)
    return text.strip() if re.search(r"\w", text) else ""
