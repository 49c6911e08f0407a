"""Words that say of what kind a sum is: a month's or a year's, net or gross. They suit a field, contradict it, or leave it open."""

from collections.abc import Sequence
from enum import Enum
from functools import lru_cache
from itertools import takewhile

from state.fields.base import Context
from state.fields.values.reach import place
from state.fields.words.naming import BRACES, FIELDS
from state.form import Field
from state.language import Language
from state.language.table import coded
from state.language.tokens import Token, tokens

Row = Sequence[Token]


REACH = 5


class Fit(Enum):
    """How the qualifiers of a message suit a field."""

    YES = "yes"
    OPEN = "open"
    NO = "no"


def fit(field: Field, row: Row, context: Context) -> tuple[tuple[Token, ...], Fit]:
    """The row without its qualifiers, and how they suit the field."""
    spans = tuple(coded(context.language, "qualifiers").spans(row))
    taken = {i for first, after, _ in spans for i in range(first, after)}
    left = tuple(t for i, t in enumerate(row) if i not in taken)
    return left, _fit({kind for _, _, kind in spans}, _own(field, context.language))


def contradicts(field: Field, row: Row, context: Context) -> bool:
    """Whether a qualifier in the row says that the sum is of another kind than the field's."""
    return fit(field, row, context)[1] is Fit.NO


def following(row: Row, end: int) -> tuple[Token, ...]:
    """The words of the same clause after a value that ends at a place of the text, as far as a qualifier of it may stand."""
    after = place(row, end)
    near = row[after : after + REACH]
    return tuple(takewhile(lambda t: t is near[0] or not t.stop, near))


def _fit(said: set[str], own: frozenset[str]) -> Fit:
    groups = {kind.partition(" ")[0] for kind in own}
    open_ = False
    for kind in said - own:
        if kind.partition(" ")[0] in groups:
            return Fit.NO
        open_ = True
    return Fit.OPEN if open_ else Fit.YES


@lru_cache(maxsize=FIELDS)
def _own(field: Field, language: Language) -> frozenset[str]:
    """The kinds of sum that a field's own words speak of; the question decides, and the help where that says nothing."""
    told = (
        BRACES.sub(" ", " . ".join((field.label, *field.words, field.unit, field.ask))),
        BRACES.sub(" ", field.help),
    )
    first, then = (_kinds(text, language) for text in told)
    groups = {kind.partition(" ")[0] for kind in first}
    return first | {kind for kind in then if kind.partition(" ")[0] not in groups}


def _kinds(text: str, language: Language) -> frozenset[str]:
    return frozenset(kind for _, _, kind in coded(language, "qualifiers").spans(tokens(text, language)))
