"""A wish to add to what was chosen ("quiero añadir también el manillar"): the choices that stand stay, and those that the words name come to them."""

from collections.abc import Iterator

from state.draft.draft import Draft
from state.draft.scope import scope
from state.fields import kind_of
from state.fields.base import Context
from state.fields.naming import names
from state.form import Field, Form
from state.form.field import Data
from state.language.table import listed, listed_widely
from state.language.tokens import asks, masked, tokens
from state.understanding.assignment import Assignment


def additions(form: Form, draft: Draft, text: str, context: Context) -> Iterator[Assignment]:
    """Give answered fields of several choices, with what stands and what the text adds to it."""
    for field in scope(form, draft).correctable:
        found = added(field, draft.values[field.name].data, text, context)
        if found is not None:
            yield found


def added(field: Field, standing: Data, text: str, context: Context) -> Assignment | None:
    """Give the choices that stand together with those that the text adds; None where it names no further one, or has no word of adding."""
    if not takes_more(field) or not isinstance(standing, tuple) or not _wants(text, context, "adding", "also"):
        return None
    named = next((r for r in kind_of(field).find(field, text, context) if isinstance(r.data, tuple)), None)
    if named is None or not isinstance(named.data, tuple) or set(named.data) <= set(standing):
        return None
    together = tuple(c.value for c in field.choices if c.value in {*standing, *named.data})
    return Assignment(field, together, named.start, named.end, named=True)


def wanted_longer(form: Form, draft: Draft, text: str, context: Context) -> Field | None:
    """Give the answered field of several choices to which something is to be added that is not named yet ("quiero añadir otro elemento")."""
    row = tokens(masked(text), context.language)
    if not _wants(text, context, "adding"):
        return None
    lists = (f for f in scope(form, draft).correctable if takes_more(f))
    return next((f for f in lists if names(f, context).holds(row)), None)


def takes_more(field: Field) -> bool:
    """Return True if several of its choices may be chosen."""
    return kind_of(field).several and not kind_of(field).by_file


def _wants(text: str, context: Context, *entries: str) -> bool:
    """Return True if one of these words stands in a message that neither asks nor denies."""
    row = tokens(masked(text), context.language)
    denied = asks(text) or listed(context.language, "negators").holds(row)
    return not denied and listed_widely(context.language, *entries).holds(row)
