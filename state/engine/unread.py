"""Lines that nobody has read yet: each is read, whatever happens meanwhile, with the question that was open when it was typed.

What a model leaves of them, rules read: the result is the same whether the model is absent, failing or useless.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any

from state.draft.changes import LinesRead
from state.draft.draft import ChatLine, Draft, Status
from state.draft.missing import missing
from state.draft.reply import Reply, Round, ToolCall
from state.draft.scope import DISCLOSE, EXPLAIN
from state.draft.topics import SOCIAL
from state.engine.context import TurnContext
from state.engine.effects import CallModel, Fetch
from state.engine.events import DocumentsReceived, ModelReplied
from state.engine.offers import RULES, Results, ToolCalls
from state.engine.settle import go_on
from state.engine.tools import judge_calls
from state.fields import kind_of
from state.fields.base import Context
from state.fields.naming import Spans
from state.fields.text import is_few_words
from state.form import Form
from state.language.table import listed, sentences
from state.language.tokens import masked, tokens
from state.understanding.commands import is_asking, leads_nowhere, tries_to_answer
from state.understanding.corrections import disclosed
from state.understanding.evidence import asked_then, fresh_lines, holds_quote, joined, place_of, runs, unread_lines
from state.understanding.reader import read_open

MOST, LENGTH = 24, 8000
"""Unread lines, and characters of them, that wait for a model; from there on rules read them."""
Fit = Callable[[ToolCall, ChatLine], bool]
Judged = Sequence[tuple[ToolCall, Mapping[str, Any]]]
"""Calls with their results."""


def see_to_reading(turn: TurnContext) -> None:
    """Have the lines of a model call that an act ended read by the next one: a superseded call loses its text, never its lines."""
    draft, before = turn.draft, turn.before
    given_up = draft.status is Status.CANCELLED or draft.handed
    ended = draft.turn != before.turn or draft.status != before.status or isinstance(turn.event, DocumentsReceived)
    if not ended or given_up or not unread_lines(draft) or any(isinstance(e, Fetch) for e in turn.effects):
        return
    turn.model = replace(turn.model or CallModel(draft.turn), purpose="understand")


def relieve(turn: TurnContext) -> None:
    """Have rules read where a model leaves too much unread."""
    waiting = unread_lines(turn.draft)
    if len(waiting) >= MOST or sum(len(line.text) for line in waiting) >= LENGTH:
        read_lines(turn, ToolCalls(RULES), waiting)
        turn.change(LinesRead())


def note_read(turn: TurnContext, done: ToolCalls) -> None:
    """Note that a judged reply has read what was unread, unless the model is asked on: then nothing is lost if that call is superseded."""
    asked_on = turn.model is not None and not done.wanted
    if not asked_on and unread_lines(turn.draft):
        turn.change(LinesRead())


def read_fresh(form: Form, draft: Draft, context: Context) -> Reply:
    """Return what rules make of the lines that a reading is about.

    Several are left to the engine, which reads each on the draft as the others changed it. In a conversation of operations, where some that
    try to say something say nothing alone ("taxi" / "18 euros"), these are read with their neighbours as one.
    """
    lines: Sequence[ChatLine] = fresh_lines(draft)
    if len(lines) > 1 and not form.conversational:
        return Reply(model=RULES)
    telling = [line for line in lines if tries_to_answer(line.text, context)]
    if len(telling) > 1 and not all(read_line(form, draft, line, context).calls for line in telling):
        lines = [joined(telling)]
    replies = [read_line(form, draft, line, context) for line in lines]
    if len(replies) == 1:
        return replies[0]
    calls = tuple(c for reply in replies for c in reply.calls)
    asks = next((reply.text for reply in reversed(replies) if reply.text), "")
    return Reply("" if calls else asks, calls, stop="calls" if calls else "end", model=RULES)


def read_line(form: Form, draft: Draft, line: ChatLine, context: Context) -> Reply:
    """Read a line under the question that was open when it was typed; a few words that begin a form may name what it looks up first ("/pa Tesco")."""
    asked = asked_then(line, draft)
    reply = read_open(form, draft.changed(asked=asked), line.text, line.message, context)
    first = next(iter(missing(form, draft)), None)
    named = first is not None and kind_of(first).searchable and is_few_words(line.text)
    if first is None or reply.calls or asked or not named or leads_nowhere(form.language, line.text):
        return reply
    return read_open(form, draft.changed(asked=first.name), line.text, line.message, context)


def read_lines(
    turn: TurnContext, done: ToolCalls, lines: Sequence[ChatLine], fit: Fit = lambda _call, _line: True
) -> tuple[ChatLine, ...]:
    """Have rules read lines, oldest first; return those of which nothing came.

    Neighbours that say nothing alone, or that answer a question for words, are read as one; a question or small talk is no part of the answer.
    """
    missed: list[ChatLine] = []
    for run in runs(turn.draft, lines):
        asked = turn.form.fields.get(asked_then(run[0], turn.draft))
        text = asked is not None and kind_of(asked).verbatim and asked.name not in turn.draft.values
        for answers, some in groupby(run, key=lambda line: not text or tries_to_answer(line.text, turn.context)):
            told = [*some]
            several = answers and len(told) > 1
            left = told if several and text else [line for line in told if not judge_line(turn, done, line, fit)]
            whole = several and left and judge_line(turn, done, joined(told if text else left), fit)
            missed += [] if whole else left
    return tuple(missed)


def judge_line(turn: TurnContext, done: ToolCalls, line: ChatLine, fit: Fit) -> bool:
    """Judge what rules make of a line on the draft as it is by now. Return False where nothing came of it."""
    open_ = turn.draft.open and not turn.handed
    found = read_line(turn.form, turn.draft, line, turn.context).calls if open_ else ()
    reply = Reply(calls=tuple(c for c in found if fit(c, line)), model=RULES)
    results: Results = judge_calls(turn, done, reply) if reply.calls else {}
    go_on(turn)
    return any(result.get("status") != "rejected" for result in results.values())


def read_what_is_left(
    turn: TurnContext, event: ModelReplied, done: ToolCalls, results: Results, *, again: bool
) -> tuple[ChatLine, ...]:
    """Have rules read the lines that a model left: plain answers are taken, others proposed. Return failed attempts to answer."""
    lines = fresh_lines(turn.draft)
    if event.purpose != "understand" or not lines:
        return ()
    if event.step == 1 and event.reader != RULES:
        _disclose(turn, done, lines)
    if again:
        return ()
    missed: tuple[ChatLine, ...] = tuple(lines)
    if event.reader != RULES or len(lines) > 1:
        calls = [
            (c, r.results.get(c.id, {})) for r in (*event.exchange, Round(event.reply, results)) for c in r.reply.calls
        ]
        answered = [line for line in lines if _answers(turn, done, line)]
        open_ones = [line for line in lines if line not in answered or _states(line, turn.context)]
        left = [line for line in open_ones if not _takes_from(turn, calls, line, alone=len(lines) == 1)]
        read = any(v.provenance.reader not in ("", RULES) for v in turn.draft.values.values())
        read |= any(_gives_elsewhere(turn, calls, line) for line in left)
        done.alone, done.reader = done.reader == RULES or not read, RULES  # what a model took for no name may be none
        missed = tuple(line for line in read_lines(turn, done, left) if line not in answered) if left else ()
        _read_rest(turn, done, calls, [line for line in open_ones if line not in left])
    elif any(result.get("status") != "rejected" for result in results.values()):
        missed = ()
    return tuple(s for s in missed if tries_to_answer(s.text, turn.context))


def gone_well(rounds: Sequence[Round]) -> bool:
    """Return True if something came of every call of these rounds, and there is one."""
    results = [result for one in rounds for result in one.results.values()]
    return bool(results) and all(_is_taken(result) and "rejected" not in result for result in results)


def help_answers(turn: TurnContext) -> bool:
    """Return True if the lines are questions and no more, which the form's own help answers."""
    return all(_is_helped(turn, line) for line in fresh_lines(turn.draft))


