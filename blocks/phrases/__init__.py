"""The catalogue of sentences, per language. A form may say some of them in its own way."""

import re
from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from importlib.resources import files
from pathlib import Path

import tomli
from babel.localedata import locale_identifiers

from state.form import Form
from state.form.source import hint

_FILES = {Path(file.name).stem: file for file in files(__package__).iterdir() if file.name.endswith(".toml")}
LANGUAGES = tuple(sorted(_FILES))
"""Each language by its file: one more file is one more language."""
WRITTEN_FIRST = "en"
"""The catalogue by which forms' own sentences are checked; all have the same keys and names."""
NAME = re.compile(r"\{([a-z_]+)\}")
OWN_KEYS = re.compile(r"^(?:state|next|why|role|verdict)_[a-z][a-z0-9_]*$")
"""A form's own states may have a name and a "what happens now", and its own ways to a person a reason, that the catalogue does not know."""


@lru_cache(maxsize=4096)
def names(sentence: str) -> frozenset[str]:
    """Return what a sentence wants filled in."""
    return frozenset(NAME.findall(sentence))


@lru_cache(maxsize=256)
def _sentences(language: str, own: tuple[tuple[str, str], ...]) -> Mapping[str, str]:
    """Return the catalogue with a form's own sentences in it; made once, as each card of a form wants it. Raises ValueError for a bad one."""
    if wrong := problems(dict(own), language):
        raise ValueError("; ".join(wrong))
    return {**catalogue(language), **dict(own)}


@cache
def catalogue(language: str) -> Mapping[str, str]:
    """Return all sentences of "it" or "it-IT". Raises ValueError where there are none in that language."""
    code = language.replace("_", "-").partition("-")[0].lower()
    return _read(code)


def spoken(*languages: str) -> str:
    """Return the first of these languages in which there are sentences: the person's own, else the installation's. Raises ValueError for none.

    A locale that nobody writes dates by (Slack's "es-LA") stands for its language.
    """
    codes = (
        (language.replace("_", "-"), language.replace("_", "-").partition("-")[0].lower()) for language in languages
    )
    for language, code in codes:
        if code in _FILES:
            return language if language.replace("-", "_") in locale_identifiers() else code
    raise ValueError(f"there are no sentences in {', '.join(languages)}; there are in {', '.join(LANGUAGES)}")


@cache
def _read(code: str) -> Mapping[str, str]:
    if code not in _FILES:
        raise ValueError(f'there are no sentences in "{code}"; there are in {", ".join(LANGUAGES)}')
    return tomli.loads(_FILES[code].read_text("utf-8"))


def problems(overrides: Mapping[str, str], language: str = WRITTEN_FIRST) -> tuple[str, ...]:
    """Return what is wrong with a form's own sentences, a line each: a key that is none, a name that is never filled in, its language."""
    known = catalogue(WRITTEN_FIRST)
    own = ((key, _flaw(known.get(key), key, sentence)) for key, sentence in overrides.items())
    found = tuple(f"says.{key}: {flaw}" for key, flaw in own if flaw)
    try:
        catalogue(language)
    except ValueError as none:
        return (f"language: {none}", *found)
    return found


def _flaw(ours: str | None, key: str, sentence: str) -> str:
    if ours is None and not OWN_KEYS.match(key):
        return f"there is no such sentence{_near(key)}"
    stray = names(sentence) - _givable(ours or "")
    if not stray:
        return ""
    names_ = ", ".join(f"{{{name}}}" for name in sorted(stray))
    return f"cannot name {names_}{hint(min(stray), _givable(ours or ''))}"


def _near(key: str) -> str:
    if key in Form.model_fields:
        return f"; `{key}` belongs to the top of the file, above the first [table]"
    return hint(key, catalogue(WRITTEN_FIRST))


def _givable(sentence: str) -> frozenset[str]:
    """Return what may be named in a sentence's place: a label is given in both its cases."""
    given = names(sentence)
    return given | {"label", "thing"} if given & {"label", "thing"} else given


class Phrasebook:
    """The sentences of a form's language ("it-IT"), with the form's own in their place."""

    def __init__(self, language: str, overrides: Mapping[str, str] | None = None) -> None:
        """Load the sentences. Raises ValueError where `problems` finds any."""
        self.language = language
        self._sentences = _sentences(language, tuple((overrides or {}).items()))

    def __contains__(self, key: str) -> bool:
        return key in self._sentences

    def names(self, key: str) -> frozenset[str]:
        """Return what a sentence wants filled in. Raises KeyError for an unknown key."""
        return names(self._sentences[key])

    def say(self, key: str, **args: str) -> str:
        """Return the sentence, filled in. Raises KeyError for an unknown key and for a name that is not given."""
        return self.fill(key, args, str)

    def fill(self, key: str, args: Mapping[str, str], prepare: Callable[[str], str]) -> str:
        """Return the sentence with `prepare` applied to its own words; the arguments go in as they are."""
        parts = NAME.split(self._sentences[key])
        return "".join(args[part] if i % 2 else prepare(part) for i, part in enumerate(parts))
