"""Brings the database to this version's tables at start. The migrations ship inside the package; nothing has to be run by hand."""

import asyncio
from contextlib import suppress
from functools import cache, partial
from pathlib import Path

from sqlalchemy import Connection, Dialect, create_mock_engine, inspect, text

from state.stores.errors import Unavailable
from state.stores.sql.engine import Database
from state.stores.sql.tables import metadata

ATTEMPTS, PAUSE = 40, 0.1
MIGRATIONS = Path(__file__).parent / "migrations"
LOCK = 4_816_201_137
"""PostgreSQL's advisory lock on this installation's tables: any number that nothing else in the database uses."""


async def migrate(database: Database) -> None:
    """Bring the tables to this version. Of several processes one migrates, the others wait and find nothing to do. Raises Unavailable."""
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
    """Migrate where there is something to do: only then is Alembic imported, which takes a tenth of a start, and 11 MB."""
    if not database.sqlite:
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})
    there = version(connection)
    if there == newest():
        return
    database.say(
        "Making the database's tables …" if there is None else f"Bringing the database from {there} to {newest()} …"
    )
    upgrade(connection)


def upgrade(connection: Connection, to: str = "head") -> None:
    """Run every migration that is missing until this one, over this connection and inside its transaction."""
    from alembic import command  # noqa: PLC0415
    from alembic.config import Config  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, to)


def version(connection: Connection) -> str | None:
    """Return the migration that the database has come to; None before the first."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    found: str | None = connection.scalar(text("SELECT version_num FROM alembic_version"))
    return found


def newest() -> str:
    """Return the last migration that ships with this package; a file is named by its migration, and they are numbered."""
    return max(file.stem for file in (MIGRATIONS / "versions").glob("0*.py"))
