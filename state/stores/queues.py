"""The inbox, and what both queues rest on: leases on lanes, and rows in lanes, the oldest open one first, each ending once.

A lease is one row a lane, whose token grows with every taking; whoever writes checks the token in the same transaction. Deadlines
are on the database's clock, the same for every replica. Locks are taken in one order everywhere, so that no two transactions wait
for each other: conversations before outbox lanes. Searches run over open rows only.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache
from typing import Any

from sqlalchemy import (
    Column,
    ColumnElement,
    Executable,
    Float,
    Row,
    Select,
    Table,
    Update,
    and_,
    bindparam,
    false,
    func,
    or_,
    select,
    union_all,
    update,
)

from state.stores.drafts import pointed
from state.stores.errors import LeaseLost
from state.stores.rows import Hold, InboxRow, Lease, Received, Taken
from state.stores.sql.engine import InsertInto
from state.stores.sql.postgresql import GONE
from state.stores.sql.tables import DEAD, OPEN_INBOX, OPEN_OUTBOX, inbox, leases, outbox
from state.stores.sql.transaction import Transaction, Values, with_key
from state.stores.sql.types import clock, later

MINE = and_(leases.c.lane == bindparam("mine"), leases.c.token == bindparam("held"), leases.c.until.is_not(None))
UNTIL = later(bindparam("seconds", type_=Float))

HELD = select(clock().label("now")).select_from(leases).where(MINE).with_for_update()
RENEWED = update(leases).where(MINE).values(until=UNTIL, holder=bindparam("by")).returning(leases.c.until)
RELEASED = update(leases).where(MINE).values(until=None)
LEFT = update(leases).where(leases.c.until.is_not(None)).values(until=None)


@cache
def _taken(insert: InsertInto) -> Executable:
    free = or_(leases.c.until.is_(None), leases.c.until < clock())
    again = {"token": leases.c.token + 1, "until": UNTIL, "holder": bindparam("by")}
    first = insert(leases).values(lane=bindparam("name"), token=1, until=UNTIL, holder=bindparam("by"))
    taken = first.on_conflict_do_update(index_elements=["lane"], set_=again, where=free)
    return taken.returning(leases.c.token, leases.c.until)


def take(transaction: Transaction, lane: str, seconds: float) -> Lease | None:
    """Take the lease on a lane; None while another holds it. The token grows with every taking.

    Free or not, the lane's row is locked from here on until the transaction ends.
    """
    wanted = {"name": transaction.name(lane), "seconds": round(seconds, 3), "by": transaction.holder}
    row = transaction.run(_taken(transaction.insert), wanted).first()
    return Lease(lane, row.token, row.until, transaction.holder) if row else None


def take_oldest(transaction: Transaction, seconds: float) -> Received | None:
    """Take the conversation that has waited longest of those that nobody holds, with its event as `receive` returns it; None where none waits.

    Raises LeaseLost: another took it.
    """
    name = transaction.run(free_lanes(INBOX, 1), {}).scalar()
    if name is None:
        return None
    lease = take(transaction, transaction.vault.plain(name), seconds)
    row = next_incoming(transaction, lease.lane) if lease else None
    if lease is None or row is None:
        raise LeaseLost("Another process was faster.")
    return Received(row, Taken(lease, row.id), pointed(transaction, row))


def renew_all(transaction: Transaction, leases: Iterable[Lease], seconds: float) -> list[Lease]:
    """Extend leases to `seconds` from now, in one transaction; those that were lost are left out."""
    renewed, until = [], {"seconds": round(seconds, 3), "by": transaction.holder}
    for lease in sorted(leases, key=lambda lease: lease.lane):
        if row := transaction.run(RENEWED, _mine(transaction, lease) | until).first():
            renewed.append(Lease(lease.lane, lease.token, row.until, transaction.holder))
    return renewed


def release(transaction: Transaction, lease: Lease) -> None:
    """Free the lane for the next holder; nothing happens when another has it by now."""
    transaction.run(RELEASED, _mine(transaction, lease))


def free_all(transaction: Transaction) -> None:
    """Free every lane."""
    transaction.run(LEFT)


def free_gone(transaction: Transaction) -> int:
    """Let the leases of processes that live no more end in a moment, where work waits for them; return how many. PostgreSQL only."""
    return transaction.run(LEFT_BEHIND).rowcount


def held(transaction: Transaction, lease: Lease) -> datetime:
    """Return the time, if the token still holds; nobody can take the lane until this transaction ends. Raises LeaseLost."""
    row = transaction.run(HELD, _mine(transaction, lease)).first()
    if row is None:
        raise LeaseLost("Another holds the lane by now.")
    now: datetime = row.now
    return now


def _mine(transaction: Transaction, lease: Lease) -> Values:
    return {"mine": transaction.name(lease.lane), "held": lease.token}


@dataclass(frozen=True, eq=False)
class Queue:
    """A table of work, the column that says which lane a row is in, and which rows are open."""

    name: str
    table: Table
    lane: Column[Any]
    open: ColumnElement[bool]


INBOX = Queue("inbox", inbox, inbox.c.conversation, OPEN_INBOX)
OUTBOX = Queue("outbox", outbox, outbox.c.lane, OPEN_OUTBOX)

ON_ITS_WAY = 1.0
"""Seconds after a process's end for which nobody takes its lanes: what it sent last may not have arrived yet, and is looked for then."""
WAITING = union_all(*(select(q.lane).where(q.open, q.table.c.due_at <= clock()) for q in (INBOX, OUTBOX)))
LEFT_BEHIND = (
    update(leases)
    .where(leases.c.until > later(ON_ITS_WAY), leases.c.lane.in_(WAITING), GONE)
    .values(until=later(ON_ITS_WAY))
)


