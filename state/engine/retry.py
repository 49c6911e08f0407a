"""What a reply may still need: another round of the model, or the rule-based reader for what it left."""

import json
from collections import Counter
from collections.abc import Mapping
from typing import Any

from state.draft.changes import Counted
from state.draft.draft import ChatLine
from state.draft.reply import Round, ToolCall
from state.draft.scope import READ, SAY
from state.engine.context import TurnContext
from state.engine.effects import CallModel
from state.engine.events import ModelReplied
from state.engine.presentation import Next
from state.engine.putting_back import keep_for_question
from state.engine.speech import only_social, points_at_last_time, words_flaw
from state.engine.tool_calls import RULES, ToolCalls
from state.engine.unread import is_whole_text, read_lines
from state.engine.values import near_miss
from state.fields import kind_of
from state.understanding.assignment import family
from state.understanding.attempts import tries_to_answer
from state.understanding.evidence import asked_then, fresh_lines, holds_quote

STEPS = 8
"""Model calls of one turn."""
SAME = 3
"""Times that one call may come before the loop ends."""


def give_over(turn: TurnContext, why: str) -> None:
    """A person takes over at once; the count starts anew for when they hand back."""
    turn.change(Counted("turns_in_vain", 0))
    turn.person = why
    turn.present(Next())


def in_vain(turn: TurnContext, done: ToolCalls) -> int:
    """How many turns in a row somebody tried to answer and nothing came of it, this one counted; a person who was offered ends the patience.

    An answer with a slip was understood, and told what is off: it gets as far as the offer of a person, and no further.
    """
    before, patience = turn.draft.turns_in_vain, turn.form.patience
    if done.offered_person:
        return max(before, patience)
    tried = any(tries_to_answer(line.text, turn.context) for line in fresh_lines(turn.draft))
    led_on = done.put_back or done.heeded or only_social(done) or points_at_last_time(turn)
    count = before + (tried and not led_on)
    return min(count, max(before, patience)) if near_miss(turn) else count


def needs_person(turn: TurnContext, count: int) -> bool:
    """Whether so many turns in vain are a person's matter now: nobody is handed over for a slip."""
    return turn.form.hands_over and count >= turn.form.turns_until_a_person and near_miss(turn) is None


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
    """The rule-based reader takes what the lines of this reading say and the model left.

    A whole line is taken only where the model did nothing with it and answered nothing either, or where the form can grade it.
    """
    lines = fresh_lines(turn.draft)
    if not lines or event.reader == RULES or event.purpose != "understand":
        return
    model, answered = tuple(done.set), _answered(turn, event)

    silent = not event.reply.calls and not event.reply.text.strip()
    left: list[ChatLine] = []

    def fit(call: ToolCall, line: ChatLine) -> bool:
        whole = is_whole_text(turn.form, call, line, turn.draft)
        if whole and silent and texts and not _is_graded(turn, line):
            left.append(line)
            return False
        untouched = not (model if len(lines) == 1 else _set_from(turn, model, line))
        wanted = texts and untouched and (_is_graded(turn, line) or not answered)
        return (wanted or not whole) and not _used(turn, model, call, line)

    done.reader = RULES
    read_lines(turn, done, lines, fit)
    done.put_back += [name for line in left if (name := put_text_back(turn, line))]


def put_text_back(turn: TurnContext, line: ChatLine) -> str:
    """A text that was asked for, and of which nothing was made: only the person can say whether it is the answer. Gives its field."""
    field = turn.form.fields.get(asked_then(line, turn.draft))
    open_one = field is not None and field.name not in turn.draft.values
    verbatim = field is not None and open_one and kind_of(field).verbatim
    kept = field is not None and verbatim and keep_for_question(turn, field, (line.text.strip(),), line.text)
    return field.name if field is not None and kept else ""


def _set_from(turn: TurnContext, names: tuple[str, ...], line: ChatLine) -> list[str]:
    """Those of the fields that have their value from this line."""
    held = turn.draft.values
    return [n for n in names if n in held and held[n].provenance.message == line.message]


def _used(turn: TurnContext, names: tuple[str, ...], call: ToolCall, line: ChatLine) -> bool:
    """Whether the model has just read the same words as the same sort of value for another field."""
    words, named = str((call.arguments or {}).get("words", "")), _fields(turn, call)
    sorts = {family(turn.form.fields[n]) for n in named}
    same = (n for n in _set_from(turn, names, line) if family(turn.form.fields[n]) in sorts)
    taken = (turn.draft.values[n].provenance.words for n in same)
    return any(holds_quote(text, words) or holds_quote(words, text) for text in taken)


def _fields(turn: TurnContext, call: ToolCall) -> set[str]:
    """What a setter sets, or a correction corrects."""
    given = call.arguments or {}
    return {*given, str(given.get("field", ""))} & set(turn.form.fields)


def _is_graded(turn: TurnContext, line: ChatLine) -> bool:
    """Whether the question's answer is judged by what it says, so that no request and no small talk passes for it."""
    asked = turn.form.fields.get(asked_then(line, turn.draft))
    return asked is not None and bool(asked.grade)


def _answered(turn: TurnContext, event: ModelReplied) -> bool:
    """Whether the model was at work on the message: it called for something, or said what is fit to be shown."""
    return bool(event.reply.calls) or bool(event.reply.text.strip() and not words_flaw(turn, event.reply.text))
