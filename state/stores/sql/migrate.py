"""Brings the database to this version's tables at start. The migrations ship inside the package; nothing has to be run by hand."""

import asyncio
from contextlib import suppress
from functools import cache
from pathlib import Path

from sqlalchemy import Connection, Dialect, create_mock_engine, inspect, text

from state.stores.errors import Unavailable
from state.stores.sql.engine import Database, make_file
from state.stores.sql.tables import metadata

ATTEMPTS, PAUSE = 40, 0.1
MIGRATIONS = Path(__file__).parent / "migrations"
LOCK = 4_816_201_137
"""PostgreSQL's advisory lock on this installation's tables: any number that nothing else in the database uses."""


async def migrate(database: Database) -> None:
    """Several processes may call this at once: one migrates, the others wait for it and find nothing to do. Raises Unavailable."""
    if database.in_memory:
        return await database.write(_create)
    if database.sqlite:
        await asyncio.to_thread(make_file, database.url)
    for _ in range(ATTEMPTS if database.sqlite else 0):
        with suppress(Unavailable):
            return await _upgrade(database)
        await asyncio.sleep(PAUSE)  # turning a new SQLite file to WAL does not wait for others that do the same
    return await _upgrade(database)


def _create(connection: Connection) -> None:
    """All tables at once, unless they are there: what is in memory has no earlier versions."""
    if connection.exec_driver_sql("SELECT 1 FROM sqlite_master").first() is None:
        for statement in _statements(connection.dialect):
            connection.exec_driver_sql(statement)


@cache
def _statements(dialect: Dialect) -> tuple[str, ...]:
    """What makes the tables, worked out once: a process of scenarios or tests opens hundreds of stores."""
    made: list[str] = []
    metadata.create_all(create_mock_engine("sqlite://", lambda ddl, *_: made.append(str(ddl.compile(dialect=dialect)))))
    return tuple(made)


def make_ready(database: Database) -> None:
    """SQLite's file, where it is not there yet: its tables come later."""
    if database.sqlite:
        make_file(database.url)


async def _upgrade(database: Database) -> None:
    await database.write(lambda connection: _run(connection, database))


def _run(connection: Connection, database: Database) -> None:
    """Alembic is imported only where there is something to do: a tenth of a start, and 11 MB."""
    if not database.sqlite:
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})
    there = version(connection)
    if there == newest():
        return
    database.say(
        "Making the database's tables …" if there is None else f"Bringing the database from {there} to {newest()} …"
    )
    from state.stores.sql.upgrade import upgrade  # noqa: PLC0415

    upgrade(connection, MIGRATIONS)


def version(connection: Connection) -> str | None:
    """The migration that the database has come to; None before the first."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    found: str | None = connection.scalar(text("SELECT version_num FROM alembic_version"))
    return found


def newest() -> str:
    """The last migration that ships with this package; a file is named by its migration, and they are numbered."""
    return max(file.stem for file in (MIGRATIONS / "versions").glob("0*.py"))
