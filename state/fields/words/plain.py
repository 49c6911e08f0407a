"""Whether a message is short enough to be a plain answer, and asks nothing."""

import re

from state.fields.base import Whole
from state.language.tokens import asks

STRAY = re.compile(r"[^\w\s.,;:!()\"'’“”«»¡*-]|(?<![^\W\d_])-|-(?![^\W\d_])")
"""Signs that no plain answer holds beside its value: "~", "+", "<", a dash."""
LONGEST = 300
"""Characters of the longest plain answer."""


def is_short(text: str) -> bool:
    """Whether a message is short enough to be a plain answer, and asks nothing."""
    return len(text) <= LONGEST and not asks(text)


def if_plain(read: Whole) -> Whole:
    """A reader of whole messages that does not look at what is too long or asks."""
    return lambda field, text, context: read(field, text, context) if is_short(text) else None
