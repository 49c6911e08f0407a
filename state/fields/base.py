"""What every kind of field can do: read a plain answer, find values in open words, parse one value, show one, describe one."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from babel import Locale

from state.form import Field
from state.form.data import Data
from state.language import Language, babel_locale, language_of


@dataclass(frozen=True)
class Context:
    """The form's locale ("en-GB", "it-IT", "es-ES") and the person's own date (ISO 8601)."""

    locale: str
    today: str

    @property
    def language(self) -> Language:
        """The words of this locale's language; English for a language that is not known."""
        return language_of(self.locale)

    @property
    def babel(self) -> Locale:
        """The locale's formats; British English for a locale that is not known."""
        return babel_locale(self.locale)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A value found in a text, from `start` up to `end`. `named`: the field's own words or marks stand beside it."""

    data: Data
    start: int
    end: int
    named: bool = False


class Unreadable(ValueError):
    """A value that its field cannot take. `key` names a sentence of the catalogue, `args_` what that sentence speaks of."""

    def __init__(self, key: str, args: Mapping[str, str] | None = None) -> None:
        super().__init__(key)
        self.key = key
        self.args_: Mapping[str, str] = dict(args or {})


Whole = Callable[[Field, str, Context], Data | None]
Find = Callable[[Field, str, Context], tuple[Candidate, ...]]
Parse = Callable[[Field, object, Context], Data]
Show = Callable[[Field, Data, Context], str]
Schema = Callable[[Field], dict[str, Any]]


@dataclass(frozen=True)
class Kind:
    """One kind of field.

    `whole(field, text, context)`: the value, when the whole message is a plain answer; else None.
    `find(field, text, context)`: every reading in open words, the most specific first.
    `parse(field, given, context)`: a tool's argument or a modal's entry in canonical form; raises Unreadable, nothing else.
    `show(field, data, context)`: the canonical value as people read it; `parse` takes it back.
    `schema(field)`: the JSON schema of its property in a tool, fit for strict tools.
    """

    whole: Whole
    find: Find
    parse: Parse
    show: Show
    schema: Schema
