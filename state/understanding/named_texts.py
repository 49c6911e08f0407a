"""Several short texts in one message, each behind its field's own name: "la marca es Tronador y el modelo Furia 300"."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from state.fields.base import Context
from state.fields.text import is_few_words
from state.fields.words.naming import names
from state.form import Field
from state.language.small_talk import idle_clauses
from state.language.table import listed
from state.language.tokens import Token, asks, masked, tokens
from state.understanding.assignment import Assignment

LEAST = 2
"""Names from which a message is a row of named answers."""


def named_texts(
    fields: Sequence[Field], text: str, context: Context, asked: Field | None = None
) -> tuple[Assignment, ...]:
    """What stands behind each of at least two names; nothing where a name is two fields' own, or where words stand outside them.

    Of fields with the same name the one that is asked together with the question (`asked`) is meant.
    """
    row = tokens(masked(text), context.language)
    places = _places(_meant([f for f in fields if f.short], asked, context), row, context)
    if len({f.name for _, _, f in places}) < LEAST or len({f.name for _, _, f in places}) < len(places) or asks(text):
        return ()
    if not _only_small(row[: places[0][0]], text, context):
        return ()
    ends = (*(first for first, _, _ in places[1:]), len(row))
    spans = [_between(row[after:end], context) for (_, after, _), end in zip(places, ends, strict=True)]
    told = [(f, text[s[0].start : s[-1].end], s) for (_, _, f), s in zip(places, spans, strict=True) if s]
    fit = len(told) == len(places) and all(is_few_words(said, context) for _, said, _ in told)
    return tuple(Assignment(f, said, s[0].start, s[-1].end, named=True) for f, said, s in told) if fit else ()


def _meant(fields: Sequence[Field], asked: Field | None, context: Context) -> Sequence[Field]:
    """Without fields of another tool that are called as one of the asked field's tool is."""
    if asked is None or not asked.tool:
        return fields
    own = [f for f in fields if f.tool == asked.tool]
    called = {name for f in own for name in _called(f, context)}
    return [f for f in fields if f in own or called.isdisjoint(_called(f, context))]


def _called(field: Field, context: Context) -> set[tuple[str, ...]]:
    return {keys for some in names(field, context).rows.values() for keys, _ in some}


def _places(fields: Sequence[Field], row: Sequence[Token], context: Context) -> list[tuple[int, int, Field]]:
    """Where the fields are named, in order: first token, the one after the last, the field. Empty where two share words."""
    found = sorted(((a, b, f) for f in fields for a, b, _ in names(f, context).spans(row)), key=lambda p: p[:2])
    return [] if any(one[1] > other[0] for one, other in pairwise(found)) else found


def _between(row: Sequence[Token], context: Context) -> Sequence[Token]:
    """The words of an answer: without the "is" that it begins with, and without what leads to the next name."""
    leads = listed(context.language, "be")
    while row and (hit := leads.at(row, 0)) and hit[0] < len(row):
        row = row[hit[0] :]
    trails = listed(context.language, "conjunctions", "articles")
    while row and (tail := trails.ending(row, len(row))):
        row = row[: -tail[0]]
    return row


def _only_small(row: Sequence[Token], text: str, context: Context) -> bool:
    small = listed(context.language, "articles", "polite", "yes", "filler", "subjects")
    inside = tuple(idle_clauses(text, context.language))
    taken = {i for first, after, _ in small.spans(row) for i in range(first, after)}
    left: Iterator[Token] = (t for i, t in enumerate(row) if i not in taken)
    return all(any(a <= t.start < b for a, b in inside) for t in left)
