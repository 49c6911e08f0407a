"""Figures, counted over what the store in memory holds."""

from collections import Counter
from datetime import datetime

from state.stores.figures import ESCALATED, HANDED_OVER, LOOP, PENDING, Figures, Group
from state.stores.memory.shelves import Shelves


def count(shelves: Shelves, since: datetime) -> Figures:
    """The same figures as the database's."""
    calls = [call for call in shelves.calls if call.at and call.at >= since]
    groups = Counter((call.tool, call.status, call.reason) for call in calls)
    finals = Counter(call.draft for call in calls if call.finalizes)
    loops = [c for c in calls if (c.tool, c.status, c.reason) == (HANDED_OVER, ESCALATED, LOOP)]
    filed = {record.draft for record in shelves.records.values()}
    pending = [r.filed_at for r in shelves.records.values() if r.state.startswith(PENDING) and r.filed_at]
    return Figures(
        calls=tuple(Group(*group, n) for group, n in sorted(groups.items())),
        conversations=sum(d.updated_at is not None and d.updated_at >= since for d in shelves.drafts.values()),
        filed=sum(r.filed_at is not None and r.filed_at >= since for r in shelves.records.values()),
        idempotent=sum(call.idempotent for call in calls),
        repeated=sum(n > 1 for n in finals.values()),
        loops=dict(sorted(Counter(c.at.date().isoformat() for c in loops if c.at).items())),
        stuck=sum(d.status == "submitted" and d.id not in filed for d in shelves.drafts.values()),
        pending=len(pending),
        pending_since=min(pending, default=None),
    )
