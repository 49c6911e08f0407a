"""What code gives to each field from a whole line, as if nobody had proposed anything."""

from functools import lru_cache

from state.draft.draft import Data
from state.draft.missing import reachable
from state.fields import kind_of
from state.fields.base import Context
from state.form import Field
from state.understanding.assignment import Assignment, takes
from state.understanding.quotation import Quotation


def given(said: Quotation) -> tuple[Assignment, ...]:
    """The readings of the line for each field that it may be about: open ones, those that it has set, and the quotation's own."""
    fields, standing = [], []
    for field in reachable(said.form, said.draft):
        value = said.draft.values.get(field.name)
        here = value is None or (said.line.message and value.provenance.message == said.line.message)
        if (here or field == said.field) and not kind_of(field).searchable:
            fields.append(field)
        if value is not None and not here and field == said.field:
            standing.append((field.name, value.data))
    return _takes(tuple(fields), said.line.text, said.asked, said.context, tuple(standing))


@lru_cache(maxsize=32)
def _takes(
    fields: tuple[Field, ...], text: str, asked: str, context: Context, standing: tuple[tuple[str, Data], ...]
) -> tuple[Assignment, ...]:
    return takes(fields, text, asked, context, dict(standing))
