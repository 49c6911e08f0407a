"""The kinds of fields, found by looking in the modules of this package. Everything that is particular to a kind of answer is asked of `kind_of`."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from importlib import import_module
from pkgutil import iter_modules
from types import MappingProxyType

from state.fields.base import RECENT, ElementName, Kind
from state.form import Field, Form, Operation


def kind_of(field: Field) -> Kind:
    """Return what the field's kind can do, and its traits. Raises KeyError for a kind that is none; loading refuses those."""
    return KINDS[field.kind]


def is_closed(field: Field) -> bool:
    """Return True if a parser alone can tell if a message answers it."""
    return kind_of(field).closed or field.short


def is_offerable(field: Field) -> bool:
    """Return True if the bot may put a value to the person: never a declaration, never the reason that is graded."""
    return (kind_of(field).offered or field.suggest) and field.worse is None and not field.grade


def element_of(field: Field) -> ElementName:
    """Return what the question is answered with on screen; one that lists its answers shows them."""
    element = kind_of(field).element
    return "buttons" if element == "input" and field.choices else element


def _kinds() -> Iterator[Kind]:
    """Yield them, each with its latest readings at hand: a line is asked for them again and again in one turn."""
    for module in iter_modules(__path__):
        every = vars(import_module(f"{__name__}.{module.name}")).values()
        yield from (replace(one, find=lru_cache(RECENT)(one.find)) for one in every if isinstance(one, Kind))


KINDS: Mapping[str, Kind] = {kind.name: kind for kind in sorted(_kinds(), key=lambda kind: kind.name)}


FORMS = 64
"""Forms whose tools are kept at hand."""


@lru_cache(maxsize=FORMS)
def tools_of(form: Form) -> Mapping[str, tuple[Field, ...]]:
    """Return the fields by the tool that sets them, in the form's order; what files answer has none."""
    groups: dict[str, list[Field]] = {}
    for field in (f for f in form.fields.values() if not kind_of(f).by_file):
        groups.setdefault(f"set_{field.tool or field.name}", []).append(field)
    return MappingProxyType({name: tuple(fields) for name, fields in groups.items()})


def file_field(operation: Operation) -> str:
    """Return the field that a file answers; an operation that has one is called by sending a file, never by a model."""
    return next((f.name for f in operation.fields.values() if kind_of(f).by_file), "")
