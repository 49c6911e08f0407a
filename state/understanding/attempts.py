"""Whether a line tries to answer at all: a turn is in vain only where somebody did, and nothing came of it."""

from state.fields.base import Context
from state.language.table import listed_widely
from state.language.tokens import masked, tokens
from state.understanding.commands import read_command
from state.understanding.explanations import is_asking

HOLLOW = ("filler", "polite", "acknowledging")
"""Words that say nothing by themselves: courtesies, greetings, thanks, fillers."""


def tries_to_answer(text: str, context: Context) -> bool:
    """Whether the words may be meant as an answer: no question, no command, no courtesy alone."""
    if is_asking(text, context) or read_command(text, context.locale):
        return False
    row = tokens(masked(text), context.language)
    said = {i for first, after, _ in listed_widely(context.language, *HOLLOW).spans(row) for i in range(first, after)}
    return any(i not in said for i in range(len(row)))
