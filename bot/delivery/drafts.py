"""The draft that a row of the outbox is about: in memory where the row comes from there, else as the store has it."""

from state.draft.draft import Draft
from state.engine.codec import decode_draft
from state.stores.rows import OutboxRow
from state.stores.store import Store


async def draft_of(store: Store, row: OutboxRow) -> Draft | None:
    """None where there is none, or its person was erased."""
    if isinstance(row.draft, Draft):
        return row.draft
    stored = await store.draft(str(row.body["draft"]))
    return decode_draft(stored.body) if stored and not stored.erased else None
