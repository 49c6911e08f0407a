"""Opens SQLite or PostgreSQL so that both behave alike: whole transactions, written to disk, one writer at a time where it must be."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, nullcontext
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Table, event
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import DBAPIError, IntegrityError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from state.stores.protocol import StoreError, Unavailable

BUSY = 10.0
"""Seconds that a writer waits for another before it gives up."""

AWAY = "The database does not answer."

PLAIN = {"plain": True}
"""Marks SQLite connections on which nothing begins a transaction."""

PRAGMAS = (
    f"busy_timeout={int(BUSY * 1000)}",
    "journal_mode=WAL",
    "synchronous=FULL",
    "foreign_keys=ON",
    "secure_delete=ON",  # what is overwritten is overwritten on the disk, a destroyed key above all
)


class Database:
    """An engine with two ways in: `reading()` sees what is committed, `writing()` is one transaction."""

    def __init__(self, url: URL) -> None:
        self.url = url
        self.sqlite = url.get_backend_name() == "sqlite"
        self.engine = _sqlite(url) if self.sqlite else _postgresql(url)
        self._reader = self.engine.execution_options(**(PLAIN if self.sqlite else {"isolation_level": "AUTOCOMMIT"}))
        self._writer: asyncio.Lock | None = asyncio.Lock() if self.sqlite else None

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncConnection]:
        """A connection for single statements, each of which sees the newest committed state."""
        async with _telling(), _connected(self._reader) as connection:
            yield connection

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[AsyncConnection]:
        """A transaction, committed on leaving and rolled back on an exception. On SQLite writers of this process queue here."""
        async with _telling(), self._turn(), _connected(self.engine) as connection, connection.begin():
            yield connection

    def insert(self, table: Table) -> postgresql.Insert:
        """An INSERT that knows ON CONFLICT; both databases' kinds of it take the same calls."""
        insert: Any = sqlite.insert if self.sqlite else postgresql.insert
        made: postgresql.Insert = insert(table)
        return made

    async def forget(self) -> None:
        """Leave nothing of overwritten rows in SQLite's log; PostgreSQL's vacuum does that in its own time."""
        if self.sqlite:
            async with self.reading() as connection:
                await connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")

    def _turn(self) -> Any:
        return nullcontext() if self._writer is None else _queued(self._writer)


@asynccontextmanager
async def _queued(lock: asyncio.Lock) -> AsyncIterator[None]:
    try:
        async with asyncio.timeout(BUSY):
            await lock.acquire()
    except TimeoutError as error:
        raise Unavailable(AWAY) from error
    try:
        yield
    finally:
        lock.release()


@asynccontextmanager
async def _connected(engine: AsyncEngine) -> AsyncIterator[AsyncConnection]:
    try:
        connection = await engine.connect()
    except (OSError, SQLAlchemyError) as error:
        raise Unavailable(AWAY) from error
    try:
        yield connection
    finally:
        await asyncio.shield(connection.close())


@asynccontextmanager
async def _telling() -> AsyncIterator[None]:
    try:
        yield
    except IntegrityError as error:
        raise StoreError("A row clashes with another, or names one that is not there.") from error
    except DBAPIError as error:
        raise Unavailable(AWAY) from error


def _postgresql(url: URL) -> AsyncEngine:
    return create_async_engine(url, pool_size=10, pool_pre_ping=True, hide_parameters=True)


def _sqlite(url: URL) -> AsyncEngine:
    """The driver stays in autocommit, so that it is the hook below that begins each transaction, at once as a writer."""
    engine = create_async_engine(url, pool_size=5, hide_parameters=True, connect_args={"isolation_level": None})
    event.listen(engine.sync_engine, "connect", _on_connect)
    event.listen(engine.sync_engine, "begin", _on_begin)
    return engine


def _on_connect(connection: Any, _: object) -> None:
    cursor = connection.cursor()
    for pragma in PRAGMAS:
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _on_begin(connection: Connection) -> None:
    if not connection.get_execution_options().get("plain"):
        connection.exec_driver_sql("BEGIN IMMEDIATE")


def make_file(url: URL) -> None:
    """SQLite's file, with its folder, readable by its owner alone. OSError where that cannot be."""
    path = Path(str(url.database))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch(mode=0o600)
