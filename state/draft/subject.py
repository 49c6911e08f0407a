"""By which words a request is found again: those of its subject, in one form, so that a search finds what was filed."""

import re
import unicodedata
from collections.abc import Iterable, Iterator

from state.draft.display import BRACES
from state.draft.draft import Draft, Value
from state.fields import kind_of
from state.form import Form

MOST, LONGEST, LEAST = 48, 40, 2
"""Words of one request, characters of a word that count, and of the shortest one."""
_PARTS = re.compile(r"[^\W_]+")


def words_of(text: str) -> tuple[str, ...]:
    """The words of a text in small letters and without accents, each once: "Crédit-A 4 U" is credit, a, 4, u, less what is too short."""
    bare = "".join(c for c in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(c))
    return tuple(dict.fromkeys(word[:LONGEST] for word in _PARTS.findall(bare) if len(word) >= LEAST))


def subject_of(form: Form) -> tuple[str, ...]:
    """What the form names as its subject; else the fields of its essence that are told in words. Never anything sensitive."""
    if form.filing.subject is not None:
        return form.filing.subject
    named = dict.fromkeys(BRACES.findall(form.essence))
    return tuple(name for name in named if name in form.fields and _worded(form, name))


def subject_words(form: Form, draft: Draft) -> tuple[str, ...]:
    """The words by which this request is found."""
    texts = [text for name in subject_of(form) for text in _texts(form, draft, name)]
    return tuple(dict.fromkeys(word for text in texts for word in words_of(text)))[:MOST]


def _worded(form: Form, name: str) -> bool:
    field, kind = form.fields[name], kind_of(form.fields[name])
    return not (field.sensitive or kind.money or kind.declaration or kind.by_file)


def _texts(form: Form, draft: Draft, named: str) -> Iterator[str]:
    name, _, fact = named.partition(".")
    field, value = form.fields.get(name), draft.values.get(name)
    if field is None or field.sensitive or value is None:
        return
    labels = (choice.label for choice in field.choices if choice.value == value.data)
    yield from _facts(value, fact) if fact else (*_data(value), value.label, *labels)


def _facts(value: Value, fact: str) -> Iterable[str]:
    return (str(value.facts[fact]),) if value.facts.get(fact) else ()


def _data(value: Value) -> Iterator[str]:
    """An identifier is found with its marks and without them: "AB-123" is ab, 123 and ab123."""
    for one in value.data if isinstance(value.data, tuple) else (value.data,):
        text = one if isinstance(one, str) else ""
        yield text
        if " " not in text:
            yield "".join(_PARTS.findall(text))
