"""What a model's or a reader's calls come to: each is judged, and its result told back; nothing here trusts the caller."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from state.advance.acting import ask_cancel
from state.advance.answering import make_value, put
from state.advance.disclosing import ask_to_disclose, disclose, recognised, told_worse
from state.advance.going import mark_choice
from state.advance.moving import hand_over, pull, way_on
from state.advance.offering import accepted_value, make_offer
from state.advance.quoting import propose_quoted, read_document
from state.advance.work import Work
from state.draft import rejection as no
from state.draft.changes import Proposed, UndoKept
from state.draft.display import display_value
from state.draft.draft import Proposal, Status, Value
from state.draft.missing import missing
from state.draft.operations import Wanted
from state.draft.reply import Reply, ToolCall
from state.draft.scope import (
    CORRECT,
    DISCLOSE,
    EXPLAIN,
    GO,
    OFFER,
    PERSON,
    READ,
    scope,
)
from state.draft.stages import at_review, chosen_ways, last_word
from state.engine.cards import Change, Notice, Phrase, Verbatim
from state.engine.effects import LookUp
from state.engine.tool_log import finalizes
from state.fields import kind_of
from state.fields.tools import tools_of
from state.form import Field
from state.guards import ProposedWrite, judge
from state.guards.operations import judge_call
from state.guards.writes import grounded, unlocked
from state.understanding.corrections import begins_with_no, is_announced
from state.understanding.evidence import Ground, perhaps, source_line

Result = dict[str, Any]
Results = Mapping[str, Mapping[str, Any]]
RULES = "rules"
"""Name of the rule-based reader."""
MOST = 12
"""Calls of one turn that are looked at."""


@dataclass
class Calls:
    """What the calls of one reply did, beside their results."""

    reader: str
    set: list[str] = field(default_factory=list)
    explained: bool = False
    offered_person: bool = False
    moved: bool = False
    """Whether a way was taken."""
    wanted: list[Wanted] = field(default_factory=list)
    """Operations that may run."""
    posted: bool = False
    """Whether a card that waits for a click was put up."""
    words: str = ""
    """What the model said beside its calls."""


def judge_calls(work: Work, done: Calls, reply: Reply, before: int = 0) -> Results:
    """Each call's result by its id; calls beyond the turn's limit (`before` came in earlier rounds) are refused unread."""
    results: dict[str, Mapping[str, Any]] = {}
    for i, call in enumerate(reply.calls):
        result = no.too_many().result() if before + i >= MOST else _judged(work, done, call)
        results[call.id] = work.log(call, done.reader, result)
    return results


def _judged(work: Work, done: Calls, call: ToolCall) -> Result:
    """Once a person has the conversation, nothing that comes after in the same reply is looked at."""
    return no.with_person().result() if work.draft.handed else handle(work, done, call)


def drop_calls(work: Work, reader: str, reply: Reply) -> None:
    """Calls of a late reply: logged, and not looked at."""
    for call in reply.calls:
        work.log(call, reader, no.late().result())


def handle(work: Work, done: Calls, call: ToolCall) -> Result:
    """Judge one call and do what it may."""
    if call.arguments is None:
        return no.bad_arguments("they are no JSON object").result()
    if finalizes(work.form, call.tool):
        return _submit(work)
    always = _named(work, call.tool)
    if always is not None:
        return always(work, done, call.arguments)
    if call.tool in scope(work.form, work.draft).operations:
        return _operation(work, done, call)
    fields = tools_of(work.form).get(call.tool) or _by_name(work, call.tool)
    return _set(work, done, call.arguments, fields) if fields else no.unknown_tool(call.tool).result()


def _named(work: Work, tool: str) -> Callable[[Work, Calls, Mapping[str, Any]], Result] | None:
    """What a tool that every form has does, by its own name or by the form's."""
    own = {work.form.escalate: _hand_over, work.form.cancel: _cancel}
    return (own.get(tool) if tool else None) or ALWAYS.get(tool)


def _operation(work: Work, done: Calls, call: ToolCall) -> Result:
    """An operation among a form's questions: what comes of it is shown once it is known."""
    judged = judge_call(work.form, work.draft, call, work.context)
    if isinstance(judged, no.Rejection):
        return judged.result()
    done.wanted.append(judged)
    done.posted = True
    return {"status": "ok", "note": "the form tells the user what comes of it"}


def _by_name(work: Work, tool: str) -> tuple[Field, ...]:
    """A setter by a field's own name is understood even where the form groups it, so that it can be refused for the right reason."""
    one = work.form.fields.get(tool.removeprefix("set_")) if tool.startswith("set_") else None
    return (one,) if one else ()


def _set(work: Work, done: Calls, arguments: Mapping[str, Any], fields: tuple[Field, ...]) -> Result:
    by_name = {f.name: f for f in fields}
    given = {n: v for n, v in arguments.items() if n != "words" and v is not None}
    stray = set(given) - set(by_name)
    if stray or not given:
        return no.bad_arguments(f"unknown property '{min(stray)[:64]}'" if stray else "no value given").result()
    results = {n: _set_one(work, done, by_name[n], v, arguments.get("words")) for n, v in given.items()}
    return next(iter(results.values())) if len(results) == 1 else _several(results)


