"""Waiting and stuck rows, for an operator, counted over open, blocked and dead rows alone; and how that is sent again.

No body is read, so that nothing personal comes near an operator.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import ColumnElement, Connection, case, func, literal, or_, select, update

from state.stores.sql.tables import (
    BLOCKED,
    DEAD,
    OPEN_INBOX,
    OPEN_OUTBOX,
    drafts,
    inbox,
    outbox,
    reaches,
    record_index,
    records,
    spending,
)
from state.stores.sql.transaction import Transaction, count_up
from state.stores.sql.types import clock

Queue = Literal["inbox", "outbox"]


@dataclass(frozen=True)
class Depth:
    """How many rows of a queue are due by now, in lanes of a class ("turns", "slack", "model", …), and since when the oldest is.

    Rows behind a blocked one are counted in `held` and make nothing old.
    """

    queue: Queue
    pool: str
    count: int
    oldest: datetime | None = None
    held: int = 0


@dataclass(frozen=True)
class Stuck:
    """A row that was not delivered or handled. `holds`: those behind it in its lane wait for it. `lane` is a lane or a conversation."""

    queue: Queue
    id: int
    lane: str
    kind: str
    status: Literal["blocked", "dead"]
    reason: str = ""
    since: datetime | None = None
    holds: bool = False
    sent: int = 1

    @property
    def name(self) -> str:
        """The name that an operator uses: the queue's letter and the number."""
        return f"{self.queue[0]}{self.id}"


@dataclass(frozen=True)
class Reached:
    """When Slack last took what is sent in a workspace, and since when and why it does not."""

    team: str
    ok_at: datetime | None = None
    since: datetime | None = None
    reason: str = ""


@dataclass(frozen=True)
class OpenDrafts:
    """Drafts of a form that are not finished, and when the one that was left alone longest was last touched."""

    form: str
    count: int
    oldest: datetime | None = None


@dataclass(frozen=True)
class FormCounts:
    """Counts of a form: drafts that are not finished, and records."""

    drafts: int = 0
    records: int = 0


TURNS = "turns"
"""The class of every conversation's own lane."""
UNCLEAR = "unclear"
"""Why a row is blocked of which nobody knows if it is in Slack."""
STUCK = or_(outbox.c.status == BLOCKED, outbox.c.status == DEAD)


def depths(transaction: Transaction) -> list[Depth]:
    """Return every class of lanes in which something is due, or held by what is blocked."""
    came = select(func.count(), func.min(inbox.c.received_at, type_=inbox.c.received_at.type)).where(OPEN_INBOX)
    n, since = transaction.run(came).one()
    blocked = select(outbox.c.lane).where(outbox.c.status == BLOCKED, OPEN_OUTBOX)
    wanted, pool = func.coalesce(outbox.c.wanted_at, outbox.c.due_at), func.coalesce(outbox.c.pool, outbox.c.kind)
    is_held = outbox.c.lane.in_(blocked)
    oldest = func.min(case((~is_held, wanted)), type_=outbox.c.due_at.type)
    held = func.sum(case((is_held, 1), else_=0))
    counted = select(pool, func.count(), oldest, held).where(OPEN_OUTBOX, wanted <= clock())
    due = [Depth("outbox", *row) for row in transaction.run(counted.group_by(pool).order_by(pool))]
    return [*([Depth("inbox", TURNS, n, since)] if n else []), *due]


def stuck(transaction: Transaction, limit: int = 100) -> list[Stuck]:
    """Return blocked rows and dead letters, the oldest first, of the inbox before those of the outbox."""
    told: tuple[Any, ...] = (inbox.c.id, inbox.c.conversation, literal("event"), inbox.c.status, inbox.c.reason)
    came = select(*told, inbox.c.received_at, inbox.c.ended_at, literal(1)).where(inbox.c.status == DEAD)
    told = (outbox.c.id, outbox.c.lane, outbox.c.kind, outbox.c.status, outbox.c.reason)
    goes = select(*told, outbox.c.wanted_at, outbox.c.ended_at, outbox.c.sent).where(STUCK)
    queues: tuple[tuple[Queue, Any], ...] = (
        ("inbox", came.order_by(inbox.c.id).limit(limit)),
        ("outbox", goes.order_by(outbox.c.id).limit(limit)),
    )
    found = []
    for queue, rows in queues:
        for id_, lane, kind, status, reason, since, ended, sent in transaction.run(rows):
            plain = transaction.vault.plain(lane) if lane else ""
            holds, times = ended is None, 1 if sent is None else sent
            found.append(Stuck(queue, id_, plain, kind, status, reason or "", since, holds, times))
    return found[:limit]