def _is_helped(turn: TurnContext, line: ChatLine) -> bool:
    calls = read_line(turn.form, turn.draft, line, turn.context).calls
    fields = [turn.form.fields.get(str((c.arguments or {}).get("field"))) for c in calls if c.tool == EXPLAIN]
    told = bool(calls) and len(fields) == len(calls) and all(field and field.help for field in fields)
    return told and not _states(line, turn.context)


def leaves_words(turn: TurnContext, rounds: Sequence[Round]) -> bool:
    """Return True unless something came of every call, they quote all that the lines say, nothing is asked, and rules find nothing besides."""
    if not gone_well(rounds):
        return True
    calls = [(c, r.results.get(c.id, {})) for r in rounds for c in r.reply.calls]
    quotes, left = [q for call, _ in calls for q in _quotes(call)], _besides(turn, calls)
    return any(
        is_asking(line.text, turn.context)
        or not _quoted(line.text, quotes, turn.context)
        or any(left(call, line) for call in read_line(turn.form, turn.draft, line, turn.context).calls)
        for line in fresh_lines(turn.draft)
    )


def _quoted(text: str, quotes: Sequence[str], context: Context) -> bool:
    """Return True if every word stands in a quote, but small ones."""
    row, small = tokens(masked(text), context.language), listed(context.language, "small", "polite")
    said = Spans(filter(None, (place_of(text, quote) for quote in quotes)))
    needless = {i for first, after, _ in small.spans(row) for i in range(first, after)}
    return all(i in needless or said.hits(token.start, token.end) for i, token in enumerate(row))


