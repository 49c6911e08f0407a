"""A model's reply to somebody who talks with operations: a question, calls, or an answer, and never two of them at once."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from state.draft import rejection as no
from state.draft.draft import ChatLine, Data, Draft
from state.draft.operations import Wanted
from state.draft.reply import Reply, ToolCall
from state.draft.scope import SAY
from state.draft.speech import SOCIAL, Act, Saying
from state.fields import kind_of
from state.fields.base import Context
from state.fields.tools import file_field
from state.form import Form
from state.form.schema import Operation
from state.guards.free_words import LEAST, flattened, flaw_of_words, is_question, repeats, sentences
from state.guards.saying import judge_saying
from state.understanding.arguments import Checked, against_words, check
from state.understanding.corrections import is_announced
from state.understanding.evidence import bursts, fresh_lines, newest_line, said_by_person
from state.understanding.explanations import is_asking, may_ask
from state.understanding.leftovers import beside, left_over, said_ranges, wrong_days
from state.understanding.operations import adds, faced, is_changing, names_adding, read_operations, row_of, without_row
from state.understanding.orders import is_doubted, is_ordered
from state.understanding.purchases import is_name, thing_of
from state.understanding.small_talk import no_answer

Results = dict[str, dict[str, Any]]
MOST = 20
"""Operations of one reply."""


@dataclass(frozen=True)
class Verdict:
    """What a reply comes to. With a `flaw` nothing of it runs or is shown; `results` tell the model why, call by call."""

    wanted: tuple[Wanted, ...] = ()
    text: str = ""
    flaw: str = ""
    said: tuple[Saying, ...] = ()
    results: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


def judge_reply(form: Form, draft: Draft, reply: Reply, context: Context) -> Verdict:
    """Judge a whole reply: one call that is refused keeps the others from running, and so does a question beside them."""
    if not reply.calls and not reply.text.strip():
        return Verdict(flaw="it is empty")
    if not reply.calls:
        flaw = flaw_of_words(form, draft, reply, context) or _instead(form, draft, reply, context)
        return Verdict(text="" if flaw else flattened(reply), flaw=flaw)
    context = faced(form, context)
    judged = [_judge(form, draft, call, context) for call in reply.calls[:MOST]]
    unread = _unread(form, draft, judged, context, by_rules=reply.model == "rules")
    if unread is not None:
        return Verdict(said=(unread,), results=_none_ran(reply, {}))
    refused = {c.id: j.result() for c, j in zip(reply.calls, judged, strict=False) if isinstance(j, no.Rejection)}
    if refused:
        return Verdict(flaw=next(iter(refused.values()))["reason"], results=_none_ran(reply, refused))
    wanted = tuple(j for j in judged if isinstance(j, Wanted))
    said = tuple(j for j in judged if isinstance(j, Saying))
    return Verdict(_with_the_rest(form, draft, wanted, context), said=said)


def _instead(form: Form, draft: Draft, reply: Reply, context: Context) -> str:
    """Return what is wrong with an answer to a line that asks nothing: it says of an order, or of what was named, that something was done."""
    line = newest_line(draft)
    if line is None or reply.asks or is_question(flattened(reply)):
        return ""
    parts = (part.casefold().strip(" !.¡") for part in sentences(reply.text) if "?" not in part)
    stated = " ".join(part for part in parts if not no_answer(part, context))
    before = [other.text for other in said_by_person(draft) if other is not line]
    small = bool(no_answer(line.text, context))
    named = repeats(stated, before, besides=line.text) or (not small and repeats(stated, [line.text], LEAST))
    ordered = read_operations(form, draft, line.text, line.message, context).calls
    told = ordered or (named and not may_ask(line.text, context))
    return "it says that something was done, and words do nothing: call an operation, or ask" if told else ""


def _unread(
    form: Form, draft: Draft, judged: Sequence[Wanted | Saying | no.Rejection], context: Context, *, by_rules: bool
) -> Saying | None:
    """What is asked where the one thing to be told leaves words of its line over: rules explain all of them, a model those that narrow it."""
    one, text = judged[0], _only_line(draft)
    if len(judged) > 1 or not isinstance(one, Wanted):
        return None
    operation = form.operations[one.operation]
    for wrong, words in wrong_days(operation, text, context):
        return Saying(Act.EXPLAIN, wrong.ask, words=words)
    if operation.confirm != "never":
        return None
    left = left_over(form, operation, one.arguments, text, context)
    if not left.words or not (by_rules or left.narrows):
        return None
    open_ones = [f.ask for f in operation.fields.values() if f.name not in one.arguments]
    asks = open_ones or [f.ask for f in operation.fields.values()]
    return Saying(Act.EXPLAIN, " ".join(asks), words=left.words) if asks else None


def _judge(form: Form, draft: Draft, call: ToolCall, context: Context) -> Wanted | Saying | no.Rejection:
    if call.tool == SAY and call.arguments is not None:
        return judge_saying(form, draft, call.arguments, context)
    return judge_call(form, draft, call, context)


def is_kind_word(verdict: Verdict) -> bool:
    """Return True if a reply is no more than thanks or the like, which takes nothing of what was said."""
    return bool(verdict.said) and not verdict.wanted and all(saying.act in SOCIAL for saying in verdict.said)


def judge_in_place(form: Form, draft: Draft, read: Reply, context: Context) -> Verdict:
    """Judge what the rules have read, where a model's reply is of no use: whatever it would write waits for a click."""
    verdict = judge_reply(form, draft, read, context)
    if verdict.wanted or verdict.said:
        return replace(verdict, wanted=tuple(replace(wanted, suggested=True) for wanted in verdict.wanted))
    line = newest_line(draft)
    return Verdict(said=(Saying(Act.CANNOT_ANSWER),) if line and is_asking(line.text, context) else ())


