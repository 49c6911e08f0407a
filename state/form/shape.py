"""From a form.toml to a Form: as much of it as can be read, and what is wrong with the rest."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from state.form.field import Choice, Condition, Field
from state.form.filing import Criterion, FilingRule, FilingTable, Over, RecordState
from state.form.lists import ListColumn, ListTable
from state.form.locate import Path as Keys
from state.form.schema import Command, Form, Operation, Persona, QuestionGroup, Repeat, Retain, Stage, Transition
from state.form.source import FormError, Problem, Source
from state.form.wording import Parts, worded

PARTS: Parts = {
    "": Form, "fields": Field, "stages": Stage, "operations": Operation, "commands": Command, "repeats": Repeat, "groups": QuestionGroup,
    "choices": Choice, "transitions": Transition, "anywhere": Transition, "when": Condition, "persona": Persona,
    "retain": Retain, "filing": FilingTable, "rules": FilingRule, "states": RecordState, "any_of": Criterion,
    "all_of": Criterion, "none_of": Criterion, "over": Over, "lists": ListTable, "columns": ListColumn,
}  # fmt: skip
NAMED = ("fields", "stages", "operations", "commands", "repeats", "groups", "lists")
FILLER = {"title": "-", "version": "-", "prefix": "XX", "name": "x"}
"""Stands in for what is missing, so that the rest can be checked all the same."""


@dataclass(frozen=True)
class Shaped:
    """The form as far as it can be read. `broken` holds the keys of the parts that were left out of it."""

    form: Form
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
        return Shaped(Form.model_validate(data, context=known))
    except ValidationError as error:
        problems = worded(source, error, PARTS)
        broken = frozenset(_part(tuple(d["loc"])) for d in error.errors())
    try:
        return Shaped(Form.model_validate(FILLER | _without(data, broken), context=known), problems, broken)
    except ValidationError as error:
        raise FormError(problems) from error


def _with_names(data: Mapping[str, Any]) -> dict[str, Any]:
    """Give every named table its name, and an operation's fields theirs."""
    return {key: _named(table) if key in NAMED else table for key, table in data.items()}


def _named(tables: Any) -> Any:
    if not isinstance(tables, dict):
        return tables
    return {n: {**_with_names(t), "name": n} if isinstance(t, dict) else t for n, t in tables.items()}


def _part(keys: Keys) -> Keys:
    """Return the part of the form that an error takes with it: one field, one stage, or a key at the top."""
    return keys[:2] if keys[0] in NAMED and len(keys) > 1 else keys[:1]


def _without(data: Mapping[str, Any], broken: Iterable[Keys]) -> dict[str, Any]:
    left = {key: dict(table) if isinstance(table, dict) else table for key, table in data.items()}
    for keys in broken:
        (left[str(keys[0])] if len(keys) > 1 else left).pop(str(keys[-1]), None)
    return left
