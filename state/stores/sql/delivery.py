"""What waits and what is stuck, counted by the database over open, blocked and dead rows alone; and what is sent again."""

from collections.abc import Iterable
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, Select, case, func, literal, or_, select, update

from state.stores.delivery import Depth, Held, Queue, Reached, Stuck, Waiting
from state.stores.errors import Why
from state.stores.sql.repository import Repository
from state.stores.sql.tables import (
    BLOCKED,
    DEAD,
    OPEN_INBOX,
    OPEN_OUTBOX,
    drafts,
    inbox,
    outbox,
    reaches,
    records,
    series,
    spending,
)
from state.stores.sql.transaction import Transaction
from state.stores.sql.types import clock

TURNS = "turns"
"""The class of every conversation's own lane."""
UNCLEAR = "unclear"
"""Why a row is blocked that may stand in Slack, or not."""


class Delivery(Repository):
    """Reads no body, so that nothing personal comes near an operator."""

    async def depths(self) -> list[Depth]:
        return await self._database.read(lambda c: [*_inbox_depths(c), *_outbox_depths(c)])

    async def stuck(self, limit: int = 100) -> list[Stuck]:
        rows = [("inbox", row) for row in await self._all(_dead_letters(limit))]
        rows += [("outbox", row) for row in await self._all(_blocked(limit))]
        return [self._stuck(queue, row) for queue, row in rows][:limit]  # type: ignore[arg-type]  # both are names of queues

    def _stuck(self, queue: Queue, row: Row[Any]) -> Stuck:
        lane = self._vault.plain(row.lane) if row.lane else ""
        sent = 1 if row.sent is None else row.sent
        return Stuck(queue, row.id, lane, row.kind, row.status, row.reason or "", row.since, not row.ended, sent)

    async def count_stuck(self) -> dict[tuple[Queue, str, str], int]:
        found: dict[tuple[Queue, str, str], int] = {}
        for row in await self._all(_counted("inbox", inbox, inbox.c.status == DEAD)):
            found["inbox", row.status, row.reason] = row.n
        for row in await self._all(_counted("outbox", outbox, _stuck())):
            found["outbox", row.status, row.reason] = row.n
        return found

    async def revive(self, rows: Iterable[Stuck], *, asked: bool = False) -> int:
        wanted = list(rows)

        def write(transaction: Transaction) -> int:
            return sum(_revived(transaction, one, asked=asked) for one in wanted)

        return await self._write(write)

    async def try_blocked(self) -> int:
        now = update(outbox).where(outbox.c.status == BLOCKED, OPEN_OUTBOX).values(due_at=clock())
        return await self._write(lambda transaction: transaction.run(now).rowcount)

    async def reached(self, news: Reached) -> None:
        values = {"since": news.since, "reason": news.reason or None} | ({"ok_at": news.ok_at} if news.ok_at else {})
        new = self._database.insert(reaches).values(team=news.team, **values)
        await self._write(lambda t: t.run(new.on_conflict_do_update(index_elements=["team"], set_=values)))

    async def reaches(self) -> list[Reached]:
        rows = await self._all(select(reaches).order_by(reaches.c.team))
        return [Reached(row.team, row.ok_at, row.since, row.reason or "") for row in rows]

    async def drafts_waiting(self) -> list[Waiting]:
        oldest = func.min(drafts.c.updated_at, type_=drafts.c.updated_at.type)
        counted = select(drafts.c.form, func.count().label("n"), oldest.label("oldest")).where(
            drafts.c.status == "open"
        )
        rows = await self._all(counted.group_by(drafts.c.form).order_by(drafts.c.form))
        return [Waiting(row.form, row.n, row.oldest) for row in rows]

    @property
    def refused(self) -> Why:
        return self._database.refused

    async def held(self) -> dict[str, Held]:
        return await self._database.read(held_by_form)

    async def spent(self, day: str) -> int:
        row = await self._first(select(spending.c.tokens).where(spending.c.day == day))
        return int(row.tokens) if row else 0

    async def prove_writable(self) -> None:
        new = self._database.insert(series).values(prefix="health", last=1)
        again = new.on_conflict_do_update(index_elements=["prefix"], set_={"last": series.c.last + 1})
        await self._write(lambda transaction: transaction.run(again))


