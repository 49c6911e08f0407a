"""The files beside a form: tables and limits that its rules read, and that a company may replace without touching the form."""

import csv
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from state.form.near import meant
from state.form.source import FormError, Problem, Source, read_text, read_toml


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
        return tuple(_rows(self.find(name), columns))


def _rows(file: Path, columns: tuple[str, ...]) -> Iterator[Row]:
    lines = [(n, line) for n, line in enumerate(read_text(file).splitlines(), 1) if line.strip() and line[0] != "#"]
    records = [(n, [cell.strip() for cell in next(csv.reader([line]))]) for n, line in lines]
    first, header = records[0] if records else (1, [])
    if lacking := [column for column in columns if column not in header]:
        told = f"The first line lacks the column {', '.join(lacking)}. Add it.{meant(lacking[0], header)}"
        raise FormError([Problem(file, first, told)])
    for n, cells in records[1:]:
        if len(cells) != len(header):
            raise FormError([Problem(file, n, f"This line has {len(cells)} cells, the first line {len(header)}.")])
        yield Row(file, n, dict(zip(header, cells, strict=True)))
