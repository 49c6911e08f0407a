"""Rows of the outbox: the kind of work in their lane, and the draft that they are about."""

from collections.abc import Mapping

from state.draft.draft import Draft
from state.engine.codec import decode_draft
from state.stores.rows import OutboxRow
from state.stores.store import Store

TURNS, COSMETIC = "turns", "cosmetic"
KINDS = (TURNS, "slack", COSMETIC, "model", "facts", "operate", "documents", "rights", "prompts", "sink")
SAME: Mapping[str, str] = {"expire": "operate", "timer": "facts", "digest": "documents"}


def kind_of(lane: str) -> str:
    """Return the kind of work in a lane."""
    kind = lane.partition(":")[0]
    kind = SAME.get(kind, kind)
    return kind if kind in KINDS else TURNS


async def draft_of(store: Store, row: OutboxRow) -> Draft | None:
    """None where there is none, or its person was erased."""
    if isinstance(row.draft, Draft):
        return row.draft
    stored = await store.draft(str(row.body["draft"]))
    return decode_draft(stored.body) if stored and not stored.erased else None
