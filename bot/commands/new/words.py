"""The words of a language in which a new form is written: cues for kinds, questions to begin with, and what makes a text fit a form."""

import json
import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from string import ascii_lowercase
from typing import Any

import tomli
from babel import Locale

from bot.settings import Wrong
from state.form.filing import Criterion
from state.language import LANGUAGES

Table = dict[str, Any]
"""A table of form.toml as it will be written."""
LABEL, NAME_LENGTH = 75, 40
TAKEN = frozenset({*Criterion.model_fields, "all", "any", "none", "name"})
"""Names that mean something else in a condition or a rule."""
WRITTEN_OUT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "æ": "ae", "ø": "o", "ł": "l"})


@dataclass(frozen=True)
class Words:
    """The words of one language; `code` is its name ("de"), `locale` how a form names it ("de-DE")."""

    code: str
    locale: str
    data: Mapping[str, Any]

    def say(self, key: str, **named: object) -> str:
        """Return a sentence with what it names filled in."""
        return str(self.data[key]).format(**named)

    def question(self, kind: str, label: str) -> str:
        """Return the question with which a field of this kind begins ("short" is a short text)."""
        return str(self.data["asks"][kind]).replace("{label}", label)

    def among(self, key: str, text: str) -> bool:
        """Return True if a text is one of the words of this entry."""
        return plain(text) in {plain(word) for word in self.data[key]}

    @property
    def cues(self) -> Mapping[tuple[str, ...], str]:
        """Return every cue, word by word, with its kind; of one that two kinds have, the first counts."""
        found: dict[tuple[str, ...], str] = {}
        for kind, words in self.data["kinds"].items():
            for word in words:
                found.setdefault(split(word), kind)
        return found

    def kind_called(self, text: str) -> str:
        """Return the kind that is called so, by a form's own word or by one of this language; the empty string for none."""
        slug = plain(text).replace(" ", "_").replace("-", "_")
        return slug if slug in self.data["asks"] else self.cues.get(split(text), "")


def words_of(wish: str) -> Words:
    """Return the words of a language by its code, locale or name ("de", "de-DE", "Deutsch"). Raises Wrong where there are none."""
    given = plain(wish).replace("_", "-")
    for code, language in LANGUAGES.items():
        own = Locale.parse(code)
        names = {code, plain(own.get_display_name(code) or ""), plain(own.get_display_name("en") or "")}
        if given in names or re.fullmatch(rf"{code}-[a-z]{{2}}", given):
            region = given.partition("-")[2].upper()
            return Words(code, f"{code}-{region}" if region else language.example, _read(code))
    raise Wrong([f'There is no language "{wish[:40]}" here. Choose one of {", ".join(LANGUAGES)}.'])


@cache
def _read(code: str) -> Mapping[str, Any]:
    return tomli.loads(files(__package__).joinpath(f"{code}.toml").read_text("utf-8"))


def plain(text: str) -> str:
    """Return a text in small letters with single blanks."""
    return " ".join(text.casefold().split())


def split(text: str) -> tuple[str, ...]:
    """Return the words of a text without accents, in small letters."""
    bare = "".join(c for c in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(c))
    return tuple(re.findall(r"[\w-]+", bare))


def said(text: object, most: int = LABEL) -> str:
    """Return a text that a form may show: one line, without braces and control characters, cut at `most` characters."""
    clean = "".join(c for c in str(text) if c.isspace() or unicodedata.category(c)[0] != "C")
    line = " ".join(clean.replace("{", "(").replace("}", ")").split())
    return line if len(line) <= most else f"{line[: most - 1].rstrip()}…"


def shown(given: object) -> str:
    """Return a value of a file for a line at the terminal, in one line and cut."""
    return json.dumps(given, ensure_ascii=False)[:60]


def capital(text: str) -> str:
    """Return a text with a capital at its beginning."""
    return text[:1].upper() + text[1:]


def slug(text: str, taken: Iterable[str] = (), other: str = "field") -> str:
    """Return a name for a thing that is labelled so, which none of the `taken` has."""
    base = unicodedata.normalize("NFKD", text.casefold().translate(WRITTEN_OUT)).encode("ascii", "ignore").decode()
    name = re.sub(r"[^a-z]+", "_", base).strip("_")[:NAME_LENGTH].strip("_") or other  # a tool's name has no digits
    name, known = f"{name}_" if name in TAKEN else name, set(taken)
    endings = ("", *(f"_{a}{b}" for a in ("", *ascii_lowercase) for b in ascii_lowercase[1:]))
    return next(f"{name}{ending}" for ending in endings if f"{name}{ending}" not in known)


def apart(name: str, taken: Iterable[str], ending: str) -> str:
    """Return a name, or its first variant with a number that is not taken yet."""
    known = {plain(one) for one in taken}
    n, found = 1, name
    while plain(found) in known:
        n += 1
        found = name[: LABEL - 6] + ending.format(n)
    return found