def judge_call(form: Form, draft: Draft, call: ToolCall, context: Context) -> Wanted | no.Rejection:
    """One call against the operation's fields and the person's words since the last thing that was done."""
    operation = form.operations.get(call.tool)
    if operation is None or file_field(operation):
        return no.unknown_tool(call.tool)
    if call.arguments is None:
        return no.bad_arguments("they are no JSON object")
    text = _only_line(draft)
    row = row_of(operation)
    words = beside(operation, text, context) if row or adds(operation) else ""
    named = (
        row is not None
        and bool(beside(operation, text, context, telling=True))
        and call.arguments.get(row.name) is None
    )
    said = said_ranges(operation, text, context) if operation.confirm == "never" else {}
    checked = check(
        without_row(operation) if named else operation, {**call.arguments, **said}, context, form.currency_hint
    )
    if isinstance(checked, Checked) and not is_ordered(form, draft, operation, lines(draft), context):
        return no.unordered(operation.name)
    if isinstance(checked, Checked):
        checked = _against_lines(form, operation, checked, draft, context)
    if not isinstance(checked, Checked):
        return checked
    waits = bool(call.confirm) or is_doubted(form, draft, operation, context)
    inferred = tuple(sorted(checked.inferred))
    if adds(operation) and not names_adding(form, draft, text, context):
        waits = waits or any(not is_name(str(data), context) for data in _names(operation, checked))
        return Wanted(operation.name, checked.arguments, inferred, waits, words, is_changing(text))
    return Wanted(operation.name, checked.arguments, inferred, waits, thing_of(words, []) if named else "")


def _names(operation: Operation, checked: Checked) -> Iterator[Data]:
    return (data for name, data in checked.arguments.items() if kind_of(operation.fields[name]).listing == "name")


def _only_line(draft: Draft) -> str:
    """The one line that a reading is about; of several nobody knows which says what."""
    fresh = fresh_lines(draft)
    return fresh[0].text if len(fresh) == 1 else ""


def _against_lines(
    form: Form, operation: Operation, checked: Checked, draft: Draft, context: Context
) -> Checked | no.Rejection:
    """What was said since the last deed; of lines that came together, each may be a thing of its own, unless one puts another right."""
    fresh = [line.text for line in fresh_lines(draft)]
    apart = len(fresh) > 1 and not any(is_announced(text, context) for text in fresh)
    alone = [against_words(operation, checked, (text,), context) for text in fresh] if apart else []
    borne = [one for one in alone if isinstance(one, Checked)]
    if apart and not borne:
        wholes = [burst.text for burst in bursts(draft) if _is_read(form, operation, checked, burst, draft, context)]
        judged = (against_words(operation, checked, (text,), context) for text in wholes)
        borne = [one for one in judged if isinstance(one, Checked)]
    return min(
        borne, key=lambda one: len(one.inferred), default=against_words(operation, checked, lines(draft), context)
    )


def _is_read(
    form: Form, operation: Operation, checked: Checked, burst: ChatLine, draft: Draft, context: Context
) -> bool:
    """Whether rules read this very order in lines that only together say it ("taxi" / "18 euros")."""
    calls = read_operations(form, draft, burst.text, burst.message, context).calls
    read = (check(operation, c.arguments or {}, context, form.currency_hint) for c in calls if c.tool == operation.name)
    return any(isinstance(one, Checked) and one.arguments == checked.arguments for one in read)


def lines(draft: Draft) -> tuple[str, ...]:
    """What the person said since an operation's outcome was last told, newest first: older words are used up, unless nobody has read them."""
    every = (*draft.opening, *draft.window)
    told = max((i for i, line in enumerate(every) if line.role == "assistant" and line.clicked), default=-1)
    since = [line for i, line in enumerate(every) if i > told or line.unread]
    return tuple(line.text for line in reversed(since) if line.role == "user" and not line.clicked)


def _with_the_rest(form: Form, draft: Draft, wanted: tuple[Wanted, ...], context: Context) -> tuple[Wanted, ...]:
    """A dialect that takes one call a reply names one of several things: rules read the others, and all wait for one click."""
    said = lines(draft)
    if len(wanted) != 1 or not said:
        return wanted
    calls = read_operations(form, draft, said[0], "rest", context).calls
    judged = (judge_call(form, draft, call, context) for call in calls if call.tool == wanted[0].operation)
    found = [other for other in judged if isinstance(other, Wanted)]
    mine = [other for other in found if _sums(form, other) == _sums(form, wanted[0])]
    if len(found) == 1 or len(mine) != 1:
        return wanted
    return tuple(wanted[0] if other is mine[0] else other for other in found)


def _sums(form: Form, wanted: Wanted) -> list[object]:
    fields = form.operations[wanted.operation].fields
    return [data for name, data in wanted.arguments.items() if kind_of(fields[name]).listing == "amount"]


def _none_ran(reply: Reply, refused: Results) -> Results:
    other = no.Rejection("it was not run, since this reply was refused as a whole.", "reply anew, once.", "whole")
    return {call.id: refused.get(call.id, other.result()) for call in reply.calls}


__all__ = ["Verdict", "is_kind_word", "judge_call", "judge_in_place", "judge_reply", "lines"]
