"""Open words. Canonical: as written, without what cannot be seen. A message alone tells whether it is the answer only where short ones are."""

import unicodedata
from collections.abc import Iterator
from typing import Any

from state.fields.base import Candidate, Context, Kind, Unreadable
from state.form import Field
from state.form.data import Data
from state.language.clauses import sentences
from state.language.table import listed, phrases
from state.language.tokens import Token, asks, masked, tokens, trimmed

TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Marks that turn the direction of what follows: they could show a reader something else than what is stored."""
KEPT = "\n\t"


FEW = 8
"""Words of the longest short answer: a street with its number and floor."""


def whole(field: Field, text: str, context: Context) -> Data | None:
    """A few words for a field that is answered by such; None where they ask, doubt, deny, agree, make a sentence or say nothing."""
    row = tokens(masked(text), context.language)
    if not field.short or not 0 < len(row) <= FEW or len(text) > field.max_length or asks(text):
        return None
    language = context.language
    if phrases(field.known, language).at(row, 0):
        return _clean(text)
    sentence = listed(language, "be", "have", "doubts", "question_verbs")
    turned = listed(language, "negators", "question_words")
    empty = listed(language, "yes", "no", "polite", "acknowledging", "filler")
    hollow = {i for first, after, _ in empty.spans(row) for i in range(first, after)}
    return None if sentence.holds(row) or turned.at(row, 0) or len(hollow) == len(row) else _clean(text)


def find(field: Field, text: str, context: Context) -> tuple[Candidate, ...]:
    """Values that the form knows, and what stands after the words that lead to an answer ("because")."""
    row = tokens(masked(text), context.language)
    known = phrases(field.known, context.language).spans(row)
    return (*(Candidate(v, row[a].start, row[b - 1].end, named=True) for a, b, v in known), *_led(field, text, context))


def parse(field: Field, given: object, _context: Context) -> Data:
    """The text. Raises Unreadable: not_text, empty, too_long."""
    if not isinstance(given, str):
        raise Unreadable("not_text")
    text = _clean(given)
    if not text:
        raise Unreadable("empty")
    if len(text) > field.max_length:
        raise Unreadable("too_long", {"maximum": str(field.max_length)})
    return text


def show(_field: Field, data: Data, _context: Context) -> str:
    """As it is stored."""
    return str(data)


def schema(_field: Field) -> dict[str, Any]:
    """A string."""
    return {"type": "string"}


def _clean(text: str) -> str:
    seen = (c for c in text.replace("\r\n", "\n").replace("\r", "\n") if c in KEPT or not _is_hidden(c))
    return trimmed("".join(seen))


def _is_hidden(character: str) -> bool:
    return character in TURNING or unicodedata.category(character) in ("Cc", "Cs")


def _led(field: Field, text: str, context: Context) -> Iterator[Candidate]:
    """What follows a leading phrase, up to the end of its sentence."""
    leading = phrases(field.before, context.language)
    for sentence in sentences(masked(text), context.language):
        row: tuple[Token, ...] = tuple(t for clause in sentence.clauses for t in clause)
        hit = next(leading.spans(row), None)
        if hit and hit[1] < len(row):
            start, end = row[hit[1]].start, row[-1].end
            yield Candidate(text[start:end], start, end, named=True)


KIND = Kind(
    name="text", whole=whole, find=find, parse=parse, show=show, schema=schema,
    takes=frozenset({"grade", "before", "known", "short"}), closed=False, verbatim=True, grounding="words", listing="name",
)  # fmt: skip
