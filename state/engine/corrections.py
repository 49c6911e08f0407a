"""The tool that corrects an answer: a person's own plain correction of an unlocked one is made and can be taken back; any other waits for a click."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from state.draft import rejection as no
from state.draft.changes import Proposed
from state.draft.draft import Proposal
from state.engine.cards import Change
from state.engine.context import TurnContext
from state.engine.offers import show_change
from state.engine.putting_back import keep_for_question
from state.engine.tool_calls import RULES, Result, ToolCalls, look_up, read_value
from state.engine.values import put
from state.fields import kind_of
from state.fields.base import Unreadable
from state.fields.naming import names
from state.guards import ProposedWrite, judge
from state.guards.writes import grounded, unlocked
from state.language.tokens import masked, tokens
from state.understanding.corrections import begins_with_no, is_announced
from state.understanding.verification import alternatives


def correct(turn: TurnContext, done: ToolCalls, arguments: Mapping[str, Any]) -> Result:
    """Ask for the click that changes an answer; only the person's own plain words change an unlocked one. Gives the tool's result."""
    target = turn.form.fields.get(str(arguments.get("field", "")))
    if target is None or target.name not in turn.draft.values:
        return no.bad_arguments("`field` must name a field that has a value").result()
    case = _with_what_stands(ProposedWrite(
        turn.form, turn.rules, turn.draft, turn.context, turn.draft.owner, target,
        arguments.get("value"), arguments.get("words"), correcting=True,
    ))  # fmt: skip
    refusal = judge(case, tuple(g for g in turn.guards if g not in (unlocked, grounded)))
    if refusal:
        return refusal.result()
    case = case if done.reader == RULES else case.in_own_words()
    doubt = judge(case, tuple(g for g in turn.guards if g is grounded))
    declared = target.worse is not None and not case.by_offer
    if declared or (doubt and doubt.code != "doubt" and not _may_mean(turn, case)) or _is_another_answer(case):
        return no.ungrounded(target.name).result()
    if case.data == turn.draft.values[target.name].data:
        return no.filled(target.name).result()
    return _apply(turn, done, case, sure=doubt is None)


def _apply(turn: TurnContext, done: ToolCalls, case: ProposedWrite, *, sure: bool) -> Result:
    """Change at once what the person's own plain words change and nothing holds; look up another thing; else put up a card."""
    locked = judge(case, tuple(g for g in turn.guards if g is unlocked)) is not None
    if kind_of(case.field).searchable and not locked:
        return look_up(turn, case.field, case)
    held = locked or any(f.name in turn.draft.locked_fields for f in turn.form.dependents(case.field.name))
    plain = sure and (case.by_offer or (done.reader == RULES and _says_so(case)))
    return _change(turn, done, case) if plain and not held else _propose_change(turn, done, case)


def _is_another_answer(case: ProposedWrite) -> bool:
    """Return True if the line is what was asked for in words: a value that it holds as well corrects no other answer, unless it says so."""
    return _is_asked_text(case) and not _says_so(case)


def _with_what_stands(case: ProposedWrite) -> ProposedWrite:
    """Where the words add to a list, what they add does not take the place of what stands in it."""
    try:
        named = {case.data} if isinstance(case.data, str) else set(case.data if isinstance(case.data, tuple) else ())
    except Unreadable:
        return case
    longer = case.longer
    return replace(case, given=list(longer)) if isinstance(longer, tuple) and named and named <= set(longer) else case


def _says_so(case: ProposedWrite) -> bool:
    """Whether the line announces a correction, names the field, or takes what was offered: other words may be about anything."""
    said = case.quotation
    if said is None or case.by_offer or case.adds:
        return case.by_offer or case.adds
    row = tokens(masked(said.line.text), case.context.language)
    return is_announced(said.line.text, case.context) or names(case.field, case.context).holds(row)


def _is_asked_text(case: ProposedWrite) -> bool:
    """Whether the line is what was asked for in words: a value that it holds as well is no correction of another answer."""
    said = case.quotation
    asked = case.form.fields.get(said.asked) if said else None
    other = asked is not None and asked != case.field and kind_of(asked).verbatim
    return other and said is not None and kind_of(case.field).whole(case.field, said.line.text, case.context) is None


def _may_mean(turn: TurnContext, case: ProposedWrite) -> bool:
    """Return True if the person is asked by a card though the words do not hold the value: they say that something stood wrong, and name no other."""
    said = case.quotation
    fit = not case.field.grade and not kind_of(case.field).searchable
    if not fit or said is None:
        return False
    announced = is_announced(said.line.text, turn.context) or _objects(turn, said.line.text)
    return announced and not alternatives(said)


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
    """A card names the change; only a click makes it. Of several in one message the others stand on the next card."""
    waiting, name = turn.draft.proposal, case.field.name
    same = (
        waiting is not None and waiting.value is not None and (waiting.field, waiting.value.data) == (name, case.data)
    )
    if waiting is not None and not same and waiting.turn == turn.draft.turn and name not in turn.draft.locked_fields:
        keep_for_question(turn, case.field, (case.data,), str(case.words))
    elif not same and (waiting is None or waiting.act != "disclose"):
        value = read_value(turn, done, case)
        card = turn.show(Change(name, value))
        turn.change(Proposed(Proposal("change", card, name, value, turn=turn.draft.turn)))
        done.posted = True
    return no.locked(case.field.name).result() | {"note": "the user now sees a button for this change"}
