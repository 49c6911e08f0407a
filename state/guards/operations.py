"""A model's reply to somebody who talks with operations: a question, calls, or an answer, and never two of them at once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from state.draft import rejection as no
from state.draft.draft import Draft
from state.draft.operations import Wanted
from state.draft.reply import Reply, ToolCall
from state.draft.scope import SAY
from state.draft.topics import SOCIAL, Act, Saying
from state.fields import file_field
from state.fields.base import Context
from state.fields.values.numerals import in_its_language
from state.form import Form
from state.form.schema import Operation
from state.guards.free_words import LEAST, flattened, flaw_of_words, is_question, repeats, sentences
from state.guards.writes import judge_saying
from state.language import LANGUAGES
from state.language.small_talk import idle
from state.language.table import all_of, listed_everywhere, meanings, phrases
from state.language.tokens import masked, tokens
from state.understanding.arguments import against_words, check, left_over, missing, places, said_ranges, wrong_days
from state.understanding.commands import COURTESIES, is_asking, no_answer
from state.understanding.evidence import fresh_lines, joined, newest_line, said_by_person
from state.understanding.operations import read_operations
from state.understanding.rows import adds, row_of, without_row

Results = dict[str, dict[str, Any]]
MOST = 20
"""Operations of one reply."""


@dataclass(frozen=True)
class Verdict:
    """The outcome of a reply. With a `flaw` nothing of it runs or is shown; `results` tell the model why, call by call."""

    wanted: tuple[Wanted, ...] = ()
    text: str = ""
    flaw: str = ""
    said: tuple[Saying, ...] = ()
    results: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


def judge_reply(form: Form, draft: Draft, reply: Reply, context: Context) -> Verdict:
    """Judge a whole reply: a refused call or a question holds the others back, and what rules read to write waits for a click."""
    context = in_its_language(_text(draft), context)
    if not reply.calls and not reply.text.strip():
        return Verdict(flaw="it is empty")
    if not reply.calls:
        flaw = flaw_of_words(form, draft, reply, context) or _instead(form, draft, reply, context)
        return Verdict(text="" if flaw else flattened(reply), flaw=flaw)
    judged = [
        judge_saying(form, draft, call.arguments, context)
        if call.tool == SAY and call.arguments is not None
        else judge_call(form, draft, call, context)
        for call in reply.calls[:MOST]
    ]
    by_rules = reply.model == "rules"
    unread = _unread(form, judged, _text(draft), context, by_rules=by_rules)
    if unread is not None:
        return Verdict(said=(unread,), results=_none_ran(reply, {}))
    refused = {c.id: j.result() for c, j in zip(reply.calls, judged, strict=False) if isinstance(j, no.Rejection)}
    if refused:
        return Verdict(flaw=next(iter(refused.values()))["reason"], results=_none_ran(reply, refused))
    wanted = tuple(replace(j, suggested=j.suggested or by_rules) for j in judged if isinstance(j, Wanted))
    said = tuple(j for j in judged if isinstance(j, Saying))
    return Verdict(wanted, said=said)


def _instead(form: Form, draft: Draft, reply: Reply, context: Context) -> str:
    """Return the fault of an answer to a line that asks nothing: it claims that something ordered or named was done."""
    line = newest_line(draft)
    if line is None or reply.asks or is_question(flattened(reply)):
        return ""
    parts = (part.casefold().strip(" !.¡") for part in sentences(reply.text) if "?" not in part)
    stated = " ".join(part for part in parts if not no_answer(part, context))
    before = [other.text for other in said_by_person(draft) if other is not line]
    small = bool(no_answer(line.text, context))
    named = repeats(stated, before, besides=line.text) or (not small and repeats(stated, [line.text], LEAST))
    ordered = read_operations(form, draft, line.text, line.message, context).calls
    told = ordered or (named and not is_asking(line.text, context))
    return "it says that something was done, and words do nothing: call an operation, or ask" if told else ""


def judge_call(form: Form, draft: Draft, call: ToolCall, context: Context) -> Wanted | no.Rejection:
    """Judge one call against the operation's fields and the person's words since the last thing that was done.

    Words that nothing explains name the row, where its number is not given; else they make an addition wait for a click.
    """
    operation = form.operations.get(call.tool)
    if operation is None or file_field(operation):
        return no.unknown_tool(call.tool)
    if call.arguments is None:
        return no.bad_arguments("they are no JSON object")
    text, row = _text(draft), row_of(operation)
    if adds(operation) and tells_refund(form, text, context):
        return no.refund(operation.name)
    by_words = row is not None and call.arguments.get(row.name) is None
    said = said_ranges(operation, text, context) if operation.confirm == "never" else {}
    given = {**call.arguments, **said}
    checked = check(without_row(operation) if by_words else operation, given, context, form.currency_hint)
    if isinstance(checked, no.Rejection):
        return checked
    checked = against_words(operation, checked, _evidence(draft), context)
    if isinstance(checked, no.Rejection):
        return checked
    told = any(places(operation, operation.fields[n], data, text, context) for n, data in checked.arguments.items())
    if not _is_asked_for(form, draft, operation, context, told=told):
        return no.unordered(operation.name)
    words = left_over(form, operation, checked.arguments, text, context, "also")
    if by_words and row is not None and not words:
        return missing(row.name)
    waits = bool(call.confirm) or (operation.confirm == "inferred" and bool(words))
    return Wanted(
        operation.name, checked.arguments, tuple(sorted(checked.inferred)), waits, words if by_words or waits else ""
    )


def tells_refund(form: Form, text: str, context: Context) -> bool:
    """Return True if the words speak of money that came back, in any language, where what was spent is added."""
    said = {w: w in o.orders.refunds for o in LANGUAGES.values() for w in (*o.orders.refunds, *o.orders.not_refunds)}
    found = meanings(said, context.language).spans(tokens(masked(text), context.language))
    return any(back for *_, back in found) and any(adds(o) for o in form.operations.values())


def takes_nothing(draft: Draft, verdict: Verdict, context: Context) -> bool:
    """Return True if a reply takes nothing of what was said: thanks or the like, and, to words that ask nothing, that others know."""
    line = newest_line(draft)
    idle = SOCIAL if line is None or is_asking(line.text, context) else SOCIAL | {Act.CANNOT_ANSWER, Act.OFFER_PERSON}
    return bool(verdict.said) and not verdict.wanted and all(saying.act in idle for saying in verdict.said)


def judge_in_place(form: Form, draft: Draft, read: Reply, context: Context) -> Verdict:
    """Judge what the rules have read, where a model's reply is of no use."""
    verdict = judge_reply(form, draft, read, context)
    if verdict.wanted or verdict.said:
        return verdict
    line = newest_line(draft)
    return Verdict(said=(Saying(Act.CANNOT_ANSWER),) if line and is_asking(line.text, context) else ())


