"""Brings the database to this version's tables at start. What is missing is added; nothing has to be run by hand."""

import asyncio
from contextlib import suppress
from functools import cache, partial
from pathlib import Path

from sqlalchemy import Column, Connection, Dialect, MetaData, String, Table, create_mock_engine, insert, inspect, select
from sqlalchemy import text as sql
from sqlalchemy.schema import CreateColumn

from state.stores.errors import StoreError, Unavailable
from state.stores.sql.engine import Database
from state.stores.sql.tables import metadata

ATTEMPTS, PAUSE = 40, 0.1
LOCK = 4_816_201_137
"""PostgreSQL's advisory lock on this installation's tables: any number that nothing else in the database uses."""
VERSIONS = (
    "0001", "0002_operations", "0003_tool_calls", "0004_documents", "0005_rights", "0006_shown", "0007_evidence",
    "0008_delivery", "0009_installations", "0010_policy", "0011_queue", "0012_proof",
    "0013_holders", "0014_unplaced",
)  # fmt: skip
"""Every version of the tables that was released. Each added tables, columns and indexes to the one before, and changed no row."""
NEWEST = VERSIONS[-1]
stamp = Table("alembic_version", MetaData(), Column("version_num", String(32), primary_key=True))
"""The version that a database has come to, under the name that Alembic gave it when that made the tables."""


async def migrate(database: Database) -> None:
    """Bring the tables to this version. Of several processes one migrates, the others wait and find nothing to do.

    Raises Unavailable, and StoreError for tables of a later version.
    """
    if database.in_memory:
        return await database.write(_create)
    await asyncio.to_thread(make_ready, database)
    for _ in range(ATTEMPTS if database.sqlite else 0):
        with suppress(Unavailable):
            return await database.write(partial(_run, database))
        await asyncio.sleep(PAUSE)  # turning a new SQLite file to WAL does not wait for others that do the same
    return await database.write(partial(_run, database))


def make_ready(database: Database) -> None:
    """Make SQLite's file, with its folder, readable by its owner alone; its tables come later. OSError where that cannot be."""
    if database.sqlite:
        path = Path(str(database.url.database))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch(mode=0o600)


def _create(connection: Connection) -> None:
    """Make all tables at once, unless they are there: what is in memory has no earlier versions."""
    if connection.exec_driver_sql("SELECT 1 FROM sqlite_master").first() is None:
        for statement in _statements(connection.dialect):
            connection.exec_driver_sql(statement)


@cache
def _statements(dialect: Dialect) -> tuple[str, ...]:
    """Return what makes the tables, worked out once: a process of scenarios or tests opens hundreds of stores."""
    made: list[str] = []
    metadata.create_all(create_mock_engine("sqlite://", lambda ddl, *_: made.append(str(ddl.compile(dialect=dialect)))))
    return tuple(made)


def _run(database: Database, connection: Connection) -> None:
    if not database.sqlite:
        connection.execute(sql("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})
    there = version(connection)
    if there == NEWEST:
        return
    if there is not None and there not in VERSIONS:
        raise StoreError(f"The database has tables of a later version of Holdfast ({there}; this one has {NEWEST}).")
    database.say(
        "Making the database's tables …" if there is None else f"Bringing the database from {there} to {NEWEST} …"
    )
    upgrade(connection)


def upgrade(connection: Connection) -> None:
    """Add every table, column and index that is missing, over this connection and inside its transaction."""
    there, dialect = inspect(connection), connection.dialect
    known = set(there.get_table_names())
    for table in metadata.sorted_tables:
        if table.name not in known:
            table.create(connection)
            continue
        columns = {column["name"] for column in there.get_columns(table.name)}
        for column in (column for column in table.columns if column.name not in columns):
            added = CreateColumn(column).compile(dialect=dialect)
            connection.exec_driver_sql(f"ALTER TABLE {table.name} ADD COLUMN {added}")
        indexes = {index["name"] for index in there.get_indexes(table.name)}
        for index in (index for index in table.indexes if index.name not in indexes):
            index.create(connection)
    stamp.create(connection, checkfirst=True)
    connection.execute(stamp.delete())
    connection.execute(insert(stamp).values(version_num=NEWEST))


def version(connection: Connection) -> str | None:
    """Return the version that the database's tables have come to; None before the first."""
    if not inspect(connection).has_table(stamp.name):
        return None
    return connection.execute(select(stamp.c.version_num)).scalar()
