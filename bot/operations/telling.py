"""What an operation tells, as plain words: for the conversation that a model sees, and for callers over HTTP."""

from collections.abc import Iterable

from blocks.phrases import Phrasebook as Catalogue
from state.draft.utterance import Utterance, Verbatim
from state.form import Form


def plain(form: Form, told: Iterable[Utterance]) -> str:
    """One sentence below the other, in the form's language."""
    return "\n".join(_worded(form, told))


def one_line(form: Form, told: Iterable[Utterance]) -> str:
    """All of it in one line, for what is named in passing."""
    return "; ".join(" ".join(said.split()) for said in _worded(form, told))


def _worded(form: Form, told: Iterable[Utterance]) -> list[str]:
    catalogue = Catalogue(form.language, form.says)
    return [t.text if isinstance(t, Verbatim) else catalogue.say(t.key, **t.args) for t in told]