def lines(draft: Draft) -> tuple[str, ...]:
    """Return the person's lines since an operation's last result, newest first: older words are used up, unless unread."""
    every = (*draft.opening, *draft.window)
    told = max((i for i, line in enumerate(every) if line.role == "assistant" and line.clicked), default=-1)
    since = [line for i, line in enumerate(every) if i > told or line.unread]
    return tuple(line.text for line in reversed(since) if line.role == "user" and not line.clicked)


def _text(draft: Draft) -> str:
    """Return the lines that the reading is about, as one: people break a sentence over several."""
    fresh = fresh_lines(draft)
    return joined(fresh).text if fresh else ""


def _evidence(draft: Draft) -> tuple[str, ...]:
    """Return the words that are not used up, newest first; lines that came together are one."""
    said, fresh = lines(draft), [line.text for line in fresh_lines(draft)]
    together = "\n".join(text for text in fresh if text in said)
    return tuple(filter(None, (together, *(text for text in said if text not in fresh))))


def _is_asked_for(form: Form, draft: Draft, operation: Operation, context: Context, *, told: bool) -> bool:
    """Return False for a courtesy, and for a statement that plainly adds something, holds no word of this operation and tells nothing of it."""
    text = _text(draft)
    if operation.confirm == "inferred" or not operation.words:
        return True
    if phrases(operation.words, context.language).holds(tokens(masked(text), context.language)):
        return True
    calls = read_operations(form, draft, text, "", context).calls
    added = bool(calls) and all(c.tool != SAY and adds(form.operations[c.tool]) for c in calls)
    told = told if operation.confirm == "always" else is_asking(text, context)
    return (told or not added) and idle(text, context.language) not in COURTESIES


def _unread(
    form: Form, judged: Sequence[Wanted | Saying | no.Rejection], text: str, context: Context, *, by_rules: bool
) -> Saying | None:
    """Ask where something was said for the one operation and not read: a day on the wrong side, words that nothing explains.

    A model may understand words that rules do not, where none stands beside the operation's own and no figure is among them, or
    where it left nothing open.
    """
    one = judged[0]
    if len(judged) > 1 or not isinstance(one, Wanted):
        return None
    operation = form.operations[one.operation]
    for wrong, words in wrong_days(operation, text, context):
        return Saying(Act.EXPLAIN, wrong.ask, words=words)
    left = left_over(form, operation, one.arguments, text, context) if operation.confirm == "never" else ""
    needless = listed_everywhere(context.language, "offers.all_of", "estimates")
    left = "" if all_of(tokens(left, context.language), needless) else left
    ranges = said_ranges(operation, text, context)
    given = ((operation.fields[n], data) for n, data in one.arguments.items() if n not in ranges)
    understood = any(not places(operation, f, data, text, context) for f, data in given)
    own = phrases(operation.words, context.language).holds(tokens(masked(text), context.language))
    asks = [f.ask for f in operation.fields.values() if f.name not in one.arguments]
    stops = by_rules or (asks and not understood and (own or any(c.isdigit() for c in left)))
    if not left or not stops:
        return None
    return Saying(Act.EXPLAIN, " ".join(asks or [f.ask for f in operation.fields.values()]), words=left)


def _none_ran(reply: Reply, refused: Results) -> Results:
    other = no.Rejection("it was not run, since this reply was refused as a whole.", "reply anew, once.", "whole")
    return {call.id: refused.get(call.id, other.result()) for call in reply.calls}
