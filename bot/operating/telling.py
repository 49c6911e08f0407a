"""What an operation tells, as plain words: for the conversation that a model sees, and for callers over HTTP."""

from collections.abc import Iterable

from blocks.words import Words as Catalogue
from state.form import Form
from state.told import Told, Words


def plain(form: Form, told: Iterable[Told]) -> str:
    """One sentence below the other, in the form's language."""
    catalogue = Catalogue(form.language, form.says)
    return "\n".join(t.text if isinstance(t, Words) else catalogue.say(t.key, **t.args) for t in told)
