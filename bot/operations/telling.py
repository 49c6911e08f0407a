"""What an operation tells, as plain words: for the conversation that a model sees, and for callers over HTTP."""

from collections.abc import Iterable

from blocks.phrases import Phrasebook as Catalogue
from state.draft.utterance import Utterance, Verbatim
from state.form import Form


def plain(form: Form, told: Iterable[Utterance]) -> str:
    """One sentence below the other, in the form's language."""
    catalogue = Catalogue(form.language, form.says)
    return "\n".join(t.text if isinstance(t, Verbatim) else catalogue.say(t.key, **t.args) for t in told)
