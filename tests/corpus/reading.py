"""The corpus of natural answers to yes-or-no and choice questions, and what the readers make of each."""

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
KINDS = ("yes_no", "choice")


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


def read(entry: Entry) -> tuple[str, Data | None]:
    """What becomes of an answer: taken, put back or nothing, and its value."""
    field = questions(entry.code)[entry.question]
    kind, around = kind_of(field), context(entry.code)
    taken = kind.whole(field, entry.text, around)
    if taken is not None:
        return "taken", taken
    leant = kind.leans(field, entry.text, around)
    return ("nothing", None) if leant is None else ("put back", leant)


def ends_well(entry: Entry) -> bool:
    """Whether an answer is taken or put back with its value, and what is none comes to nothing. What must be put back is not taken."""
    came_to, value = read(entry)
    if entry.comes_to == "nothing":
        return came_to == "nothing"
    return value == entry.value and came_to in ("put back", entry.comes_to)
