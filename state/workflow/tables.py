"""The tables beside a form: lists that ship with it, tables that an operator may replace, and entries that are out of date."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from itertools import groupby
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from state.form.field import Part
from state.form.files import Files
from state.form.schema import Form, ListTable
from state.form.source import FormError, Keys, Problem, read_text
from state.form.validation import read_as
from state.lists.reading import Reading, read_list, sentence, written
from state.lists.versions import Row, called
from state.rules import Rules
from state.workflow.form_case import Finding, none_such

FORM, RULES = "form.toml", "rules.py"
Lists = Mapping[str, tuple[Row, ...]]


def list_findings(form: Form, rules: Rules) -> Iterator[Finding]:
    """Check that the tables themselves name their columns, and that something gives version 0."""
    for name, table in form.lists.items():
        named: dict[Keys, tuple[str, ...]] = {("key",): table.key, ("one_of",): table.one_of}
        named[("ascending",)] = tuple(table.ascending)
        named |= {("columns", n, "not_before"): (c.not_before,) for n, c in table.columns.items() if c.not_before}
        for keys, column in ((keys, column) for keys, columns in named.items() for column in columns):
            if column not in table.columns:
                yield ("lists", name, *keys), none_such(column, "column of this list", table.columns)
        if not table.file and name not in rules.shipped:
            told = f'Nothing gives version 0. Add `file = "data/{name}.csv"`, or have rules.py give it in `shipped`.'
            yield ("lists", name), told


def shipped_lists(form: Form, rules: Rules, files: Files) -> Lists:
    """Return the rows of version 0 of each list. Raises FormError with every line to mend."""
    rows: dict[str, tuple[Row, ...]] = {}
    problems: list[Problem] = []
    for name, table in form.lists.items():
        rows[name] = rules.shipped.get(name, ())
        content = _content(files, table) if table.file else written(table, rows[name])
        told = read_list(
            table.model_copy(update={"fixed": False}),
            content,
            lambda _lookup, _text: True,
            vet=rules.vets.get(name, lambda _row: ""),
        )
        problems += _problems(files, table, told) if table.file else _of_rules(files, table, rows[name], told)
        rows[name] = told.rows
        known = {called(table, row) for row in told.rows}
        problems += [
            files.toml(FORM).problem(("lists", name, "ascending", column), none_such(row, "row of version 0", known))
            for column, chain in table.ascending.items()
            for row in chain
            if table.fixed and known and row not in known
        ]
    if problems:
        raise FormError(problems)
    return rows


def _of_rules(files: Files, table: ListTable, rows: tuple[Row, ...], reading: Reading) -> Iterator[Problem]:
    """Return what is wrong with rows that rules.py gives, at the table of a TOML file that is called like the row, where there is one."""
    for one in reading.findings:
        key = called(table, rows[one.line - 2]) if one.line > 1 else ""
        tables = (
            (files.find(name), n)
            for name in files.names("*.toml")
            for n, line in enumerate(read_text(files.find(name)).splitlines(), 1)
            if key and line.rstrip().endswith(f"{key}]")
        )
        place = next(tables, (files.find(RULES), 1))
        yield Problem(*place, f"{table.title}: {sentence(one)}")


def strangers(form: Form, rules: Rules, files: Files) -> Iterator[Problem]:
    """Yield rows of version 0 that name what no look-up finds: they hold, and can concern nothing."""
    for table in form.lists.values():
        if table.file:
            yield from _problems(files, table, read_list(table, _content(files, table), rules.finds))


def _content(files: Files, table: ListTable) -> bytes:
    path = files.find(table.file)
    try:
        return path.read_bytes()
    except OSError:
        told = "This file cannot be read. Put it there, or give leave to read it."
        raise FormError([Problem(path, 1, told)]) from None


def _problems(files: Files, table: ListTable, reading: Reading) -> list[Problem]:
    path = files.find(table.file)
    return [Problem(path, max(1, one.line), sentence(one)) for one in reading.findings]


FILE = "reference.toml"


class Table(Part):
    """A table that may be replaced. `dated` is the column with the day of each row; without one the file's own day counts."""

    file: str
    """The CSV file beside the form."""
    label: str
    """What operators call it."""
    days: Annotated[int, Field(ge=0, le=3660)] | None = None
    """How old the data may be before the reviewers read it; None: however old."""
    dated: str = ""
    """The column with the day of each row; without one the file's own day counts."""


