"""A list's file, read row by row: its columns, its rows, and every finding with its line."""

import csv
import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path

import tomli

from state.form.files import falls
from state.form.schema import ListTable
from state.lists.spreadsheet import Knows, NoTable, Sheet, Wrong, hidden, read_cell, read_sheet
from state.lists.versions import Row, called, key_of


@dataclass(frozen=True)
class Finding:
    """A problem with a line (from 1; 0 for the file as a whole): the key of a sentence, and what that speaks of."""

    line: int
    key: str
    args: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Reading:
    """The rows, or what is wrong: where there are findings, nothing of the file counts."""

    rows: tuple[Row, ...] = ()
    findings: tuple[Finding, ...] = ()


Line = tuple[int, Row]


Vet = Callable[[Row], str]
"""A rule of the workflow's own for a row: a sentence where it does not hold, else nothing."""


def read_list(
    table: ListTable, content: bytes, knows: Knows, shipped: Sequence[Row] = (), vet: Vet = lambda _row: ""
) -> Reading:
    """Read a file for a list. `shipped` are the rows of version 0, by which a list of fixed rows is held."""
    try:
        sheet = read_sheet(content, lambda heading: len(set(_columns(table, heading)) & set(table.columns)))
    except NoTable as trouble:
        return Reading(findings=(Finding(trouble.line, f"list_{trouble.why}"),))
    columns = _columns(table, sheet.heading)
    if wrong := tuple(_heading(table, sheet, columns)):
        return Reading(findings=wrong)
    lines, findings = _lines(table, sheet, columns, knows)
    findings += _twice(table, lines)
    findings += [] if findings else _falling(table, lines)
    findings += [] if findings else [one for number, row in lines for one in _vetted(number, row, vet)]
    if table.fixed and not findings:
        findings += _others(table, lines, shipped)
    rows = () if findings else tuple(row for _, row in lines)
    return Reading(rows, tuple(sorted(findings, key=lambda one: one.line)))


def written(table: ListTable, rows: Sequence[Row]) -> bytes:
    """Return the list as a CSV file that spreadsheets open, and that reads back as the same rows."""
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow(table.columns)
    writer.writerows([row.get(name, "") for name in table.columns] for row in rows)
    return out.getvalue().encode("utf-8-sig")


def _columns(table: ListTable, heading: Sequence[str]) -> list[str]:
    """Return the columns that a heading's cells stand for; a cell that stands for none as it is."""
    known = {_plain(word): name for name, column in table.columns.items() for word in (name, *column.also)}
    return [known.get(_plain(cell), cell) for cell in heading]


def _plain(word: str) -> str:
    return " ".join(word.casefold().replace("_", " ").split())


def _heading(table: ListTable, sheet: Sheet, columns: Sequence[str]) -> Iterator[Finding]:
    wanted = ", ".join(table.columns)
    if any(map(hidden, sheet.heading)):
        yield Finding(1, "list_hidden", {"column": "The heading"})
        return
    for name in dict.fromkeys(c for c in columns if c and c not in table.columns):
        yield Finding(1, "list_strange_column", {"column": name[:40], "columns": wanted})
    for name in dict.fromkeys(c for c in columns if c in table.columns and columns.count(c) > 1):
        yield Finding(1, "list_double_column", {"column": name})
    for name, column in table.columns.items():
        if column.required and name not in columns:
            yield Finding(1, "list_no_column", {"column": name, "columns": wanted})


def _lines(table: ListTable, sheet: Sheet, columns: Sequence[str], knows: Knows) -> tuple[list[Line], list[Finding]]:
    lines: list[Line] = []
    findings: list[Finding] = []
    for number, cells in sheet.lines:
        if any(cell for name, cell in zip_longest(columns, cells) if not name):
            findings.append(Finding(number, "list_more_cells", {"most": str(len([c for c in columns if c]))}))
            continue
        given = dict(zip(columns, cells, strict=False))
        row, wrong = {}, []
        for name, column in table.columns.items():
            try:
                row[name] = read_cell(column, given.get(name, ""), knows)
            except Wrong as problem:
                row[name] = given.get(name, "")
                wrong.append(Finding(number, problem.key, {"column": name, **problem.args_}))
        findings += wrong or _together(table, number, row)
        lines.append((number, row))
    return lines, findings


def _together(table: ListTable, number: int, row: Row) -> list[Finding]:
    """Return what cells say of each other."""
    filled = [name for name in table.one_of if row[name]]
    found = (
        [Finding(number, "list_one_of", {"columns": ", ".join(table.one_of)})]
        if table.one_of and len(filled) != 1
        else []
    )
    for name, column in table.columns.items():
        for first, last in falls((column.not_before, name), row):
            found.append(Finding(number, "list_ends_first", {"column": last, "other": first}))
    return found


def _falling(table: ListTable, lines: Sequence[Line]) -> Iterator[Finding]:
    """Limits of different rows that contradict each other, told at the lower one."""
    for name, chain in table.ascending.items():
        exact = int if table.columns[name].kind == "number" else str
        values = {called(table, row): exact(row[name]) for _, row in lines if row[name]}
        at = {called(table, row): number for number, row in lines}
        for low, high in falls(chain, values):
            yield Finding(at[low], "list_falls", {"column": name, "row": low, "other": high})


def _vetted(number: int, row: Row, vet: Vet) -> Iterator[Finding]:
    """Return what a rule of the workflow says of a row; one that the rule fails on cannot be judged by either."""
    try:
        told = vet(row)
    except Exception:
        yield Finding(number, "list_unread")
        return
    if told:
        yield Finding(number, "list_said", {"text": told})


def _twice(table: ListTable, lines: Sequence[Line]) -> list[Finding]:
    seen: dict[tuple[str, ...], int] = {}
    found = []
    for number, row in lines:
        first = seen.setdefault(key_of(table, row), number)
        if first != number and any(key_of(table, row)):
            found.append(Finding(number, "list_twice", {"row": called(table, row)[:80], "other": str(first)}))
    return found


def _others(table: ListTable, lines: Sequence[Line], shipped: Sequence[Row]) -> list[Finding]:
    """Rows that a list of fixed rows does not have, and those that it must have."""
    known = {key_of(table, row): called(table, row) for row in shipped}
    there = {key_of(table, row) for _, row in lines}
    strange = [
        Finding(n, "list_strange_row", {"row": called(table, row)[:80]})
        for n, row in lines
        if key_of(table, row) not in known
    ]
    lacking = [Finding(0, "list_no_row", {"row": name}) for key, name in known.items() if key not in there]
    return [*strange, *lacking]


SENTENCES: Mapping[str, str] = tomli.loads(Path(__file__).with_name("sentences.toml").read_text("utf-8"))


def sentence(finding: Finding) -> str:
    """Return the finding in words."""
    return SENTENCES[finding.key].format(**finding.args)
