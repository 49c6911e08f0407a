"""Questions about the form: whether a message asks, and which field a person wants explained."""

from state.draft.draft import Draft
from state.draft.missing import reachable
from state.fields.base import Context
from state.fields.naming import names
from state.form import Field, Form
from state.language.small_talk import NoAnswer, idle
from state.language.table import listed, listed_widely
from state.language.tokens import Token, asks, masked, tokens


def is_asking(text: str, context: Context) -> bool:
    """Return True if the message asks something, with or without a question mark."""
    return asks(text) or idle(text, context.language) is NoAnswer.QUESTION


def to_explain(form: Form, draft: Draft, text: str, context: Context) -> Field | None:
    """Return the field whose meaning is asked for: one that the question names, else the one that was asked."""
    if not is_asking(text, context):
        return None
    row = tokens(masked(text), context.language)
    named = _named(form, draft, row, context)
    about_meaning = listed_widely(context.language, "asking_meaning").holds(row) or not any(c.isalnum() for c in text)
    if about_meaning:
        return named or form.fields.get(draft.asked)
    return named if listed(context.language, "question_words").holds(row) else None


def _named(form: Form, draft: Draft, row: tuple[Token, ...], context: Context) -> Field | None:
    """Return the field that the words name, the longest name first."""
    found = [(after - first, f) for f in reachable(form, draft) for first, after, _ in names(f, context).spans(row)]
    return max(found, key=lambda pair: pair[0])[1] if found else None