class Written(Part):
    """reference.toml as it is written."""

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
        """Return what is kept with each result; `late` where its data is older than it may be."""
        age = max(0, (date.fromisoformat(today) - date.fromisoformat(self.as_of)).days)
        late = self.table.days is not None and age > self.table.days
        source = {"sha256": self.sha256, "taken_at": self.taken_at, "as_of": self.as_of}
        return {**source, "label": self.table.label, "days": age, "limit": self.table.days, "late": late}


def read_tables(files: Files) -> Mapping[str, Table]:
    """Return the tables that may be replaced. Raises FormError with the line to mend."""
    if not files.find(FILE).exists():
        return {}
    source = files.toml(FILE)
    written = read_as(Written, source, {"tables": Table})
    problems = [
        source.problem(("tables", name, "file"), f"There is no {table.file} beside this file. Correct the name.")
        for name, table in written.tables.items()
        if not files.find(table.file).is_file()
    ]
    if problems:
        raise FormError(problems)
    return written.tables


def newest_day(files: Files, table: Table, otherwise: date) -> date:
    """Return the day of the data. Raises FormError where the table has no row, or a row no day."""
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


LAST = ("stale_after", "valid_until")
"""Keys that hold the last day of an entry."""
IDENTITY = ("name", "category", "id", "key")
"""Keys that say what an entry of a list is about: of several about the same thing the latest one counts."""
Dated = tuple[date, Keys, str]
"""The last day, where it stands, and what it is about."""


def outdated(files: Files, today: date) -> Iterator[Problem]:
    """Yield the entries whose last day is over; of a list of periods only where no later one follows."""
    for source in files.sources(*LAST):
        ended = sorted((last, keys, about) for last, keys, about in _entries((), source.data) if last < today)
        for (last, table), group in groupby(
            ended, key=lambda one: (one[0], one[1][:-2] if isinstance(one[1][-2], int) else ())
        ):
            found = list(group)
            keys, about = found[0][1], ", ".join(dict.fromkeys(about for _, _, about in found))
            if table:
                said = f"The last period of {about} ended on {last}. Add the next one."
            else:
                said = f"{about} held until {last}. Look at it again, and write until when it holds now."
            yield source.problem(keys, said)


def _entries(keys: Keys, given: Any) -> Iterator[Dated]:
    """Yield every dated table, and of every list of dated tables the last of each thing."""
    if isinstance(given, dict):
        if (found := _last(given)) is not None:
            yield found[1], (*keys, found[0]), f"[{'.'.join(map(str, keys))}]"
        for key, value in given.items():
            yield from _entries((*keys, key), value)
    elif isinstance(given, list):
        latest: dict[str, Dated] = {}
        for n, entry in enumerate(given):
            found = _last(entry) if isinstance(entry, dict) else None
            if found is None:
                yield from _entries((*keys, n), entry)
                continue
            otherwise = f"`{keys[-1]}`" if keys else "this list"
            about = next((str(entry[key]) for key in IDENTITY if key in entry), otherwise)
            if about not in latest or found[1] >= latest[about][0]:
                latest[about] = (found[1], (*keys, n, found[0]), about)
        yield from latest.values()


def _last(entry: Mapping[str, Any]) -> tuple[str, date] | None:
    days = ((key, entry[key]) for key in LAST if key in entry)
    return next(((key, day) for key, day in days if isinstance(day, date) and not isinstance(day, datetime)), None)
