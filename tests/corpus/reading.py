"""The corpus of natural answers to yes-or-no and choice questions and those for a name, a city or a title, and what the readers make of each."""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from state.draft.draft import Data
from state.fields import kind_of
from state.fields.base import Context
from state.form import Choice, Field

HERE = Path(__file__).parent
LOCALES = {"en": "en-GB", "it": "it-IT", "es": "es-ES", "de": "de-DE"}
TODAY = "2026-11-20"
KINDS = ("yes_no", "choice", "text")


@dataclass(frozen=True)
class Entry:
    """One answer: what was typed to which question, and what it must come to. `fresh`: written after the lists were extended."""

    code: str
    question: str
    text: str
    comes_to: str
    value: Data | None = None
    fresh: bool = False


@cache
def questions(code: str) -> dict[str, Field]:
    """The fields of a language's questions."""
    tables = tomllib.loads((HERE / "fields.toml").read_text("utf-8"))[code]
    return {name: _field(name, table) for name, table in tables.items()}


def _field(name: str, table: dict[str, object]) -> Field:
    choices = tuple(Choice(**c) for c in table.pop("choices", ()))  # type: ignore[attr-defined]
    return Field(name=name, choices=choices, **table)  # type: ignore[arg-type]


def entries(code: str) -> Iterator[Entry]:
    """What people write in a language."""
    for kind in KINDS:
        for row in tomllib.loads((HERE / code / f"{kind}.toml").read_text("utf-8"))["answer"]:
            yield Entry(code, **row)


def context(code: str) -> Context:
    """The context of a language's form."""
    return Context(LOCALES[code], TODAY)


def read(entry: Entry) -> Data | None:
    """What code takes an answer for by itself; None where it is for a click, or for a model."""
    field = questions(entry.code)[entry.question]
    return kind_of(field).whole(field, entry.text, context(entry.code))
