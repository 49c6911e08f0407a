"""Languages: everything known of one is in its file here (`en.toml`), and a file is all that another one needs."""

from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, get_type_hints

import tomli
from babel import Locale, UnknownLocaleError

from state.language.language import IncompleteLanguage, Language


class UnknownLanguage(ValueError):
    """A locale in none of the languages that there are."""

    def __init__(self, locale: str) -> None:
        super().__init__(f'"{locale}" is no known language. {written_as()}')


def find_languages(folder: Path) -> dict[str, Language]:
    """Return every language of a folder by its code. Raises IncompleteLanguage where a file is not what its name says."""
    found = {path.stem: _read(path) for path in sorted(folder.glob("*.toml"))}
    for code, language in found.items():
        if language.code != code:
            raise IncompleteLanguage(f"{code}.toml holds the language {language.code!r}")
    return found


def _read(path: Path) -> Language:
    language: Language = _made(Language, tomli.loads(path.read_text("utf-8")), path.name)
    return language


def _made(part: type[Any], told: Mapping[str, Any], file: str) -> Any:
    """Build a dataclass from one table of a file; refuse an unknown key, and a missing one."""
    hints = get_type_hints(part)
    strange = set(told) - set(hints)
    if strange:
        raise IncompleteLanguage(f"{file}: {min(strange)} is no entry of {part.__name__}")
    given = {n: _made(hints[n], v, file) if is_dataclass(hints[n]) else _frozen(v) for n, v in told.items()}
    needed = (f.name for f in fields(part) if f.default is MISSING and f.default_factory is MISSING)
    lacking = {name: () for name in needed if name not in given}
    return part(**lacking, **given)


def _frozen(value: Any) -> Any:
    """Return lists as tuples, also within a table."""
    if isinstance(value, dict):
        return {key: _frozen(one) for key, one in value.items()}
    return tuple(value) if isinstance(value, list) else value


LANGUAGES: Mapping[str, Language] = find_languages(Path(__file__).parent)
EVERYWHERE = "en"
"""The language in which orders, corrections and questions count in every form, beside the form's own."""


@lru_cache(maxsize=64)
def language_of(locale: str) -> Language:
    """Return the language of a locale such as "it-IT". Raises UnknownLanguage."""
    code = locale.replace("_", "-").partition("-")[0].lower()
    if code not in LANGUAGES:
        raise UnknownLanguage(locale)
    return LANGUAGES[code]


@lru_cache(maxsize=64)
def babel_locale(locale: str) -> Locale:
    """Return Babel's locale for "it-IT" or "it_IT". Raises UnknownLanguage where Babel knows none, or we not its language."""
    language_of(locale)
    try:
        return Locale.parse(locale.replace("-", "_"))
    except (ValueError, UnknownLocaleError) as error:
        raise UnknownLanguage(locale) from error


@lru_cache(maxsize=64)
def understood(language: Language) -> tuple[Language, ...]:
    """Return the languages in which orders, corrections and questions count in a form: its own, then the one that counts everywhere."""
    return tuple(dict.fromkeys((language, LANGUAGES[EVERYWHERE])))


def written_as() -> str:
    """Return a sentence for a form's author on how a language is written."""
    *most, last = (f'"{language.example}"' for language in LANGUAGES.values())
    return f"Write one like {', '.join(most)} or {last}."


__all__ = [
    "LANGUAGES", "Language", "UnknownLanguage", "babel_locale", "find_languages", "language_of", "understood", "written_as",
]  # fmt: skip
