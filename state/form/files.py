"""The files beside a form: tables and limits that its rules read, and that a company may replace without touching the form."""

import csv
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, time
from itertools import pairwise
from pathlib import Path
from typing import Any

from state.form.source import FormError, Keys, Problem, Source, meant, read_text, read_toml


@dataclass(frozen=True)
class Row:
    """One line of a table."""

    file: Path
    line: int
    cells: Mapping[str, str]

    def __getitem__(self, column: str) -> str:
        return self.cells[column]

    def wrong(self, text: str) -> FormError:
        """Return what to raise when this row cannot be used."""
        return FormError([Problem(self.file, self.line, text)])


@dataclass(frozen=True)
class Files:
    """Folders in the order in which they are looked through: a company's own first, the workflow's last."""

    folders: tuple[Path, ...]
    over: Mapping[str, Path] = field(default_factory=dict, hash=False)
    """Files by name that stand for those of every folder: tables that an operator gave."""

    def find(self, name: str) -> Path:
        """Return the first file or folder of that name; the workflow's own place for it where there is none."""
        if name in self.over:
            return self.over[name]
        places = [folder / name for folder in self.folders]
        return next((place for place in places if place.exists()), places[-1])

    def names(self, pattern: str) -> tuple[str, ...]:
        """Return files of a pattern that stand in any of the folders or in their `data`, by name."""
        found = {
            str(f.relative_to(folder))
            for folder in self.folders
            for part in ("", "data/")
            for f in folder.glob(part + pattern)
        }
        return tuple(sorted(found))

    def toml(self, name: str) -> Source:
        """Return a TOML file with its lines. Raises FormError where it is missing or broken."""
        return read_toml(self.find(name))

    def sources(self, *keys: str) -> Iterator[Source]:
        """Yield each TOML file that holds one of these keys; whoever reads a broken one says what is wrong with it."""
        for name in self.names("*.toml"):
            try:
                if any(key in read_text(self.find(name)) for key in keys):
                    yield self.toml(name)
            except FormError:
                continue

    def table(self, name: str, columns: tuple[str, ...]) -> tuple[Row, ...]:
        """Return a CSV file with a header; `#` begins a comment line. Raises FormError where a column is missing."""
        file, rows = self.find(name), list[Row]()
        lines = [(n, line) for n, line in enumerate(read_text(file).splitlines(), 1) if line.strip() and line[0] != "#"]
        records = [(n, [cell.strip() for cell in next(csv.reader([line]))]) for n, line in lines]
        first, header = records[0] if records else (1, [])
        if lacking := [column for column in columns if column not in header]:
            told = f"The first line lacks the column {', '.join(lacking)}. Add it.{meant(lacking[0], header)}"
            raise FormError([Problem(file, first, told)])
        for n, cells in records[1:]:
            if len(cells) != len(header):
                raise FormError([Problem(file, n, f"This line has {len(cells)} cells, the first line {len(header)}.")])
            rows.append(Row(file, n, dict(zip(header, cells, strict=True))))
        return tuple(rows)


CHAINS = (
    ("minimum", "maximum"), ("effective", "stale_after"), ("valid_from", "valid_until"), ("opens", "closes"),
)  # fmt: skip
"""Keys that are limits of one thing, in whatever table of a TOML file."""


def falls(names: Iterable[str], values: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield each limit that is above the next one of the chain, and that one. Those that are absent or empty are passed over."""
    given = [name for name in names if values.get(name) not in (None, "")]
    return ((low, high) for low, high in pairwise(given) if _above(values[low], values[high]))


def contradiction(low: str, high: str, value: object) -> str:
    """Return the sentence for whoever wrote two such limits; `value` is one of theirs."""
    return f"`{low}` is {'after' if isinstance(value, date | time) else 'above'} `{high}`. Turn them round."


def contradictions(files: Files) -> Iterator[Problem]:
    """Yield the pairs of limits, in any TOML file beside a form, that contradict each other, each at its line."""
    for source in files.sources(*(high for _, high in CHAINS)):
        yield from (source.problem(keys, told) for keys, told in disorder(source.data))


def disorder(given: Any, keys: Keys = ()) -> Iterator[tuple[Keys, str]]:
    """Yield the pairs of limits in a file's data that contradict each other, each by the keys of the lower one."""
    if isinstance(given, Mapping):
        for low, high in (pair for chain in CHAINS for pair in falls(chain, given)):
            yield (*keys, low), contradiction(low, high, given[low])
    inner = given.items() if isinstance(given, Mapping) else enumerate(given) if isinstance(given, list) else ()
    for key, value in inner:
        yield from disorder(value, (*keys, key))


def _above(low: Any, high: Any) -> bool:
    try:
        return bool(low > high)
    except TypeError:
        return False  # two sorts of value: their kinds are checked elsewhere
