"""Column types and clocks that mean the same on SQLite and PostgreSQL."""

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import BigInteger, DateTime, Dialect, Integer, String
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement
from sqlalchemy.types import TypeDecorator

Key = BigInteger().with_variant(Integer, "sqlite")
"""SQLite counts up by itself only what is called INTEGER."""

Ordered = String().with_variant(String(collation="C"), "postgresql")
"""Text in the order of its characters, whatever the database's language."""


SQLITE_CLOCK = "holdfast_clock"
"""The function that each SQLite connection of ours has: the machine's time, or a scenario's."""


def written(at: datetime) -> str:
    """Return a time as SQLite keeps it: UTC without a zone, milliseconds."""
    return at.astimezone(UTC).replace(tzinfo=None).isoformat(" ", "milliseconds") + "000"


def kept(at: datetime) -> datetime:
    """Return a time as SQLite keeps it: what was written later is never before what was read."""
    return at.replace(microsecond=at.microsecond // 1000 * 1000)


class Utc(TypeDecorator[datetime]):
    """An aware datetime in UTC. SQLite drops time zones, so there it is stored without one; a naive datetime is refused."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("A time without its zone cannot be stored.")
        value = value.astimezone(UTC)
        return value.replace(tzinfo=None) if dialect.name == "sqlite" else value

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        return None if value is None else value.replace(tzinfo=value.tzinfo or UTC).astimezone(UTC)


class clock(FunctionElement[datetime]):  # noqa: N801 (reads as the SQL function that it is)
    """The database's own clock at this moment, not at the transaction's beginning. Milliseconds on SQLite."""

    type = Utc()
    inherit_cache = True


class later(FunctionElement[datetime]):  # noqa: N801 (reads as the SQL function that it is)
    """So many seconds (a number, may be negative) after `clock()`."""

    type = Utc()
    inherit_cache = True


class day_of(FunctionElement[str]):  # noqa: N801 (reads as the SQL function that it is)
    """The UTC day of a time, as an ISO date."""

    type = String()
    inherit_cache = True


@compiles(day_of, "sqlite")
def _day_of_sqlite(element: day_of, compiler: SQLCompiler, **options: Any) -> str:
    return f"strftime('%Y-%m-%d', {compiler.process(element.clauses, **options)})"


@compiles(day_of, "postgresql")
def _day_of_postgresql(element: day_of, compiler: SQLCompiler, **options: Any) -> str:
    return f"to_char({compiler.process(element.clauses, **options)} AT TIME ZONE 'UTC', 'YYYY-MM-DD')"


@compiles(clock, "sqlite")
def _clock_of_sqlite(element: clock, compiler: SQLCompiler, **_: Any) -> str:
    return f"{SQLITE_CLOCK}()"


@compiles(clock, "postgresql")
def _clock_of_postgresql(element: clock, compiler: SQLCompiler, **_: Any) -> str:
    return "clock_timestamp()"


@compiles(later, "sqlite")
def _later_of_sqlite(element: later, compiler: SQLCompiler, **options: Any) -> str:
    seconds = compiler.process(element.clauses, **options)
    return f"strftime('%Y-%m-%d %H:%M:%f000', {SQLITE_CLOCK}(), {seconds} || ' seconds')"


@compiles(later, "postgresql")
def _later_of_postgresql(element: later, compiler: SQLCompiler, **options: Any) -> str:
    return f"clock_timestamp() + make_interval(secs => {compiler.process(element.clauses, **options)})"
