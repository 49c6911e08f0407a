"""The index of records: how each stands, so that a list of what waits, or a search, reads a page and not every record.

It repeats what drafts and records say, and is made anew from them. Nothing personal stands in it in clear: people and words are keyed
hashes under the installation's root, which stays when its key is changed.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Protocol

NEVER = datetime(9999, 12, 31, tzinfo=UTC)
"""When a verdict is due for which there is no hurry: behind all others."""


@dataclass(frozen=True)
class Indexed:
    """A record as it is entered. `person` and `judges` (who decided on it so far) are "team:user", `words` plain: the store hashes them."""

    number: str
    draft: str
    tenant: str
    form: str
    person: str
    state: str
    filed_at: datetime
    post: str = ""
    """What it waits for: a state on which somebody decides, or what is asked of one ("approved:extend"); empty where nothing is."""
    due_at: datetime | None = None
    decided_at: datetime | None = None
    """When the last verdict was given; None while it waits, and where nobody had to decide."""
    verdict: str = ""
    words: tuple[str, ...] = ()
    judges: tuple[str, ...] = ()
    breached_at: datetime | None = None
    """When the newest breach was opened."""
    breaches: int = 0
    """That nobody has closed."""
    shape: str = ""
    """What of the form the entry was made by: with another one it is made anew."""


@dataclass(frozen=True)
class Entry:
    """A record as it is found."""

    number: str
    draft: str
    form: str
    state: str
    filed_at: datetime
    due_at: datetime | None = None


@dataclass(frozen=True)
class Waiting:
    """A page of what waits, the latest overdue first, then the soonest due; how many wait in all, and how many of them are late."""

    entries: tuple[Entry, ...] = ()
    count: int = 0
    late: int = 0


@dataclass(frozen=True)
class Wanted:
    """What is searched for, in one workspace and these forms: everything that is said holds. Days are from `since` up to before `until`."""

    tenant: str
    forms: tuple[str, ...]
    person: str = ""
    words: tuple[str, ...] = ()
    number: str = ""
    state: str = ""
    since: datetime | None = None
    until: datetime | None = None
    but: str = ""
    """Whose own requests are left out ("team:user")."""


@dataclass(frozen=True)
class Week:
    """What happened with a form's records between two moments. Durations are in seconds."""

    filed: int = 0
    verdicts: Mapping[str, int] = field(default_factory=dict)
    median: float | None = None
    slowest: float | None = None
    breached: int = 0
    """Records of which the newest breach was opened then."""
    open_breaches: int = 0
    """Of all records, as it is now."""


Post = tuple[str, str]
"""A form, and what its records wait for there."""


class RecordIndex(Protocol):
    """Part of every store."""

    async def waiting_for(
        self, tenant: str, posts: Sequence[Post], person: str, limit: int = 20, skip: int = 0, *, late: bool = False
    ) -> Waiting:
        """What waits at these posts; without the person's own requests, and those on which they have decided before."""

    async def found(self, wanted: Wanted, limit: int = 20, skip: int = 0) -> list[Entry]:
        """Records, the newest first."""

    async def unindexed(self, shapes: Mapping[str, str], limit: int = 200) -> list[str]:
        """Numbers of records that are in no index, or were entered by another shape of their form; those of erased people are not missed."""

    async def enter(self, entries: Iterable[Indexed]) -> None:
        """Enter what `unindexed` named. What a turn has entered meanwhile stays as that did."""

    async def week(self, tenant: str, form: str, since: datetime, until: datetime) -> Week:
        """Counted in the index alone."""

    async def tenants(self, form: str) -> list[str]:
        """Workspaces in which records of a form were filed."""
