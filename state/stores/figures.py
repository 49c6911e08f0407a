"""What `holdfast report` counts for a workflow: plain figures from plain columns, never from what people said."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

HANDED_OVER, ESCALATED, LOOP = "hand_over", "escalated", "loop"
"""Tool and status of a hand-over that code made, in the log; its reason is `LOOP` where a loop was found."""
OPERATE, ERROR = "operate", "error"
"""Tool and status of an operation that could not be carried out; its reason is what was done: call, confirm, undo."""
REJECTED, FILED = "rejected", "filed"
"""Status of a refusal, and its reason where somebody wanted to finalise what was filed before."""
PENDING, REVIEW = "pending", "pending_review"
"""How the name of a record's state begins that waits for a decision, and the state in which a case waits for its completion."""
NAMED = 20
"""So many conversations behind a figure are named."""


@dataclass(frozen=True)
class Group:
    """How many tool calls had this tool, status and reason."""

    tool: str
    status: str
    reason: str
    count: int


@dataclass(frozen=True)
class Conversation:
    """A conversation by its draft's name, which says nothing about anybody, and the number of its record where it has one."""

    name: str
    record: str = ""
    times: int = 1
    """How often it happened in it."""
    at: datetime | None = None
    """When it happened first."""


@dataclass(frozen=True)
class Behind:
    """The conversations behind a figure: how many, and the first of them."""

    count: int = 0
    first: tuple[Conversation, ...] = ()


@dataclass(frozen=True)
class Figures:
    """Counts of one workflow since a moment, but for `stuck`, `unfiled` and `pending`, which say how things stand now."""

    form: str = ""
    calls: tuple[Group, ...] = ()
    conversations: int = 0
    """Drafts that something happened to."""
    filed: int = 0
    idempotent: int = 0
    """Calls to finalise what was filed already, answered without anything being written."""
    repeated: Behind = Behind()
    """Where such calls were made; `times` counts them."""
    insistent: Behind = Behind()
    """Where more than one call to finalise was taken, or was refused because it was filed; one that came too early does not count."""
    loops: dict[str, int] = field(default_factory=dict)
    """Hand-overs because of a loop, by day (ISO date in UTC)."""
    looped: Behind = Behind()
    """Where they were."""
    stuck: Behind = Behind()
    """Records in review that nobody has completed, the oldest first: a completed one is in another state."""
    unfiled: Behind = Behind()
    """Drafts that are submitted and have no record."""
    pending: int = 0
    """Records that wait for a decision."""
    pending_since: datetime | None = None
    """When the oldest of them was filed."""

    @property
    def by_tool(self) -> dict[str, int]:
        """Tool to number of calls, the most frequent first."""
        return _ranked((g.tool, g.count) for g in self.calls if g.status != ESCALATED)

    @property
    def by_reason(self) -> dict[str, int]:
        """Code of a refusal to number of calls, the most frequent first."""
        return _ranked((g.reason, g.count) for g in self.calls if g.reason and g.status not in (ESCALATED, ERROR))

    @property
    def errors(self) -> int:
        """Calls whose tool itself failed."""
        return sum(g.count for g in self.calls if g.status == ERROR)

    @property
    def made(self) -> int:
        """Tool calls."""
        return sum(self.by_tool.values())


def _ranked(counted: Iterable[tuple[str, int]]) -> dict[str, int]:
    found: Counter[str] = Counter()
    for name, n in counted:
        found[name] += n
    return dict(sorted(found.items(), key=lambda item: (-item[1], item[0])))


EVER = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(days=1)
"""Before anything here happened."""
