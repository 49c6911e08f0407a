"""From a form.toml to a Form: as much of it as can be read, and what is wrong with the rest, in sentences with their lines."""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeVar

import tomli
from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from state.form import schema
from state.form.field import Choice, Condition, Declares, Field, KnownBy, Paper, Tells
from state.form.filing import Criterion, FilingRule, FilingTable, Over, RecordState
from state.form.source import FormError, Keys, Problem, Source, meant, nearest

Parts = Mapping[str, type[BaseModel]]
"""The part that each key holds: "choices" holds Choice. The empty key is the whole file."""
NAMING = frozenset((
    "fields", "stages", "operations", "commands", "repeats", "groups", "lists", "papers", "columns", "states", "equals", "above",
    "below", "names",
))  # fmt: skip
"""Keys below which an author's own names stand."""
TABLE = "must be a table"
WRONG: Mapping[str, Mapping[str, str]] = tomli.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
SAYS, PATTERNS, WRITTEN = WRONG["says"], WRONG["patterns"], WRONG["written"]
"""What is wrong, by the kind of error and by the key; and how a key is filled in that holds a table or a list."""
WORD = re.compile(r"'([^']*)'")
NAME = "must be at most 48 small letters, digits and underscores, and start with a letter"


def worded(source: Source, error: ValidationError, parts: Parts) -> tuple[Problem, ...]:
    """Return one problem for each place of the file, however many ways it was tried to be read."""
    found: dict[Keys, Problem] = {}
    details = error.errors(include_url=False)
    unknown = [tuple(d["loc"]) for d in details if d["type"] == "extra_forbidden"]
    misspelt = {(*keys[:-1], nearest(keys[-1], tuple(_inside(keys, parts).model_fields))) for keys in unknown}
    for detail in details:
        keys, loc = _written(source, detail), detail["loc"]
        renamed = detail["type"] == "missing" and keys in misspelt  # the misspelt key's own problem names it
        emptied = detail["type"] == "too_short" and any(d["loc"][: len(loc)] == loc != d["loc"] for d in details)
        if not renamed and not emptied:
            found.setdefault(keys, source.problem(keys, _sentence(keys, detail, parts)))
    return tuple(found.values())


def _written(source: Source, detail: ErrorDetails) -> Keys:
    """Return the keys that an author wrote; what is missing keeps the name that it should have."""
    keys = tuple(detail["loc"])
    if detail["type"] in ("missing", "extra_forbidden"):
        return keys
    keys = source.written(keys)
    return next((keys[:n] for n in range(len(keys), 0, -1) if keys[:n] in source.lines), keys[:1])


def _sentence(keys: Keys, detail: ErrorDetails, parts: Parts) -> str:
    """Say what is wrong at these keys and what to do about it."""
    key, kind, context = keys[-1] if keys else "", detail["type"], detail.get("ctx", {})
    entry = f"Entry {key + 1} of `{keys[-2]}`" if isinstance(key, int) and len(keys) > 1 else f"`{key}`"
    if kind == "missing":
        return f"{entry} is missing here. Add it."
    if kind == "extra_forbidden":
        return f"{entry} is not known here. {_misplaced(keys, parts)}"
    if kind == "literal_error":
        words = context.get("expected", "the known words")
        return f"{entry} must be one of {words}.{meant(detail['input'], WORD.findall(words))}"
    if kind == "unknown_word":
        known = context["known"]
        return f"{entry} must be one of {', '.join(known)}.{meant(detail['input'], known)}"
    if kind == "string_pattern_mismatch":
        return f"{entry} {PATTERNS.get(str(key), NAME)}."
    if kind == "value_error":
        return f"{entry}: {detail['msg'].removeprefix('Value error, ')}"
    if detail["loc"] and detail["loc"][-1] in ("str", "bool", "int"):
        return f"{entry} must be text in quotes, a whole number, true or false."
    said = SAYS.get(kind, "cannot be read").format_map(context)
    holder = next((k for k in reversed(keys) if isinstance(k, str)), "")
    how = f" {WRITTEN[holder]}" if (said == TABLE or kind == "tuple_type") and holder in WRITTEN else ""
    return f"{entry} {said}.{how}"


