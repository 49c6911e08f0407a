"""A request in one line: "Buy 200 Tesco PLC · GBP 720.00 · pension". The form says how; without a word of its own, its first answers do."""

import re
from collections.abc import Iterator, Mapping

from state.draft.display import BRACES, display_value, display_whole
from state.draft.draft import Draft
from state.fields import kind_of
from state.fields.base import Context
from state.form import Field, Form

APART = " · "
FIRST, SHORT = 4, 60
"""Answers of a line that the form does not word, and characters of one answer."""
_LOOSE = " :,;–-"
_BLANK = re.compile(r"\(\s*\)|\s+")


def essence(form: Form, draft: Draft, context: Context) -> str:
    """What the request is about as plain text, as far as it is told; empty where nothing of it is. Never anything sensitive."""
    parts = _worded(form, draft, context) if form.essence else _first(form, draft, context)
    return APART.join(filter(None, parts))


def _worded(form: Form, draft: Draft, context: Context) -> Iterator[str]:
    """The parts of the form's own line that say something."""
    for part in form.essence.split(APART.strip()):
        told = {name: _named(form, draft, name, context) for name in BRACES.findall(part)}
        if any(told.values()) or not told:
            yield _filled(part, told)


def _filled(part: str, told: Mapping[str, str]) -> str:
    """A part with its answers, and without the marks around what is not told."""
    return _BLANK.sub(" ", BRACES.sub(lambda found: told[found[1]], part)).strip().strip(_LOOSE)


def _named(form: Form, draft: Draft, name: str, context: Context) -> str:
    field = form.fields.get(name)
    if field is None or field.sensitive or name not in draft.values or _beside_amount(form, field, form.essence):
        return ""
    return told(form, draft, field, context)


def _beside_amount(form: Form, field: Field, template: str) -> bool:
    """A currency that the line names beside its amount stands with that already."""
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
    """Whether a value does not say by itself what it is: "3", where "3 days" does."""
    kind = kind_of(field)
    return "unit" in kind.takes and not field.unit and not kind.money


def told(form: Form, draft: Draft, field: Field, context: Context) -> str:
    """One value in a few words: a sum with its currency, a name without its code, a declaration with what it answers."""
    value, kind = draft.values[field.name], kind_of(field)
    text = _cut(" ".join(display_value(field, value, context).removesuffix(f" ({value.data})").split()))
    if kind.money == "amount":
        return " ".join(display_whole(form, draft, field, context).split())
    return f"{field.label}: {text}" if kind.declaration else text


def _cut(text: str) -> str:
    return text if len(text) <= SHORT else f"{text[: SHORT - 1].rstrip()}…"
