"""What a model's or a reader's tool calls come to: each is judged, and its result told back; nothing here trusts the caller."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from state.draft import rejection as no
from state.draft.draft import Status
from state.draft.missing import missing
from state.draft.reply import Reply, ToolCall
from state.draft.scope import CORRECT, DISCLOSE, EXPLAIN, GO, OFFER, PERSON, READ, SAY, scope
from state.draft.stages import at_review, chosen_ways, last_word
from state.engine.acts import ask_cancel
from state.engine.cards import Verbatim
from state.engine.context import TurnContext
from state.engine.corrections import correct
from state.engine.disclosures import admission, ask_to_disclose, disclose, told_worse
from state.engine.offers import make_offer
from state.engine.putting_back import put_back
from state.engine.readings import propose_quoted, read_document
from state.engine.speech import say
from state.engine.tool_calls import RULES, Result, Results, ToolCalls, look_up, read_value
from state.engine.tool_log import finalizes
from state.engine.transitions import follow_choice, is_automatic, way_on
from state.engine.unquoted import bearing, speaks_against, with_evidence
from state.engine.values import put
from state.fields import kind_of, tools_of
from state.fields.base import Unreadable
from state.form import Field
from state.form.field import Data
from state.guards import ProposedWrite, judge
from state.guards.operations import judge_call
from state.understanding.evidence import source_line

MOST = 12
"""Calls of one turn that are looked at."""


def judge_calls(turn: TurnContext, done: ToolCalls, reply: Reply, before: int = 0) -> Results:
    """Each call's result by its id; calls beyond the turn's limit (`before` came in earlier rounds) are refused unread."""
    results: dict[str, Mapping[str, Any]] = {}
    done.beside = _given(turn, reply)
    for i, call in enumerate(reply.calls):
        result = no.too_many().result() if before + i >= MOST else _judged(turn, done, call)
        results[call.id] = turn.log(call, done.reader, result)
    return results


def _given(turn: TurnContext, reply: Reply) -> Mapping[str, Data]:
    """What the calls of a reply give to which fields, as far as it can be read: words that say one value leave nothing over beside another."""
    found: dict[str, Data] = {}
    for call in reply.calls:
        for field in tools_of(turn.form).get(call.tool, ()):
            given = (call.arguments or {}).get(field.name)
            with suppress(Unreadable):
                found.update({} if given is None else {field.name: kind_of(field).parse(field, given, turn.context)})
    return found


def _judged(turn: TurnContext, done: ToolCalls, call: ToolCall) -> Result:
    """Once a person has the conversation, nothing that comes after in the same reply is looked at."""
    return no.with_person().result() if turn.handed else handle(turn, done, call)


def drop_calls(turn: TurnContext, reader: str, reply: Reply) -> None:
    """Calls of a late reply: logged, and not looked at."""
    for call in reply.calls:
        turn.log(call, reader, no.late().result())


def handle(turn: TurnContext, done: ToolCalls, call: ToolCall) -> Result:
    """Judge one call and do what it may."""
    if call.arguments is None:
        return no.bad_arguments("they are no JSON object").result()
    if finalizes(turn.form, call.tool):
        return _submit(turn)
    always = _named(turn, call.tool)
    if always is not None:
        return always(turn, done, _quoting(turn, call))
    if call.tool in turn.form.operations and call.tool in scope(turn.form, turn.draft).operations:
        return _operation(turn, done, call)
    fields = tools_of(turn.form).get(call.tool) or _by_name(turn, call.tool)
    if not fields:
        return no.unknown_tool(call.tool).result()
    return _set(turn, done, call.arguments, fields, unquoted=call.unquoted)


def _quoting(turn: TurnContext, call: ToolCall) -> Mapping[str, Any]:
    """The arguments, with the newest message where a call may quote nothing; a step has to be heard in it besides.

    A disclosure may not: code finds in the message what it can, and a card about any other message would be one that nobody asked for.
    """
    given = call.arguments or {}
    if not call.unquoted or call.tool not in (CORRECT, GO):
        return given
    way = way_on(turn, str(given.get("to", ""))) if call.tool == GO else None
    heard = way is None or not speaks_against(turn, way, chosen_ways(turn.form, turn.draft))
    return with_evidence(turn, given) if heard else given


def _named(turn: TurnContext, tool: str) -> Callable[[TurnContext, ToolCalls, Mapping[str, Any]], Result] | None:
    """What a tool that every form has does, by its own name or by the form's."""
    own = {turn.form.escalate: _hand_over, turn.form.cancel: _cancel}
    return (own.get(tool) if tool else None) or ALWAYS.get(tool)


