"""Statements of every turn on SQLite, compiled once and run on the driver itself: SQLAlchemy takes five times as long to run one as SQLite."""

import sqlite3
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from sqlalchemy import Executable
from sqlalchemy.dialects import sqlite
from sqlalchemy.engine.result import IteratorResult, SimpleResultMetaData
from sqlalchemy.sql.compiler import SQLCompiler

KEPT = 512
"""Statements; a turn has forty."""
DIALECT = sqlite.dialect(paramstyle="qmark")
Convert = Any
"""A function, or None where a value is written as it is."""


class Found(IteratorResult[Any]):
    """The rows of a statement, and how many it changed."""

    rowcount: int


class Prepared:
    """A statement with what it takes to bind its values and to read its rows."""

    def __init__(self, compiled: SQLCompiler) -> None:
        binds = compiled._bind_processors
        self._sql = str(compiled)
        self._given: list[tuple[str, Convert]] = [(name, binds.get(name)) for name in compiled.positiontup or ()]
        self._fixed = {name: bind.effective_value for name, bind in compiled.binds.items() if not bind.required}
        self._fixed |= {column.key: column.default.arg for column in compiled.insert_prefetch}  # type: ignore[union-attr]
        columns = compiled._result_columns
        self._rows = SimpleResultMetaData([column.keyname for column in columns])
        read = ((n, c.type._cached_result_processor(DIALECT, None)) for n, c in enumerate(columns))
        self._read = [(n, convert) for n, convert in read if convert]

    def run(self, driver: sqlite3.Connection, values: Mapping[str, Any] | list[dict[str, Any]]) -> Found:
        """Execute it for one row of values or for several, and read all rows that it returns. Raises sqlite3.Error."""
        rows, changed = list[tuple[Any, ...]](), 0
        for one in values if isinstance(values, list) else (values,):
            cursor = driver.execute(self._sql, self._bound({**self._fixed, **one}))
            rows += cursor
            changed += cursor.rowcount
        found = Found(self._rows, map(self._converted, rows) if self._read else iter(rows))
        found.rowcount = changed
        return found

    def _bound(self, values: Mapping[str, Any]) -> list[Any]:
        return [convert(values[name]) if convert else values[name] for name, convert in self._given]

    def _converted(self, row: tuple[Any, ...]) -> tuple[Any, ...]:
        cells = list(row)
        for n, convert in self._read:
            cells[n] = convert(cells[n])
        return tuple(cells)


@lru_cache(KEPT)
def prepared(statement: Executable, names: tuple[str, ...]) -> Prepared | None:
    """Compile a statement for values of these names; None for one whose text depends on them, as a list in it does."""
    compiled: SQLCompiler = statement.compile(dialect=DIALECT, column_keys=list(names))  # type: ignore[attr-defined]
    return None if compiled.post_compile_params else Prepared(compiled)
