"""What is said to words that come once a draft is closed."""

from state.draft.draft import NEVER, Status
from state.draft.scope import scope
from state.draft.speech import Act, Saying
from state.engine.cards import Phrase, Utterance
from state.engine.context import TurnContext
from state.engine.speech import heed_small_talk, only_social, voiced
from state.engine.tool_calls import ToolCalls
from state.understanding.evidence import fresh_lines
from state.understanding.explanations import is_asking
from state.understanding.small_talk import COURTESIES, no_answer

NAMED = 120
"""Characters of a line that was not understood that are repeated."""


def unheard(turn: TurnContext, done: ToolCalls) -> tuple[Utterance, ...]:
    """Where a form has answers that may turn out worse, what is told of a filed request and of which nobody makes anything is named."""
    if done.explained or (done.said and not only_social(done)) or not turn.draft.record:
        return ()
    if not scope(turn.form, turn.draft).disclosable:
        return ()
    lines = (line.text for line in fresh_lines(turn.draft))
    stated = (text for text in lines if no_answer(text, turn.context) is None and not is_asking(text, turn.context))
    words = next(stated, "")[:NAMED]
    return (Phrase("not_recorded", {"words": words, "number": turn.draft.record}),) if words else ()


def after_the_end(turn: TurnContext) -> tuple[Utterance, ...]:
    """What is said to words after the end: to small talk its own; once it was said how things stand, a way on, never twice in the same words."""
    sorts = {no_answer(line.text, turn.context) for line in fresh_lines(turn.draft)}
    small = heed_small_talk(turn) if sorts <= COURTESIES else ()
    if small or turn.draft.stood_turn == NEVER or turn.draft.status is not Status.CANCELLED:
        return small
    asks = any(is_asking(line.text, turn.context) for line in fresh_lines(turn.draft))
    return voiced(turn, (Saying(Act.CANNOT_ANSWER if asks else Act.OFFER_PERSON),))