def _operation(turn: TurnContext, done: ToolCalls, call: ToolCall) -> Result:
    """An operation among a form's questions: what comes of it is shown once it is known."""
    judged = judge_call(turn.form, turn.draft, call, turn.context)
    if isinstance(judged, no.Rejection):
        return judged.result()
    done.wanted.append(judged)
    done.posted = True
    return {"status": "ok", "note": "the form tells the user what comes of it"}


def _by_name(turn: TurnContext, tool: str) -> tuple[Field, ...]:
    """A setter by a field's own name is understood even where the form groups it, so that it can be refused for the right reason."""
    one = turn.form.fields.get(tool.removeprefix("set_")) if tool.startswith("set_") else None
    return (one,) if one else ()


def _set(
    turn: TurnContext, done: ToolCalls, arguments: Mapping[str, Any], fields: tuple[Field, ...], *, unquoted: bool
) -> Result:
    by_name = {f.name: f for f in fields}
    given = {n: v for n, v in arguments.items() if n != "words" and v is not None}
    stray = set(given) - set(by_name)
    if stray or not given:
        return no.bad_arguments(f"unknown property '{min(stray)[:64]}'" if stray else "no value given").result()
    words = arguments.get("words")
    quotes = {n: words.get(n) if isinstance(words, Mapping) else words for n in given}
    results = {}
    for n, v in given.items():
        quote = bearing(turn, by_name[n], v, done.beside) if unquoted else quotes[n]
        results[n] = _set_one(turn, done, by_name[n], v, quote)
    return next(iter(results.values())) if len(results) == 1 else _several(results)


def _several(results: dict[str, Result]) -> Result:
    refused = {n: r for n, r in results.items() if r["status"] == "rejected"}
    if len(refused) == len(results):
        return next(iter(refused.values())) | {"fields": list(refused)}
    told = {"status": "ok", "set": [n for n in results if n not in refused]}
    return told | ({"rejected": refused} if refused else {})


def _set_one(turn: TurnContext, done: ToolCalls, target: Field, given: Any, words: Any) -> Result:
    case = ProposedWrite(
        turn.form, turn.rules, turn.draft, turn.context, turn.draft.owner, target, given, words, beside=done.beside
    )
    refusal = judge(case, turn.guards)
    if refusal and refusal.code in ("grounding", "doubt") and done.reader != RULES:
        quoted = propose_quoted(turn, case, done.reader)
        if quoted is not None:
            return quoted
    if refusal and refusal.code != "doubt":
        return refusal.result()
    case = case.in_own_words() if done.reader != RULES else case
    if refusal or (done.reader == RULES and not (case.is_plain and (done.alone or not target.short))):
        return put_back(turn, done, case)
    if kind_of(target).searchable and not case.by_offer:
        return look_up(turn, target, case)
    put(turn, target, read_value(turn, done, case))
    done.set.append(target.name)
    return {"status": "ok", "set": [target.name]}


def _disclose(turn: TurnContext, done: ToolCalls, arguments: Mapping[str, Any]) -> Result:
    name, words = str(arguments.get("field", "")), str(arguments.get("words", ""))
    target = next((f for f in scope(turn.form, turn.draft).disclosable if f.name == name), None)
    line = source_line(turn.draft, words, only_fresh=True)
    if target is None:
        return no.bad_arguments("`field` must name an answered field that can be disclosed").result()
    if line is None:
        return no.ungrounded(name).result()
    told = admission(turn, target, line.text)
    answers = (v.provenance for v in turn.draft.values.values())
    if told is None and any(p.how == "typed" and p.message == line.message for p in answers):
        return no.ungrounded(name).result()
    waits = turn.draft.proposal is not None and turn.draft.proposal.act == "disclose"
    if told_worse(turn, target, line.message) or (waits and not (told and told.sure)):
        return {"status": "ok", "note": "recorded already, or the user is asked on a card"}
    if told and told.sure:
        disclose(turn, target, line.text, line.message, done.reader)
    else:
        ask_to_disclose(turn, target, line.text, line.message)
    done.posted = True
    return {"status": "ok", "note": "the form tells the user what happens now"}


