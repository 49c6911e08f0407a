"""What a reply may still need: another round of the model, or the rule-based reader for what it left."""

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from state.advance.calls import RULES, Calls, judge_calls
from state.advance.moving import hand_over
from state.advance.showing import show_next
from state.advance.work import Work
from state.draft.changes import Counted
from state.draft.draft import ChatLine
from state.draft.reply import Round, ToolCall
from state.draft.scope import READ
from state.engine.effects import CallModel
from state.engine.events import ModelReplied
from state.fields import kind_of
from state.guards.persona import drift, in_own_words
from state.guards.speech import flaw
from state.understanding.assignment import family
from state.understanding.evidence import holds_quote, newest_line, normalized
from state.understanding.reader import read_open

STEPS = 8
"""Model calls of one turn."""
SAME = 3
"""Times that one call may come before the loop ends."""


def give_over(work: Work, why: str) -> None:
    """A person takes over at once; the count starts anew for when they hand back."""
    work.change(Counted("stuck", 0))
    hand_over(work, why)
    show_next(work)


def speaks_ill(work: Work, text: str) -> str:
    """What is wrong with a model's words, by the rules for all of them and by this form's persona; nothing is wrong with silence."""
    general = flaw(work.form, work.draft, in_own_words(work.form, work.draft, text))
    return general or (drift(work.form, work.rules, work.draft, text) if text.strip() else "")


def looping(rounds: tuple[Round, ...]) -> bool:
    """Whether the same call came `SAME` times in one turn."""
    calls = [(c.tool, json.dumps(c.arguments, sort_keys=True)) for r in rounds for c in r.reply.calls]
    return any(n >= SAME for n in Counter(calls).values())


def call_again(work: Work, event: ModelReplied, rounds: tuple[Round, ...], problem: str) -> bool:
    """Ask the model on: to read its refusals, to find its words, or once to say it better."""
    newest_round = rounds[-1]
    refused = any(_refused(r) for r in newest_round.results.values())
    wordless = bool(newest_round.reply.calls) and not newest_round.reply.text.strip()
    better = bool(problem) and not event.regenerated
    curious = any(c.tool == READ for c in newest_round.reply.calls)
    wanted = refused or wordless or better or curious
    if event.reader == RULES or event.step >= STEPS or looping(rounds) or not wanted:
        return False
    work.do(CallModel(
        event.turn, event.step + 1, event.purpose, event.act, work.changed, rounds,
        regenerated=event.regenerated or better,
    ))  # fmt: skip
    return True


def _refused(result: Mapping[str, Any]) -> bool:
    return result.get("status") == "rejected" or "rejected" in result


def read_by_rules(work: Work, event: ModelReplied, done: Calls, *, texts: bool = True) -> None:
    """The rule-based reader takes what the newest message says and the model left.

    A whole message is taken only where the model did nothing with it and answered nothing either, or where the form can grade it.
    """
    line = newest_line(work.draft)
    if line is None or event.reader == RULES or event.purpose != "understand":
        return
    found = read_open(work.form, work.draft, line.text, line.message, work.context)
    texts = texts and not done.set and (_is_graded(work) or not _answered(work, event))
    calls = tuple(c for c in found.calls if (texts or not _is_whole_text(work, c, line)) and not _used(work, done, c))
    done.reader = RULES
    judge_calls(work, done, replace(found, calls=calls))


def _used(work: Work, done: Calls, call: ToolCall) -> bool:
    """Whether the model has just read the same words as the same sort of value for another field."""
    words, named = str((call.arguments or {}).get("words", "")), _fields(work, call)
    sorts = {family(work.form.fields[n]) for n in named}
    taken = (work.draft.values[n].provenance.words for n in done.set if family(work.form.fields[n]) in sorts)
    return any(holds_quote(text, words) or holds_quote(words, text) for text in taken)


def _fields(work: Work, call: ToolCall) -> set[str]:
    """What a setter sets, or a correction corrects."""
    given = call.arguments or {}
    return {*given, str(given.get("field", ""))} & set(work.form.fields)


def _is_graded(work: Work) -> bool:
    """Whether the open question's answer is judged by what it says, so that no request and no small talk passes for it."""
    asked = work.form.fields.get(work.draft.asked)
    return asked is not None and bool(asked.grade)


def _answered(work: Work, event: ModelReplied) -> bool:
    """Whether the model was at work on the message: it called for something, or said what is fit to be shown."""
    return bool(event.reply.calls) or bool(event.reply.text.strip() and not speaks_ill(work, event.reply.text))


def _is_whole_text(work: Work, call: ToolCall, line: ChatLine) -> bool:
    asked = work.form.fields.get(work.draft.asked)
    given = (call.arguments or {}).get(work.draft.asked)
    return (
        asked is not None
        and kind_of(asked).verbatim
        and isinstance(given, str)
        and normalized(given) == normalized(line.text)
    )
