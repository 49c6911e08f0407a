"""A list's versions, and what changes from one to the next."""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from state.form.schema import ListTable

Row = Mapping[str, str]
"""A row by its columns, each in its canonical form; an empty cell is ""."""


@dataclass(frozen=True)
class Version:
    """A version without its rows. Version 0 is what ships: it was always in force."""

    number: int = 0
    effective: datetime | None = None
    uploaded_at: datetime | None = None


SHIPPED = Version()


def newest_in_force(versions: Iterable[Version], at: datetime) -> Version:
    """Return the newest version that is effective by then; what ships where none is.

    Newest by upload: an officer's last word holds from its day on, also where an earlier upload had named a later day.
    """
    begun = (one for one in versions if one.effective is not None and one.effective <= at)
    return max(begun, key=lambda one: one.number, default=SHIPPED)


def fingerprint(rows: Sequence[Row]) -> str:
    """SHA-256 over the rows in their order, in one form."""
    plain = [sorted((name, text) for name, text in row.items() if text) for row in rows]
    return hashlib.sha256(json.dumps(plain, ensure_ascii=True, separators=(",", ":")).encode()).hexdigest()


@dataclass(frozen=True)
class InForce:
    """A list as it holds at a moment. `title` as the form calls it, `since` the day from which the version holds, as people read it."""

    title: str
    number: int = 0
    since: str = ""
    rows: tuple[Row, ...] = ()
    sha256: str = ""

    @property
    def named(self) -> str:
        """ "restricted list, version 3 of 20 Nov 2026"; what ships has no day of its own."""
        title = self.title[:1].lower() + self.title[1:]
        return f"{title}, version {self.number}" + (f" of {self.since}" if self.since else "")


@dataclass(frozen=True)
class Change:
    """A row that is in both. `cells` are the columns that differ: before and after."""

    key: str
    cells: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True)
class Changes:
    """Everything that differs between two versions, each in the order of its file."""

    added: tuple[Row, ...] = ()
    removed: tuple[Row, ...] = ()
    changed: tuple[Change, ...] = ()
    kept: int = 0
    """Rows that are the same in both."""

    def __bool__(self) -> bool:
        return bool(self.added or self.removed or self.changed)


def changes(table: ListTable, before: Sequence[Row], after: Sequence[Row]) -> Changes:
    """Return what makes one version of the other."""
    was, will = ({key_of(table, row): row for row in rows} for rows in (before, after))
    both = [Change(called(table, row), tuple(_cells(table, was[key], row))) for key, row in will.items() if key in was]
    return Changes(
        added=tuple(row for key, row in will.items() if key not in was),
        removed=tuple(row for key, row in was.items() if key not in will),
        changed=tuple(change for change in both if change.cells),
        kept=sum(not change.cells for change in both),
    )


def key_of(table: ListTable, row: Row) -> tuple[str, ...]:
    """Return what tells a row from the others; capitals make no difference."""
    return tuple(row.get(name, "").casefold() for name in table.key)


def called(table: ListTable, row: Row) -> str:
    """Return a row by its key, in one line."""
    return " · ".join(filter(None, (row.get(name, "") for name in table.key)))


def summed_up(table: ListTable, row: Row) -> str:
    """Return a whole row in one line."""
    return " · ".join(filter(None, (row.get(name, "") for name in table.columns)))


def _cells(table: ListTable, before: Row, after: Row) -> Iterator[tuple[str, str, str]]:
    for name in table.columns:
        pair = before.get(name, ""), after.get(name, "")
        if pair[0] != pair[1]:
            yield (name, *pair)
