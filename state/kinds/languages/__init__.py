"""The words that the kinds know, by language. Only words live here; what they mean for a kind is that kind's file."""

from functools import lru_cache

from babel import Locale, UnknownLocaleError

from state.language.en import ENGLISH
from state.language.es import SPANISH
from state.language.it import ITALIAN
from state.language.language import Language

LANGUAGES: dict[str, Language] = {language.code: language for language in (ENGLISH, ITALIAN, SPANISH)}


def language_of(locale: str) -> Language:
    """The language of a locale such as "it-IT"; English where it is not one of ours."""
    return LANGUAGES.get(locale[:2].lower(), ENGLISH)


@lru_cache(maxsize=32)
def babel_locale(locale: str) -> Locale:
    """Babel's locale for "it-IT" or "it_IT"; British English where Babel knows none."""
    try:
        return Locale.parse(locale.replace("-", "_"))
    except (ValueError, UnknownLocaleError):
        return Locale.parse("en_GB")


__all__ = ["LANGUAGES", "Language", "babel_locale", "language_of"]
