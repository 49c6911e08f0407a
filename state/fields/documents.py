"""Several files. Canonical: their ids as a tuple; only what a person sent sets one. Optional ones may be declined: ()."""

from collections.abc import Iterator

from state.fields import document
from state.fields.base import Context, Kind
from state.form import Field
from state.form.field import Data

MOST = 20
"""Files of a field that sets no maximum."""


def parse(field: Field, given: object, context: Context) -> Data:
    """The answer "I do not have any" of an optional field. Raises Unreadable: must_send for anything else."""
    document.parse(field, given, context)
    return ()


def least(field: Field) -> int:
    """Files that the field needs."""
    return max(1, field.minimum or 1)


def most(field: Field) -> int:
    """Files that the field takes."""
    return field.maximum or MOST


def flaws(field: Field) -> Iterator[tuple[str, str]]:
    """It takes as many files as it needs."""
    if least(field) > most(field):
        text = f"`minimum` is more files than the field takes ({most(field)}). Lower it, or raise `maximum`."
        yield "minimum", text


KIND = Kind(
    name="documents", whole=document.whole, find=document.find, parse=parse, show=document.show, schema=document.schema,
    takes=frozenset({"accept", "minimum", "maximum"}), flaws=flaws, element="files",
    closed=False, by_file=True, several=True, collects=True, least=least, most=most, on_paper=False,
)  # fmt: skip
