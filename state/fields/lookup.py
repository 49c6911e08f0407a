"""What is picked from search results. Canonical: the picked option's id; words are only ever a query."""

import re
from collections.abc import Iterator

from state.fields.base import Candidate, Context, Kind, Unreadable, described
from state.fields.naming import is_after
from state.fields.values.marks import current_codes
from state.fields.values.schemes import identifiers
from state.form import Field
from state.form.field import Data
from state.language.table import phrases
from state.language.tokens import masked, tokens, trimmed

TICKER = re.compile(r"(?<![\w.&'’/@#:-])(\$)?([A-Z]{2,5}(?:\.[A-Z]{1,2})?|[A-Z][0-9]?[A-Z]{1,3})(?![\w&'’/@:-]|\.\w)")
FEW = 2
"""Words of a message that is a ticker: it and its exchange."""


def tickers(text: str) -> Iterator[tuple[str, int, int]]:
    """Give each ticker with its place."""
    alone = len(text.split()) <= FEW
    for match in TICKER.finditer(text):
        word = match.group(2)
        if match.group(1) or (alone and word not in current_codes()):
            yield word, match.start(2), match.end(2)


UNLISTED = "unlisted"
"""The value of a thing that the look-up does not find, where the form takes one: fields of its own tell what it is."""
BRACED = re.compile(r"\{(\w+)\}")
LONGEST = 200
SCHEMES = ("isin", "sedol", "cusip")


def find(_field: Field, text: str, context: Context) -> tuple[Candidate, ...]:
    """Queries that the words give for certain: identifiers, then tickers in capitals. A number alone is neither."""
    clean = masked(text)
    row = tokens(clean, context.language)
    scheme_names = phrases(SCHEMES, context.language)
    coded = [
        found
        for found in identifiers(clean, SCHEMES)
        if not found.code.isdigit() or found.code.startswith("0") or is_after(scheme_names, row, found.start)
    ]  # digits alone may be a quantity, unless they begin with a zero or stand after their scheme's name
    first = tuple(Candidate(i.code, i.start, i.end, named=True) for i in coded)
    return first or tuple(Candidate(*ticker) for ticker in tickers(clean))


def parts_of(field: Field) -> tuple[str, ...]:
    """Return the fields that tell what a thing is that is not in the list."""
    return tuple(BRACED.findall(field.unlisted))


def parse(_field: Field, given: object, _context: Context) -> Data:
    """Return a query or an option's id, as given. Raises Unreadable: empty, too_long, not_text."""
    if not isinstance(given, str):
        raise Unreadable("not_text")
    text = " ".join(trimmed(given).split())
    if not text:
        raise Unreadable("empty")
    if len(text) > LONGEST:
        raise Unreadable("too_long", {"maximum": str(LONGEST)})
    return text


KIND = Kind(
    name="lookup",
    about="Picked from search results, never free text.",
    find=find, parse=parse, schema=described("as the user wrote it"),
    display=lambda _field, data, context: context.language.unlisted_label if data == UNLISTED else str(data),
    takes=frozenset({"lookup", "unlisted"}), needs="lookup", element="search", searchable=True, on_paper=False, grounding="words",
    lasting=True,
)  # fmt: skip
