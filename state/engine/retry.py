"""What a reply may still need: another round of the model, or the rule-based reader for what it left."""

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from state.draft.changes import Counted
from state.draft.draft import ChatLine
from state.draft.reply import Round, ToolCall
from state.draft.scope import READ, SAY
from state.engine.context import TurnContext
from state.engine.effects import CallModel
from state.engine.events import ModelReplied
from state.engine.presentation import Next
from state.engine.speech import words_flaw
from state.engine.tool_calls import RULES, ToolCalls
from state.engine.tools import judge_calls
from state.fields import kind_of
from state.understanding.assignment import family
from state.understanding.evidence import holds_quote, newest_line, normalized
from state.understanding.reader import read_open

STEPS = 8
"""Model calls of one turn."""
SAME = 3
"""Times that one call may come before the loop ends."""


def give_over(turn: TurnContext, why: str) -> None:
    """A person takes over at once; the count starts anew for when they hand back."""
    turn.change(Counted("turns_in_vain", 0))
    turn.person = why
    turn.present(Next())


def looping(rounds: tuple[Round, ...]) -> bool:
    """Whether the same call came `SAME` times in one turn."""
    calls = [(c.tool, json.dumps(c.arguments, sort_keys=True)) for r in rounds for c in r.reply.calls]
    return any(n >= SAME for n in Counter(calls).values())


def call_again(turn: TurnContext, event: ModelReplied, rounds: tuple[Round, ...], problem: str) -> bool:
    """Ask the model on: to read its refusals, to find its words, or once to say it better."""
    newest_round = rounds[-1]
    refused = any(_refused(r) for r in newest_round.results.values())
    spoke = bool(newest_round.reply.text.strip()) or any(c.tool == SAY for c in newest_round.reply.calls)
    wordless = bool(newest_round.reply.calls) and not spoke
    better = bool(problem) and not event.regenerated
    curious = any(c.tool == READ for c in newest_round.reply.calls)
    wanted = refused or wordless or better or curious
    if event.reader == RULES or event.step >= STEPS or looping(rounds) or not wanted:
        return False
    turn.ask_model(CallModel(
        event.turn, event.step + 1, event.purpose, event.act, exchange=rounds, regenerated=event.regenerated or better,
    ))  # fmt: skip
    return True


def _refused(result: Mapping[str, Any]) -> bool:
    return result.get("status") == "rejected" or "rejected" in result


def read_by_rules(turn: TurnContext, event: ModelReplied, done: ToolCalls, *, texts: bool = True) -> None:
    """The rule-based reader takes what the newest message says and the model left.

    A whole message is taken only where the model did nothing with it and answered nothing either, or where the form can grade it.
    """
    line = newest_line(turn.draft)
    if line is None or event.reader == RULES or event.purpose != "understand":
        return
    found = read_open(turn.form, turn.draft, line.text, line.message, turn.context)
    texts = texts and not done.set and (_is_graded(turn) or not _answered(turn, event))
    calls = tuple(c for c in found.calls if (texts or not _is_whole_text(turn, c, line)) and not _used(turn, done, c))
    done.reader = RULES
    judge_calls(turn, done, replace(found, calls=calls))


def _used(turn: TurnContext, done: ToolCalls, call: ToolCall) -> bool:
    """Whether the model has just read the same words as the same sort of value for another field."""
    words, named = str((call.arguments or {}).get("words", "")), _fields(turn, call)
    sorts = {family(turn.form.fields[n]) for n in named}
    taken = (turn.draft.values[n].provenance.words for n in done.set if family(turn.form.fields[n]) in sorts)
    return any(holds_quote(text, words) or holds_quote(words, text) for text in taken)


def _fields(turn: TurnContext, call: ToolCall) -> set[str]:
    """What a setter sets, or a correction corrects."""
    given = call.arguments or {}
    return {*given, str(given.get("field", ""))} & set(turn.form.fields)


def _is_graded(turn: TurnContext) -> bool:
    """Whether the open question's answer is judged by what it says, so that no request and no small talk passes for it."""
    asked = turn.form.fields.get(turn.draft.asked)
    return asked is not None and bool(asked.grade)


def _answered(turn: TurnContext, event: ModelReplied) -> bool:
    """Whether the model was at work on the message: it called for something, or said what is fit to be shown."""
    return bool(event.reply.calls) or bool(event.reply.text.strip() and not words_flaw(turn, event.reply.text))


def _is_whole_text(turn: TurnContext, call: ToolCall, line: ChatLine) -> bool:
    asked = turn.form.fields.get(turn.draft.asked)
    given = (call.arguments or {}).get(turn.draft.asked)
    return (
        asked is not None
        and kind_of(asked).verbatim
        and isinstance(given, str)
        and normalized(given) == normalized(line.text)
    )
