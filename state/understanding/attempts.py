"""Whether a line tries to answer at all: a turn is in vain only where somebody did, and nothing came of it."""

from state.fields.base import Context
from state.language.small_talk import NoAnswer
from state.language.tokens import masked, tokens
from state.understanding.explanations import is_asking
from state.understanding.small_talk import no_answer

STUCK = frozenset({NoAnswer.REFUSAL, NoAnswer.DOUBT, NoAnswer.REFERENCE})
"""Who does not know, or would rather not say, is no further than before: that may need a person."""


def tries_to_answer(text: str, context: Context) -> bool:
    """Return True if the words may be meant as an answer: no question, no hold, no greeting or thanks, no command."""
    if not tokens(masked(text), context.language) or is_asking(text, context):
        return False
    idle = no_answer(text, context)
    return idle is None or idle in STUCK
