"""The few names of the inside that figures need and the door does not show. When the house moves, this is the file to mend."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from sqlalchemy import ColumnElement, Connection, String, Table, cast, func, insert, literal, select
from sqlalchemy.ext.asyncio import create_async_engine

from bot.root.installation import load_workflows
from bot.sandbox.models.answers import tokens_of
from state.advance import begin
from state.fields.base import Context
from state.stores.opener import database_address
from state.stores.sql import tables
from state.stores.sql.engine import Database
from state.stores.sql.types import clock
from state.understanding.reader import read_open
from tests.world import settings

__all__ = ["fill", "readers", "tokens_of", "waiting"]

AT = "2026-11-20T12:00:00+00:00"
TEAM, WHO = "T0BENCH", "U0ALEX"


def readers(var: Path, sentences: Mapping[str, str]) -> dict[str, Callable[[], object]]:
    """For each shipped form that has a sentence: the pure reader at work on it, before any field is filled."""
    forms = {name: w.form for name, w in load_workflows(settings(var)).items() if name in sentences}
    drafts = {name: begin(form, "d", TEAM, WHO, f"{TEAM}:D0:", AT) for name, form in forms.items()}
    return {
        name: partial(read_open, form, drafts[name], sentences[name], "1.1", Context(form.language, AT[:10]))
        for name, form in forms.items()
    }


PEOPLE = 1_000
"""Among whom what is filled in is spread."""
NAMES = frozenset({"name", "key", "person", "conversation", "lane", "draft"})
"""Columns that say whose or which a row is: each row of the filling has its own."""
HASTE = ("PRAGMA journal_mode=OFF", "PRAGMA synchronous=OFF", "PRAGMA cache_size=-500000")
"""Of a database that can be made anew; whoever opens it next sets it up as it has to be."""


async def fill(url: str, count: int) -> None:
    """Put so many drafts, each with an event, an inbox row and an outbox row that are done, into a database.

    They are copies of rows that are there, of other people and conversations; their bodies, which nobody opens, are that of the smallest event.
    """
    engine = create_async_engine(database_address(url))
    async with engine.connect() as connection:
        if engine.dialect.name == "sqlite":
            for line in HASTE:
                await connection.exec_driver_sql(line)
        await connection.run_sync(_fill, count)
        await connection.commit()
        if engine.dialect.name != "sqlite":  # whose statistics come by themselves in the end
            await connection.exec_driver_sql("ANALYZE")
            await connection.commit()
    await engine.dispose()


def _fill(connection: Connection, count: int) -> None:
    _copy(connection, tables.person_keys, PEOPLE)
    filled = tables.person_keys.c.person.like("filled-%")
    first = connection.scalar(select(func.min(tables.person_keys.c.id)).where(filled))
    for table in (tables.drafts, tables.events, tables.inbox, tables.outbox):
        _copy(connection, table, count, first)


async def waiting(url: str) -> int:
    """Count what is stored and neither done nor at an end: events, and what is due to be delivered."""

    def count(connection: Connection) -> int:
        due = (tables.outbox.c.status.in_(("new", "unclear", "blocked"))) & (tables.outbox.c.due_at <= clock())
        queues = (tables.inbox, tables.inbox.c.status == "new"), (tables.outbox, due)
        return sum(connection.scalar(select(func.count()).select_from(t).where(open_)) or 0 for t, open_ in queues)

    database = Database(database_address(url))
    try:
        return await database.read(count)
    finally:
        await database.stop()


def _copy(connection: Connection, table: Table, count: int, first_person: int = 0) -> None:
    one = select(literal(0).label("i")).cte("numbers", recursive=True)
    numbers = one.union_all(select(one.c.i + 1).where(one.c.i < count - 1))
    template = select(table).limit(1)
    if "ended_at" in table.c:
        template = template.where(table.c.ended_at.is_not(None))
    row = template.subquery()
    body = select(tables.events.c.sealed).order_by(func.length(tables.events.c.sealed)).limit(1).scalar_subquery()
    given: dict[str, ColumnElement[object]] = {c.name: row.c[c.name] for c in table.c if c.name != "id"}
    for name in given.keys() & NAMES:
        given[name] = literal("filled-") + cast(numbers.c.i + 1_000_000_000, String)
    if "sealed_by" in given:
        given["sealed_by"] = first_person + numbers.c.i % PEOPLE
    if "sealed" in given:
        given["sealed"] = body
    connection.execute(
        insert(table).from_select(list(given), select(*given.values()).select_from(numbers.join(row, literal(True))))
    )
