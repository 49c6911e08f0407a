"""One file, or several. Canonical: a document's id, or a tuple of them; only what a person sent sets one. Optional ones may be declined."""

from collections.abc import Iterator

from state.fields.base import Context, Kind, Unreadable
from state.form import Field
from state.form.field import Data

NONE = "–"
MOST = 20
"""Files of a field that sets no maximum."""


def parse(field: Field, given: object, _context: Context) -> Data:
    """Return the answer "I do not have it" of an optional field. Raises Unreadable: must_send for anything else."""
    if field.required or given not in ("", ()):
        raise Unreadable("must_send")
    return ""


def show(_field: Field, data: Data, _context: Context) -> str:
    """Return how many files; names stand in the value's label."""
    count = len(data) if isinstance(data, tuple) else bool(data)
    return str(count) if count else NONE


def parse_several(field: Field, given: object, context: Context) -> Data:
    """Return the answer "I do not have any" of an optional field. Raises Unreadable: must_send for anything else."""
    parse(field, given, context)
    return ()


def least(field: Field) -> int:
    """Return how many files the field needs."""
    return max(1, field.minimum or 1)


def most(field: Field) -> int:
    """Return how many files the field takes."""
    return field.maximum or MOST


def flaws(field: Field) -> Iterator[tuple[str, str]]:
    """Check that it takes as many files as it needs."""
    if least(field) > most(field):
        text = f"`minimum` is more files than the field takes ({most(field)}). Lower it, or raise `maximum`."
        yield "minimum", text


KIND = Kind(
    name="document",
    about="Answered by sending a file, never by words.",
    parse=parse, show=show, takes=frozenset({"accept"}),
    element="file", closed=False, by_file=True, on_paper=False,
)  # fmt: skip
SEVERAL = Kind(
    name="documents",
    about="Several files.", parse=parse_several, show=show, takes=frozenset({"accept", "minimum",
    "maximum"}), flaws=flaws,
    element="files", closed=False, by_file=True, several=True, collects=True, least=least, most=most, on_paper=False,
)  # fmt: skip
