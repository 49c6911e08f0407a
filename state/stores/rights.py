"""What a store must do for people's rights over their data: show all of it, destroy it, and let nothing stay longer than it may."""

from calendar import isleap, monthrange
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Protocol


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


class Rights(Protocol):
    """Part of `Store`; every implementation passes the same contract test."""

    def everything(self, person: str) -> AsyncIterator[Held]:
        """All rows of a person, table by table, read a page at a time; records that outlived an erasure too."""

    async def erase(self, person: str, keep: Mapping[str, int] = NONE_KEPT) -> Erasure | None:
        """Destroy what is known of a person for ever; None where nothing is.

        Bodies of drafts, events, tool calls and records read as erased from now on, with their chain still verifying; open
        rows of inbox and outbox come to an end; the person's lists are empty. A person who comes back is a new one.

        `keep` gives the years for which records of a form ("form"), or of it in a state ("form/state"), must stay: those are sealed
        anew with their events and what was shown of them, under a key of their own, with a day on which that key is destroyed,
        before the person's key goes. They are still found as the person's. So are records on hold, whose key stays until that is
        lifted. Raises OnHold where the person is held: nothing goes.
        """

    async def tombstones(self) -> list[Tombstone]:
        """What remains of all erasures, oldest first."""

    async def claim_day(self, what: str, day: int) -> bool:
        """Whether this caller is the first to do something on a day (a proleptic ordinal) or any later one."""

    async def expire(self, terms: Terms) -> int:
        """Empty and remove what a form's terms no longer allow; says how many drafts and records were touched. Repeatable."""

    async def expire_rest(self, now: datetime, data: datetime, audit: datetime) -> int:
        """Destroy keys of kept records whose day has come; says how many.

        Empties rows of inbox and outbox that ended before `data`, and removes tombstones from before `audit`.
        """


LEAP = (2, 29)


def years_after(moment: datetime, years: int) -> datetime:
    """The same day so many years later; the first of March where there is no such day."""
    year = moment.year + years
    if (moment.month, moment.day) == LEAP and not isleap(year):
        moment += timedelta(days=1)
    return moment.replace(year=year)


def months_before(moment: datetime, months: int) -> datetime:
    """The same day so many months earlier; the last day of a month that is too short for it."""
    year, month = divmod(moment.year * 12 + moment.month - 1 - months, 12)
    return moment.replace(year=year, month=month + 1, day=min(moment.day, monthrange(year, month + 1)[1]))
