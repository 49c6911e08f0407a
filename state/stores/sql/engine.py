"""Opens SQLite or PostgreSQL so that both behave alike: whole transactions, written to disk, one writer at a time where it must be.

A transaction is a plain function over a `Connection`, run whole: on SQLite on the driver's own thread, in one hop and not one
a statement; on PostgreSQL inside the asynchronous driver.
"""

import errno
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import cast

from sqlalchemy import URL, Table, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import DBAPIError, IntegrityError, SQLAlchemyError

from state.stores.errors import StoreError, Unavailable, Why
from state.stores.sql.postgresql import Postgresql
from state.stores.sql.sqlite import AWAY, Clock, Result, Sqlite, Statements, carried
from state.stores.sql.types import clock, kept

InsertInto = Callable[[Table], postgresql.Insert]
"""Makes an INSERT that knows ON CONFLICT; both databases' kinds of it take the same calls."""


AGREED = 60.0
"""Seconds for which a comparison of this machine's clock with PostgreSQL's is good."""

PRIMARY = 0xFF
"""The part of SQLite's result that names its class."""
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
        self.shared, self.in_memory = not self.sqlite, self.sqlite and not url.database
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

    @property
    def holder(self) -> int | None:
        """The number under which this process is known to live; None on SQLite, and while no connection says so."""
        return self._driver.holder if isinstance(self._driver, Postgresql) else None

    async def living(self, work: Statements[Result]) -> Result | None:
        """Run one statement as a process that is known to live, from then on; None on SQLite. Raises Unavailable."""
        if not isinstance(self._driver, Postgresql):
            return None
        with _named():
            return await self._driver.living(work)

    async def now(self) -> datetime:
        """Return the time by the database's clock. PostgreSQL's is compared with this machine's now and then, not asked every time."""
        if self.sqlite:
            return kept(self.clock())
        if self._compared is None or time.monotonic() - self._compared[0] > AGREED:
            asked = time.monotonic()  # what was just written is never in the future
            self._compared = asked, await self.read(lambda connection: connection.execute(select(clock())).scalar_one())
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
    except (IntegrityError, sqlite3.IntegrityError) as error:
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
