"""The reviewers' question as one more field of the form, while the requester has the record again: its answer is shown and edited like any other."""

from functools import lru_cache

from state.draft.draft import Draft
from state.draft.route import last_asked
from state.form import Field, Form
from state.language import language_of

REPLY = "reply_to_reviewers"
"""The field of the answer. No tool sets it: the words are the person's own, as they wrote them."""
KEPT = 64
"""Forms with a question that are kept at hand."""


def with_query(form: Form, draft: Draft) -> Form:
    """Return the form with the field that answers the reviewers' question; the form itself where none is open."""
    asked = last_asked(draft) if draft.asked_back else None
    return _with_reply(form, asked.note) if asked and asked.note and REPLY not in form.fields else form


@lru_cache(maxsize=KEPT)
def _with_reply(form: Form, question: str) -> Form:
    label = language_of(form.language).reply
    field = Field(name=REPLY, kind="text", label=label, ask=label, required=False).model_copy(update={"ask": question})
    return form.model_copy(update={"fields": {**form.fields, REPLY: field}}).said_for(form.house)
