"""SQLite: whole transactions on the driver's own thread, several in one commit, and who else has the file open."""

import asyncio
import fcntl
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from datetime import datetime
from functools import cache, partial
from pathlib import Path
from typing import Any, TypeVar, cast

import aiosqlite
from sqlalchemy import URL, Connection, Engine, NullPool, create_engine

from state.stores.errors import Unavailable
from state.stores.sql.types import SQLITE_CLOCK, written

Result = TypeVar("Result")

Statements = Callable[[Connection], Result]
"""Statements that run as one. They run on another thread: they touch nothing that others change meanwhile."""

Clock = Callable[[], datetime]

BUSY = 10.0
"""Seconds that a writer waits for others before it gives up."""

AWAY = "The database does not answer."

AT_ONCE = 64
"""Transactions in one commit: those behind it wait no longer than this many take."""

IN_MEMORY = ":memory:"

PRAGMAS = (
    f"busy_timeout={int(BUSY * 1000)}",
    "journal_mode=WAL",
    "synchronous=FULL",
    "foreign_keys=ON",
    "secure_delete=ON",  # what is overwritten is overwritten on the disk, a destroyed key above all
)

HERE = threading.local()
"""On a driver's thread: its connection."""


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

    async def _thread(self, name: str) -> "Thread":
        if name not in self._threads:
            async with self._opening:
                if name not in self._threads:
                    await carried(self._open(name))
        return self._threads[name]


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


class Thread(aiosqlite.Connection):
    """The driver's connection with its thread, on which whole functions run over SQLAlchemy's statements."""

    def __init__(self, path: str, clock: Clock) -> None:
        super().__init__(lambda: _opened(path, clock), iter_chunk_size=64)
        self._statements: Connection | None = None
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
        return await self._there(lambda: work(cast(Connection, self._statements)))

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
                outcomes = await self._there(partial(_together, cast(Connection, self._statements), batch))
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
        self._statements = _engine().connect()

    def _leave(self) -> None:
        if self._statements is not None:
            self._statements.close()


@cache
def _engine() -> Engine:
    """Make SQLAlchemy use the connection of the thread that asks: a statement is compiled once a process, not once a thread of each store."""
    options = {"poolclass": NullPool, "pool_reset_on_return": None, "hide_parameters": True}
    return create_engine("sqlite://", creator=lambda: HERE.connection, **options)


def _opened(path: str, clock: Clock) -> sqlite3.Connection:
    """Open a connection in autocommit, so that it is `_together` that begins each transaction, at once as a writer."""
    connection = sqlite3.connect(path, isolation_level=None)
    try:
        connection.create_function(SQLITE_CLOCK, 0, lambda: written(clock()))
        for pragma in PRAGMAS:
            connection.execute(f"PRAGMA {pragma}")
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _in_snapshot(connection: Connection, work: Statements[Result]) -> Result:
    connection.exec_driver_sql("BEGIN")
    try:
        return work(connection)
    finally:
        connection.exec_driver_sql("ROLLBACK")


def _together(connection: Connection, batch: list[Writing]) -> list[Any]:
    """Run several transactions in one commit, each whole or not at all, by a savepoint of its own. Return the outcome of each, in order.

    Raises where nothing of any of them is kept: it could not be begun, or not be committed.
    """
    driver: sqlite3.Connection = HERE.connection
    driver.execute("BEGIN IMMEDIATE")
    try:
        outcomes = [_outcome(driver, connection, writing, alone=len(batch) == 1) for writing in batch]
        driver.execute("COMMIT")
    except BaseException:
        driver.rollback()
        raise
    return outcomes


def _outcome(driver: sqlite3.Connection, connection: Connection, writing: Writing, *, alone: bool) -> Any:
    if time.monotonic() > writing.until:
        return Unavailable(AWAY)
    if alone:
        return writing.work(connection)
    driver.execute("SAVEPOINT one")
    try:
        result = writing.work(connection)
    except Exception as problem:
        driver.execute("ROLLBACK TO one")
        result = problem
    driver.execute("RELEASE one")
    return result


class Presence:
    """Held by every process that has the database open. Whoever finds nobody else there knows that what is held in it is a dead one's.

    Where the file system knows no locks, nobody is ever alone: leases then run out in their own time.
    """

    def __init__(self, database: Path) -> None:
        self._path, self._handle = database.with_name(f"{database.name}.lock"), -1

    def enter(self) -> bool:
        """Be there from now on. True where nobody else was."""
        if self._handle < 0:
            try:
                self._handle = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
            except OSError:
                return False
        try:
            fcntl.flock(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self.stay()
            return False
        return True

    @property
    def known(self) -> bool:
        """True if the file system says who is there."""
        return self._handle >= 0

    def stay(self) -> None:
        """Let others come in beside this process; until then nobody else is there."""
        try:
            fcntl.flock(self._handle, fcntl.LOCK_SH)
        except OSError:
            self.leave()

    def leave(self) -> None:
        """Be there no more."""
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1
