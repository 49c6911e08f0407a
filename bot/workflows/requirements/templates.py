"""The documents' templates: sections in order, and the fields that each of them shows."""

from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import TypeAdapter, ValidationError

from state.form.files import Files
from state.form.source import FormError

KINDS = ("feature", "bug", "spike", "enhancement")


@dataclass(frozen=True)
class Section:
    """A heading and the fields below it; a list's field is named once."""

    heading: str
    fields: tuple[str, ...]


@dataclass(frozen=True)
class Template:
    """One kind of document."""

    title: str
    sections: tuple[Section, ...]


def read_templates(files: Files) -> Mapping[str, Template]:
    """Template by kind. Raises FormError where a kind lacks its template, or one cannot be read."""
    source, read = files.toml("templates.toml"), TypeAdapter(Template)
    made: dict[str, Template] = {}
    for kind in KINDS:
        try:
            made[kind] = read.validate_python(source.data.get(kind))
        except ValidationError as error:
            text = f"`{kind}` needs a `title` and `sections`, each with a `heading` and `fields`."
            raise FormError([source.problem((kind,), text)]) from error
    return made
