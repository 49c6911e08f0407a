"""Whether a message is a plain answer: the value, and around it only words that add nothing."""

from state.fields.base import Context, Whole
from state.fields.words.naming import own_words
from state.form import Field
from state.language.table import listed
from state.language.tokens import asks, masked, tokens

LONGEST = 300
"""Characters of the longest plain answer."""


def is_short(text: str) -> bool:
    """Whether a message is short enough to be a plain answer, and asks nothing."""
    return len(text) <= LONGEST and not asks(text)


def if_plain(read: Whole) -> Whole:
    """A reader of whole messages that does not look at what is too long or asks."""
    return lambda field, text, context: read(field, text, context) if is_short(text) else None


def is_plain(field: Field, text: str, start: int, end: int, context: Context) -> bool:
    """Whether all words outside `start` to `end` are the field's own or say nothing: no doubt, limit, denial or second statement."""
    language = context.language
    row = tokens(masked(text), language)
    before = tuple(t for t in row if t.end <= start)
    after = tuple(t for t in row if t.start >= end)
    turning = listed(language, "bounds", "rejected", "negators")
    if turning.holds(before) or turning.holds(after):
        return False
    fillers, doubts = listed(language, "filler", "units").rows, listed(language, "hedges").rows
    own = own_words(field, context)
    return all(t.key in fillers or (t.key in own and t.key not in doubts) for t in (*before, *after))