def _inside(keys: Keys, parts: Parts) -> type[BaseModel]:
    """Return the part that holds the last of these keys; what an author named is no key, whatever it is called."""
    above = [k for before, k in pairwise(("", *keys[:-1])) if isinstance(k, str) and before not in NAMING]
    return next((parts[k] for k in reversed(above) if k in parts), parts[""])


def _misplaced(keys: Keys, parts: Parts) -> str:
    """Name the nearest key that is known at that place, or the place where this one belongs."""
    key = str(keys[-1])
    place = next((name for name, part in parts.items() if key in part.model_fields), None)
    if place is None:
        return meant(key, _inside(keys, parts).model_fields).strip() or "Take it out."
    return f"It belongs to `{place}`." if place else "It belongs to the top of the file, above the first [table]."


PARTS: Parts = {
    "": schema.Form, "fields": Field, "stages": schema.Stage, "operations": schema.Operation, "commands": schema.Command,
    "repeats": schema.Repeat, "groups": schema.QuestionGroup, "choices": Choice, "declares": Declares, "tells": Tells, "names": schema.FormName,
    "transitions": schema.Transition, "anywhere": schema.Transition, "when": Condition, "persona": schema.Persona,
    "retain": schema.Retain, "filing": FilingTable, "rules": FilingRule, "states": RecordState, "any_of": Criterion,
    "all_of": Criterion, "none_of": Criterion, "over": Over, "lists": schema.ListTable, "columns": schema.ListColumn,
    "papers": Paper, "known_by": KnownBy,
}  # fmt: skip
NAMED = ("fields", "stages", "operations", "commands", "repeats", "groups", "lists", "papers")
FILLER = {"title": "-", "version": "-", "prefix": "XX", "name": "x"}
"""Stands in for what is missing, so that the rest can be checked all the same."""


@dataclass(frozen=True)
class Shaped:
    """The form as far as it can be read. `broken` holds the keys of the parts that were left out of it."""

    form: schema.Form
    problems: tuple[Problem, ...] = ()
    broken: frozenset[Keys] = frozenset()


def shape(
    source: Source, name: str, prompt: str, kinds: Collection[str], passages: Mapping[str, str] | None = None
) -> Shaped:
    """Read a form.toml. `name` is the folder's, `kinds` what a field may be. Raises FormError only where nothing can be read."""
    fields = source.data.get("fields")
    known = {"kinds": kinds, "fields": frozenset(fields if isinstance(fields, dict) else ())}
    data = {"name": name, "prompt": prompt, "passages": passages or {}, **_with_names(source.data)}
    try:
        return Shaped(schema.Form.model_validate(data, context=known))
    except ValidationError as error:
        problems = worded(source, error, PARTS)
        places = [tuple(detail["loc"]) for detail in error.errors()]
    broken = frozenset(keys[: 2 if keys[0] in NAMED and len(keys) > 1 else 1] for keys in places)
    left: dict[str, Any] = {key: dict(table) if isinstance(table, dict) else table for key, table in data.items()}
    for keys in broken:
        (left[str(keys[0])] if len(keys) > 1 else left).pop(str(keys[-1]), None)
    try:
        return Shaped(schema.Form.model_validate(FILLER | left, context=known), problems, broken)
    except ValidationError as error:
        raise FormError(problems) from error


def _with_names(data: Mapping[str, Any]) -> dict[str, Any]:
    """Give every named table its name, and an operation's fields theirs."""

    def named(tables: Any) -> Any:
        if not isinstance(tables, dict):
            return tables
        return {n: {**_with_names(t), "name": n} if isinstance(t, dict) else t for n, t in tables.items()}

    return {key: named(table) if key in NAMED else table for key, table in data.items()}


Model = TypeVar("Model", bound=BaseModel)


def read_as(model: type[Model], source: Source, parts: Parts | None = None) -> Model:
    """Return a file's data as a model; `parts` are those below it, by their keys. Raises FormError with the lines to mend."""
    try:
        return model.model_validate(source.data)
    except ValidationError as error:
        raise FormError(worded(source, error, {"": model, **(parts or {})})) from error
