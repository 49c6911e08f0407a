"""Brings the database to this version's tables at start. The migrations ship inside the package; nothing has to be run by hand."""

import asyncio
from contextlib import suppress
from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, text

from state.stores.protocol import Unavailable
from state.stores.sql.engine import Database, make_file

ATTEMPTS, PAUSE = 40, 0.1
LOCK = 4_816_201_137
"""PostgreSQL's advisory lock on this installation's tables: any number that nothing else in the database uses."""


async def migrate(database: Database) -> None:
    """Several processes may call this at once: one migrates, the others wait for it and find nothing to do. Raises Unavailable."""
    if database.url.database and database.sqlite:
        await asyncio.to_thread(make_file, database.url)
    for _ in range(ATTEMPTS if database.sqlite else 0):
        with suppress(Unavailable):
            return await _upgrade(database)
        await asyncio.sleep(PAUSE)  # turning a new SQLite file to WAL does not wait for others that do the same
    return await _upgrade(database)


async def _upgrade(database: Database) -> None:
    await database.write(lambda connection: _run(connection, shared=not database.sqlite))


def _run(connection: Connection, *, shared: bool) -> None:
    if shared:
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations").replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
