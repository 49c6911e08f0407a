"""The tool that corrects an answer: an unlocked one changes and can be taken back; a locked one waits for the person's click."""

from collections.abc import Mapping
from typing import Any

from state.draft import rejection as no
from state.draft.changes import Proposed
from state.draft.draft import Proposal
from state.engine.cards import Change
from state.engine.context import TurnContext
from state.engine.offers import show_change
from state.engine.tool_calls import Result, ToolCalls, look_up, read_value
from state.engine.values import put
from state.fields import kind_of
from state.guards import ProposedWrite, judge
from state.guards.writes import grounded, unlocked
from state.understanding.corrections import begins_with_no, is_announced
from state.understanding.evidence import perhaps, source_line


def correct(turn: TurnContext, done: ToolCalls, arguments: Mapping[str, Any]) -> Result:
    """Change an answer by words of the newest message, or ask for the click that does; gives the tool's result."""
    target = turn.form.fields.get(str(arguments.get("field", "")))
    if target is None or target.name not in turn.draft.values:
        return no.bad_arguments("`field` must name a field that has a value").result()
    case = ProposedWrite(
        turn.form, turn.rules, turn.draft, turn.context, turn.draft.owner, target,
        arguments.get("value"), arguments.get("words"), correcting=True,
    )  # fmt: skip
    refusal = judge(case, turn.guards)
    clickable = judge(case, tuple(g for g in turn.guards if g is not unlocked)) is None
    if refusal and refusal.code == "grounding" and _is_announced(turn, case):
        return _propose_change(turn, done, case) | refusal.result()
    if refusal and (refusal.code != "lock" or not clickable):
        return refusal.result()
    if case.data == turn.draft.values[target.name].data:
        return no.filled(target.name).result()
    if kind_of(target).searchable:
        return look_up(turn, target, case) if not refusal else refusal.result()
    held = any(f.name in turn.draft.locked_fields for f in turn.form.dependents(target.name))
    return _propose_change(turn, done, case) if refusal or held else _change(turn, done, case)


def _is_announced(turn: TurnContext, case: ProposedWrite) -> bool:
    """Whether the newest message says that something was not right, or may well say this: then a click may make the change."""
    line = source_line(turn.draft, case.words, only_newest=True)
    others = tuple(g for g in turn.guards if g not in (unlocked, grounded))
    fit = case.field.worse is None and not case.field.grade and not kind_of(case.field).searchable
    news = fit and judge(case, others) is None and case.data != turn.draft.values[case.field.name].data
    said = line is not None and (is_announced(line.text, turn.context) or _objects(turn, line.text))
    return news and line is not None and (said or perhaps(case.field, case.data, str(case.words), turn.context))


def _objects(turn: TurnContext, text: str) -> bool:
    """Whether a message begins with a no that no open question asked for ("No I don't want any")."""
    asked = turn.form.fields.get(turn.draft.asked)
    return begins_with_no(text, turn.context) and (asked is None or not kind_of(asked).declaration)


def _change(turn: TurnContext, done: ToolCalls, case: ProposedWrite) -> Result:
    """An unlocked answer changes, is shown as "was → now", and can be taken back."""
    target, was = case.field, turn.draft.values[case.field.name]
    put(turn, target, read_value(turn, done, case))
    show_change(turn, target, was, {n: v for n, v in turn.before.undo.items() if n in done.set})
    done.set.append(target.name)
    return {"status": "ok", "changed": target.name}


def _propose_change(turn: TurnContext, done: ToolCalls, case: ProposedWrite) -> Result:
    """A locked answer gets a card that names the change; only a click makes it."""
    waiting = turn.draft.proposal
    same = (
        waiting is not None
        and waiting.field == case.field.name
        and waiting.value is not None
        and waiting.value.data == case.data
    )
    if not same and (waiting is None or waiting.act != "disclose"):
        value = read_value(turn, done, case)
        card = turn.show(Change(case.field.name, value))
        turn.change(Proposed(Proposal("change", card, case.field.name, value, turn=turn.draft.turn)))
        done.posted = True
    return no.locked(case.field.name).result() | {"note": "the user now sees a button for this change"}