def dead(transaction: Transaction, limit: int = 100) -> list[tuple[str, int, str]]:
    """Return dead letters: ("inbox" | "outbox", id, lane or conversation)."""
    found = []
    for queue in (INBOX, OUTBOX):
        rows = select(queue.table.c.id, queue.lane).where(queue.table.c.status == DEAD).order_by(queue.table.c.id)
        for row, lane in transaction.run(rows.limit(limit)):
            found.append((queue.name, int(row), transaction.vault.plain(lane)))
    return found[:limit]


def leave(transaction: Transaction, lease: Lease) -> int | None:
    """Free the lane, unless a row of it is due: then return its id, and the lease goes on. Raises LeaseLost."""
    held(transaction, lease)
    following = head(transaction, INBOX, lease.lane)
    return left(transaction, OUTBOX, lease) if following is None else following


@dataclass(frozen=True)
class Left:
    """The lanes whose oldest open row is due and that nobody holds, conversations first; and the seconds after which it must be looked again at
    the latest: an open row's own time, or the end of the lease that holds its lane. None where there is nothing of that.
    """

    lanes: list[str]
    wait: float | None


def sweep(transaction: Transaction, limit: int) -> Left:
    """Return what is left to do, at most so many lanes of each queue, the oldest first."""
    now, due, *ends = transaction.run(_times(), {}).one()
    free = (transaction.run(free_lanes(queue, limit), {}).scalars() for queue in (INBOX, OUTBOX) if due)
    wait = min(((time - now).total_seconds() for time in ends if time is not None), default=None)
    return Left([transaction.vault.plain(lane) for lanes in free for lane in lanes], wait)


def oldest(transaction: Transaction, queue: Queue, lane: str) -> Row[Any] | None:
    """Return a lane's oldest open row with its key, if it is due."""
    row = transaction.run(_oldest(queue), {"in": transaction.name(lane)}).first()
    return row if row and row.due else None


def when(delay: float | None) -> dict[str, Any]:
    """Return the values that make a row due so many seconds from now; with None, those that end it."""
    return {"ended_at": clock()} if delay is None else {"due_at": later(round(delay, 3))}


def alter(transaction: Transaction, queue: Queue, lease: Lease, row: int, values: dict[str, Any]) -> None:
    """Change an open row of the lease's lane. Raises LeaseLost where it is none."""
    _change(transaction, _open(queue).values(values), lease, row)


def done(transaction: Transaction, queue: Queue, lease: Lease, row: int, status: str = "done") -> None:
    """End an open row of the lease's lane. Raises LeaseLost where it is none."""
    _change(transaction, _done(queue, status), lease, row)


def _change(transaction: Transaction, update: Update, lease: Lease, row: int) -> None:
    changed = transaction.run(update, {"row": row, "in": transaction.name(lease.lane)})
    if changed.rowcount != 1:
        raise LeaseLost("The row has come to its end already.")


def head(transaction: Transaction, queue: Queue, lane: str) -> int | None:
    """Return the id of a lane's oldest open row, if it is due."""
    row = transaction.run(_first_of(queue), {"in": transaction.name(lane)}).first()
    return row.id if row and row.due else None


def left(transaction: Transaction, queue: Queue, lease: Lease) -> int | None:
    """Free the lane where no row is due; else return the id of the one that is."""
    values = {"in": transaction.name(lease.lane), "mine": transaction.name(lease.lane), "held": lease.token}
    if transaction.run(_left(queue), values).rowcount == 1:
        return None
    return head(transaction, queue, lease.lane)


@cache
def _oldest(queue: Queue) -> Select[Any]:
    """Select a lane's oldest open row, and whether it is due."""
    rows = with_key(queue.table).add_columns((queue.table.c.due_at <= clock()).label("due"))
    return rows.where(queue.lane == bindparam("in"), queue.open).order_by(queue.table.c.id).limit(1)


@cache
def _first_of(queue: Queue) -> Select[Any]:
    """Select the same, without what is in the row."""
    rows = select(queue.table.c.id, (queue.table.c.due_at <= clock()).label("due"))
    return rows.where(queue.lane == bindparam("in"), queue.open).order_by(queue.table.c.id).limit(1)


@cache
def _left(queue: Queue) -> Update:
    """Free a lane whose oldest open row is not due, or that has none."""
    due = _first_of(queue).with_only_columns(queue.table.c.due_at <= clock()).scalar_subquery()
    return update(leases).where(MINE, func.coalesce(due, false()) == false()).values(until=None)


