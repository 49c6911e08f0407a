"""Which blanket answers ("no to all declarations") speak of a form's questions, and of which ones."""

from state.draft.draft import Draft
from state.draft.missing import missing
from state.fields import kind_of
from state.form import Field, Form
from state.language.blanket import Blanket, beside_blankets, blankets, says_more, without_blankets

__all__ = ["Blanket", "beside_blankets", "counting", "deniable", "says_more", "without_blankets"]


def counting(form: Form, draft: Draft, asked: Field | None, text: str) -> tuple[Blanket, ...]:
    """Those that speak of the form's yes/no questions, in words said while `asked` was the question.

    What may be the answer to that question alone is none, nor are words within a text that was asked for, once all others are answered.
    """
    if not _is_denied(form):
        return ()
    found = blankets(text, form.language)
    if not found or asked is None:
        return found
    if kind_of(asked).verbatim and not deniable(form, draft):
        return ()
    one, several = kind_of(asked).polar, bool(asked.choices or draft.options.get(asked.name))
    return tuple(b for b in found if not (one and b.softly) and not (several and b.bare))


def deniable(form: Form, draft: Draft) -> tuple[Field, ...]:
    """Questions that are to be asked now and that a no answers."""
    return tuple(f for f in missing(form, draft) if kind_of(f).polar)


def _is_denied(form: Form) -> bool:
    """Whether the form has questions that a no answers."""
    return any(kind_of(f).polar for f in form.fields.values())
