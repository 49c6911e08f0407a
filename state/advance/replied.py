"""A model or the rule-based reader answered. Its calls are judged, its words are checked; code decides what the person sees."""

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from state.advance.calls import RULES, Calls, drop_calls, judge_calls
from state.advance.closed import answer_when_closed
from state.advance.moving import hand_over
from state.advance.showing import decorate, hear_bot, show_next
from state.advance.work import Work
from state.cards import Line, Notice, Told, Words
from state.changes import Counted
from state.draft import Spoken
from state.effects import CallModel, LookUp
from state.events import Replied
from state.grounding import newest, plain
from state.guards.speech import flaw, without_questions
from state.reading.open import read_open
from state.reply import Call, Round
from state.telling import told

STEPS = 8
"""Model calls of one turn."""
SAME = 3
"""Times that one call may come before the loop ends."""


def replied(work: Work, event: Replied) -> None:
    """A reply to an earlier turn is late: the person's words stay in the conversation, the reply is dropped."""
    if event.turn != work.draft.turn:
        drop_calls(work, event.reader, event.reply)
        return
    _note_away(work, event)
    done = Calls(reader=event.reader)
    results = judge_calls(work, done, event.reply, sum(len(r.reply.calls) for r in event.exchange))
    if work.draft.handed:
        show_next(work)
        return
    if not work.draft.open:
        _closed(work, event, done)
        return
    problem = flaw(work.form, work.draft, event.reply.text)
    if event.step == 1:
        _read_by_rules(work, event, done)
    rounds = (*event.exchange, Round(event.reply, results, problem))
    if looping(rounds) and work.form.stuck == "hand_over":
        _hand_over(work, "loop")
        return
    again = not done.explained and _call_again(work, event, rounds, problem)
    _present(work, event, done, "" if problem or again else without_questions(event.reply.text), again)


def looping(rounds: tuple[Round, ...]) -> bool:
    """Whether the same call came `SAME` times in one turn."""
    calls = [(c.tool, json.dumps(c.arguments, sort_keys=True)) for r in rounds for c in r.reply.calls]
    return any(n >= SAME for n in Counter(calls).values())


def _call_again(work: Work, event: Replied, rounds: tuple[Round, ...], problem: str) -> bool:
    """Ask the model on: to read its refusals, to find its words, or once to say it better."""
    newest_round = rounds[-1]
    refused = any(_refused(r) for r in newest_round.results.values())
    wordless = bool(newest_round.reply.calls) and not newest_round.reply.text.strip()
    better = bool(problem) and not event.regenerated
    wanted = refused or wordless or better
    if event.reader == RULES or event.step >= STEPS or looping(rounds) or not wanted:
        return False
    work.do(CallModel(
        event.turn, event.step + 1, event.purpose, event.act, work.changed, rounds,
        regenerated=event.regenerated or better,
    ))  # fmt: skip
    return True


def _refused(result: Mapping[str, Any]) -> bool:
    return result.get("status") == "rejected" or "rejected" in result


def _read_by_rules(work: Work, event: Replied, done: Calls) -> None:
    """The rule-based reader takes what the newest message says and the model left; a whole message only where it took nothing at all."""
    line = newest(work.draft)
    if line is None or event.reader == RULES or event.purpose != "understand":
        return
    found = read_open(work.form, work.draft, line.text, line.message, work.context)
    calls = tuple(c for c in found.calls if not (done.set and _is_whole_text(work, c, line)))
    done.reader = RULES
    judge_calls(work, done, replace(found, calls=calls))


def _is_whole_text(work: Work, call: Call, line: Spoken) -> bool:
    asked = work.form.fields.get(work.draft.asked)
    given = (call.arguments or {}).get(work.draft.asked)
    return asked is not None and asked.kind == "text" and isinstance(given, str) and plain(given) == plain(line.text)


def _note_away(work: Work, event: Replied) -> None:
    """The person hears once that the model is away, and the count starts anew when it is back."""
    told_before = work.draft.counts.get("away", 0)
    if event.away and not told_before:
        work.change(Counted("away", 1))
        work.tell(Line("away"))
    elif event.reader != RULES and told_before:
        work.change(Counted("away", 0))


def _closed(work: Work, event: Replied, done: Calls) -> None:
    if done.posted:
        return
    fit = not flaw(work.form, work.draft, event.reply.text)
    answer_when_closed(work, without_questions(event.reply.text) if fit else "")


def _present(work: Work, event: Replied, done: Calls, text: str, again: bool) -> None:
    """Put on screen what changed, what was said, or, when neither, the written question."""
    fresh = [n for n in done.set if n in work.draft.values and n not in work.draft.undo]
    if fresh:
        work.tell(Line("got_it", {"what": told(work.form, work.draft, tuple(fresh), work.context)}))
    moved = bool(done.set) or done.moved or any(isinstance(e, LookUp) for e in work.effects)
    if moved or done.explained:
        _progress(work, text)
    elif done.posted or again:
        _hold(work)
    elif event.purpose == "lead_in" or work.draft.counts.get("shown") == work.draft.turn:
        decorate(work, text)
    else:
        _nothing_changed(work, done, text)


def _progress(work: Work, text: str) -> None:
    """Something was understood: counts start anew, the next question follows."""
    if work.draft.counts.get("stuck"):
        work.change(Counted("stuck", 0))
    if text:
        hear_bot(work, text)
    show_next(work, *_words(text))


def _hold(work: Work) -> None:
    """A card waits for a click, or the model is asked on: news that cannot wait goes by itself."""
    if work.news and any(isinstance(e, CallModel) for e in work.effects) is False:
        work.post(Notice(tuple(work.news)))


def _nothing_changed(work: Work, done: Calls, text: str) -> None:
    """The written question, under fit words or a sentence that nothing was understood; the next time with the offer of a person."""
    patience = work.form.patience
    stuck = patience if done.offered_person else work.draft.counts.get("stuck", 0) + 1
    work.change(Counted("stuck", stuck))
    if stuck >= patience and work.form.stuck == "hand_over":
        _hand_over(work, "stuck")
        return
    if text:
        hear_bot(work, text)
        show_next(work, *_words(text))
    elif work.draft.card is None:
        show_next(work, Line("greeting", {"form": work.form.title, "introduction": work.form.introduction}))
    else:
        show_next(work, Line("not_understood"))


def _hand_over(work: Work, why: str) -> None:
    """A person takes over at once; the count starts anew for when they hand back."""
    work.change(Counted("stuck", 0))
    hand_over(work, why)
    show_next(work)


def _words(text: str) -> tuple[Told, ...]:
    return (Words(text),) if text else ()