def _several(results: dict[str, Result]) -> Result:
    refused = {n: r for n, r in results.items() if r["status"] == "rejected"}
    if len(refused) == len(results):
        return next(iter(refused.values())) | {"fields": list(refused)}
    told = {"status": "ok", "set": [n for n in results if n not in refused]}
    return told | ({"rejected": refused} if refused else {})


def _set_one(work: Work, done: Calls, target: Field, given: Any, words: Any) -> Result:
    case = ProposedWrite(work.form, work.rules, work.draft, work.context, work.draft.owner, target, given, words)
    refusal = judge(case, work.guards)
    if refusal and refusal.code == "grounding" and done.reader != RULES:
        return propose_quoted(work, case, done.reader) or refusal.result()
    if refusal:
        return refusal.result()
    if kind_of(target).searchable and not case.by_offer:
        return _look_up(work, target, case)
    put(work, target, _read_value(work, done, case))
    done.set.append(target.name)
    return {"status": "ok", "set": [target.name]}


def _read_value(work: Work, done: Calls, case: ProposedWrite) -> Value:
    line = source_line(work.draft, case.words, case.only_newest)
    sure = case.grounds is Ground.YIELDS
    if case.by_offer and case.offer:
        return accepted_value(work, case.offer, str(case.words), sure=sure, reader=done.reader)
    message = line.message if line else ""
    return make_value(
        work,
        case.field,
        case.data,
        "read",
        str(case.words),
        message,
        sure=sure,
        reader=done.reader,
        who=work.draft.owner,
    )


def _look_up(work: Work, target: Field, case: ProposedWrite) -> Result:
    if any(isinstance(e, LookUp) and e.field == target.name for e in work.effects):
        return no.filled(target.name).result()
    line = source_line(work.draft, case.words)
    query = str(case.data)[:200]
    work.do(LookUp(target.name, query, work.draft.turn, str(case.words), line.message if line else ""))
    return {"status": "searching", "note": "the form shows the results; the user picks"}


def _correct(work: Work, done: Calls, arguments: Mapping[str, Any]) -> Result:
    target = work.form.fields.get(str(arguments.get("field", "")))
    if target is None or target.name not in work.draft.values:
        return no.bad_arguments("`field` must name a field that has a value").result()
    case = ProposedWrite(
        work.form, work.rules, work.draft, work.context, work.draft.owner, target,
        arguments.get("value"), arguments.get("words"), correcting=True,
    )  # fmt: skip
    refusal = judge(case, work.guards)
    clickable = judge(case, tuple(g for g in work.guards if g is not unlocked)) is None
    if refusal and refusal.code == "grounding" and _is_announced(work, case):
        return _propose_change(work, done, case) | refusal.result()
    if refusal and (refusal.code != "lock" or not clickable):
        return refusal.result()
    if case.data == work.draft.values[target.name].data:
        return no.filled(target.name).result()
    if kind_of(target).searchable:
        return _look_up(work, target, case) if not refusal else refusal.result()
    held = any(f.name in work.draft.locked_fields for f in work.form.dependents(target.name))
    return _propose_change(work, done, case) if refusal or held else _change(work, done, case)


def _is_announced(work: Work, case: ProposedWrite) -> bool:
    """Whether the newest message says that something was not right, or may well say this: then a click may make the change."""
    line = source_line(work.draft, case.words, only_newest=True)
    others = tuple(g for g in work.guards if g not in (unlocked, grounded))
    fit = case.field.worse is None and not case.field.grade and not kind_of(case.field).searchable
    news = fit and judge(case, others) is None and case.data != work.draft.values[case.field.name].data
    said = line is not None and (is_announced(line.text, work.context) or _objects(work, line.text))
    return news and line is not None and (said or perhaps(case.field, case.data, str(case.words), work.context))


def _objects(work: Work, text: str) -> bool:
    """Whether a message begins with a no that no open question asked for ("No I don't want any")."""
    asked = work.form.fields.get(work.draft.asked)
    return begins_with_no(text, work.context) and (asked is None or not kind_of(asked).declaration)


def _change(work: Work, done: Calls, case: ProposedWrite) -> Result:
    """An unlocked answer changes, is shown as "was → now", and can be taken back."""
    target, was = case.field, work.draft.values[case.field.name]
    put(work, target, _read_value(work, done, case))
    now = work.draft.values[target.name]
    line = Phrase("was_now", {
        "label": target.label,
        "was": display_value(target, was, work.context),
        "now": display_value(target, now, work.context),
    })  # fmt: skip
    card = work.post(Notice((line,), ("undo",)))
    work.change(UndoKept({**{n: v for n, v in work.before.undo.items() if n in done.set}, target.name: was}, card))
    done.set.append(target.name)
    return {"status": "ok", "changed": target.name}


