"""A request in one line, and the words by which a search finds it."""

import re
import unicodedata
from collections.abc import Iterator, Mapping

from state.draft.display import BRACES, display_value, display_whole
from state.draft.draft import Draft, Value
from state.fields import kind_of
from state.fields.base import Context
from state.form import Field, Form

APART = " · "
FIRST, SHORT = 4, 60
"""Answers of a line that the form does not word, and characters of one answer."""
_BLANK = re.compile(r"\(\s*\)|\s+")


def essence(form: Form, draft: Draft, context: Context) -> str:
    """Return what the request is about as plain text, as far as it is told; empty where nothing of it is. Never anything sensitive."""
    parts = _worded(form, draft, context) if form.essence else _first(form, draft, context)
    return APART.join(filter(None, parts))


def _worded(form: Form, draft: Draft, context: Context) -> Iterator[str]:
    """Yield the parts of the form's own line that say something."""
    for part in form.essence.split(APART.strip()):
        told = {name: _named(form, draft, name, context) for name in BRACES.findall(part)}
        if any(told.values()) or not told:
            yield _filled(part, told)


def _filled(part: str, told: Mapping[str, str]) -> str:
    """A part with its answers, and without the marks around what is not told."""
    return _BLANK.sub(" ", BRACES.sub(lambda found: told[found[1]], part)).strip().strip(" :,;–-")


def _named(form: Form, draft: Draft, name: str, context: Context) -> str:
    field = form.fields.get(name)
    if field is None or field.sensitive or name not in draft.values or _beside_amount(form, field, form.essence):
        return ""
    return told(form, draft, field, context)


def _beside_amount(form: Form, field: Field, template: str) -> bool:
    """Return a currency that the line names beside its amount stands with that already."""
    names = (form.fields.get(name) for name in BRACES.findall(template))
    return kind_of(field).money == "currency" and any(f is not None and kind_of(f).money == "amount" for f in names)


def _first(form: Form, draft: Draft, context: Context) -> Iterator[str]:
    """The first answers that tell one request from another; declarations only where there is nothing else."""
    fields = [f for f in form.fields.values() if f.name in draft.values and not f.sensitive and not kind_of(f).by_file]
    plain = [f for f in fields if not kind_of(f).declaration and kind_of(f).money != "currency"]
    for field in (plain or fields)[:FIRST]:
        text = told(form, draft, field, context)
        unit = "" if kind_of(field).money else field.unit
        yield f"{field.label}: {text}" if _bare(field) else f"{text} {unit}".strip()


def _bare(field: Field) -> bool:
    """Return True if a value does not say by itself what it is: "3", where "3 days" does."""
    kind = kind_of(field)
    return "unit" in kind.takes and not field.unit and not kind.money


def told(form: Form, draft: Draft, field: Field, context: Context) -> str:
    """Return one value in a few words: a sum with its currency, a name without its code, a declaration with what it answers."""
    value, kind = draft.values[field.name], kind_of(field)
    text = " ".join(display_value(field, value, context).removesuffix(f" ({value.data})").split())
    text = text if len(text) <= SHORT else f"{text[: SHORT - 1].rstrip()}…"
    if kind.money == "amount":
        return " ".join(display_whole(form, draft, field, context).split())
    return f"{field.label}: {text}" if kind.declaration else text


MOST, LONGEST, LEAST = 48, 40, 2
"""Words of one request, characters of a word that count, and of the shortest one."""
_PARTS = re.compile(r"[^\W_]+")


def words_of(text: str) -> tuple[str, ...]:
    """Return the words of a text in small letters and without accents, each once: "Crédit-A 4 U" is credit, a, 4, u, less what is too short."""
    bare = "".join(c for c in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(c))
    return tuple(dict.fromkeys(word[:LONGEST] for word in _PARTS.findall(bare) if len(word) >= LEAST))


def subject_of(form: Form) -> tuple[str, ...]:
    """Return what the form names as its subject; else the fields of its essence that are told in words. Never anything sensitive."""
    if form.filing.subject is not None:
        return form.filing.subject
    named = dict.fromkeys(BRACES.findall(form.essence))
    return tuple(name for name in named if name in form.fields and _searchable(form, name))


def subject_words(form: Form, draft: Draft) -> tuple[str, ...]:
    """Return the words by which this request is found."""
    texts = [text for name in subject_of(form) for text in _texts(form, draft, name)]
    return tuple(dict.fromkeys(word for text in texts for word in words_of(text)))[:MOST]


def _searchable(form: Form, name: str) -> bool:
    field, kind = form.fields[name], kind_of(form.fields[name])
    return not (field.sensitive or kind.money or kind.declaration or kind.by_file)


def _texts(form: Form, draft: Draft, named: str) -> Iterator[str]:
    name, _, fact = named.partition(".")
    field, value = form.fields.get(name), draft.values.get(name)
    if field is None or field.sensitive or value is None:
        return
    labels = (choice.label for choice in field.choices if choice.value == value.data)
    facts = (str(value.facts[fact]),) if fact and value.facts.get(fact) else ()
    yield from facts if fact else (*_data(value), value.label, *labels)


def _data(value: Value) -> Iterator[str]:
    """An identifier is found with its marks and without them: "AB-123" is ab, 123 and ab123."""
    for one in value.data if isinstance(value.data, tuple) else (value.data,):
        text = one if isinstance(one, str) else ""
        yield text
        if " " not in text:
            yield "".join(_PARTS.findall(text))
