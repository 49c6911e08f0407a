"""Opens SQLite or PostgreSQL so that both behave alike: whole transactions, written to disk, one writer at a time where it must be."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, nullcontext
from pathlib import Path
from typing import Any, TypeVar, cast

from sqlalchemy import URL, Connection, Table, event
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import DBAPIError, IntegrityError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from state.stores.protocol import StoreError, Unavailable

Result = TypeVar("Result")

InsertInto = Callable[[Table], postgresql.Insert]
"""Makes an INSERT that knows ON CONFLICT; both databases' kinds of it take the same calls."""

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

    def __init__(self, url: URL, say: Callable[[str], object] = lambda _: None) -> None:
        self.url, self.say = url, say
        self.sqlite = url.get_backend_name() == "sqlite"
        self.engine = _sqlite(url) if self.sqlite else _postgresql(url)
        self.insert: InsertInto = cast(InsertInto, sqlite.insert) if self.sqlite else postgresql.insert
        self._reader = self.engine.execution_options(**(PLAIN if self.sqlite else {"isolation_level": "AUTOCOMMIT"}))
        self._writer: asyncio.Lock | None = asyncio.Lock() if self.sqlite else None

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncConnection]:
        """A connection for single statements, each of which sees the newest committed state. Raises Unavailable."""
        try:
            async with self._reader.connect() as connection:
                yield connection
        except (DBAPIError, OSError) as error:
            raise Unavailable(AWAY) from error

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[AsyncConnection]:
        """A transaction, committed on leaving and rolled back on an exception; whatever it does is `carried` out.

        On SQLite the writers of this process queue here. Raises Unavailable.
        """
        async with self._turn():
            connection = self.engine.connect()
            try:
                await carried(_begin(connection))
                yield connection
                await carried(connection.commit())
            finally:
                if connection.sync_connection is not None:
                    await carried(connection.close())

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


async def carried(work: Coroutine[Any, Any, Result]) -> Result:
    """Database work is carried to its end, also when the caller is cancelled meanwhile, who learns of that afterwards.

    A driver that is interrupted may leave its transaction open, and so lock everybody out. Raises Unavailable, StoreError.
    """
    task, cancelled = asyncio.ensure_future(work), False
    while not task.done():
        try:
            await asyncio.wait({task})
        except asyncio.CancelledError:
            cancelled = True
    if cancelled:
        task.exception()  # nobody is left to be told
        raise asyncio.CancelledError
    try:
        return task.result()
    except IntegrityError as error:
        raise StoreError("A row clashes with another, or names one that is not there.") from error
    except (SQLAlchemyError, OSError) as error:
        raise Unavailable(AWAY) from error


async def _begin(connection: AsyncConnection) -> None:
    await connection.start()
    await connection.begin()


def _postgresql(url: URL) -> AsyncEngine:
    patience = {"timeout": BUSY, "command_timeout": 3 * BUSY}
    return create_async_engine(url, pool_size=10, pool_pre_ping=True, hide_parameters=True, connect_args=patience)


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
