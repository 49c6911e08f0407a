"""The guard on speech acts: an act is from the list, and what it is about exists and is so."""

from collections.abc import Mapping, Sequence
from typing import Any

from state.draft import rejection as no
from state.draft.display import plainly
from state.draft.draft import Draft, Offer
from state.draft.rejection import Rejection
from state.draft.speech import NAMES_AT_ONCE, Act, Saying, acts, explained, in_doubt, passages
from state.fields import kind_of
from state.fields.base import Context
from state.form import Field, Form
from state.form.field import Data
from state.understanding.evidence import as_written, place_of, source_line

LONGEST = 300
"""Characters of a reading: a button has to carry it."""
MOST = 4
"""Readings of one question."""


def judge_saying(form: Form, draft: Draft, given: Mapping[str, Any], context: Context) -> Saying | Rejection:
    """One call of `say` against the form and the draft as it is."""
    possible = acts(form, draft)
    act = next((a for a in possible if a == given.get("act")), None)
    if act is None:
        return no.unsayable("there is no such act now.", possible)
    about = str(given.get("about") or "")
    if not possible[act]:
        return Saying(act)
    if about not in possible[act]:
        return no.unsayable(f"'{about[:64]}' cannot be the subject of {act}.", possible[act][:NAMES_AT_ONCE])
    if act is Act.WHICH:
        return _which(form, draft, about, given.get("readings"), context)
    return Saying(act, (explained if act is Act.EXPLAIN else passages)(form, draft)[about])


def _which(form: Form, draft: Draft, name: str, given: Any, context: Context) -> Saying | Rejection:
    """Return two readings or more of one field, each in the person's own words and as the field's parser reads them."""
    field = next(f for f in in_doubt(form, draft) if f.name == name)
    quotes = given if isinstance(given, Sequence) and not isinstance(given, str) else ()
    written = [
        as_written(line.text, q) for q in map(str, quotes) if (line := source_line(draft, q)) and place_of(line.text, q)
    ]
    read = {data: q for q in written if (data := _read(field, q, context)) is not None}
    if not 1 < len(read) <= MOST:
        return no.Rejection(
            f"the user's words do not hold two readings of '{name}'.",
            "put two quotes of the user's words into `readings`, or leave the field to the form's question.",
            "say",
        )
    offers = (Offer(name, d, plainly(field, d, context), draft.turn, said=q) for d, q in read.items())
    return Saying(Act.WHICH, field=name, offers=tuple(offers))


def _read(field: Field, quote: str, context: Context) -> Data | None:
    """Return what the quoted words come to for the field; None where they come to nothing or to several things."""
    if len(quote) > LONGEST:
        return None
    kind = kind_of(field)
    found = {r.data for r in kind.find(field, quote, context)}
    return next(iter(found)) if len(found) == 1 else kind.whole(field, quote, context)
