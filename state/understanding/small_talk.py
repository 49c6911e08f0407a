"""Why a message, or a quote from one, can be no answer to a question for words."""

from state.fields.base import Context
from state.language.small_talk import NoAnswer, idle
from state.language.tokens import trimmed
from state.understanding.commands import read_command

__all__ = ["COURTESIES", "NoAnswer", "no_answer"]

COURTESIES = frozenset({NoAnswer.THANKS, NoAnswer.GREETING, NoAnswer.HOLD, NoAnswer.REMARK, NoAnswer.APPROVAL})
"""What asks for nothing, and tells nothing."""


def no_answer(text: str, context: Context) -> NoAnswer | None:
    """Why the whole text answers nothing: it asks, greets, thanks, refuses, doubts, orders, approves or remarks; None where it may answer."""
    if not trimmed(text):
        return None
    if read_command(text, context.locale):
        return NoAnswer.COMMAND
    return idle(text, context.language)
