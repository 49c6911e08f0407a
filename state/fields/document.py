"""A file. Canonical: a document's id; only what a person sent sets one. An optional one may be declined: ""."""

from typing import Any

from state.fields.base import Candidate, Context, Kind, Unreadable
from state.form import Field
from state.form.field import Data

NONE = "–"


def whole(_field: Field, _text: str, _context: Context) -> Data | None:
    """Never: words are no file."""
    return None


def find(_field: Field, _text: str, _context: Context) -> tuple[Candidate, ...]:
    """Never."""
    return ()


def parse(field: Field, given: object, _context: Context) -> Data:
    """The answer "I do not have it" of an optional field. Raises Unreadable: must_send for anything else."""
    if field.required or given not in ("", ()):
        raise Unreadable("must_send")
    return ""


def show(_field: Field, data: Data, _context: Context) -> str:
    """How many files; names stand in the value's label."""
    count = len(data) if isinstance(data, tuple) else bool(data)
    return str(count) if count else NONE


def schema(_field: Field) -> dict[str, Any]:
    """A string; no tool is ever made of it."""
    return {"type": "string"}


KIND = Kind(
    name="document", whole=whole, find=find, parse=parse, show=show, schema=schema,
    takes=frozenset({"accept"}), element="file", closed=False, by_file=True, on_paper=False,
)  # fmt: skip
