"""Opens SQLite or PostgreSQL so that both behave alike: whole transactions, written to disk, one writer at a time where it must be.

A transaction is a plain function over a `Connection`, run whole: on SQLite on the driver's own thread, in one hop and not one
a statement; on PostgreSQL inside the asynchronous driver.
"""

import asyncio
import errno
import sqlite3
import threading
import time
from collections.abc import Callable, Coroutine, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache, partial
from typing import Any, TypeVar, cast

import aiosqlite
from sqlalchemy import URL, Connection, Engine, NullPool, Table, create_engine, event, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import DBAPIError, IntegrityError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from state.stores.errors import StoreError, Unavailable, Why
from state.stores.sql.types import SQLITE_CLOCK, clock, kept, written

Result = TypeVar("Result")
Statements = Callable[[Connection], Result]
"""Statements that run as one. They run on another thread: they touch nothing that others change meanwhile."""
Clock = Callable[[], datetime]

InsertInto = Callable[[Table], postgresql.Insert]
"""Makes an INSERT that knows ON CONFLICT; both databases' kinds of it take the same calls."""

BUSY = 10.0
"""Seconds that a writer waits for others before it gives up."""

AGREED = 60.0
"""Seconds for which a comparison of this machine's clock with PostgreSQL's is good."""

PRIMARY = 0xFF
"""The part of SQLite's result that names its class."""
AWAY = "The database does not answer."
SENTENCES: Mapping[str, str] = {
    "": AWAY,
    "full": "Nothing can be written: the disk of the database is full, or fails. Free some room there; all goes on by itself.",
    "read_only": "Nothing can be written: the database or its folder is read-only. Let Holdfast write there; all goes on by itself.",
}
"""The message for each reason why nothing can be written."""
OF_SQLITE: Mapping[int, Why] = {
    sqlite3.SQLITE_FULL: "full", sqlite3.SQLITE_IOERR: "full", sqlite3.SQLITE_READONLY: "read_only", sqlite3.SQLITE_PERM: "read_only",
}  # fmt: skip
OF_POSTGRESQL: Mapping[str, Why] = {"53100": "full", "25006": "read_only"}
OF_THE_SYSTEM: Mapping[int, Why] = {
    errno.ENOSPC: "full", errno.EFBIG: "full", errno.EDQUOT: "full", errno.EROFS: "read_only", errno.EACCES: "read_only",
}  # fmt: skip
"""Which results, states and numbers of errors say why."""

AT_ONCE = 64
"""Transactions in one commit: those behind it wait no longer than this many take."""

IN_MEMORY = ":memory:"

PLAIN = {"plain": True}
"""Marks SQLite connections on which nothing begins a transaction."""

PRAGMAS = (
    f"busy_timeout={int(BUSY * 1000)}",
    "journal_mode=WAL",
    "synchronous=FULL",
    "foreign_keys=ON",
    "secure_delete=ON",  # what is overwritten is overwritten on the disk, a destroyed key above all
)


def wall_clock() -> datetime:
    """Return this machine's time, which is SQLite's own."""
    return datetime.now(UTC)


class Database:
    """Two ways in: `read` sees what is committed, `write` is one transaction. `clock` is for SQLite: scenarios bring their own."""

    def __init__(self, url: URL, clock: Clock = wall_clock, say: Callable[[str], object] = lambda _: None) -> None:
        self.url, self.clock, self.say = url, clock, say
        self.refused: Why = ""
        """Why the last write was refused, by the disk; empty since one was taken."""
        self.sqlite = url.get_backend_name() == "sqlite"
        self.in_memory = self.sqlite and not url.database
        self._driver: Sqlite | Postgresql = Sqlite(url, clock) if self.sqlite else Postgresql(url)
        self.insert: InsertInto = cast(InsertInto, sqlite.insert) if self.sqlite else postgresql.insert
        self._compared: tuple[float, datetime] | None = None

    @property
    def place(self) -> str:
        """Its name beside others of the installation: the file's, or host, port and database."""
        if self.sqlite:
            return (self.url.database or "").rpartition("/")[2]
        return f"{self.url.host or ''}:{self.url.port or ''}/{self.url.database}"

    async def read(self, work: Statements[Result]) -> Result:
        """Run single statements, each of which sees the newest committed state. Raises Unavailable."""
        with _named():
            return await self._driver.read(work)

    async def write(self, work: Statements[Result]) -> Result:
        """Run one transaction, committed at the end and rolled back on an exception; it is `carried` out. Raises Unavailable, StoreError.

        On SQLite the writers of this process queue up.
        """
        try:
            with _named():
                done = await carried(self._driver.write(work))
        except Unavailable as refused:
            self.refused = refused.why or self.refused
            raise
        self.refused = ""
        return done

    async def snapshot(self, work: Statements[Result]) -> Result:
        """Run many statements that all see the same committed state, and write nothing. Raises Unavailable."""
        with _named():
            return await self._driver.snapshot(work)

    async def now(self) -> datetime:
        """Return the time by the database's clock. PostgreSQL's is compared with this machine's now and then, not asked every time."""
        if self.sqlite:
            return kept(self.clock())
        if self._compared is None or time.monotonic() - self._compared[0] > AGREED:
            now = await self.read(lambda connection: connection.execute(select(clock())).scalar_one())
            self._compared = time.monotonic(), now
        since, then = self._compared
        return then + timedelta(seconds=time.monotonic() - since)

    async def forget(self) -> None:
        """Leave nothing of overwritten rows in SQLite's log; PostgreSQL's vacuum does that in its own time."""
        if self.sqlite:
            await self.read(lambda connection: connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)").all())

    async def stop(self) -> None:
        """Close every connection: an open one keeps the process alive."""
        await self._driver.stop()


