"""One transaction of the SQL store, and the people's keys that it seals with. No key outlives it, so that an erasure counts
everywhere at once: who seals holds the key's row until the end, who reads gets the wrapped key with the row."""

import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Any, cast

from sqlalchemy import Connection, CursorResult, Executable, Row, Select, Table, bindparam, select
from sqlalchemy.dialects import sqlite
from sqlalchemy.engine.result import IteratorResult, SimpleResultMetaData
from sqlalchemy.sql.compiler import SQLCompiler

from state.stores.rows import Body
from state.stores.sql.engine import Database, InsertInto
from state.stores.sql.tables import person_keys, series
from state.stores.vault import Vault

Values = dict[str, Any]

LIVING = (
    select(person_keys.c.id, person_keys.c.wrapped, person_keys.c.key_id)
    .where(person_keys.c.person == bindparam("holder"))
    .with_for_update(read=True)
)
"""A person's living key, locked against an erasure until the transaction ends."""
HOLDER = (person_keys.c.person.label("holder"), person_keys.c.key_id, person_keys.c.wrapped)


@dataclass(frozen=True)
class PersonKey:
    """A person's data key, and the row that it is wrapped in."""

    id: int
    key: bytes = field(repr=False)


class Transaction:
    """A connection, the vault, and the living key of each person who is written about. A read has one too, outside any transaction."""

    def __init__(self, database: Database, vault: Vault, connection: Connection) -> None:
        self.vault, self.insert, self.connection = vault, database.insert, connection
        self.holder = database.holder
        driver = connection.connection.driver_connection if database.sqlite else None
        self._driver = cast(sqlite3.Connection | None, driver)
        self._keys: dict[str, PersonKey] = {}
        self._names: dict[str, str] = {}

    def run(self, statement: Executable, values: Values | list[Values] | None = None) -> CursorResult[*tuple[Any, ...]]:
        """Execute a statement, once or for many rows. Those that are built once get their values here, `{}` where they take none."""
        if self._driver is not None and values is not None and values != []:
            known = prepared(statement, tuple(values[0] if isinstance(values, list) else values))
            if known is not None:
                return cast(CursorResult[*tuple[Any, ...]], known.run(self._driver, values))
        return self.connection.execute(statement, values)

    def put(self, table: Table, key: str, row: Values) -> None:
        """Insert a row of plain values, or put them into the one that has the same key."""
        self.run(_put(self.insert, table, key, tuple(name for name in row if name != key)), row)

    def name(self, text: str) -> str:
        """Return a conversation's or lane's name, encrypted."""
        if text not in self._names:
            self._names[text] = self.vault.name(text)
        return self._names[text]

    def key(self, person: str) -> PersonKey:
        """Return the person's key, made where there is none; an erasure waits until this transaction ends."""
        if person not in self._keys:
            self._keys[person] = self._find(person) or self._make(person)
        return self._keys[person]

    def sealed(self, person: str, identity: str, body: Body) -> Values:
        """Return the columns that hold a body under the person's key."""
        owner = self.key(person)
        return {"sealed_by": owner.id, "sealed": self.vault.seal(owner.key, identity, body)}

    def key_of(self, row: Row[Any]) -> bytes | None:
        """Return the data key of a row from `with_key`; None where it was destroyed. Raises WrongKey, Tampered."""
        return None if row.wrapped is None else self.vault.unwrap(row.wrapped, row.holder, row.key_id)

    def opened(self, row: Row[Any], identity: str, column: str = "sealed") -> Body | None:
        """Return what a sealed column of a row from `with_key` holds; None where its key was destroyed. Raises WrongKey, Tampered."""
        return self.vault.open(self.key_of(row), identity, row._mapping[column])

    def _find(self, person: str) -> PersonKey | None:
        holder = self.vault.index(person)
        row = self.run(LIVING, {"holder": holder}).first()
        return PersonKey(row.id, self.vault.unwrap(row.wrapped, holder, row.key_id)) if row else None

    def _make(self, person: str) -> PersonKey:
        holder, key = self.vault.index(person), self.vault.make_key()
        new = {"person": holder, "key_id": self.vault.key_id, "wrapped": self.vault.wrap(key, holder)}
        self.run(_made(self.insert), new)
        return self._find(person) or self._make(person)


def with_key(table: Table, *columns: Any) -> Select[Any]:
    """Select a table's rows (whole, unless columns are named), each with the wrapped key that opens it, so that no key has to be kept."""
    by = table.c.sealed_by if "sealed_by" in table.c else table.c.key
    return select(*(columns or (table,)), *HOLDER).join_from(table, person_keys, by == person_keys.c.id)


def columns_of(row: Row[Any], names: Iterable[str]) -> Values:
    """Return some columns of a row by name."""
    return {name: row._mapping[name] for name in names}


@cache
def _put(insert: InsertInto, table: Table, key: str, columns: tuple[str, ...]) -> Executable:
    new = insert(table)
    return new.on_conflict_do_update(index_elements=[key], set_={name: new.excluded[name] for name in columns})


@cache
def _made(insert: InsertInto) -> Executable:
    return insert(person_keys).on_conflict_do_nothing(index_elements=["person"])


@cache
def _counted(insert: InsertInto) -> Executable:
    new = insert(series).values(prefix=bindparam("of"), last=1)
    return new.on_conflict_do_update(index_elements=["prefix"], set_={"last": series.c.last + 1}).returning(
        series.c.last
    )


def count_up(transaction: Transaction, name: str) -> int:
    """Count a series up and return its new number. Its row is locked until the transaction ends."""
    return int(transaction.run(_counted(transaction.insert), {"of": name}).scalar_one())


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
            told = {**self._fixed, **one}
            cursor = driver.execute(self._sql, [take(told[name]) if take else told[name] for name, take in self._given])
            rows += cursor
            changed += cursor.rowcount
        found = Found(self._rows, map(self._converted, rows) if self._read else iter(rows))
        found.rowcount = changed
        return found

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
