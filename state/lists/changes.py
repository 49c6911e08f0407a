"""What an upload would change: rows that come, rows that go, and cells that become others."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from state.form.lists import ListTable
from state.lists.versions import Row


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
    """What makes one version of the other."""
    was, will = ({key_of(table, row): row for row in rows} for rows in (before, after))
    both = [Change(called(table, row), tuple(_cells(table, was[key], row))) for key, row in will.items() if key in was]
    return Changes(
        added=tuple(row for key, row in will.items() if key not in was),
        removed=tuple(row for key, row in was.items() if key not in will),
        changed=tuple(change for change in both if change.cells),
        kept=sum(not change.cells for change in both),
    )


def key_of(table: ListTable, row: Row) -> tuple[str, ...]:
    """What tells a row from the others; capitals make no difference."""
    return tuple(row.get(name, "").casefold() for name in table.key)


def called(table: ListTable, row: Row) -> str:
    """A row by its key, in one line."""
    return " · ".join(filter(None, (row.get(name, "") for name in table.key)))


def summed_up(table: ListTable, row: Row) -> str:
    """A whole row in one line."""
    return " · ".join(filter(None, (row.get(name, "") for name in table.columns)))


def _cells(table: ListTable, before: Row, after: Row) -> Iterator[tuple[str, str, str]]:
    for name in table.columns:
        pair = before.get(name, ""), after.get(name, "")
        if pair[0] != pair[1]:
            yield (name, *pair)
