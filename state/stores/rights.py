"""People's rights over their data: what is shown of it, what remains of an erasure, and how long things may stay."""

from calendar import isleap, monthrange
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any


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
    """What remains of an erasure: how much there was, by form, and when it went. Nothing says whose it was."""

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
    """How long a form's data stays: what is older than `data` is emptied, what is older than `audit` is gone.

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
LEAP = (2, 29)


def years_after(moment: datetime, years: int) -> datetime:
    """Return the same day so many years later; the first of March where there is no such day."""
    year = moment.year + years
    if (moment.month, moment.day) == LEAP and not isleap(year):
        moment += timedelta(days=1)
    return moment.replace(year=year)


def months_before(moment: datetime, months: int) -> datetime:
    """Return the same day so many months earlier; the last day of a month that is too short for it."""
    year, month = divmod(moment.year * 12 + moment.month - 1 - months, 12)
    return moment.replace(year=year, month=month + 1, day=min(moment.day, monthrange(year, month + 1)[1]))
