"""Leases: one row a lane, whose token grows with every taking. Whoever writes checks the token in the same transaction.

Deadlines are on the database's clock, the same for every replica. Locks are taken in one order everywhere, so that no two
transactions wait for each other: conversations before outbox lanes.
"""

from collections.abc import Iterable
from datetime import datetime
from functools import cache

from sqlalchemy import Executable, Float, and_, bindparam, or_, select, update

from state.stores.errors import LeaseLost
from state.stores.rows import Lease
from state.stores.sql.engine import InsertInto
from state.stores.sql.tables import leases
from state.stores.sql.transaction import Transaction, Values
from state.stores.sql.types import clock, later

MINE = and_(leases.c.lane == bindparam("mine"), leases.c.token == bindparam("held"), leases.c.until.is_not(None))
UNTIL = later(bindparam("seconds", type_=Float))

HELD = select(clock().label("now")).select_from(leases).where(MINE).with_for_update()
RENEWED = update(leases).where(MINE).values(until=UNTIL).returning(leases.c.until)
RELEASED = update(leases).where(MINE).values(until=None)
LEFT = update(leases).where(leases.c.until.is_not(None)).values(until=None)


@cache
def _taken(insert: InsertInto) -> Executable:
    free = or_(leases.c.until.is_(None), leases.c.until < clock())
    again = {"token": leases.c.token + 1, "until": UNTIL}
    first = insert(leases).values(lane=bindparam("name"), token=1, until=UNTIL)
    taken = first.on_conflict_do_update(index_elements=["lane"], set_=again, where=free)
    return taken.returning(leases.c.token, leases.c.until)


def take(transaction: Transaction, lane: str, seconds: float) -> Lease | None:
    """Take the lease on a lane; None while another holds it. The token grows with every taking.

    Free or not, the lane's row is locked from here on until the transaction ends.
    """
    wanted = {"name": transaction.name(lane), "seconds": round(seconds, 3)}
    row = transaction.run(_taken(transaction.insert), wanted).first()
    return Lease(lane, row.token, row.until) if row else None


def renew_all(transaction: Transaction, leases: Iterable[Lease], seconds: float) -> list[Lease]:
    """Extend leases to `seconds` from now, in one transaction; those that were lost are left out."""
    renewed, until = [], {"seconds": round(seconds, 3)}
    for lease in sorted(leases, key=lambda lease: lease.lane):
        if row := transaction.run(RENEWED, _mine(transaction, lease) | until).first():
            renewed.append(Lease(lease.lane, lease.token, row.until))
    return renewed


def release(transaction: Transaction, lease: Lease) -> None:
    """Free the lane for the next holder; nothing happens when another has it by now."""
    transaction.run(RELEASED, _mine(transaction, lease))


def free_all(transaction: Transaction) -> None:
    """Free every lane."""
    transaction.run(LEFT)


def held(transaction: Transaction, lease: Lease) -> datetime:
    """Return the time, if the token still holds; nobody can take the lane until this transaction ends. Raises LeaseLost."""
    row = transaction.run(HELD, _mine(transaction, lease)).first()
    if row is None:
        raise LeaseLost("Another holds the lane by now.")
    now: datetime = row.now
    return now


def _mine(transaction: Transaction, lease: Lease) -> Values:
    return {"mine": transaction.name(lease.lane), "held": lease.token}
