"""A TOML file that an author writes: its values, the line of each of them, what is wrong with it, and what was probably meant."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cached_property
from itertools import count
from pathlib import Path
from typing import Any

import tomli
from pydantic import ValidationError

Keys = tuple[str | int, ...]
"""Keys and list positions that lead to a value: ("fields", "account", "choices", 0)."""
LEFT_OUT = ("equals", "all")
"""Keys that an author need not write."""
AT = re.compile(r"\s*\(at (?:line (\d+), column \d+|end of document)\)$")
"""Where tomli says that a text is no TOML."""
MENDED: Mapping[str, str] = {
    r"Illegal character '\n'": 'A text ends on the line on which it begins; one of several lines stands in """three quotes""".',
    "Illegal character": "A sign that cannot be seen stands there. Write the line anew.",
    "Unescaped": r"Write \\ for a backslash, or put the text into 'single quotes'.",
    "Invalid date": "No calendar has this day, or no clock this hour. Write 2026-11-20 or 09:00:00.",
    "Expected newline": r"Write one key on a line, quotes within a text as \", a day as 2026-11-20 and an hour as 09:00:00.",
    "Invalid value": 'Text stands in plain quotes, "like this".',
    "": "Text stands in quotes, lists in [brackets].",
}
"""What to do, by how tomli's words begin."""
NO_TEXT = "This is not UTF-8 text. Save the file as UTF-8."


@dataclass(frozen=True, order=True)
class Problem:
    """`line` counts from 1; `text` is one or two sentences for whoever writes the form."""

    file: Path
    line: int
    text: str

    def __str__(self) -> str:
        """Return it as compilers write it: `pa_dealing/form.toml:41: The field …`."""
        return f"{self.file.parent.name}/{self.file.name}:{self.line}: {self.text}"


class NotToml(ValueError):
    """A text that is no TOML: its line, and sentences that say what to do."""

    def __init__(self, text: str, error: ValueError) -> None:
        found, said = AT.search(str(error)), AT.sub("", str(error))
        self.line = int(found[1]) if found and found[1] else len(text.rstrip("\n").split("\n"))
        does = next(does for began, does in MENDED.items() if said.startswith(began))
        self.told = NO_TEXT if isinstance(error, UnicodeDecodeError) else f"This is not TOML: {said}. {does}"
        super().__init__(f"line {self.line}: {self.told}")


