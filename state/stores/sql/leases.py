"""Leases: one row a lane, whose token grows with every taking. Whoever writes checks the token in the same transaction.

Locks are taken in one order everywhere, so that no two transactions wait for each other: conversations before outbox lanes.
"""

import asyncio
import time
from collections.abc import Iterable
from contextlib import suppress
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path

from sqlalchemy import Executable, Float, and_, bindparam, or_, select, update

from state.stores.protocol import Lease, LeaseLost, Unavailable
from state.stores.sql.engine import InsertInto
from state.stores.sql.presence import Presence
from state.stores.sql.repository import Repository
from state.stores.sql.tables import leases
from state.stores.sql.transaction import Transaction, Values
from state.stores.sql.types import clock, kept, later

LOST = "Another holds the lane by now."
AGREED = 60.0
"""Seconds for which a comparison of this machine's clock with PostgreSQL's is good."""


MINE = and_(leases.c.lane == bindparam("mine"), leases.c.token == bindparam("held"), leases.c.until.is_not(None))
UNTIL = later(bindparam("seconds", type_=Float))

NOW = select(clock().label("now"))
HELD = select(clock().label("now")).select_from(leases).where(MINE).with_for_update()
RENEWED = update(leases).where(MINE).values(until=UNTIL).returning(leases.c.until)
RELEASED = update(leases).where(MINE).values(until=None)


@cache
def _taken(insert: InsertInto) -> Executable:
    free = or_(leases.c.until.is_(None), leases.c.until < clock())
    again = {"token": leases.c.token + 1, "until": UNTIL}
    first = insert(leases).values(lane=bindparam("name"), token=1, until=UNTIL)
    taken = first.on_conflict_do_update(index_elements=["lane"], set_=again, where=free)
    return taken.returning(leases.c.token, leases.c.until)


LEFT = update(leases).where(leases.c.until.is_not(None)).values(until=None)


class Leases(Repository):
    """Deadlines are on the database's clock, the same for every replica."""

    _presence: Presence | None = None

    _compared: tuple[float, datetime] | None = None
    """PostgreSQL's time at a moment of this machine's: asked now and then, not every time."""

    async def now(self) -> datetime:
        if self._database.sqlite:
            return kept(self._database.clock())
        if self._compared is None or time.monotonic() - self._compared[0] > AGREED:
            row = await self._first(NOW)
            self._compared = time.monotonic(), row.now if row else self._database.clock()
        since, then = self._compared
        return then + timedelta(seconds=time.monotonic() - since)

    async def come_in(self) -> None:
        """Where this is the only process that has the file open, free what a killed one held: nobody waits for its leases to run out.

        With PostgreSQL nobody can know that, and every lease runs its time.
        """
        if not self._database.sqlite or self._database.in_memory or self._presence is not None:
            return
        self._presence = Presence(Path(self._database.url.database or ""))
        if await asyncio.to_thread(self._presence.enter):
            with suppress(Unavailable):  # a disk that takes nothing: they run out in their own time
                await self._write(lambda transaction: transaction.run(LEFT))
            await asyncio.to_thread(self._presence.stay)

    def go_out(self) -> None:
        """Let go of the file."""
        if self._presence is not None:
            self._presence.leave()
            self._presence = None

    async def take(self, lane: str, seconds: float) -> Lease | None:
        return await self._write(lambda transaction: take(transaction, lane, seconds))

    async def renew(self, lease: Lease, seconds: float) -> Lease:
        renewed = await self.renew_all([lease], seconds)
        if not renewed:
            raise LeaseLost(LOST)
        return renewed[0]

    async def renew_all(self, leases: Iterable[Lease], seconds: float) -> list[Lease]:
        wanted = sorted(leases, key=lambda lease: lease.lane)
        return await self._write(
            lambda transaction: [r for one in wanted if (r := _renewed(transaction, one, seconds))]
        )

    async def release(self, lease: Lease) -> None:
        await self._write(lambda transaction: release(transaction, lease))


def take(transaction: Transaction, lane: str, seconds: float) -> Lease | None:
    """Take a lane where it is free. Free or not, its row is locked from here on until the transaction ends."""
    wanted = {"name": transaction.name(lane), "seconds": round(seconds, 3)}
    row = transaction.run(_taken(transaction.insert), wanted).first()
    return row and Lease(lane, row.token, row.until)


def release(transaction: Transaction, lease: Lease) -> None:
    """Free a lane, if the token still holds."""
    transaction.run(RELEASED, _mine(transaction, lease))


def held(transaction: Transaction, lease: Lease) -> datetime:
    """The time, if the token still holds; nobody can take the lane until this transaction ends. Raises LeaseLost."""
    row = transaction.run(HELD, _mine(transaction, lease)).first()
    if row is None:
        raise LeaseLost(LOST)
    now: datetime = row.now
    return now


def _renewed(transaction: Transaction, lease: Lease, seconds: float) -> Lease | None:
    row = transaction.run(RENEWED, _mine(transaction, lease) | {"seconds": round(seconds, 3)}).first()
    return row and Lease(lease.lane, lease.token, row.until)


def _mine(transaction: Transaction, lease: Lease) -> Values:
    return {"mine": transaction.name(lease.lane), "held": lease.token}
