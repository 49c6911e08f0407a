"""The corpus of natural answers to questions for a yes or no, a choice, a name or a place, and what code makes of each."""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from state.fields import kind_of
from state.fields.base import Context
from state.form import Choice, Field
from state.form.field import Data

HERE = Path(__file__).parent
LOCALES = {"en": "en-GB", "it": "it-IT", "es": "es-ES", "de": "de-DE"}
TODAY = "2026-11-20"


@dataclass(frozen=True)
class Entry:
    """One answer: what was typed to which question, and what was meant: None where nothing may be taken. `plain`: nobody could doubt it."""

    code: str
    question: str
    text: str
    value: Data | None
    plain: bool = False


@cache
def questions(code: str) -> dict[str, Field]:
    """The fields of a language's questions."""
    tables = tomllib.loads((HERE / "fields.toml").read_text("utf-8"))[code]
    return {name: _field(name, table) for name, table in tables.items()}


def _field(name: str, table: dict[str, Any]) -> Field:
    choices = tuple(Choice(**c) for c in table.pop("choices", ()))
    return Field(name=name, choices=choices, **table)


def entries(code: str) -> Iterator[Entry]:
    """What people write in a language; what is idle counts at every question that names its answers."""
    tables = tomllib.loads((HERE / f"{code}.toml").read_text("utf-8"))
    idle = tables.pop("idle")["texts"]
    for name, parts in tables.items():
        yield from (Entry(code, name, t, v, plain=True) for t, v in parts.get("taken", {}).items())
        yield from (Entry(code, name, t, v) for t, v in parts.get("tricky", {}).items())
        nothing = (*parts.get("soft", {}), *parts.get("nothing", {}).get("texts", ()))
        yield from (Entry(code, name, text, None) for text in nothing)
    polar = [name for name, field in questions(code).items() if kind_of(field).polar]
    yield from (Entry(code, name, text, None) for name in polar for text in idle)


def read(entry: Entry) -> Data | None:
    """What code takes an answer for by itself; None where it is for a click, or for a model."""
    field = questions(entry.code)[entry.question]
    return kind_of(field).whole(field, entry.text, Context(LOCALES[entry.code], TODAY))