@contextmanager
def _named() -> Iterator[None]:
    """Raise drivers' errors as those of a store."""
    try:
        yield
    except IntegrityError as error:
        raise StoreError("A row clashes with another, or names one that is not there.") from error
    except (SQLAlchemyError, DBAPIError, sqlite3.Error, OSError) as error:
        why = _cause_of(error)
        raise Unavailable(SENTENCES[why], why) from error


def _cause_of(error: BaseException) -> Why:
    cause = getattr(error, "orig", None) or error
    if isinstance(cause, sqlite3.Error):
        return OF_SQLITE.get(getattr(cause, "sqlite_errorcode", 0) & PRIMARY, "")
    if isinstance(cause, OSError):
        return OF_THE_SYSTEM.get(cause.errno or 0, "")
    return OF_POSTGRESQL.get(str(getattr(cause, "sqlstate", "")), "")


async def carried(work: Coroutine[Any, Any, Result]) -> Result:
    """Carry database work to its end, also when the caller is cancelled meanwhile, who learns of that afterwards.

    A driver that is interrupted may leave its transaction open, and so lock everybody out.
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
    return task.result()


@dataclass(frozen=True)
class Writing:
    """A transaction that waits for its turn, until a moment of the monotonic clock, and whom to answer."""

    work: Statements[Any]
    until: float
    answer: asyncio.Future[Any]

    def settle(self, outcome: Any) -> None:
        """Answer, unless nobody waits any more."""
        if self.answer.done():
            return
        if isinstance(outcome, Exception):
            self.answer.set_exception(outcome)
        else:
            self.answer.set_result(outcome)


HERE = threading.local()
"""On a driver's thread: its connection."""


@cache
def _statements() -> Engine:
    """Make SQLAlchemy use the connection of the thread that asks: a statement is compiled once a process, not once a thread of each store."""
    options = {"poolclass": NullPool, "pool_reset_on_return": None, "hide_parameters": True}
    engine = create_engine("sqlite://", creator=lambda: HERE.connection, **options)
    event.listen(engine, "begin", _on_begin)
    return engine


class Thread(aiosqlite.Connection):
    """The driver's connection with its thread, on which whole functions run over SQLAlchemy's statements."""

    def __init__(self, path: str, clock: Clock) -> None:
        super().__init__(lambda: _opened(path, clock), iter_chunk_size=64)
        self._plain: Connection | None = None
        self._whole: Connection | None = None
        self._waiting: list[Writing] = []
        self._committing: asyncio.Task[None] | None = None

    async def start(self) -> "Thread":
        """Begin the thread and open the connection on it. Where that cannot be, the thread has ended before anybody hears of it."""
        try:
            await self
        except BaseException:
            self._thread.join()  # it has been told to stop, and has nothing else to do
            raise
        await self._there(self._begin)
        return self

    async def read(self, work: Statements[Result]) -> Result:
        """Run statements outside of any transaction."""
        return await self._there(lambda: _within(self._plain, work))

    async def write(self, work: Statements[Result]) -> Result:
        """Run a transaction; one that has waited for too long is not begun.

        What comes while another is on its way waits, and is committed together: the disk is what takes time, however little is written.
        """
        answer: asyncio.Future[Result] = asyncio.get_running_loop().create_future()
        self._waiting.append(Writing(work, time.monotonic() + BUSY, answer))
        if self._committing is None or self._committing.done():
            self._committing = asyncio.create_task(self._commit())
        return await answer

    async def _commit(self) -> None:
        while self._waiting:
            batch, self._waiting = self._waiting[:AT_ONCE], self._waiting[AT_ONCE:]
            try:
                outcomes = await self._there(partial(_together, self._whole, batch))
            except Exception as problem:
                outcomes = [problem] * len(batch)
            for writing, outcome in zip(batch, outcomes, strict=True):
                writing.settle(outcome)

    async def end(self) -> None:
        """Close the connection and end the thread, once what waits is written."""
        if self._committing is not None:
            await self._committing
        await self._there(self._leave)
        await self.close()

    async def _there(self, work: Callable[[], Result]) -> Result:
        return cast(Result, await self._execute(work))  # type: ignore[no-untyped-call]  # the driver has no types here

    def _begin(self) -> None:
        HERE.connection = self._conn
        engine = _statements()
        self._plain, self._whole = engine.execution_options(**PLAIN).connect(), engine.connect()

    def _leave(self) -> None:
        for connection in (self._plain, self._whole):
            if connection is not None:
                connection.close()


