"""The figures of `holdfast report` for a workflow: plain figures, counted by the database over plain columns, never from what people said."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, FromClause, Select, case, func, literal, select

from state.stores.sql.tables import drafts, records, tool_calls
from state.stores.sql.transaction import Transaction
from state.stores.sql.types import day_of

Statement = Select[*tuple[Any, ...]]

HANDED_OVER, ESCALATED, LOOP = "hand_over", "escalated", "loop"
"""Tool and status of a hand-over that code made, in the log; its reason is `LOOP` where a loop was found."""
OPERATE, ERROR = "operate", "error"
"""Tool and status of an operation that could not be carried out; its reason is what was done: call, confirm, undo."""
REJECTED, FILED = "rejected", "filed"
"""Status of a refusal, and its reason where somebody wanted to finalise what was filed before."""
PENDING, REVIEW = "pending", "pending_review"
"""The beginning of the name of a record's state that waits for a decision, and the state in which a case waits for its completion."""
NAMED = 20
"""So many conversations behind a figure are named."""


@dataclass(frozen=True)
class Group:
    """The number of tool calls with this tool, status and reason."""

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
    """Counts of one workflow since a moment, but for `stuck`, `unfiled` and `pending`, which say how things are now."""

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


def figures(transaction: Transaction, since: datetime | None = None) -> tuple[Figures, ...]:
    """Count for the report, from then on (from the beginning with None): figures for each workflow that has any, by name.

    One statement a figure; nothing is loaded but the sums, and the names of a few conversations.
    """
    forms = transaction.run(select(drafts.c.form).distinct().order_by(drafts.c.form)).scalars().all()
    found = [_figures(transaction, form, since or EVER) for form in forms]
    return tuple(figures for figures in found if figures != Figures(figures.form))


def _figures(transaction: Transaction, form: str, since: datetime) -> Figures:
    run, call, draft, record = transaction.run, tool_calls.c, drafts.c, records.c
    calls = (call.form == form, call.at >= since)
    looped = (call.tool == HANDED_OVER, call.status == ESCALATED, call.reason == LOOP)
    by, day = (call.tool, call.status, call.reason), day_of(call.at).label("day")
    groups = select(*by, func.count()).where(*calls).group_by(*by).order_by(*by)
    loops = select(day, func.count()).where(*calls, *looped).group_by(day).order_by(day)
    once = literal(1).label("times")
    stuck = select(record.draft.label("name"), record.number, once, record.filed_at.label("at"))
    unfiled = select(draft.name, literal("").label("record"), once, draft.updated_at.label("at"))
    unfiled = unfiled.outerjoin(records, record.draft == draft.name).where(record.id.is_(None))
    waits = select(func.count(), func.min(record.filed_at)).where(record.form == form)
    pending, oldest = run(waits.where(record.state.startswith(PENDING))).one()
    return Figures(
        form,
        calls=tuple(Group(*row) for row in run(groups)),
        conversations=_count(transaction, drafts, draft.form == form, draft.updated_at >= since),
        filed=_count(transaction, records, record.form == form, record.filed_at >= since),
        idempotent=_count(transaction, tool_calls, *calls, call.idempotent),
        repeated=_behind(transaction, _conversations(func.count()).where(*calls, call.idempotent)),
        insistent=_behind(transaction, _insistent(since).where(*calls, call.finalizes)),
        loops={str(on): n for on, n in run(loops)},
        looped=_behind(transaction, _conversations(func.count()).where(*calls, *looped)),
        stuck=_behind(transaction, stuck.where(record.form == form, record.state == REVIEW)),
        unfiled=_behind(transaction, unfiled.where(draft.form == form, draft.status == "submitted")),
        pending=pending,
        pending_since=oldest,
    )


def _count(transaction: Transaction, rows: FromClause, *conditions: ColumnElement[bool]) -> int:
    return int(transaction.run(select(func.count()).select_from(rows).where(*conditions)).scalar_one())


def _behind(transaction: Transaction, statement: Statement) -> Behind:
    """Return how many rows of name, record, times and time there are, and the first of them."""
    every = statement.subquery()
    named = select(every).order_by(every.c.at, every.c.name).limit(NAMED)
    return Behind(_count(transaction, every), tuple(Conversation(*row) for row in transaction.run(named)))


def _conversations(times: Any) -> Statement:
    """Select conversations by their tool calls, each with its record, and when the first call was."""
    columns = (tool_calls.c.draft.label("name"), func.coalesce(func.max(records.c.number), "").label("record"))
    joined = tool_calls.outerjoin(records, records.c.draft == tool_calls.c.draft)
    begun = func.min(tool_calls.c.at, type_=tool_calls.c.at.type).label("at")
    return select(*columns, times.label("times"), begun).select_from(joined).group_by(tool_calls.c.draft)


def _insistent(since: datetime) -> Statement:
    """Select calls that were taken, or the one act that filed where that was a click; and each call that came after."""
    again = tool_calls.c.idempotent | (tool_calls.c.reason == FILED)
    taken = func.sum(case((again | (tool_calls.c.status == REJECTED), 0), else_=1))
    clicked = func.max(case((records.c.filed_at >= since, 1), else_=0))
    times = case((taken > clicked, taken), else_=clicked) + func.sum(case((again, 1), else_=0))
    return _conversations(times).having(times > 1)
