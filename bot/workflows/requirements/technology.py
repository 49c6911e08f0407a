"""Names of technology in a text: programming languages by Pygments' list, the rest by technology.toml."""

import re
from collections.abc import Iterable
from functools import cache

from state.form.files import Files
from state.rules import Finder

from .lists import texts

LANGUAGE = re.compile(r"[A-Za-z][\w.#-]*\+*")
"""A lexer's name that is one word; the others are templates and sessions of one."""
START = re.compile(r"(?:^|[.!?:\n❓✅]\s*|[\"“(]\s*)$")
"""What stands before a sentence's first word."""


def technology(files: Files) -> Finder:
    """Finds names in any spelling of their letters; those that are everyday words only as they are written, inside a sentence."""
    source = files.toml("technology.toml")
    left_out = {name.casefold() for name in texts(source, "left_out")}
    ordinary = frozenset(texts(source, "ordinary"))
    names, folded = texts(source, "names"), {name.casefold() for name in ordinary}

    @cache
    def patterns() -> tuple[re.Pattern[str], re.Pattern[str]]:
        languages = {name for name in _languages() if name.casefold() not in left_out}
        plainly = {n for n in (*names, *languages) if n.casefold() not in folded}
        return _pattern(plainly, re.IGNORECASE), _pattern(ordinary, 0)

    def find(text: str) -> frozenset[str]:
        anywhere, inside = patterns()
        named = {m[0].casefold() for m in anywhere.finditer(text)}
        words = {m[0].casefold() for m in inside.finditer(text) if not START.search(text[: m.start()])}
        return frozenset(named | words)

    return find


def _languages() -> Iterable[str]:
    """Programming languages by their names in one word."""
    from pygments.lexers import get_all_lexers  # noqa: PLC0415  wanted with the first answer, not at the start

    return (name for name, *_ in get_all_lexers() if LANGUAGE.fullmatch(name))


def _pattern(names: Iterable[str], flags: int) -> re.Pattern[str]:
    """The longest of the names that begins at a place, as a whole word."""
    longest = sorted(names, key=lambda name: (-len(name), name))
    return re.compile(rf"(?<![\w.])(?:{'|'.join(map(re.escape, longest))})(?![\w+#])", flags)
