"""A TOML file that an author writes: its values, the line of each of them, and what is wrong with it."""

import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from state.form.locate import Path as Keys
from state.form.locate import line_of, locate

LEFT_OUT = ("equals", "all")
"""Keys that an author need not write."""
AT = re.compile(r"\s*\(at (?:line (\d+), column \d+|end of document)\)$")
"""Where tomllib says that a text is no TOML."""


@dataclass(frozen=True, order=True)
class Problem:
    """`line` counts from 1; `text` is one or two sentences for whoever writes the form."""

    file: Path
    line: int
    text: str

    def __str__(self) -> str:
        """As compilers write it: `pa_dealing/form.toml:41: The field …`."""
        return f"{self.file.parent.name}/{self.file.name}:{self.line}: {self.text}"


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
        raise FormError([Problem(file, line, "This is not UTF-8 text. Save the file as UTF-8.")]) from error
    except OSError as error:
        told = "This file cannot be read. Put it there, or give leave to read it."
        raise FormError([Problem(file, 1, told)]) from error


def read_toml(file: Path) -> Source:
    """Read one file. Raises FormError, with the line, for what is no TOML."""
    text = read_text(file)
    try:
        return Source(file, text, tomllib.loads(text))
    except RecursionError as error:
        raise FormError([Problem(file, 1, "This is nested too deeply to be read.")]) from error
    except ValueError as error:
        found = AT.search(str(error))
        line = int(found[1]) if found and found[1] else len(text.rstrip("\n").split("\n"))
        told = f"This is not TOML: {AT.sub('', str(error))}. Text stands in quotes, lists in [brackets]."
        raise FormError([Problem(file, line, told)]) from error
