"""What a call that quotes nothing rests on: the newest message, which has to say it by itself."""

from collections.abc import Mapping
from typing import Any

from state.engine.context import TurnContext
from state.form import Field, Transition
from state.form.field import Data
from state.guards import ProposedWrite, judge
from state.language.table import listed
from state.language.tokens import masked, tokens
from state.understanding.evidence import bursts, fresh_lines, holds_quote
from state.understanding.explanations import is_asking
from state.understanding.small_talk import no_answer

WORDS = "words"


def evidence(turn: TurnContext) -> tuple[str, ...]:
    """The newest message that this reading is about, and the burst that it ends; none where nothing was typed."""
    fresh = fresh_lines(turn.draft)
    broken = [line for line in bursts(turn.draft) if fresh and line.text.endswith(fresh[-1].text)]
    return tuple(line.text for line in (*fresh[-1:], *broken))


def bearing(turn: TurnContext, field: Field, given: Any, beside: Mapping[str, Data]) -> str:
    """The words that bear a value of the field, the newest message where none do; empty where nothing was typed."""
    found = evidence(turn)
    cases = {text: _case(turn, field, given, text, beside) for text in found}
    return next((text for text, case in cases.items() if judge(case, turn.guards) is None), "".join(found[:1]))


def with_evidence(turn: TurnContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    """The arguments with the newest message for a quote."""
    return {**arguments, WORDS: "".join(evidence(turn)[:1])}


def speaks_against(turn: TurnContext, way: Transition, ways: tuple[Transition, ...]) -> bool:
    """Whether the newest message asks, refuses, is about nothing, or names another of the open ways."""
    text = "".join(evidence(turn)[:1])
    if not text or is_asking(text, turn.context) or no_answer(text, turn.context):
        return True
    names = {name: w for w in ways for name in (w.label, *w.words, *w.mentions) if name and holds_quote(text, name)}
    others = bool(names) and way not in names.values()
    return others or listed(turn.context.language, "no", "negators", "rejected").holds(
        tokens(masked(text), turn.context.language)
    )


def _case(turn: TurnContext, field: Field, given: Any, words: str, beside: Mapping[str, Data]) -> ProposedWrite:
    draft = turn.draft
    return ProposedWrite(turn.form, turn.rules, draft, turn.context, draft.owner, field, given, words, beside=beside)
