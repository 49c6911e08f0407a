"""What a store tells an operator: how much waits and since when, what cannot be delivered and why; and how that is sent again."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, Protocol

from state.stores.errors import Why

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
        """How an operator names it: the queue's letter and the number."""
        return f"{self.queue[0]}{self.id}"


@dataclass(frozen=True)
class Reached:
    """Whether Slack takes what is sent in a workspace: when it last did, and since when and why it does not."""

    team: str
    ok_at: datetime | None = None
    since: datetime | None = None
    reason: str = ""


@dataclass(frozen=True)
class Waiting:
    """Drafts of a form that are not finished, and when the one that was left alone longest was last touched."""

    form: str
    count: int
    oldest: datetime | None = None


@dataclass(frozen=True)
class Held:
    """What there is of a form: drafts that are not finished, and records."""

    drafts: int = 0
    records: int = 0


class Delivering(Protocol):
    """Every implementation passes the same contract test."""

    async def depths(self) -> list[Depth]:
        """Every class of lanes in which something is due, or held by what is blocked."""

    async def stuck(self, limit: int = 100) -> list[Stuck]:
        """Blocked rows and dead letters, the oldest first, of the inbox before those of the outbox."""

    async def count_stuck(self) -> dict[tuple[Queue, str, str], int]:
        """How many rows are stuck, by queue, status and reason."""

    async def revive(self, rows: Iterable[Stuck], *, asked: bool = False) -> int:
        """Have rows done after all, at once; says how many were still stuck. `asked`: by a person, who knows that it may stand there."""

    async def try_blocked(self) -> int:
        """Have every row that holds its lane tried once more now; says how many."""

    async def reached(self, news: Reached) -> None:
        """Note whether Slack takes what is sent; `ok_at` None leaves what is known."""

    async def reaches(self) -> list[Reached]:
        """Every workspace that was noted."""

    async def drafts_waiting(self) -> list[Waiting]:
        """Open drafts by form."""

    @property
    def refused(self) -> Why:
        """Why the last write was refused by the disk; empty since one was taken."""

    async def held(self) -> dict[str, Held]:
        """What there is of each form, whether it is installed or not."""

    async def spent(self, day: str) -> int:
        """A day's tokens (ISO date)."""

    async def prove_writable(self) -> None:
        """Write something, whole. Raises Unavailable."""
