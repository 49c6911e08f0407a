"""PostgreSQL: a pool of asynchronous connections, and a lock that dies with the process, so that others know when it has."""

import asyncio
import secrets
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from sqlalchemy import URL, event, text
from sqlalchemy.exc import InvalidatePoolError
from sqlalchemy.pool import ConnectionPoolEntry

from state.stores.sql.sqlite import BUSY, Result, Statements

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

CONNECTIONS, SPARE = 16, 2
"""Connections of a process, and those that are kept for its lock and for a snapshot."""
TRUSTED = 1.0
"""Seconds for which a connection that was used is taken to be alive; after them it is asked, which is three round trips."""
LIVES, AT_MOST = 48_162_011, 5.0
"""The first key of the advisory locks, the holder being the second; seconds for an answer to one who holds such a lock."""
LIVING = (
    "SELECT objid::bigint FROM pg_locks WHERE locktype = 'advisory' AND classid = :lives AND objsubid = 2"
    " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
)
ALIVE = text(LIVING).bindparams(lives=LIVES)
"""The numbers of the processes that live on this database."""
GONE = text(f"holder NOT IN ({LIVING})").bindparams(lives=LIVES)
"""A lease's holder lives no more: PostgreSQL frees a lock when its connection ends, and a process that is killed ends its own at once."""


class Postgresql:
    """`holder` is this process's number among those that live; None until it is `living`, and after its connection was lost."""

    def __init__(self, url: URL) -> None:
        from sqlalchemy.ext.asyncio import create_async_engine  # noqa: PLC0415  an extra

        patience = {"timeout": BUSY, "command_timeout": 3 * BUSY}
        self.engine: AsyncEngine = create_async_engine(
            url, pool_size=CONNECTIONS, max_overflow=0, hide_parameters=True, connect_args=patience
        )
        event.listen(self.engine.sync_engine, "checkin", _used)
        event.listen(self.engine.sync_engine, "checkout", self._alive)
        self._plain = self.engine.execution_options(isolation_level="AUTOCOMMIT")
        self._still = self.engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
        self._turn = asyncio.Semaphore(CONNECTIONS - SPARE)
        self.holder: int | None = None
        self._life: AsyncConnection | None = None

    async def read(self, work: Statements[Result]) -> Result:
        async with self._turn, self._plain.connect() as connection:
            return await connection.run_sync(work)

    async def write(self, work: Statements[Result]) -> Result:
        async with self._turn, self.engine.begin() as connection:
            return await connection.run_sync(work)

    async def snapshot(self, work: Statements[Result]) -> Result:
        async with self._still.connect() as connection:
            return await connection.run_sync(work)

    async def living(self, work: Statements[Result]) -> Result:
        """Run one statement on the connection that holds this process's lock, which shows that it still does.

        After a loss it is taken anew, under another number: what was held under the former one may be another's by now.
        """
        try:
            async with asyncio.timeout(AT_MOST):
                if self.holder is None or self._life is None:
                    await self._end()
                    self._life = await self._plain.connect().start()
                    driver: Any = (await self._life.get_raw_connection()).driver_connection
                    driver.add_termination_listener(self._lost)
                    mine = {"lives": LIVES, "holder": 1 + secrets.randbits(30)}
                    await self._life.execute(text("SELECT pg_advisory_lock(:lives, :holder)"), mine)
                    self.holder = mine["holder"]
                return await self._life.run_sync(work)
        except BaseException:
            await self._end()
            raise

    async def stop(self) -> None:
        await self._end()
        await self.engine.dispose()

    def _alive(self, connection: Any, entry: ConnectionPoolEntry, _: object) -> None:
        if connection.driver_connection.is_closed():
            raise InvalidatePoolError
        if time.monotonic() - entry.info.get("used", 0.0) > TRUSTED:
            try:
                self.engine.dialect.do_ping(connection)
            except Exception as broken:
                raise InvalidatePoolError from broken

    def _lost(self, *_: object) -> None:
        self.holder = None

    async def _end(self) -> None:
        """Give the lock up with its connection, which nobody else may get from the pool."""
        life, self._life, self.holder = self._life, None, None
        if life is not None:
            with suppress(Exception):  # it may have ended already
                await life.invalidate()
                await life.close()


def _used(_: object, entry: ConnectionPoolEntry) -> None:
    entry.info["used"] = time.monotonic()
