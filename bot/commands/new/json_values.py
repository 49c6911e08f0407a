"""One value of a JSON Schema: which kind of field asks for it, its limits, and what is said beside its question."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from bot.commands.new.words import Table, said

Schema = Mapping[str, Any]
Leave = Callable[[str], None]
"""Names something that could not be carried over."""
READ = frozenset((
    "$schema", "$id", "$ref", "$defs", "definitions", "$comment", "$anchor", "title", "description", "type", "properties", "required",
    "enum", "const", "format", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "maxLength", "items", "minItems", "maxItems",
    "uniqueItems", "if", "then", "else", "oneOf", "anyOf", "allOf", "default", "examples", "readOnly", "writeOnly", "nullable",
    "additionalProperties", "contentEncoding", "contentMediaType", "deprecated", "example",
))  # fmt: skip
"""Keywords that are carried over, or say nothing that a form asks for."""
FORMATS = {
    "date": "date", "date-time": "date", "time": "time", "email": "email", "idn-email": "email", "uri": "link", "url": "link",
    "iri": "link", "phone": "phone", "tel": "phone", "iban": "identifier", "binary": "document", "byte": "document", "data-url": "document",
}  # fmt: skip
KINDS = {"string": "text", "integer": "integer", "number": "decimal", "boolean": "yes_no"}


@dataclass
class Place:
    """Where a part of the schema stands, and what holds there."""

    path: str = "#"
    names: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    when: Table = field(default_factory=dict)
    repeat: str = ""
    asked: bool = True
    refs: tuple[str, ...] = ()

    def below(self, name: str, label: str) -> "Place":
        """Return the place of a property."""
        names, labels = (*self.names, name), (*self.labels, label)
        return replace(self, path=f"{self.path}/properties/{name}", names=names, labels=labels)


def kind_of_value(given: Schema, kind: str, leave: Leave) -> str:
    """Return the kind of field for a value of a type and a format."""
    wanted = given.get("format")
    if given.get("contentEncoding") or given.get("contentMediaType"):
        return "document"
    if wanted == "date-time":
        leave("of a date-time the form asks for the day alone.")
    if isinstance(wanted, str) and kind in ("string", "") and wanted in FORMATS:
        return FORMATS[wanted]
    if wanted and kind == "string":
        leave(f"format {said(wanted, 40)} is not checked.")
    if kind not in KINDS:
        leave("its type is not one a form knows; it is asked for as a text.")
    return KINDS.get(kind, "text")


def limits_of(given: Schema, leave: Leave, *, whole: bool) -> Table:
    """Return the limits of a number, which in a form are whole and belong to what is allowed."""
    limits: Table = {}
    for key, name, step in (("minimum", "minimum", 1), ("maximum", "maximum", -1)):
        bound, open_ = given.get(key), given.get(f"exclusive{key.title()}")
        if open_ is True and isinstance(bound, int | float):  # as draft 4 writes it
            bound, open_ = None, bound
        if isinstance(open_, int | float) and not isinstance(open_, bool):
            bound = open_ + step if whole else open_
            if not whole:
                leave(f"exclusive{key.title()} {open_}: the bound itself is taken too.")
        if isinstance(bound, int | float) and not isinstance(bound, bool):
            if bound == int(bound) and abs(bound) < 2**53:
                limits[name] = int(bound)
            else:
                leave(f"{key} {bound}: a limit is a whole number.")
    return limits


def told_of(given: Schema) -> Table:
    """Return the help and the example that stand beside the question; a description that is a question is asked."""
    told = str(given.get("description") or "").strip()
    asked = "ask" if told.endswith("?") else "help"
    beside: Table = {asked: said(told, 600 if asked == "ask" else 2000)} if told else {}
    examples = listed(given.get("examples")) or listed([given["example"]] if "example" in given else None)
    return beside | (
        {"placeholder": said(examples[0], 150)} if examples and not isinstance(examples[0], dict | list) else {}
    )


def listed(given: Any) -> list[Any]:
    """Return a list of the schema; an empty one where something else stands."""
    return given if isinstance(given, list) else []


def spaced(name: str) -> str:
    """Return a name as words: "dateOfBirth" and "date_of_birth" are "date of birth"."""
    apart_ = "".join(f" {c}" if c.isupper() and n and name[n - 1].islower() else c for n, c in enumerate(name))
    words = apart_.replace("_", " ").replace("-", " ").split()
    return said(" ".join(w if w.isupper() and len(w) > 1 else w.lower() for w in words)) or "?"
