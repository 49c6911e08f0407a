"""The kinds of fields: one module each, found by looking. Everything that is particular to a kind of answer is asked of `kind_of`."""

from collections.abc import Iterator, Mapping
from importlib import import_module
from pkgutil import iter_modules

from state.fields.base import ElementName, Kind
from state.form import Field


def kind_of(field: Field) -> Kind:
    """What the field's kind can do, and its traits. Raises KeyError for a kind that is none; loading refuses those."""
    return KINDS[field.kind]


def is_closed(field: Field) -> bool:
    """Whether a parser alone can tell if a message answers it."""
    return kind_of(field).closed or field.short


def is_offerable(field: Field) -> bool:
    """Whether the bot may put a value to the person: never a declaration, never the reason that is graded."""
    return (kind_of(field).offered or field.suggest) and field.worse is None and not field.grade


def element_of(field: Field) -> ElementName:
    """What the question is answered with on screen; one that lists its answers shows them."""
    element = kind_of(field).element
    return "buttons" if element == "input" and field.choices else element


def _kinds() -> Iterator[Kind]:
    for module in iter_modules(__path__):
        found = getattr(import_module(f"{__name__}.{module.name}"), "KIND", None)
        if isinstance(found, Kind):
            yield found


KINDS: Mapping[str, Kind] = {kind.name: kind for kind in _kinds()}
