"""What a document's text says of a field: the value on a line that names it, or a code that its check digit makes certain."""

import re
from collections.abc import Iterator

from state.fields import kind_of
from state.fields.base import Context
from state.form import Field
from state.form.field import Data
from state.understanding.evidence import holds_quote

LONGEST = 200
"""Characters of a quoted line."""
MARKS = re.compile(r"^[\s:.\-–—=|_]+|[\s|]+$")
Found = tuple[Data, str]
"""A value and the words that it rests on."""


def read_paper(field: Field, text: str, context: Context) -> Found | None:
    """Return the one value that the text gives for a field; None where it gives none, or several."""
    lines = [" ".join(line.split()) for line in text.splitlines() if line.strip()]
    found = list(_labelled(field, lines, context)) or list(_certain(field, lines, context))
    return found[0] if len({data for data, _ in found}) == 1 else None


def _labelled(field: Field, lines: list[str], context: Context) -> Iterator[Found]:
    for n, line in enumerate(lines):
        name = next((w for w in (field.label, *field.words) if holds_quote(line, w)), None)
        if name is None:
            continue
        rest = MARKS.sub("", line[line.casefold().find(name.casefold()) + len(name) :])
        quote = line if rest else " ".join(lines[n : n + 2])
        data = _value(field, rest or "".join(lines[n + 1 : n + 2]), context)
        if data is not None:
            yield data, quote[:LONGEST]


def _value(field: Field, rest: str, context: Context) -> Data | None:
    """Return what stands behind the name: text as it is, anything else where it can be read in one way."""
    kind = kind_of(field)
    if kind.verbatim:
        return rest[: field.max_length] or None
    whole = kind.whole(field, rest, context)
    found = {whole} if whole is not None else {reading.data for reading in kind.find(field, rest, context)}
    return found.pop() if len(found) == 1 else None


def _certain(field: Field, lines: list[str], context: Context) -> Iterator[Found]:
    """Codes with a check digit need no name beside them."""
    kind = kind_of(field)
    if kind.check_digit:
        for line in lines:
            for reading in kind.find(field, line, context):
                yield reading.data, line[:LONGEST]