def _read_rest(turn: TurnContext, done: ToolCalls, calls: Judged, lines: Sequence[ChatLine]) -> None:
    """Put back what rules read in lines of which a model took something: what it left of them is not lost.

    Names and texts are read in them only where the model gave one that the words do not say: any other words would look like one.
    """
    free = {n for n, f in turn.form.fields.items() if kind_of(f).verbatim or kind_of(f).searchable}
    read_lines(turn, done, lines, _besides(turn, calls, free))


def _besides(turn: TurnContext, calls: Judged, without: Collection[str] = ()) -> Fit:
    """Return what tells a call for a field that nothing was given, set or offered for; `without` those that were not refused."""
    refused: set[str] = set()
    for call, result in calls:
        refused |= set((call.arguments or {}) if result.get("status") == "rejected" else result.get("rejected", ()))
    named = {n for call, _ in calls for n in call.arguments or {}} - refused
    told = named | (set(without) - refused)

    def is_left(call: ToolCall, _line: ChatLine) -> bool:
        known = {*turn.draft.values, *told, *(o.field for o in turn.draft.offers)}
        return bool((set(turn.form.fields) - known) & set(call.arguments or {}))

    return is_left


def _disclose(turn: TurnContext, done: ToolCalls, lines: Sequence[ChatLine]) -> None:
    """Record a disclosure whatever a model makes of the words."""
    for line in lines:
        found = disclosed(turn.form, turn.draft, line.text, turn.context)
        given = ({"field": told.field.name, "words": line.text[told.start : told.end]} for told in found)
        calls = tuple(ToolCall(f"rules-{line.message}-d{i}", DISCLOSE, one) for i, one in enumerate(given))
        judge_calls(turn, replace(done, reader=RULES), Reply(calls=calls, model=RULES))


def _takes_from(turn: TurnContext, calls: Judged, line: ChatLine, *, alone: bool) -> bool:
    """Return True if a model's call set, put back, proposed or looked up something from the line."""
    quoted = [_quotes(call) for call, result in calls if _is_taken(result)]
    if alone and quoted:
        return True
    here = any(holds_quote(line.text, q) or holds_quote(q, line.text) for quotes in quoted for q in quotes)
    held, waits = turn.draft.values.values(), turn.draft.proposal
    return (
        here
        or (waits is not None and waits.turn == turn.draft.turn and not _gives_elsewhere(turn, calls, line))
        or any(v.provenance.message == line.message and v.provenance.reader not in ("", RULES) for v in held)
    )


def _gives_elsewhere(turn: TurnContext, calls: Judged, line: ChatLine) -> bool:
    """Return True if a name was asked for, and a model quotes the line for another field, though nothing may come of that."""
    asked = turn.form.fields.get(asked_then(line, turn.draft))
    if asked is None or not asked.short:
        return False
    others = (call for call, _ in calls if {*_fields_of(call)} - {asked.name})
    return any(holds_quote(line.text, quote) for call in others for quote in _quotes(call))


def _fields_of(call: ToolCall) -> Collection[str]:
    given = call.arguments or {}
    return (str(given["field"]),) if "field" in given else {*given} - {"words"}


def _is_taken(result: Mapping[str, Any]) -> bool:
    came = result.get("status") in ("put_back", "searching")
    return came or any(key in result for key in ("set", "changed", "stage"))


def _quotes(call: ToolCall) -> tuple[str, ...]:
    words = (call.arguments or {}).get("words", "")
    return tuple(map(str, words.values() if isinstance(words, Mapping) else (words,)))


def _states(line: ChatLine, context: Context) -> bool:
    """Return True if sentences of the line ask and others do not ("got a minute? I need a feature request")."""
    asked = {sentence.asks for sentence in sentences(masked(line.text), context.language)}
    return asked == {True, False}


def _answers(turn: TurnContext, done: ToolCalls, line: ChatLine) -> bool:
    """Return True if the line asks something and the reply answers it: to any other line, such words are no reading of it."""
    told = done.offered_person or any(s.act not in SOCIAL for s in done.said)
    return is_asking(line.text, turn.context) and (done.explained or told)
