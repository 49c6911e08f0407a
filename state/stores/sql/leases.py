"""Leases: one row a lane, whose token grows with every taking. Whoever writes checks the token in the same transaction."""

from datetime import datetime

from sqlalchemy import ColumnElement, and_, or_, select, update

from state.stores.protocol import Lease, LeaseLost
from state.stores.sql.room import Room
from state.stores.sql.tables import leases
from state.stores.sql.transaction import Transaction
from state.stores.sql.types import clock, later
from state.stores.vault import Vault

LOST = "Another holds the lane by now."


class Leases(Room):
    """Deadlines are on the database's clock, the same for every replica."""

    async def now(self) -> datetime:
        async with self._reading() as connection:
            now: datetime = (await connection.execute(select(clock()))).scalar_one()
        return now

    async def take(self, lane: str, seconds: float) -> Lease | None:
        until = later(round(seconds, 3))
        free = or_(leases.c.until.is_(None), leases.c.until < clock())
        async with self._writing() as transaction:
            first = transaction.insert(leases).values(lane=self._vault.name(lane), token=1, until=until)
            taken = first.on_conflict_do_update(
                index_elements=["lane"], set_={"token": leases.c.token + 1, "until": until}, where=free
            )
            row = (await transaction.run(taken.returning(leases.c.token, leases.c.until))).first()
        return row and Lease(lane, row.token, row.until)

    async def renew(self, lease: Lease, seconds: float) -> Lease:
        longer = update(leases).where(_mine(self._vault, lease)).values(until=later(round(seconds, 3)))
        async with self._writing() as transaction:
            row = (await transaction.run(longer.returning(leases.c.until))).first()
        if row is None:
            raise LeaseLost(LOST)
        return Lease(lease.lane, lease.token, row.until)

    async def release(self, lease: Lease) -> None:
        async with self._writing() as transaction:
            await transaction.run(update(leases).where(_mine(self._vault, lease)).values(until=None))


async def held(transaction: Transaction, lease: Lease) -> datetime:
    """The time, if the token still holds; nobody can take the lane until this transaction ends. Raises LeaseLost."""
    mine = select(clock().label("now")).select_from(leases).where(_mine(transaction.vault, lease))
    row = (await transaction.run(mine.with_for_update())).first()
    if row is None:
        raise LeaseLost(LOST)
    now: datetime = row.now
    return now


def _mine(vault: Vault, lease: Lease) -> ColumnElement[bool]:
    return and_(leases.c.lane == vault.name(lease.lane), leases.c.token == lease.token, leases.c.until.is_not(None))
