"""Figures, counted by the database over plain columns."""

from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Select, case, func, literal, select

from state.stores.figures import (
    ESCALATED,
    EVER,
    FILED,
    HANDED_OVER,
    LOOP,
    NAMED,
    PENDING,
    REJECTED,
    REVIEW,
    Behind,
    Conversation,
    Figures,
    Group,
)
from state.stores.sql.repository import Repository
from state.stores.sql.tables import drafts, records, tool_calls
from state.stores.sql.types import day_of

Statement = Select[*tuple[Any, ...]]


class Counts(Repository):
    """One statement per figure; nothing is loaded but the sums, and the names of a few conversations."""

    async def figures(self, since: datetime | None = None) -> tuple[Figures, ...]:
        return await self._database.read(lambda connection: _all(connection, since or EVER))


def _all(connection: Connection, since: datetime) -> tuple[Figures, ...]:
    forms = connection.execute(select(drafts.c.form).distinct().order_by(drafts.c.form)).scalars().all()
    found = [_figures(connection, form, since) for form in forms]
    return tuple(figures for figures in found if figures != Figures(figures.form))


def _figures(connection: Connection, form: str, since: datetime) -> Figures:
    pending = connection.execute(_pending(form)).one()
    return Figures(
        form,
        calls=tuple(Group(*row) for row in connection.execute(_groups(form, since))),
        conversations=_count(connection, _counted(drafts, drafts.c.form == form, drafts.c.updated_at >= since)),
        filed=_count(connection, _counted(records, records.c.form == form, records.c.filed_at >= since)),
        idempotent=_count(connection, _counted(tool_calls, *_since(form, since), tool_calls.c.idempotent)),
        repeated=_behind(connection, _called(form, since, tool_calls.c.idempotent)),
        insistent=_behind(connection, _insistent(form, since)),
        loops={str(row.day): row.n for row in connection.execute(_loops(form, since))},
        looped=_behind(connection, _called(form, since, *_looped())),
        stuck=_behind(connection, _stuck(form)),
        unfiled=_behind(connection, _unfiled(form)),
        pending=pending.n,
        pending_since=pending.oldest,
    )


def _count(connection: Connection, statement: Statement) -> int:
    return int(connection.scalar(statement) or 0)


def _counted(table: Any, *conditions: Any) -> Statement:
    return select(func.count()).select_from(table).where(*conditions)


def _behind(connection: Connection, statement: Statement) -> Behind:
    """How many rows of name, record, times and time there are, and the first of them."""
    every = statement.subquery()
    named = select(every).order_by(every.c.at, every.c.name).limit(NAMED)
    first = tuple(Conversation(*row) for row in connection.execute(named))
    return Behind(_count(connection, select(func.count()).select_from(every)), first)


def _since(form: str, since: datetime) -> tuple[Any, ...]:
    return tool_calls.c.form == form, tool_calls.c.at >= since


def _groups(form: str, since: datetime) -> Statement:
    columns = (tool_calls.c.tool, tool_calls.c.status, tool_calls.c.reason)
    return select(*columns, func.count()).where(*_since(form, since)).group_by(*columns).order_by(*columns)


def _called(form: str, since: datetime, *conditions: Any) -> Statement:
    """Conversations with calls of a kind."""
    return _conversations(func.count()).where(*_since(form, since), *conditions)


def _conversations(times: Any) -> Statement:
    """Conversations by their tool calls, each with its record, and when the first call was."""
    columns = (tool_calls.c.draft.label("name"), func.coalesce(func.max(records.c.number), "").label("record"))
    joined = tool_calls.outerjoin(records, records.c.draft == tool_calls.c.draft)
    begun = func.min(tool_calls.c.at, type_=tool_calls.c.at.type).label("at")
    return select(*columns, times.label("times"), begun).select_from(joined).group_by(tool_calls.c.draft)


def _insistent(form: str, since: datetime) -> Statement:
    """Calls that were taken, or the one act that filed where that was a click; and each call that came after."""
    again = tool_calls.c.idempotent | (tool_calls.c.reason == FILED)
    taken = func.sum(case((again | (tool_calls.c.status == REJECTED), 0), else_=1))
    clicked = func.max(case((records.c.filed_at >= since, 1), else_=0))
    times = case((taken > clicked, taken), else_=clicked) + func.sum(case((again, 1), else_=0))
    return _conversations(times).where(*_since(form, since), tool_calls.c.finalizes).having(times > 1)


def _looped() -> tuple[Any, ...]:
    return tool_calls.c.tool == HANDED_OVER, tool_calls.c.status == ESCALATED, tool_calls.c.reason == LOOP


def _loops(form: str, since: datetime) -> Statement:
    day = day_of(tool_calls.c.at).label("day")
    return select(day, func.count().label("n")).where(*_since(form, since), *_looped()).group_by(day).order_by(day)


def _stuck(form: str) -> Statement:
    columns = (
        records.c.draft.label("name"),
        records.c.number,
        literal(1).label("times"),
        records.c.filed_at.label("at"),
    )
    return select(*columns).where(records.c.form == form, records.c.state == REVIEW)


def _unfiled(form: str) -> Statement:
    columns = (drafts.c.name, literal("").label("record"), literal(1).label("times"), drafts.c.updated_at.label("at"))
    filed = drafts.outerjoin(records, records.c.draft == drafts.c.name)
    return (
        select(*columns)
        .select_from(filed)
        .where(drafts.c.form == form, drafts.c.status == "submitted", records.c.id.is_(None))
    )


def _pending(form: str) -> Statement:
    oldest = func.min(records.c.filed_at).label("oldest")
    return select(func.count().label("n"), oldest).where(records.c.form == form, records.c.state.startswith(PENDING))
