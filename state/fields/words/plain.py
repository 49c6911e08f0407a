"""Whether a message is a plain answer: the value, and around it only words that add nothing."""

from collections.abc import Callable, Sequence

from state.fields.base import Context, Whole
from state.fields.words.naming import own_words
from state.fields.words.qualifiers import Fit, fit
from state.form import Field
from state.language.table import listed
from state.language.tokens import Token, asks, masked, tokens

LONGEST = 300
"""Characters of the longest plain answer."""
MOST_STRANGE = 3
"""Words beside a value that may mean anything, and still leave it the only thing that the answer leans to."""
Row = Sequence[Token]


def is_short(text: str) -> bool:
    """Whether a message is short enough to be a plain answer, and asks nothing."""
    return len(text) <= LONGEST and not asks(text)


def if_plain(read: Whole) -> Whole:
    """A reader of whole messages that does not look at what is too long or asks."""
    return lambda field, text, context: read(field, text, context) if is_short(text) else None


def is_plain(field: Field, text: str, start: int, end: int, context: Context) -> bool:
    """Whether all words outside `start` to `end` are the field's own or say nothing: no doubt, limit, denial or second statement."""
    rest, fits = _around(field, text, start, end, context)
    language = context.language
    if fits is not Fit.YES or listed(language, "bounds", "rejected", "negators").holds(rest):
        return False
    said = _saying_nothing(context)
    doubts = listed(language, "hedges").rows
    own = own_words(field, context)
    return all(said(t) or (t.key in own and t.key not in doubts) for t in rest)


def is_leaning(field: Field, text: str, start: int, end: int, context: Context) -> bool:
    """Whether the words outside `start` to `end` may weaken the value, and neither deny it nor say much else."""
    rest, fits = _around(field, text, start, end, context)
    language = context.language
    if fits is Fit.NO:
        return False
    soft = listed(
        language,
        "approximations",
        "approximations_after",
        "bounds",
        "hedges",
        "doubts",
        "polite",
        "yes",
        "acknowledging",
        "was",
    )
    covered = {i for a, b, _ in soft.spans(rest) for i in range(a, b)}
    left = [t for i, t in enumerate(rest) if i not in covered]
    turned = listed(language, "rejected", "negators", "question_words", "or_words")
    if any(turned.at((t,), 0) for t in left):
        return False
    said, own = _saying_nothing(context), own_words(field, context)
    return sum(not said(t) and t.key not in own for t in left) <= MOST_STRANGE


def _saying_nothing(context: Context) -> Callable[[Token], bool]:
    words = listed(context.language, "filler", "units", "value_fillers", "polite").rows
    return lambda token: token.key in words


def _around(field: Field, text: str, start: int, end: int, context: Context) -> tuple[Row, Fit]:
    """The words outside a stretch, those left out that say of what kind the value is, and whether they suit the field."""
    row = tokens(masked(text), context.language)
    outside = tuple(t for t in row if t.end <= start or t.start >= end)
    return fit(field, outside, context)
