"""Configuration in a form's texts: `{broker.phone}` stands for the key `phone` of the file `broker.toml` beside the form.

`{policy.rules.holding_period.value}` reaches into its tables.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import time
from pathlib import Path
from typing import Any

from state.form.files import Files
from state.form.locate import Path as Keys
from state.form.near import meant
from state.form.source import FormError, Problem, Source, read_text

GIVEN = re.compile(r"\{([a-z][a-z0-9_]*)\.([a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)*)\}")
PLAIN = (str, int, time)


@dataclass
class Filler:
    """Fills texts from the files; what cannot be filled stands as it was, and is among the problems."""

    files: Files
    source: Source
    problems: list[Problem] = field(default_factory=list)
    _read: dict[str, Mapping[str, Any]] = field(default_factory=dict)

    def fill(self, given: Any, keys: Keys = ()) -> Any:
        """The same value with every text in it filled."""
        if isinstance(given, dict):
            return {key: self.fill(value, (*keys, key)) for key, value in given.items()}
        if isinstance(given, list):
            return [self.fill(value, (*keys, n)) for n, value in enumerate(given)]
        return GIVEN.sub(lambda found: self._value(found, keys), given) if isinstance(given, str) else given

    def _value(self, found: re.Match[str], keys: Keys) -> str:
        name, key = found.groups()
        value: Any = self._table(name, keys)
        near = ""
        for part in key.split("."):
            table: Mapping[str, Any] = value if isinstance(value, Mapping) else {}
            near = near or ("" if part in table else meant(part, table))
            value = table.get(part)
        if isinstance(value, PLAIN):
            return f"{value:%H:%M}" if isinstance(value, time) else str(value)
        self.problems.append(self.source.problem(keys, f"{found[0]} is no text in {name}.toml. Add it there.{near}"))
        return ""

    def _table(self, name: str, keys: Keys) -> Mapping[str, Any]:
        if name not in self._read:
            self._read[name] = self._file(name, keys)
        return self._read[name]

    def _file(self, name: str, keys: Keys) -> Mapping[str, Any]:
        try:
            return self.files.toml(f"{name}.toml").data
        except FormError as error:
            self.problems.extend(error.problems)
            return {}


def filled(
    source: Source, files: Files, texts: Mapping[str, str], beside: Iterable[Path] = ()
) -> tuple[Source, dict[str, str], tuple[Problem, ...]]:
    """A form's source and the texts of the files `beside` it with the configuration in them, and what is wrong with those."""
    filler, other = Filler(files, source), Filler(files, source)
    data, others = filler.fill(source.data), other.fill(dict(texts))
    problems = (*filler.problems, *(_beside(problem, tuple(beside)) for problem in other.problems))
    return replace(source, data=data), others, tuple(dict.fromkeys(problems))


def _beside(problem: Problem, files: tuple[Path, ...]) -> Problem:
    """A problem with a text, at the line of its file where the name stands that it tells of."""
    name = problem.text.partition(" ")[0]
    for file in (file for file in files if name.startswith("{") and file.exists()):
        for n, line in enumerate(read_text(file).splitlines(), 1):
            if name in line:
                return Problem(file, n, problem.text)
    return problem
