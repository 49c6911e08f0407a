"""Pydantic's errors as sentences that an author can act on, each with its line."""

from collections.abc import Mapping
from difflib import get_close_matches

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from state.form.locate import Path as Keys
from state.form.problems import Problem
from state.form.source import Source

Parts = Mapping[str, type[BaseModel]]
"""What stands below a key: "choices" holds Choice. The empty key is the whole file."""

SAYS: Mapping[str, str] = {
    "string_type": "must be text in quotes",
    "bool_type": "must be true or false, without quotes",
    "bool_parsing": "must be true or false, without quotes",
    "int_type": "must be a whole number, without quotes",
    "int_parsing": "must be a whole number, without quotes",
    "int_from_float": "must be a whole number",
    "date_type": "must be a date, like 2026-11-20",
    "date_parsing": "must be a date, like 2026-11-20",
    "date_from_datetime_parsing": "must be a date, like 2026-11-20",
    "tuple_type": 'must be a list, like ["one", "two"]',
    "mapping_type": "must be a table",
    "dict_type": "must be a table",
    "model_type": "must be a table",
    "model_attributes_type": "must be a table",
}
PATTERNS: Mapping[str, str] = {
    "prefix": "must be two to six capital letters",
    "command": "must be a slash, then at most 31 small letters, digits, - or _",
}
NAME = "must be at most 48 small letters, digits and underscores, and start with a letter"


def worded(source: Source, error: ValidationError, parts: Parts) -> tuple[Problem, ...]:
    """One problem for each place of the file, however many ways it was tried to be read."""
    found: dict[Keys, Problem] = {}
    for detail in error.errors(include_url=False):
        keys = _written(source, detail)
        found.setdefault(keys, source.problem(keys, _sentence(keys, detail, parts)))
    return tuple(found.values())


def _written(source: Source, detail: ErrorDetails) -> Keys:
    """The keys that an author wrote; what is missing keeps the name that it should have."""
    keys = tuple(detail["loc"])
    if detail["type"] in ("missing", "extra_forbidden"):
        return keys
    return next((keys[:n] for n in range(len(keys), 0, -1) if keys[:n] in source.lines), keys[:1])


def _sentence(keys: Keys, detail: ErrorDetails, parts: Parts) -> str:
    """What is wrong at these keys and what to do about it."""
    key, kind = keys[-1] if keys else "", detail["type"]
    entry = f"Entry {key + 1} of `{keys[-2]}`" if isinstance(key, int) and len(keys) > 1 else f"`{key}`"
    if kind == "missing":
        return f"{entry} is missing here. Add it."
    if kind == "extra_forbidden":
        return f"{entry} is not known here. {_meant(keys, parts)}"
    if kind == "literal_error":
        return f"{entry} must be one of {detail.get('ctx', {}).get('expected', 'the known words')}."
    if kind == "unknown_word":
        return f"{entry} must be one of {', '.join(detail['ctx']['known'])}.{_nearest(detail)}"
    if kind == "string_pattern_mismatch":
        return f"{entry} {PATTERNS.get(str(key), NAME)}."
    if kind == "value_error":
        return f"{entry}: {detail['msg'].removeprefix('Value error, ')}"
    if detail["loc"] and detail["loc"][-1] in ("str", "bool", "int"):
        return f"{entry} must be text in quotes, a whole number, true or false."
    return f"{entry} {SAYS.get(kind, 'cannot be read')}."


def _nearest(detail: ErrorDetails) -> str:
    close = get_close_matches(str(detail["input"]), detail["ctx"]["known"], n=1)
    return f" Did you mean `{close[0]}`?" if close else ""


def _meant(keys: Keys, parts: Parts) -> str:
    """The nearest word that is known at that place."""
    inside = next((parts[k] for k in reversed(keys[:-1]) if isinstance(k, str) and k in parts), parts[""])
    close = get_close_matches(str(keys[-1]), inside.model_fields, n=1)
    return f"Did you mean `{close[0]}`?" if close else "Take it out."