def _explain(turn: TurnContext, done: ToolCalls, arguments: Mapping[str, Any]) -> Result:
    name = str(arguments.get("field") or turn.draft.asked)
    target = turn.form.fields.get(name) or turn.form.fields.get(turn.draft.asked)
    if target is None or not target.help:
        return {"status": "ok", "help": turn.form.introduction}
    if not done.explained:
        turn.tell(Verbatim(target.help))
        done.explained = True
    return {"status": "ok", "note": "the form's own explanation is on screen"}


def _offer(turn: TurnContext, done: ToolCalls, arguments: Mapping[str, Any]) -> Result:
    return make_offer(turn, arguments)


def _hand_over(turn: TurnContext, done: ToolCalls, _arguments: Mapping[str, Any]) -> Result:
    """A model may offer a person; only the person's click or own words call one, unless the form hands over at once."""
    if turn.form.hands_over and (done.reader == RULES or turn.form.stuck == "hand_over"):
        turn.person = "asked"
        return {"status": "ok", "note": "a person has the conversation now; say nothing more"}
    done.offered_person = True
    return {"status": "ok", "note": "the user now sees a button that calls a person"}


def _cancel(turn: TurnContext, done: ToolCalls, _arguments: Mapping[str, Any]) -> Result:
    """A model may ask whether to cancel; only the person's click does."""
    if not turn.draft.open:
        return no.closed().result()
    if turn.draft.proposal is None or turn.draft.proposal.act != "cancel":
        ask_cancel(turn)
        done.posted = True
    return {"status": "waiting", "note": "the user is asked on a card; only their click cancels"}


def _go(turn: TurnContext, done: ToolCalls, arguments: Mapping[str, Any]) -> Result:
    """A way that the newest message asks for, where the table has it open; one that files only opens the review."""
    way = way_on(turn, str(arguments.get("to", "")))
    if way is None and turn.draft.open and is_automatic(turn, str(arguments.get("to", ""))):
        return {"status": "waiting", "note": "the form takes this step by itself once its answers are there"}
    if way is None or not turn.draft.open:
        return no.closed_way([w.on for w in chosen_ways(turn.form, turn.draft)]).result()
    if source_line(turn.draft, str(arguments.get("words", "")), only_fresh=True) is None:
        return no.unheard_way(way.on).result()
    turn.way = way
    # The one move that cannot wait for settling: the calls that come after it are judged in the stage that it leads to.
    follow_choice(turn)
    done.moved = True
    return {"status": "ok", "stage": turn.draft.stage, "review": bool(turn.draft.going)}


def _submit(turn: TurnContext) -> Result:
    """Judged by status, though no such tool is offered: nothing a model says submits or submits twice."""
    if turn.draft.status is Status.SUBMITTED and not turn.policy.friendly_repeat:
        return no.filed_already().result()
    if turn.draft.status is Status.SUBMITTED:
        said = last_word(turn.form, turn.draft)
        told = {"message": said} if said else {}
        return {"status": "success", "already_finalized": True, "record": turn.draft.record, **told}
    if not turn.draft.open:
        return no.none_open().result()
    open_fields = [f.name for f in missing(turn.form, turn.draft)]
    if open_fields or not at_review(turn.form, turn.draft):
        return no.not_yet(open_fields[0] if open_fields else "").result()
    return {"status": "waiting", "note": "the review card is on screen; only the user's click on it submits"}


ALWAYS: Mapping[str, Callable[[TurnContext, ToolCalls, Mapping[str, Any]], Result]] = {
    CORRECT: correct,
    DISCLOSE: _disclose,
    OFFER: _offer,
    EXPLAIN: _explain,
    PERSON: _hand_over,
    SAY: say,
    GO: _go,
    READ: lambda turn, _done, arguments: read_document(turn, arguments),
}
