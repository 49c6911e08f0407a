"""People's rights over their data: everything that is held of a person, what remains of an erasure, and how long things may stay.

A new table with sealed columns has to be entered in `SEALED`: a test compares it with the schema, and says of any other why it is none.
"""

from calendar import isleap, monthrange
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import LargeBinary, Row, or_, tuple_

from state.stores.sql.tables import (
    documents,
    drafts,
    entries,
    events,
    inbox,
    metadata,
    outbox,
    person_keys,
    proposals,
    records,
    tool_calls,
)
from state.stores.sql.transaction import HOLDER, Transaction, with_key


@dataclass(frozen=True)
class Held:
    """One row that is held of a person: the table, and what it says, names of columns included. Times are ISO 8601."""

    table: str
    row: dict[str, Any]


@dataclass(frozen=True)
class KeptRecord:
    """A record that outlives its person's erasure because the law wants it kept until then."""

    number: str
    form: str
    until: datetime
    state: str = ""
    held: bool = False
    """A legal hold keeps it as well, until that is lifted."""


@dataclass(frozen=True)
class Tombstone:
    """The trace of an erasure: how much there was, by form, and when it went. Nothing says whose it was."""

    at: datetime
    drafts: Mapping[str, int]
    records: Mapping[str, int]
    events: int
    tool_calls: int
    kept: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Erasure:
    """A finished erasure: the tombstone that stays, and for the answer alone which records are kept."""

    tombstone: Tombstone
    kept: tuple[KeptRecord, ...] = ()


@dataclass(frozen=True)
class Terms:
    """The time limits of a form's data: it is emptied when it is older than `data`, and removed when it is older than `audit`.

    `records` is the moment before which a record must have been filed to be emptied, `states` the same for records in some states.
    With `whole`, a draft that was filed stays for as long as its record does: it is the record's story.
    """

    form: str
    data: datetime
    audit: datetime
    records: datetime
    states: Mapping[str, datetime] = field(default_factory=dict)
    whole: bool = False


NONE_KEPT: Mapping[str, int] = {}


def years_after(moment: datetime, years: int) -> datetime:
    """Return the same day so many years later; the first of March where there is no such day."""
    year = moment.year + years
    if (moment.month, moment.day) == (2, 29) and not isleap(year):
        moment += timedelta(days=1)
    return moment.replace(year=year)


def months_before(moment: datetime, months: int) -> datetime:
    """Return the same day so many months earlier; the last day of a month that is too short for it."""
    year, month = divmod(moment.year * 12 + moment.month - 1 - months, 12)
    return moment.replace(year=year, month=month + 1, day=min(moment.day, monthrange(year, month + 1)[1]))


PAGE = 200
Identity = Callable[[Any], str]
"""Returns the name that a sealed column of a row is bound to."""

SEALED: Mapping[str, Mapping[str, Identity]] = {
    inbox.name: {"sealed": lambda row: f"inbox:{row.key}"},
    outbox.name: {"sealed": lambda row: f"outbox:{row.key}"},
    drafts.name: {"sealed": lambda row: f"drafts:{row.name}:{row.revision}"},
    events.name: {"sealed": lambda row: f"events:{row.draft}:{row.n}"},
    tool_calls.name: {"sealed": lambda row: f"tool_calls:{row.draft}:{row.n}:{row.place}"},
    records.name: {"sealed": lambda row: f"records:{row.number}"},
    documents.name: {"sealed": lambda row: f"documents:{row.name}"},
    proposals.name: {"sealed": lambda row: f"proposals:{row.name}", "outcome": lambda row: f"outcomes:{row.name}"},
    entries.name: {"sealed": lambda row: f"entries:{row.tenant}:{row.form}:{row.number}:{row.revision}"},
}
"""Table to its sealed columns."""

LEFT_OUT: Mapping[str, frozenset[str]] = {documents.name: frozenset({"content"})}
"""Sealed columns that the person has already: files are listed by name and size."""

INNER = ("id", "key", "sealed_by", "kept_for", "digest", "beside", "mac", "signed", "version")
"""Columns that say nothing about anybody."""


def page(
    transaction: Transaction, name: str, person: str, after: tuple[Any, ...]
) -> tuple[list[Held], tuple[Any, ...] | None]:
    """Return a page of a person's rows of a table, with the key of the last one, after which the next page begins; None where there was none."""
    table, index, left_out = metadata.tables[name], transaction.vault.index(person), LEFT_OUT.get(name, frozenset())
    mine = with_key(table, *(column for column in table.c if column.name not in left_out))
    theirs = [person_keys.c.person == index, *([table.c.kept_for == index] if "kept_for" in table.c else [])]
    order = tuple(table.primary_key)
    wanted = mine.where(or_(*theirs)).order_by(*order).limit(PAGE)
    rows = transaction.run(wanted.where(tuple_(*order) > after) if after else wanted).all()
    last = tuple(getattr(rows[-1], column.name) for column in order) if rows else None
    return [Held(name, _shown(transaction, name, row)) for row in rows], last


def _shown(transaction: Transaction, name: str, row: Row[Any]) -> dict[str, Any]:
    """Return a row as it may be shown: plain columns as they are, sealed ones opened."""
    binary = {column.name for column in metadata.tables[name].c if isinstance(column.type, LargeBinary)}
    inner = {*INNER, *(column.name for column in HOLDER), *binary}
    told = {
        column: value.isoformat() if isinstance(value, datetime) else value
        for column, value in row._mapping.items()
        if column not in inner
    }
    names = {column: transaction.vault.plain(told[column]) for column in ("conversation", "lane") if told.get(column)}
    bodies = {
        column: transaction.opened(row, identity(row), column) if row._mapping[column] else None
        for column, identity in SEALED[name].items()
    }
    return told | names | bodies
