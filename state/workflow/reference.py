"""reference.toml of a workflow: which of its tables an operator may replace, and how old their data may grow before it is said."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from state.form.files import Files
from state.form.source import FormError, Problem
from state.form.wording import worded

FILE = "reference.toml"


class Table(BaseModel):
    """A table that may be replaced. `dated` is the column with the day of each row; without one the file's own day counts."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    file: str
    label: str
    days: Annotated[int, Field(ge=0, le=3660)] | None = None
    """How old the data may be before those who decide read it; None: however old."""
    dated: str = ""


class Written(BaseModel):
    """reference.toml as it is written."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    tables: Mapping[str, Table] = {}


@dataclass(frozen=True)
class Taken:
    """A table as an operator gave it: the hash of its file, when it was taken (ISO 8601, UTC), of which day its data is."""

    table: Table
    file: Path = field(repr=False)
    sha256: str
    taken_at: str
    as_of: str

    def told(self, today: str) -> dict[str, Any]:
        """What is kept with whatever it leads to; `late` where its data is older than it may be."""
        age = max(0, (date.fromisoformat(today) - date.fromisoformat(self.as_of)).days)
        late = self.table.days is not None and age > self.table.days
        source = {"sha256": self.sha256, "taken_at": self.taken_at, "as_of": self.as_of}
        return {**source, "label": self.table.label, "days": age, "limit": self.table.days, "late": late}


def read_tables(files: Files) -> Mapping[str, Table]:
    """Return the tables that may be replaced. Raises FormError with the line to mend."""
    if not files.find(FILE).exists():
        return {}
    source = files.toml(FILE)
    try:
        written = Written.model_validate(source.data)
    except ValidationError as error:
        raise FormError(worded(source, error, {"": Written, "tables": Table})) from error
    problems = [
        source.problem(("tables", name, "file"), f"There is no {table.file} beside this file. Correct the name.")
        for name, table in written.tables.items()
        if not files.find(table.file).is_file()
    ]
    if problems:
        raise FormError(problems)
    return written.tables


def newest_day(files: Files, table: Table, otherwise: date) -> date:
    """Of which day the data is. Raises FormError where the table has no row, or a row no day."""
    rows = files.table(table.file, (table.dated,) if table.dated else ())
    if not rows:
        raise FormError(
            [Problem(files.find(table.file), 1, "The table has no row. Fill it in, or take the file away.")]
        )
    if not table.dated:
        return otherwise
    days = []
    for row in rows:
        try:
            days.append(date.fromisoformat(row[table.dated]))
        except ValueError:
            raise row.wrong(f'"{row[table.dated]}" is not a date like 2026-11-20. Correct it.') from None
    return max(days)
