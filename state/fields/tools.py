"""Which tool sets which fields of a form, and which field of an operation a file answers."""

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

from state.fields import kind_of
from state.form import Field, Form, Operation

FORMS = 64
"""Forms whose tools are kept at hand."""


@lru_cache(maxsize=FORMS)
def tools_of(form: Form) -> Mapping[str, tuple[Field, ...]]:
    """Fields by the tool that sets them, in the form's order; what files answer has none."""
    groups: dict[str, list[Field]] = {}
    for field in (f for f in form.fields.values() if not kind_of(f).by_file):
        groups.setdefault(f"set_{field.tool or field.name}", []).append(field)
    return MappingProxyType({name: tuple(fields) for name, fields in groups.items()})


def file_field(operation: Operation) -> str:
    """The field that a file answers; an operation that has one is called by sending a file, never by a model."""
    return next((f.name for f in operation.fields.values() if kind_of(f).by_file), "")