def _within(connection: Connection | None, work: Statements[Result]) -> Result:
    assert connection is not None  # noqa: S101  the thread has begun
    with connection.begin():
        return work(connection)


def _together(connection: Connection | None, batch: list[Writing]) -> list[Any]:
    """Run several transactions in one commit, each whole or not at all, by a savepoint of its own. Return the outcome of each, in order.

    Raises where nothing of any of them is kept: it could not be begun, or not be committed.
    """
    alone = len(batch) == 1

    def each(connection: Connection) -> list[Any]:
        return [_outcome(connection, writing, alone=alone) for writing in batch]

    return _within(connection, each)


def _outcome(connection: Connection, writing: Writing, *, alone: bool) -> Any:
    if time.monotonic() > writing.until:
        return Unavailable(AWAY)
    if alone:
        return writing.work(connection)
    savepoint = connection.begin_nested()
    try:
        result = writing.work(connection)
    except Exception as problem:
        savepoint.rollback()
        return problem
    savepoint.commit()
    return result


class Sqlite:
    """One thread that writes and one that reads; in memory, where there is one connection, the same."""

    def __init__(self, url: URL, clock: Clock) -> None:
        self._path, self._clock = str(url.database or IN_MEMORY), clock
        self._threads: dict[str, Thread] = {}
        self._opening = asyncio.Lock()

    async def read(self, work: Statements[Result]) -> Result:
        return await (await self._thread("writer" if self._path == IN_MEMORY else "reader")).read(work)

    async def write(self, work: Statements[Result]) -> Result:
        return await (await self._thread("writer")).write(work)

    async def snapshot(self, work: Statements[Result]) -> Result:
        return await self.read(lambda connection: _in_snapshot(connection, work))

    async def stop(self) -> None:
        while self._threads:
            await self._threads.popitem()[1].end()

    async def _open(self, name: str) -> None:
        """Open a thread. Whoever is cancelled meanwhile leaves none behind that nobody knows."""
        self._threads[name] = await Thread(self._path, self._clock).start()

    async def _thread(self, name: str) -> Thread:
        if name not in self._threads:
            async with self._opening:
                if name not in self._threads:
                    await carried(self._open(name))
        return self._threads[name]


def _in_snapshot(connection: Connection, work: Statements[Result]) -> Result:
    connection.exec_driver_sql("BEGIN")
    try:
        return work(connection)
    finally:
        connection.exec_driver_sql("ROLLBACK")


def _opened(path: str, clock: Clock) -> sqlite3.Connection:
    """Open a connection in autocommit, so that it is the hook below that begins each transaction, at once as a writer."""
    connection = sqlite3.connect(path, isolation_level=None)
    try:
        connection.create_function(SQLITE_CLOCK, 0, lambda: written(clock()))
        for pragma in PRAGMAS:
            connection.execute(f"PRAGMA {pragma}")
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _on_begin(connection: Connection) -> None:
    if not connection.get_execution_options().get("plain"):
        connection.exec_driver_sql("BEGIN IMMEDIATE")


class Postgresql:
    """A pool of asynchronous connections."""

    def __init__(self, url: URL) -> None:
        patience = {"timeout": BUSY, "command_timeout": 3 * BUSY}
        self.engine: AsyncEngine = create_async_engine(
            url, pool_size=10, pool_pre_ping=True, hide_parameters=True, connect_args=patience
        )
        self._plain = self.engine.execution_options(isolation_level="AUTOCOMMIT")
        self._still = self.engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)

    async def read(self, work: Statements[Result]) -> Result:
        async with self._plain.connect() as connection:
            return await connection.run_sync(work)

    async def write(self, work: Statements[Result]) -> Result:
        async with self.engine.begin() as connection:
            return await connection.run_sync(work)

    async def snapshot(self, work: Statements[Result]) -> Result:
        async with self._still.connect() as connection:
            return await connection.run_sync(work)

    async def stop(self) -> None:
        await self.engine.dispose()
