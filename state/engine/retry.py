"""What a reply may still need: another round of the model, or the rule-based reader for what it left."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from state.draft.changes import Counted
from state.draft.draft import ChatLine
from state.draft.reply import Reply, Round, ToolCall
from state.draft.scope import DISCLOSE, READ, SAY
from state.draft.speech import SOCIAL
from state.engine.context import Next, TurnContext
from state.engine.effects import CallModel
from state.engine.events import ModelReplied
from state.engine.offers import RULES, Results, ToolCalls
from state.engine.speech import points_at_last_time
from state.engine.tools import judge_calls
from state.engine.unread import read_lines
from state.engine.values import near_miss
from state.fields import kind_of
from state.understanding.attempts import tries_to_answer
from state.understanding.corrections import disclosed
from state.understanding.evidence import fresh_lines, holds_quote
from state.understanding.explanations import is_asking

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
    led_on = done.put_back or points_at_last_time(turn)
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
    """Have rules read the lines of which a model's last reply made nothing; gives those that try to answer and of which nothing came.

    What is read so is the same whether the model is absent, failing or useless: it is put to the person, and a plain answer is taken.
    """
    lines = fresh_lines(turn.draft)
    if event.purpose != "understand" or not lines:
        return ()
    if event.step == 1 and event.reader != RULES:
        _disclose(turn, done, lines)
    if again:
        return ()
    missed: tuple[ChatLine, ...] = tuple(lines)
    if event.reader != RULES or len(lines) > 1:
        rounds = (*event.exchange, Round(event.reply, results))
        left = [
            s for s in lines if not _takes_from(turn, rounds, s, alone=len(lines) == 1) and not _answers(turn, done, s)
        ]
        done.alone, done.reader = done.reader == RULES, RULES
        missed = read_lines(turn, done, left) if left else ()
        _read_rest(turn, done, rounds, [s for s in lines if s not in left and not _answers(turn, done, s)])
    elif any(result.get("status") != "rejected" for result in results.values()):
        missed = ()
    return tuple(s for s in missed if tries_to_answer(s.text, turn.context))


def _read_rest(turn: TurnContext, done: ToolCalls, rounds: Sequence[Round], lines: Sequence[ChatLine]) -> None:
    """Put back what rules read in lines of which a model took something: what it left of them is not lost.

    Names and texts are read in them only where the model gave one that the words do not say: any other words would look like one.
    """
    results = [(c, r.results.get(c.id, {})) for r in rounds for c in r.reply.calls]
    refused = {n for c, result in results for n in _refused_fields(c, result)}
    named = {n for c, _ in results for n in c.arguments or {}} - refused
    free = {n for n, f in turn.form.fields.items() if kind_of(f).verbatim or kind_of(f).searchable} - refused

    def is_left(call: ToolCall, _line: ChatLine) -> bool:
        told = {*turn.draft.values, *named, *free, *(o.field for o in turn.draft.offers)}
        return bool((set(turn.form.fields) - told) & set(call.arguments or {}))

    read_lines(turn, done, lines, is_left)


def _refused_fields(call: ToolCall, result: Mapping[str, Any]) -> set[str]:
    """The fields of a setter's call that it does not set."""
    return set(call.arguments or {}) if result.get("status") == "rejected" else set(result.get("rejected", ()))


def _disclose(turn: TurnContext, done: ToolCalls, lines: Sequence[ChatLine]) -> None:
    """A disclosure counts whatever a model makes of the words."""
    for line in lines:
        found = disclosed(turn.form, turn.draft, line.text, turn.context)
        calls = tuple(
            ToolCall(
                f"rules-{line.message}-d{i}", DISCLOSE, {"field": t.field.name, "words": line.text[t.start : t.end]}
            )
            for i, t in enumerate(found)
        )
        judge_calls(turn, replace(done, reader=RULES), Reply(calls=calls, model=RULES))


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
    return is_asking(line.text, turn.context) and (done.explained or told)