def count_stuck(transaction: Transaction) -> dict[tuple[Queue, str, str], int]:
    """Return how many rows are stuck, by queue, status and reason."""
    found: dict[tuple[Queue, str, str], int] = {}
    queues: tuple[tuple[Queue, Any, ColumnElement[bool]], ...] = (
        ("inbox", inbox, inbox.c.status == DEAD),
        ("outbox", outbox, STUCK),
    )
    for queue, table, condition in queues:
        by = (table.c.status, func.coalesce(table.c.reason, "").label("reason"))
        for status, reason, n in transaction.run(select(*by, func.count()).where(condition).group_by(*by)):
            found[queue, status, reason] = n
    return found


def revive(transaction: Transaction, rows: Iterable[Stuck], *, asked: bool = False) -> int:
    """Have rows done after all, at once, and return how many were still stuck and had their content.

    `asked`: by a person, who knows that it may be in Slack. What may be there is looked for first, whoever asks.
    """
    revived = 0
    for one in rows:
        table: Any = inbox if one.queue == "inbox" else outbox
        stuck = table.c.status == DEAD if one.queue == "inbox" else STUCK
        values = {"status": "new", "ended_at": None, "attempts": 0, "due_at": clock()}
        if one.queue == "outbox" and asked and one.reason == UNCLEAR:
            values["sent"] = 1
        there = func.length(table.c.sealed) > 0
        revived += transaction.run(update(table).where(table.c.id == one.id, stuck, there).values(values)).rowcount
    return revived


def try_blocked(transaction: Transaction) -> int:
    """Have every row that holds its lane tried once more now, and return how many."""
    now = update(outbox).where(outbox.c.status == BLOCKED, OPEN_OUTBOX).values(due_at=clock())
    return transaction.run(now).rowcount


def reached(transaction: Transaction, news: Reached) -> None:
    """Note that Slack takes what is sent, or that it does not; `ok_at` None leaves what is known."""
    known = {"ok_at": news.ok_at} if news.ok_at else {}
    transaction.put(reaches, "team", {"team": news.team, "since": news.since, "reason": news.reason or None} | known)


def all_reached(transaction: Transaction) -> list[Reached]:
    """Return every workspace that was noted."""
    rows = transaction.run(select(reaches).order_by(reaches.c.team))
    return [Reached(row.team, row.ok_at, row.since, row.reason or "") for row in rows]


def drafts_waiting(transaction: Transaction) -> list[OpenDrafts]:
    """Return open drafts by form."""
    oldest = func.min(drafts.c.updated_at, type_=drafts.c.updated_at.type)
    counted = select(drafts.c.form, func.count(), oldest).where(drafts.c.status == "open")
    return [OpenDrafts(*row) for row in transaction.run(counted.group_by(drafts.c.form).order_by(drafts.c.form))]


def undecided(transaction: Transaction) -> list[OpenDrafts]:
    """Return records that wait for reviewers by form, each with when the oldest was filed."""
    oldest = func.min(record_index.c.filed_at, type_=record_index.c.filed_at.type)
    counted = select(record_index.c.form, func.count(), oldest).where(record_index.c.post != "")
    return [
        OpenDrafts(*row) for row in transaction.run(counted.group_by(record_index.c.form).order_by(record_index.c.form))
    ]


def held_by_form(connection: Connection) -> dict[str, FormCounts]:
    """Return what there is of each form, whether it is installed or not."""
    opened = select(drafts.c.form, func.count().label("n")).where(drafts.c.status == "open").group_by(drafts.c.form)
    filed = select(records.c.form, func.count().label("n")).group_by(records.c.form)
    begun, kept = ({row.form: row.n for row in connection.execute(counted)} for counted in (opened, filed))
    return {form: FormCounts(begun.get(form, 0), kept.get(form, 0)) for form in sorted({*begun, *kept})}


def prove_writable(transaction: Transaction) -> None:
    """Write something, whole."""
    count_up(transaction, "health")


def spend(transaction: Transaction, day: str, tokens: int) -> int:
    """Add to a day's tokens (ISO date) and return the day's sum."""
    if not tokens:
        return spent(transaction, day)
    new = transaction.insert(spending).values(day=day, tokens=tokens)
    more = {"tokens": spending.c.tokens + tokens}
    added = new.on_conflict_do_update(index_elements=["day"], set_=more).returning(spending.c.tokens)
    return int(transaction.run(added).scalar_one())


def spent(transaction: Transaction, day: str) -> int:
    """Return a day's tokens (ISO date)."""
    return int(transaction.run(select(spending.c.tokens).where(spending.c.day == day)).scalar() or 0)
