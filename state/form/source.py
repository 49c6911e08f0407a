"""A TOML file that an author writes: its values, and the line of each of them."""

import tomllib
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from state.form.locate import Path as Keys
from state.form.locate import line_of, locate
from state.form.problems import FormError, Problem
from state.form.syntax import slips

LEFT_OUT = ("equals",)
"""Keys that an author need not write."""


@dataclass(frozen=True)
class Source:
    """A file that is valid TOML."""

    file: Path
    text: str
    data: dict[str, Any] = field(default_factory=dict)

    @cached_property
    def lines(self) -> dict[Keys, int]:
        """The line of every table, key and list entry."""
        return locate(self.text)

    def problem(self, keys: Keys, text: str) -> Problem:
        """A problem with what stands at these keys, or with what should stand there."""
        short = keys if keys in self.lines else tuple(key for key in keys if key not in LEFT_OUT)
        return Problem(self.file, line_of(self.lines, short), text)


def read_text(file: Path) -> str:
    """The file as UTF-8. Raises FormError where it is missing or is no text."""
    try:
        return file.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise FormError([Problem(file, line, "This is not UTF-8 text. Save the file as UTF-8.")]) from error
    except OSError as error:
        raise FormError(
            [Problem(file, 1, "This file cannot be read. Put it there, or give leave to read it.")]
        ) from error


def read_toml(file: Path) -> Source:
    """Read one file. Raises FormError, with the line, for what is no TOML."""
    text = read_text(file)
    try:
        return Source(file, text, tomllib.loads(text))
    except RecursionError as error:
        raise FormError([Problem(file, 1, "This is nested too deeply to be read.")]) from error
    except ValueError as error:
        raise FormError(Problem(file, line, told) for line, told in slips(text, error)) from error
