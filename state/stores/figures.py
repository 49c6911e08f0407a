"""What `holdfast report` counts: plain figures from plain columns, never from what people said."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

HANDED_OVER, ESCALATED, LOOP = "hand_over", "escalated", "loop"
"""Tool and status of a hand-over that code made, in the log; its reason is `LOOP` where a loop was found."""
OPERATE, ERROR = "operate", "error"
"""Tool and status of an operation that could not be carried out; its reason is what was done: call, confirm, undo."""
PENDING = "pending"
"""How the name of a record's state begins that waits for a decision."""


@dataclass(frozen=True)
class Group:
    """How many tool calls had this tool, status and reason."""

    tool: str
    status: str
    reason: str
    count: int


@dataclass(frozen=True)
class Figures:
    """Counts since a moment, but for `stuck` and `pending`, which say how things stand now."""

    calls: tuple[Group, ...] = ()
    conversations: int = 0
    """Drafts that something happened to."""
    filed: int = 0
    idempotent: int = 0
    """Calls to finalise what was filed already."""
    repeated: int = 0
    """Drafts with more than one call to finalise."""
    loops: dict[str, int] = field(default_factory=dict)
    """Hand-overs because of a loop, by day (ISO date in UTC)."""
    stuck: int = 0
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


def _ranked(counted: Iterable[tuple[str, int]]) -> dict[str, int]:
    found: Counter[str] = Counter()
    for name, n in counted:
        found[name] += n
    return dict(sorted(found.items(), key=lambda item: (-item[1], item[0])))


EVER = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(days=1)
"""Before anything here happened."""
