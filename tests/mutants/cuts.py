"""Two ways of taking something out of a module: by its words, or by its name. Files may be moved and types renamed meanwhile."""

import ast
import re
from dataclasses import dataclass
from typing import Protocol


class Cut(Protocol):
    """Takes something out of a module's text."""

    def every(self, text: str) -> list[str]:
        """The text once for each place where it can be taken out, without it."""
        ...


@dataclass(frozen=True)
class Words:
    """What matches the pattern becomes something else."""

    pattern: str
    instead: str

    def every(self, text: str) -> list[str]:
        return [
            text[: found.start()] + found.expand(self.instead) + text[found.end() :]
            for found in re.finditer(self.pattern, text)
        ]


@dataclass(frozen=True)
class Function:
    """A function of that name, whose docstring holds `says`, answers at once."""

    name: str
    instead: str = "return None"
    says: str = ""

    def every(self, text: str) -> list[str]:
        if f"def {self.name}(" not in text:
            return []
        nodes = (n for n in ast.walk(ast.parse(text)) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef))
        wanted = [n for n in nodes if n.name == self.name and self.says in (ast.get_docstring(n) or "")]
        return [self._muted(text.splitlines(keepends=True), node.body[0]) for node in wanted]

    def _muted(self, lines: list[str], first: ast.stmt) -> str:
        place = first.lineno - 1
        return "".join([*lines[:place], " " * first.col_offset + self.instead + "\n", *lines[place:]])