def held_by_form(connection: Connection) -> dict[str, Held]:
    """Count what there is of each form."""
    opened = select(drafts.c.form, func.count().label("n")).where(drafts.c.status == "open").group_by(drafts.c.form)
    filed = select(records.c.form, func.count().label("n")).group_by(records.c.form)
    begun, kept = ({row.form: row.n for row in connection.execute(counted)} for counted in (opened, filed))
    return {form: Held(begun.get(form, 0), kept.get(form, 0)) for form in sorted({*begun, *kept})}


def _inbox_depths(connection: Connection) -> list[Depth]:
    due = select(func.count().label("n"), func.min(inbox.c.received_at, type_=inbox.c.received_at.type).label("oldest"))
    row = connection.execute(due.where(OPEN_INBOX)).one()
    return [Depth("inbox", TURNS, row.n, row.oldest)] if row.n else []


def _outbox_depths(connection: Connection) -> list[Depth]:
    blocked = select(outbox.c.lane).where(outbox.c.status == BLOCKED, OPEN_OUTBOX)
    wanted, pool = func.coalesce(outbox.c.wanted_at, outbox.c.due_at), func.coalesce(outbox.c.pool, outbox.c.kind)
    is_held = outbox.c.lane.in_(blocked)
    oldest = func.min(case((~is_held, wanted)), type_=outbox.c.due_at.type).label("oldest")
    held = func.sum(case((is_held, 1), else_=0)).label("held")
    counted = select(pool.label("pool"), func.count().label("n"), oldest, held).where(OPEN_OUTBOX, wanted <= clock())
    rows = connection.execute(counted.group_by(pool).order_by(pool))
    return [Depth("outbox", row.pool, row.n, row.oldest, row.held) for row in rows]


def _stuck() -> ColumnElement[bool]:
    return or_(outbox.c.status == BLOCKED, outbox.c.status == DEAD)


def _dead_letters(limit: int) -> Select[Any]:
    told = (inbox.c.id, inbox.c.conversation.label("lane"), literal("event").label("kind"), inbox.c.status)
    rest = (
        inbox.c.reason,
        inbox.c.received_at.label("since"),
        inbox.c.ended_at.label("ended"),
        literal(1).label("sent"),
    )
    return select(*told, *rest).where(inbox.c.status == DEAD).order_by(inbox.c.id).limit(limit)


def _blocked(limit: int) -> Select[Any]:
    told = (outbox.c.id, outbox.c.lane, outbox.c.kind, outbox.c.status, outbox.c.reason, outbox.c.sent)
    rest = (outbox.c.wanted_at.label("since"), outbox.c.ended_at.label("ended"))
    return select(*told, *rest).where(_stuck()).order_by(outbox.c.id).limit(limit)


def _counted(_queue: Queue, table: Any, condition: ColumnElement[bool]) -> Select[Any]:
    reason = func.coalesce(table.c.reason, "").label("reason")
    return select(table.c.status, reason, func.count().label("n")).where(condition).group_by(table.c.status, reason)


def _revived(transaction: Transaction, one: Stuck, *, asked: bool) -> int:
    """One row, if it is still stuck and its content is still there. What may stand in Slack is looked for first, whoever asks."""
    table: Any = inbox if one.queue == "inbox" else outbox
    stuck = table.c.status == DEAD if one.queue == "inbox" else _stuck()
    values = {"status": "new", "ended_at": None, "attempts": 0, "due_at": clock()}
    if one.queue == "outbox" and asked and one.reason == UNCLEAR:
        values["sent"] = 1
    there = func.length(table.c.sealed) > 0
    return transaction.run(update(table).where(table.c.id == one.id, stuck, there).values(values)).rowcount
