"""Configuration in a form's texts: `{broker.phone}` is replaced by the key `phone` of the file `broker.toml` beside the form.

`{policy.rules.holding_period.value}` reaches into its tables.
"""

import re
from collections.abc import Callable, Iterable, Mapping
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
Place = Callable[[Keys, str], Problem]
"""Makes a problem with what is at these keys."""


def filled(
    source: Source, files: Files, texts: Mapping[str, str], beside: Iterable[Path] = ()
) -> tuple[Source, dict[str, str], tuple[Problem, ...]]:
    """Return a form's source and the texts of the files `beside` it with the configuration in them, and what is wrong with those."""
    filler, others = Filler(files), tuple(file for file in beside if file.exists())
    data = filler.fill(source.data, source.problem)
    told = filler.fill(dict(texts), lambda _keys, text: _in_text(text, others) or source.problem((), text))
    return replace(source, data=data), told, tuple(dict.fromkeys(filler.problems))


@dataclass
class Filler:
    """Fills texts from the files; what cannot be filled is among the problems."""

    files: Files
    problems: list[Problem] = field(default_factory=list)
    _read: dict[str, Mapping[str, Any]] = field(default_factory=dict)

    def fill(self, given: Any, place: Place, keys: Keys = ()) -> Any:
        """Return the same value with every text in it filled."""
        if isinstance(given, dict):
            return {key: self.fill(value, place, (*keys, key)) for key, value in given.items()}
        if isinstance(given, list):
            return [self.fill(value, place, (*keys, n)) for n, value in enumerate(given)]
        return GIVEN.sub(lambda found: self._value(found, place, keys), given) if isinstance(given, str) else given

    def _value(self, found: re.Match[str], place: Place, keys: Keys) -> str:
        name, key = found.groups()
        value: Any = self._table(name)
        near = ""
        for part in key.split("."):
            table: Mapping[str, Any] = value if isinstance(value, Mapping) else {}
            near = near or ("" if part in table else meant(part, table))
            value = table.get(part)
        if isinstance(value, PLAIN):
            return f"{value:%H:%M}" if isinstance(value, time) else str(value)
        self.problems.append(place(keys, f"{found[0]} is no text in {name}.toml. Add it there.{near}"))
        return ""

    def _table(self, name: str) -> Mapping[str, Any]:
        if name not in self._read:
            try:
                self._read[name] = self.files.toml(f"{name}.toml").data
            except FormError as error:
                self.problems.extend(error.problems)
                self._read[name] = {}
        return self._read[name]


def _in_text(told: str, files: Iterable[Path]) -> Problem | None:
    """Return a problem at the line of a text that has the name which it begins with; None where none has."""
    name = told.partition(" ")[0]
    for file in files:
        for n, line in enumerate(read_text(file).splitlines(), 1):
            if name in line:
                return Problem(file, n, told)
    return None