class FormError(Exception):
    """A workflow that cannot be used. `problems` holds all that is wrong with it, in the order of its files and lines."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(sorted(set(problems)))
        super().__init__("\n".join(map(str, self.problems)))


@dataclass(frozen=True)
class Source:
    """A file that is valid TOML."""

    file: Path
    text: str
    data: dict[str, Any] = field(default_factory=dict)

    @cached_property
    def lines(self) -> dict[Keys, int]:
        """Return the line of every table, key and list entry."""
        return locate(self.text)

    def written(self, keys: Keys) -> Keys:
        """Return the keys as the author wrote them: without those that may be left out, where these were."""
        return keys if keys in self.lines else tuple(key for key in keys if key not in LEFT_OUT)

    def problem(self, keys: Keys, text: str) -> Problem:
        """Return a problem with what is at these keys, or with what should be there."""
        return Problem(self.file, line_of(self.lines, self.written(keys)), text)


def read_text(file: Path) -> str:
    """Return the file as UTF-8. Raises FormError where it is missing or is no text."""
    try:
        return file.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise FormError([Problem(file, line, NO_TEXT)]) from error
    except OSError as error:
        told = "This file cannot be read. Put it there, or give leave to read it."
        raise FormError([Problem(file, 1, told)]) from error


def read_toml(file: Path) -> Source:
    """Read one file. Raises FormError, with the line, for what is no TOML."""
    text = read_text(file)
    try:
        return Source(file, text, values_of(text))
    except RecursionError as error:
        raise FormError([Problem(file, 1, "This is nested too deeply to be read.")]) from error
    except NotToml as error:
        raise FormError([Problem(file, error.line, error.told)]) from error


def values_in(file: Path) -> dict[str, Any]:
    """Return what a TOML file says. Raises OSError, NotToml."""
    try:
        return values_of(file.read_text("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise NotToml(error.object[: error.start].decode(), error) from None


def values_of(text: str) -> dict[str, Any]:
    """Return what a TOML text says. Raises NotToml."""
    try:
        return tomli.loads(text)
    except ValueError as error:
        raise NotToml(text, error) from None


LEAST = 4
"""Letters from which a part of a word may stand for the whole."""


def misfits(wrong: ValidationError) -> str:
    """Return what does not fit its model, each by its place; never the value, which may be a secret."""
    told = (f"{'.'.join(map(str, one['loc']))}: {one['msg'].removeprefix('Value error, ')}" for one in wrong.errors())
    return "; ".join(told)


def nearest(word: object, known: Collection[str]) -> str:
    """Return the known word that is meant, or the empty string."""
    spelt = {_plain(name): name for name in known if name}
    said = _plain(str(word))
    if close := get_close_matches(said, spelt, n=1):
        return spelt[close[0]]
    holding = [n for p, n in spelt.items() if min(len(p), len(said)) >= LEAST and (p in said or said in p)]
    return holding[0] if len(holding) == 1 else ""


def meant(word: object, known: Iterable[str]) -> str:
    """Return a sentence to put behind another one, with a space before it: " Did you mean `yes_no`?"."""
    close = nearest(word, tuple(known))
    return f" Did you mean `{close}`?" if close else ""


def hint(word: object, known: Iterable[str]) -> str:
    """Return the same in brackets, for a sentence that is not at its end: " (did you mean `yes_no`?)"."""
    close = nearest(word, tuple(known))
    return f" (did you mean `{close}`?)" if close else ""


def _plain(word: str) -> str:
    """Return the word without what people write in one way or another: capitals, hyphens, underscores, spaces."""
    return "".join(c for c in word.casefold() if c not in "-_ /")


BLANK = re.compile(r"[ \t\r\n]+|#[^\n]*")
KEY = re.compile(r"[A-Za-z0-9_-]+|\"(?:\\.|[^\"\\])*\"|'[^']*'")
STRING = re.compile(
    r'"""(?:\\[\s\S]|(?!""")[^\\])*"{3,5}'
    r"|'''(?:(?!''')[\s\S])*'{3,5}"
    r'|"(?:\\.|[^"\\])*"'
    r"|'[^']*'"
)
BARE = re.compile(r"[^,\]}\n#]+")


def locate(text: str) -> dict[Keys, int]:
    """Return the line of every table, key and list entry of a valid TOML text, counted from 1. Takes what tomli has read before."""
    scan = _Scan(text)
    scan.document()
    return scan.lines


def line_of(lines: dict[Keys, int], path: Keys) -> int:
    """Return the line of a path, or of the first thing in it, or of the nearest thing around it that stands in the file."""
    for size in range(len(path), 0, -1):
        within = (line for other, line in lines.items() if other[:size] == path[:size])
        if (first := lines.get(path[:size]) or min(within, default=0)) != 0:
            return first
    return 1


class _Scan:
    """One pass over the text, with the position in it."""

    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0
        self.lines: dict[Keys, int] = {}
        self.entries: dict[Keys, Iterator[int]] = {}
        self.last: dict[Keys, int] = {}

    def document(self) -> None:
        table: Keys = ()
        while self.next_char():
            if self.text[self.at] == "[":
                table = self.header()
            else:
                self.pair(table)

    def next_char(self) -> str:
        """Return the next character that is no blank and no comment; empty at the end."""
        while found := BLANK.match(self.text, self.at):
            self.at = found.end()
        return self.text[self.at : self.at + 1]

    def header(self) -> Keys:
        """`[a.b]` or `[[a.b]]`."""
        repeated = self.text.startswith("[[", self.at)
        self.at += 2 if repeated else 1
        line, table = self.line(), self.resolved(self.keys())
        if repeated:
            position = next(self.entries.setdefault(table, count()))
            self.last[table] = position
            self.mark(table, line)
            table = (*table, position)
        self.mark(table, line)
        self.at = self.text.index("]", self.at) + (2 if repeated else 1)
        return table

    def resolved(self, keys: Keys) -> Keys:
        """Return the path of a header; below `[[a]]` it is in the newest entry of a."""
        path: Keys = ()
        for key in keys[:-1]:
            path = (*path, key)
            path = (*path, self.last[path]) if path in self.last else path
        return (*path, keys[-1])

    def keys(self) -> Keys:
        """Return a dotted key: `a . "b c"`."""
        found: Keys = ()
        while True:
            self.next_char()
            key = KEY.match(self.text, self.at)
            if key is None:
                return found
            self.at = key.end()
            found = (*found, key[0].strip("\"'") if key[0][0] in "\"'" else key[0])
            if self.next_char() != ".":
                return found
            self.at += 1

    def pair(self, table: Keys) -> None:
        """`key = value`."""
        self.next_char()
        line = self.line()
        path = (*table, *self.keys())
        for size in range(len(table) + 1, len(path) + 1):
            self.mark(path[:size], line)
        self.at = self.text.index("=", self.at) + 1
        self.value(path)

    def value(self, path: Keys) -> None:
        start = self.next_char()
        if start == "[":
            self.listed(path)
        elif start == "{":
            self.inline(path)
        else:
            found = (STRING if start in ("'", '"') else BARE).match(self.text, self.at)
            self.at = found.end() if found else self.at + 1

    def listed(self, path: Keys) -> None:
        """`[1, 2, 3]`, over any number of lines."""
        self.at += 1
        for position in count():
            while self.next_char() == ",":
                self.at += 1
            if self.next_char() in ("]", ""):
                break
            self.mark((*path, position), self.line())
            self.value((*path, position))
        self.at += 1

    def inline(self, path: Keys) -> None:
        """`{ a = 1, b = 2 }`."""
        self.at += 1
        while self.next_char() not in ("}", ""):
            if self.text[self.at] == ",":
                self.at += 1
            else:
                self.pair(path)
        self.at += 1

    def line(self) -> int:
        return self.text.count("\n", 0, self.at) + 1

    def mark(self, path: Keys, line: int) -> None:
        self.lines.setdefault(path, line)
