"""Leases: one row a lane, whose token grows with every taking. Whoever writes checks the token in the same transaction."""

from datetime import datetime
from functools import cache

from sqlalchemy import Executable, Float, and_, bindparam, or_, select, update

from state.stores.protocol import Lease, LeaseLost
from state.stores.sql.engine import InsertInto
from state.stores.sql.repository import Repository
from state.stores.sql.tables import leases
from state.stores.sql.transaction import Transaction, Values
from state.stores.sql.types import clock, later
from state.stores.vault import Vault

LOST = "Another holds the lane by now."


MINE = and_(leases.c.lane == bindparam("mine"), leases.c.token == bindparam("held"), leases.c.until.is_not(None))
UNTIL = later(bindparam("seconds", type_=Float))

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


class Leases(Repository):
    """Deadlines are on the database's clock, the same for every replica."""

    async def now(self) -> datetime:
        async with self._reading() as connection:
            now: datetime = (await connection.execute(select(clock()))).scalar_one()
        return now

    async def take(self, lane: str, seconds: float) -> Lease | None:
        wanted = {"name": self._vault.name(lane), "seconds": round(seconds, 3)}
        async with self._writing() as transaction:
            row = (await transaction.run(_taken(transaction.insert), wanted)).first()
        return row and Lease(lane, row.token, row.until)

    async def renew(self, lease: Lease, seconds: float) -> Lease:
        async with self._writing() as transaction:
            longer = _mine(self._vault, lease) | {"seconds": round(seconds, 3)}
            row = (await transaction.run(RENEWED, longer)).first()
        if row is None:
            raise LeaseLost(LOST)
        return Lease(lease.lane, lease.token, row.until)

    async def release(self, lease: Lease) -> None:
        async with self._writing() as transaction:
            await transaction.run(RELEASED, _mine(self._vault, lease))


async def held(transaction: Transaction, lease: Lease) -> datetime:
    """The time, if the token still holds; nobody can take the lane until this transaction ends. Raises LeaseLost."""
    row = (await transaction.run(HELD, _mine(transaction.vault, lease))).first()
    if row is None:
        raise LeaseLost(LOST)
    now: datetime = row.now
    return now


def _mine(vault: Vault, lease: Lease) -> Values:
    return {"mine": vault.name(lease.lane), "held": lease.token}
