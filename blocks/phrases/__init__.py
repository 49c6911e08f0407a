"""The catalogue of sentences, per language. A form may say some of them in its own way."""

import re
import tomllib
from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files

LANGUAGES = ("en", "it", "es")
NAME = re.compile(r"\{([a-z_]+)\}")
OWN_KEYS = re.compile(r"^(?:state|next|why)_[a-z][a-z0-9_]*$")
"""A form's own states may have a name and a "what happens now", and its own ways to a person a reason, that the catalogue does not know."""


def names(sentence: str) -> frozenset[str]:
    """What a sentence wants filled in."""
    return frozenset(NAME.findall(sentence))


@cache
def catalogue(language: str) -> Mapping[str, str]:
    """All sentences of "en", "it" or "es"; of English for any other language."""
    name = language if language in LANGUAGES else LANGUAGES[0]
    return tomllib.loads(files(__package__).joinpath(f"{name}.toml").read_text("utf-8"))


def problems(overrides: Mapping[str, str]) -> tuple[str, ...]:
    """What is wrong with a form's own sentences, a line each: a key that is none, a name that is never filled in."""
    known = catalogue(LANGUAGES[0])
    return tuple(
        f"says.{key}: {flaw}" for key, sentence in overrides.items() if (flaw := _flaw(known.get(key), key, sentence))
    )


def _flaw(ours: str | None, key: str, sentence: str) -> str:
    if ours is None and not OWN_KEYS.match(key):
        return "there is no such sentence"
    stray = names(sentence) - _givable(ours or "")
    return f"cannot name {', '.join(f'{{{name}}}' for name in sorted(stray))}" if stray else ""


def _givable(sentence: str) -> frozenset[str]:
    """What may be named in a sentence's place: a label is given in both its cases."""
    given = names(sentence)
    return given | {"label", "thing"} if given & {"label", "thing"} else given


class Phrasebook:
    """The sentences of a form's language ("it-IT"), with the form's own in their place."""

    def __init__(self, language: str, overrides: Mapping[str, str] | None = None) -> None:
        """Raises ValueError where `problems` finds any."""
        wrong = problems(overrides or {})
        if wrong:
            raise ValueError("; ".join(wrong))
        self._sentences = {**catalogue(language.split("-", maxsplit=1)[0]), **(overrides or {})}

    def __contains__(self, key: str) -> bool:
        return key in self._sentences

    def say(self, key: str, **args: str) -> str:
        """The sentence, filled in. Raises KeyError for an unknown key and for a name that is not given."""
        return self.fill(key, args, str)

    def fill(self, key: str, args: Mapping[str, str], prepare: Callable[[str], str]) -> str:
        """The sentence with `prepare` applied to its own words; the arguments go in as they are."""
        parts = NAME.split(self._sentences[key])
        return "".join(args[part] if i % 2 else prepare(part) for i, part in enumerate(parts))