def _propose_change(work: Work, done: Calls, case: ProposedWrite) -> Result:
    """A locked answer gets a card that names the change; only a click makes it."""
    waiting = work.draft.proposal
    same = (
        waiting is not None
        and waiting.field == case.field.name
        and waiting.value is not None
        and waiting.value.data == case.data
    )
    if not same and (waiting is None or waiting.act != "disclose"):
        value = _read_value(work, done, case)
        card = work.post(Change(case.field.name, value))
        work.change(Proposed(Proposal("change", card, case.field.name, value, turn=work.draft.turn)))
        done.posted = True
    return no.locked(case.field.name).result() | {"note": "the user now sees a button for this change"}


def _disclose(work: Work, done: Calls, arguments: Mapping[str, Any]) -> Result:
    name, words = str(arguments.get("field", "")), str(arguments.get("words", ""))
    target = next((f for f in scope(work.form, work.draft).disclosable if f.name == name), None)
    line = source_line(work.draft, words, only_newest=True)
    if target is None:
        return no.bad_arguments("`field` must name an answered field that can be disclosed").result()
    if line is None:
        return no.ungrounded(name).result()
    if told_worse(work, target):
        return {"status": "ok", "note": "recorded already"}
    if recognised(target, line.text, work.context):
        disclose(work, target, line.text, line.message, done.reader)
    elif work.draft.proposal is None or work.draft.proposal.act != "disclose":
        ask_to_disclose(work, target, line.text, line.message)
    done.posted = True
    return {"status": "ok", "note": "the form tells the user what happens now"}


def _explain(work: Work, done: Calls, arguments: Mapping[str, Any]) -> Result:
    name = str(arguments.get("field") or work.draft.asked)
    target = work.form.fields.get(name) or work.form.fields.get(work.draft.asked)
    if target is None or not target.help:
        return {"status": "ok", "help": work.form.introduction}
    if not done.explained:
        work.tell(Verbatim(target.help))
        done.explained = True
    return {"status": "ok", "note": "the form's own explanation is on screen"}


def _offer(work: Work, done: Calls, arguments: Mapping[str, Any]) -> Result:
    return make_offer(work, arguments, done.words)


def _hand_over(work: Work, done: Calls, _arguments: Mapping[str, Any]) -> Result:
    """A model may offer a person; only the person's click or own words call one, unless the form hands over at once."""
    if work.form.stuck == "hand_over":
        hand_over(work, "asked")
        return {"status": "ok", "note": "a person has the conversation now; say nothing more"}
    done.offered_person = True
    return {"status": "ok", "note": "the user now sees a button that calls a person"}


def _cancel(work: Work, done: Calls, _arguments: Mapping[str, Any]) -> Result:
    """A model may ask whether to cancel; only the person's click does."""
    if not work.draft.open:
        return no.closed().result()
    if work.draft.proposal is None or work.draft.proposal.act != "cancel":
        ask_cancel(work)
        done.posted = True
    return {"status": "waiting", "note": "the user is asked on a card; only their click cancels"}


def _go(work: Work, done: Calls, arguments: Mapping[str, Any]) -> Result:
    """A way that the newest message asks for, where the table has it open; one that files only opens the review."""
    way = way_on(work, str(arguments.get("to", "")))
    if way is None or not work.draft.open:
        return no.closed_way([w.on for w in chosen_ways(work.form, work.draft)]).result()
    if source_line(work.draft, str(arguments.get("words", "")), only_newest=True) is None:
        return no.unheard_way(way.on).result()
    mark_choice(work, way)
    pull(work, way)
    done.moved = True
    return {"status": "ok", "stage": work.draft.stage, "review": bool(work.draft.going)}


def _submit(work: Work) -> Result:
    """Judged by status, though no such tool is offered: nothing a model says submits or submits twice."""
    if work.draft.status is Status.SUBMITTED and not work.policy.friendly_repeat:
        return no.filed_already().result()
    if work.draft.status is Status.SUBMITTED:
        said = last_word(work.form, work.draft)
        told = {"message": said} if said else {}
        return {"status": "success", "already_finalized": True, "record": work.draft.record, **told}
    if not work.draft.open:
        return no.none_open().result()
    open_fields = [f.name for f in missing(work.form, work.draft)]
    if open_fields or not at_review(work.form, work.draft):
        return no.not_yet(open_fields[0] if open_fields else "").result()
    return {"status": "waiting", "note": "the review card is on screen; only the user's click on it submits"}


ALWAYS: Mapping[str, Callable[[Work, Calls, Mapping[str, Any]], Result]] = {
    CORRECT: _correct,
    DISCLOSE: _disclose,
    OFFER: _offer,
    EXPLAIN: _explain,
    PERSON: _hand_over,
    GO: _go,
    READ: lambda work, _done, arguments: read_document(work, arguments),
}
