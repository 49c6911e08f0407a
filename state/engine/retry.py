"""What a reply may still need: another round of the model, or the rule-based reader for what it left."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from state.draft.changes import Counted
from state.draft.draft import ChatLine
from state.draft.reply import Round, ToolCall
from state.draft.scope import READ, SAY
from state.draft.speech import SOCIAL
from state.engine.blanket_answers import heed_blankets, is_blanket
from state.engine.context import TurnContext
from state.engine.effects import CallModel
from state.engine.events import ModelReplied
from state.engine.presentation import Next
from state.engine.speech import points_at_last_time
from state.engine.tool_calls import RULES, Results, ToolCalls
from state.engine.unread import is_whole_text, read_lines
from state.engine.values import near_miss
from state.fields import kind_of
from state.understanding.assignment import family
from state.understanding.attempts import tries_to_answer
from state.understanding.evidence import asked_then, fresh_lines, holds_quote
from state.understanding.explanations import asks_plainly, is_asking

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
    tried = any(tries_to_answer(line.text, turn.context) for line in fresh_lines(turn.draft))
    led_on = done.put_back or done.heeded or points_at_last_time(turn)
    count = before + (tried and not led_on)
    if near_miss(turn):
        count = min(count, max(before, patience))
    return max(count, patience) if done.offered_person else count


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


def read_what_is_left(
    turn: TurnContext, event: ModelReplied, done: ToolCalls, results: Results, *, again: bool
) -> tuple[ChatLine, ...]:
    """Have rules read what a reply leaves of the lines that it is about; gives those that try to answer and of which nothing came.

    A line that no call took anything from is read as it is without a model, whatever else the model did: only the text that the
    whole of it may be waits for the end of the exchange. Of any other line what its words say besides is read.
    """
    lines = fresh_lines(turn.draft)
    if event.purpose != "understand" or not lines:
        return ()
    missed: Sequence[ChatLine] = lines
    if event.reader != RULES or len(lines) > 1:
        missed = _read_beside(turn, event, done, results, lines, again=again)
    elif any(result.get("status") != "rejected" for result in results.values()):
        missed = ()
    if event.step == 1:
        heed_blankets(turn, done, lines)
    if again:
        return ()
    return tuple(s for s in missed if tries_to_answer(s.text, turn.context) and not is_blanket(turn, s))


def _read_beside(
    turn: TurnContext, event: ModelReplied, done: ToolCalls, results: Results, lines: Sequence[ChatLine], *, again: bool
) -> tuple[ChatLine, ...]:
    rounds, model = (*event.exchange, Round(event.reply, results)), tuple(done.set)
    taken = {s.message for s in lines if _takes_from(turn, rounds, s, alone=len(lines) == 1)}
    answered = {s.message for s in lines if _answers(turn, done, s)}
    late = event.step > 1 and event.reader != RULES
    if late and again:
        return ()

    def fit(call: ToolCall, line: ChatLine) -> bool:
        if is_whole_text(turn.form, call, line, turn.draft):
            return not again and line.message not in taken and (line.message not in answered or _is_graded(turn, line))
        return not late and not _used(turn, model, call, line)

    done.reader = RULES
    left = [s for s in lines if not (late and _says_something_else(turn, s))]
    missed = read_lines(turn, done, left, fit) if left else ()
    came = {*taken, *answered, *(v.provenance.message for v in turn.draft.values.values())}
    return tuple(s for s in missed if s.message not in came)


def _says_something_else(turn: TurnContext, line: ChatLine) -> bool:
    """Return True if an earlier round has set a field from the line, a yes or no apart: then the whole of it is no text."""
    held = _set_from(turn, turn.draft.values, line)
    return any(not kind_of(turn.form.fields[name]).polar for name in held)


def _takes_from(turn: TurnContext, rounds: Sequence[Round], line: ChatLine, *, alone: bool) -> bool:
    """Return True if a model's call set, put back, proposed or looked up something from the line."""
    calls = ((c, r.results.get(c.id, {})) for r in rounds for c in r.reply.calls)
    quoted = [_quotes(c) for c, result in calls if _is_taken(result)]
    if alone and quoted:
        return True
    here = any(holds_quote(line.text, q) or holds_quote(q, line.text) for quotes in quoted for q in quotes)
    held = turn.draft.values.values()
    waits = turn.draft.proposal
    return (
        here
        or (waits is not None and waits.turn == turn.draft.turn)
        or any(v.provenance.message == line.message and v.provenance.reader not in ("", RULES) for v in held)
    )


def _is_taken(result: Mapping[str, Any]) -> bool:
    came = result.get("status") in ("put_back", "searching")
    return came or any(key in result for key in ("set", "changed", "stage"))


def _quotes(call: ToolCall) -> tuple[str, ...]:
    words = (call.arguments or {}).get("words", "")
    return tuple(map(str, words.values() if isinstance(words, Mapping) else (words,)))


def _answers(turn: TurnContext, done: ToolCalls, line: ChatLine) -> bool:
    """Return True if the line asks something and the reply answers it: to any other line, such words are no reading of it."""
    told = done.offered_person or any(s.act not in SOCIAL for s in done.said)
    explained = done.explained and is_asking(line.text, turn.context)
    return explained or (told and asks_plainly(line.text, turn.context))


def _set_from(turn: TurnContext, names: Iterable[str], line: ChatLine) -> list[str]:
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
