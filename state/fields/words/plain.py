"""Whether a message is a plain answer: the value, and around it only words that add nothing."""

from collections.abc import Sequence

from state.fields.base import Context, Whole
from state.fields.words.naming import own_words
from state.form import Field
from state.language.table import listed
from state.language.tokens import Token, asks, masked, tokens

LONGEST = 300
"""Characters of the longest plain answer."""
Row = Sequence[Token]


def is_short(text: str) -> bool:
    """Whether a message is short enough to be a plain answer, and asks nothing."""
    return len(text) <= LONGEST and not asks(text)


def if_plain(read: Whole) -> Whole:
    """A reader of whole messages that does not look at what is too long or asks."""
    return lambda field, text, context: read(field, text, context) if is_short(text) else None


def is_plain(field: Field, text: str, start: int, end: int, context: Context) -> bool:
    """Whether all words outside `start` to `end` are the field's own or say nothing: no doubt, denial or second statement."""
    rest = tuple(t for t in tokens(masked(text), context.language) if t.end <= start or t.start >= end)
    language = context.language
    if listed(language, "rejected", "negators").holds(rest):
        return False
    said = listed(language, "filler", "units", "polite").rows
    own = own_words(field, context) - listed(language, "hedges").rows.keys()
    return all(t.key in said or t.key in own for t in rest)
