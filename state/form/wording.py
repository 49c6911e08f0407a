"""Pydantic's errors as sentences that an author can act on, each with its line."""

import re
from collections.abc import Callable, Mapping
from datetime import date, time
from itertools import pairwise

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from state.form.elsewhere import INSTEAD, WRITTEN, called
from state.form.locate import Path as Keys
from state.form.near import meant, nearest
from state.form.problems import Problem
from state.form.source import Source

Parts = Mapping[str, type[BaseModel]]
NAMING = frozenset(
    {
        "fields",
        "stages",
        "operations",
        "commands",
        "repeats",
        "groups",
        "lists",
        "columns",
        "states",
        "equals",
        "above",
        "below",
    }
)
"""Keys below which an author's own names stand."""
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
    "greater_than": "must be more than {gt}",
    "greater_than_equal": "must be {ge} or more",
    "less_than": "must be less than {lt}",
    "less_than_equal": "must be {le} or less",
    "string_too_long": "must have at most {max_length} characters",
    "string_too_short": "must have at least {min_length} characters",
    "decimal_parsing": 'must be a number in quotes, like "12.50"',
    "decimal_type": 'must be a number in quotes, like "12.50"',
}
HOLDING = ("tuple_type", "mapping_type", "dict_type", "model_type", "model_attributes_type")
PATTERNS: Mapping[str, str] = {
    "prefix": "must be two to six capital letters",
    "command": "must be a slash, then at most 31 small letters, digits, - or _",
}
RESPELT: Mapping[str, Callable[[str], str]] = {
    "prefix": lambda given: re.sub(r"[^A-Z]", "", given.upper())[:6],
    "command": lambda given: "/" + re.sub(r"[^a-z0-9_-]+", "_", given.casefold().lstrip("/")),
}
SPELLINGS: Mapping[str, str] = {"prefix": r"[A-Z]{2,6}", "command": r"/[a-z0-9_-]{1,31}"}
TRUTHS: Mapping[str, str] = {
    "ja": "true", "si": "true", "sì": "true", "sí": "true", "nein": "false", "yes": "true", "no": "false", "on": "true", "off": "false",
}  # fmt: skip
WORD = re.compile(r"'([^']*)'")
NAME = "must be at most 48 small letters, digits and underscores, and start with a letter"


def worded(source: Source, error: ValidationError, parts: Parts) -> tuple[Problem, ...]:
    """One problem for each place of the file, however many ways it was tried to be read."""
    found: dict[Keys, Problem] = {}
    details = error.errors(include_url=False)
    meant_so = {_respelt_key(tuple(d["loc"]), parts) for d in details if d["type"] == "extra_forbidden"}
    for detail in details:
        keys = _written(source, detail)
        if detail["type"] == "missing" and keys in meant_so:
            continue  # the key stands there under another name, and is told with that
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
        return f"{entry} is not known here. {_misplaced(keys, parts)}"
    if kind == "literal_error":
        words = detail.get("ctx", {}).get("expected", "the known words")
        return f"{entry} must be one of {words}.{meant(detail['input'], WORD.findall(words))}"
    if kind == "unknown_word":
        known = detail["ctx"]["known"]
        return f"{entry} must be one of {', '.join(known)}.{meant(detail['input'], known, detail['ctx']['also'])}"
    if kind == "string_pattern_mismatch":
        return f"{entry} {PATTERNS.get(str(key), NAME)}.{_respelt(str(key), str(detail['input']))}"
    if kind == "value_error":
        return f"{entry}: {detail['msg'].removeprefix('Value error, ')}"
    if detail["loc"] and detail["loc"][-1] in ("str", "bool", "int"):
        return f"{entry} must be text in quotes, a whole number, true or false.{_written_so(detail['input'])}"
    said = SAYS.get(kind, "cannot be read").format_map(detail.get("ctx", {}))
    return f"{entry} {said}.{_rewritten(kind, detail['input']) or _written_as(keys, kind)}"


def _respelt(key: str, given: str) -> str:
    """The same word as it may be written, where one can be made of it."""
    made = RESPELT.get(key, _as_name)(given)
    fits = re.fullmatch(SPELLINGS.get(key, r"[a-z][a-z0-9_]{0,47}"), made)
    return f" Write `{made}`." if fits and made != given else ""


def _as_name(given: str) -> str:
    """ "firstDay" and "First-Day" as "first_day"."""
    parted = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", given)
    return re.sub(r"[^a-z0-9]+", "_", parted.casefold()).strip("_")


def _written_as(keys: Keys, kind: str) -> str:
    """How the key is filled in, where it holds a table or a list."""
    key = next((k for k in reversed(keys) if isinstance(k, str)), "")
    return f" {WRITTEN[key]}" if kind in HOLDING and key in WRITTEN else ""


def _rewritten(kind: str, given: object) -> str:
    """The same value as the key wants it, where that is plain."""
    if kind == "string_type":
        return _written_so(given)
    if kind == "tuple_type" and isinstance(given, str) and given:
        return f' Write ["{given}"].'
    close = nearest(given, ("true", "false", *TRUTHS)) if kind == "bool_parsing" else ""
    return f" Did you mean `{TRUTHS.get(close, close)}`?" if close else ""


def _written_so(given: object) -> str:
    """A value of another type as text."""
    if isinstance(given, bool):
        return f' Write "{str(given).lower()}", where text is meant.'
    return f' Write "{given}".' if isinstance(given, int | float | date | time) else ""


def _respelt_key(keys: Keys, parts: Parts) -> Keys:
    """The keys as they were meant, as far as that can be told."""
    known = tuple(_inside(keys, parts).model_fields)
    return (*keys[:-1], nearest(keys[-1], known, called(known)))


def _inside(keys: Keys, parts: Parts) -> type[BaseModel]:
    """The part in which the last of these keys stands; what an author named is no key, whatever it is called."""
    above = [k for before, k in pairwise(("", *keys[:-1])) if isinstance(k, str) and before not in NAMING]
    return next((parts[k] for k in reversed(above) if k in parts), parts[""])


def _misplaced(keys: Keys, parts: Parts) -> str:
    """The nearest word that is known at that place, or the place where this one is."""
    key, known = str(keys[-1]), tuple(_inside(keys, parts).model_fields)
    if key in INSTEAD and "required" in known:
        return INSTEAD[key]
    others = called(known)
    elsewhere = next((name for name, part in parts.items() if key in part.model_fields), None)
    if elsewhere is None or key in others:
        return meant(key, known, others).strip() or "Take it out."
    return (
        "It belongs to the top of the file, above the first [table]."
        if elsewhere == ""
        else f"It belongs to `{elsewhere}`."
    )
