"""Tell in which language somebody typed, by the words that each language's file holds."""

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any

from state.language import LANGUAGES, babel_locale
from state.language.language import Language
from state.language.tokens import keys_of, masked, tokens


def typed_in(text: str, locale: str) -> str:
    """Return the locale of the language that most of the words are of; the person's own where that is theirs, or left open."""
    known = {code: sum(t.key in words_of(one) for t in tokens(masked(text), one)) for code, one in LANGUAGES.items()}
    first, second = sorted(known, key=lambda code: -known[code])[:2]
    if known[first] == known[second] or locale[:2].lower() == first:
        return locale
    return LANGUAGES[first].example


@cache
def words_of(language: Language) -> frozenset[str]:
    """Return every word in a language's file, and its names of days and months, as words are compared; not of the euro, which is in all of them."""
    locale = babel_locale(language.example)
    calendar = [name for part in (locale.days, locale.months) for name in part["format"]["wide"].values()]
    words = (key for phrase in (*_phrases(language), *calendar) for key in keys_of(phrase, language))
    return frozenset(word for word in words if not word.isdigit()) - {
        w for w, code in language.currencies.items() if code == "EUR"
    }


def _phrases(part: Any) -> Iterator[str]:
    """Yield the phrases of a language, or of a part of it: its lists, and what its tables are looked up by or list."""
    if is_dataclass(part):
        part = [one for f in fields(part) if not isinstance(one := getattr(part, f.name), str)]
    elif isinstance(part, Mapping):
        part = [some if isinstance(some, tuple) else phrase for phrase, some in part.items()]
    for one in part if isinstance(part, list | tuple) else ():
        yield from (one,) if isinstance(one, str) else _phrases(one)
