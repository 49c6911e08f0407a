"""Figures, counted by the database over plain columns."""

from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Select, func, select

from state.stores.figures import ESCALATED, EVER, HANDED_OVER, LOOP, PENDING, Figures, Group
from state.stores.sql.repository import Repository
from state.stores.sql.tables import drafts, records, tool_calls
from state.stores.sql.types import day_of


class Counts(Repository):
    """One statement per figure; nothing is loaded but the sums."""

    async def figures(self, since: datetime | None = None) -> Figures:
        return await self._database.read(lambda connection: _figures(connection, since or EVER))


def _figures(connection: Connection, since: datetime) -> Figures:
    pending = connection.execute(_pending()).one()
    return Figures(
        calls=tuple(Group(*row) for row in connection.execute(_groups(since))),
        conversations=_count(connection, _counted(drafts, drafts.c.updated_at >= since)),
        filed=_count(connection, _counted(records, records.c.filed_at >= since)),
        idempotent=_count(connection, _counted(tool_calls, _since(since), tool_calls.c.idempotent)),
        repeated=_count(connection, _repeated(since)),
        loops={str(row.day): row.n for row in connection.execute(_loops(since))},
        stuck=_count(connection, _stuck()),
        pending=pending.n,
        pending_since=pending.oldest,
    )


def _count(connection: Connection, statement: Select[*tuple[Any, ...]]) -> int:
    return int(connection.scalar(statement) or 0)


def _counted(table: Any, *conditions: Any) -> Select[*tuple[Any, ...]]:
    return select(func.count()).select_from(table).where(*conditions)


def _since(since: datetime) -> Any:
    return tool_calls.c.at >= since


def _groups(since: datetime) -> Select[*tuple[Any, ...]]:
    columns = (tool_calls.c.tool, tool_calls.c.status, tool_calls.c.reason)
    return select(*columns, func.count()).where(_since(since)).group_by(*columns).order_by(*columns)


def _repeated(since: datetime) -> Select[*tuple[Any, ...]]:
    again = select(tool_calls.c.draft).where(_since(since), tool_calls.c.finalizes).group_by(tool_calls.c.draft)
    return select(func.count()).select_from(again.having(func.count() > 1).subquery())


def _loops(since: datetime) -> Select[*tuple[Any, ...]]:
    day = day_of(tool_calls.c.at).label("day")
    mine = (tool_calls.c.tool == HANDED_OVER, tool_calls.c.status == ESCALATED, tool_calls.c.reason == LOOP)
    return select(day, func.count().label("n")).where(_since(since), *mine).group_by(day).order_by(day)


def _stuck() -> Select[*tuple[Any, ...]]:
    filed = drafts.outerjoin(records, records.c.draft == drafts.c.name)
    return _counted(filed, drafts.c.status == "submitted", records.c.id.is_(None))


def _pending() -> Select[*tuple[Any, ...]]:
    oldest = func.min(records.c.filed_at).label("oldest")
    return select(func.count().label("n"), oldest).where(records.c.state.startswith(PENDING))