@cache
def _times() -> Select[Any]:
    """Select the time; if a row is due; and when one of either queue waits no longer: an open one's own time, or the end of a lease on its lane."""
    ends = []
    for queue in (INBOX, OUTBOX):
        rows, open_lanes = queue.table, select(queue.lane).where(queue.open)
        held = leases.c.until > clock(), leases.c.lane.in_(open_lanes)
        ends += [select(func.min(rows.c.due_at)).where(queue.open, rows.c.due_at > clock())]
        ends += [select(func.min(leases.c.until)).where(*held)]
    return select(clock(), WAITING.exists(), *(end.scalar_subquery() for end in ends))


@cache
def _open(queue: Queue) -> Update:
    """Change a row of a lane, if it is open."""
    return update(queue.table).where(queue.table.c.id == bindparam("row"), queue.lane == bindparam("in"), queue.open)


@cache
def _done(queue: Queue, status: str) -> Update:
    return _open(queue).values(status=status, ended_at=clock())


@cache
def free_lanes(queue: Queue, limit: int) -> Select[Any]:
    """Select lanes whose oldest open row is due and that nobody holds, in the order of those rows."""
    rows = queue.table
    heads = select(func.min(rows.c.id).label("id")).where(queue.open).group_by(queue.lane).subquery()
    live = and_(leases.c.lane == queue.lane, leases.c.until >= clock())
    free = select(queue.lane).join_from(heads, rows, heads.c.id == rows.c.id).outerjoin(leases, live)
    return free.where(rows.c.due_at <= clock(), leases.c.lane.is_(None)).order_by(rows.c.id).limit(limit)


def next_incoming(transaction: Transaction, conversation: str) -> InboxRow | None:
    """Return the conversation's oldest unhandled row, if it is due: a row that failed holds back those behind it."""
    row = oldest(transaction, INBOX, conversation)
    if row is None:
        return None
    said = transaction.opened(row, f"inbox:{row.key}") or {"key": "", "person": "", "body": {}}
    return InboxRow(**said, conversation=conversation, received_at=row.received_at, attempts=row.attempts, id=row.id)


def received(transaction: Transaction, key: str) -> InboxRow | None:
    """Return what came in under this key, handled or not; None where nothing did, or it is emptied or erased by now."""
    row = transaction.run(with_key(inbox).where(inbox.c.key == transaction.vault.index(key))).first()
    body = transaction.opened(row, f"inbox:{row.key}") if row and row.sealed else None
    if row is None or body is None:
        return None
    return InboxRow(**body, conversation="", received_at=row.received_at, id=row.id)


def answered_before(
    transaction: Transaction, conversation: str, row: int, answers: Sequence[str], limit: int = 20
) -> list[InboxRow]:
    """Return what came in a conversation right before a row, the newest first, as long as each was answered under its key and such an ending."""
    mine = inbox.c.conversation == transaction.name(conversation)
    found: list[InboxRow] = []
    for one in transaction.run(with_key(inbox).where(mine, inbox.c.id < row).order_by(inbox.c.id.desc()).limit(limit)):
        body = transaction.opened(one, f"inbox:{one.key}") if one.sealed else None
        keys = [transaction.vault.index(f"{body['key']}{answer}") for answer in answers] if body else []
        if body is None or transaction.run(select(outbox.c.id).where(outbox.c.key.in_(keys))).first() is None:
            break
        found.append(InboxRow(**body, conversation=conversation, received_at=one.received_at, id=one.id))
    return found


def fail_incoming(transaction: Transaction, lease: Lease, row: int, delay: float | None, reason: str = "") -> None:
    """Count an attempt and try again after `delay` seconds; with None it becomes a dead letter, for this reason. Raises LeaseLost."""
    held(transaction, lease)
    failed = {"attempts": inbox.c.attempts + 1, "status": "dead" if delay is None else "new", "reason": reason or None}
    alter(transaction, INBOX, lease, row, failed | when(delay))


def receive(transaction: Transaction, incoming: InboxRow, hold: Hold | None = None) -> Received | None:
    """Store an event before it is acknowledged; None for a known key.

    Its conversation is taken where that is free and held here. Free or not, the lease's row is locked from here on: its holder
    sees the new row before leaving.
    """
    vault = transaction.vault
    index = vault.index(incoming.key)
    body = {"key": incoming.key, "person": incoming.person, "body": incoming.body}
    row = {"key": index, "conversation": vault.name(incoming.conversation)}
    new = transaction.run(
        _new(transaction.insert), row | transaction.sealed(incoming.person, f"inbox:{index}", body)
    ).first()
    if new is None:
        return None
    stored = replace(incoming, id=new.id, received_at=new.received_at, attempts=0)
    lease = take(transaction, stored.conversation, hold.seconds) if hold and hold.here(stored.conversation) else None
    if lease is None:
        return Received(stored)
    taken = Taken(lease, head(transaction, INBOX, stored.conversation))
    return Received(stored, taken, pointed(transaction, stored))


@cache
def _new(insert: InsertInto) -> Executable:
    new = insert(inbox).on_conflict_do_nothing(index_elements=["key"])
    return new.returning(inbox.c.id, inbox.c.received_at)
