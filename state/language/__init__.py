"""Languages: everything that is known of one stands in its file here (`en.py`), and a file is all that another one needs."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from importlib import import_module
from pkgutil import iter_modules

from babel import Locale, UnknownLocaleError

from state.language.language import IncompleteLanguage, Language

CODE_LENGTH = 2
"""Letters of an ISO 639-1 code: modules with such a name are languages, the others are about words."""


class UnknownLanguage(ValueError):
    """A locale in none of the languages that there are."""

    def __init__(self, locale: str) -> None:
        super().__init__(f'"{locale}" is no known language. {written_as()}')


def find_languages(package: str, folders: Iterable[str]) -> dict[str, Language]:
    """Every language of a package by its code. Raises IncompleteLanguage where a file is not what its name says."""
    codes = sorted(m.name for m in iter_modules(folders) if len(m.name) == CODE_LENGTH)
    found: dict[str, Language] = {code: import_module(f"{package}.{code}").LANGUAGE for code in codes}
    for code, language in found.items():
        if language.code != code:
            raise IncompleteLanguage(f"{code}.py holds the language {language.code!r}")
    return found


LANGUAGES: Mapping[str, Language] = find_languages(__name__, __path__)
EVERYWHERE = "en"
"""The language in which orders, corrections and questions count in every form, beside the form's own."""


@lru_cache(maxsize=64)
def language_of(locale: str) -> Language:
    """The language of a locale such as "it-IT". Raises UnknownLanguage."""
    code = locale.replace("_", "-").partition("-")[0].lower()
    if code not in LANGUAGES:
        raise UnknownLanguage(locale)
    return LANGUAGES[code]


@lru_cache(maxsize=64)
def babel_locale(locale: str) -> Locale:
    """Babel's locale for "it-IT" or "it_IT". Raises UnknownLanguage where Babel knows none, or we not its language."""
    language_of(locale)
    try:
        return Locale.parse(locale.replace("-", "_"))
    except (ValueError, UnknownLocaleError) as error:
        raise UnknownLanguage(locale) from error


@lru_cache(maxsize=64)
def understood(language: Language) -> tuple[Language, ...]:
    """The languages in which orders, corrections and questions count in a form: its own, then the one that counts everywhere."""
    return tuple(dict.fromkeys((language, LANGUAGES[EVERYWHERE])))


def written_as() -> str:
    """How a form's author writes a language."""
    *most, last = (f'"{language.example}"' for language in LANGUAGES.values())
    return f"Write one like {', '.join(most)} or {last}."


__all__ = [
    "LANGUAGES",
    "Language",
    "UnknownLanguage",
    "babel_locale",
    "find_languages",
    "language_of",
    "understood",
    "written_as",
]
