"""On PostgreSQL the same: the statements are the same, so some of the changes stand for the others."""

from pathlib import Path

import asyncpg

from bot.operations.evidence import HEADS, sign
from state.stores.evidence.heads import HeadsFile, heads_faults
from state.stores.opener import open_store
from tests.chain import verify_all
from tests.evidence.history import decided, forgotten, kept, said, submitted
from tests.stores.helpers import ALEX, DANA, KEY, OTHER, TALK

CHANGES = {
    "UPDATE records SET state = 'rejected'": ("UPDATE records SET state = 'approved'", "Its state is 'rejected'"),
    "UPDATE events SET kind = 'Clicked' WHERE draft = 'd1' AND n = 1": (
        "UPDATE events SET kind = 'Said' WHERE draft = 'd1' AND n = 1", "Draft d1: Event 1 was changed"
    ),
    "UPDATE events SET mac = NULL WHERE draft = 'd1' AND n = 2": ("", "Draft d1: Event 2 was changed"),
    "UPDATE tool_calls SET tool = 'another'": ("", "Draft d1: Event 2 was changed"),
    "UPDATE drafts SET status = 'cancelled' WHERE name = 'd3'": ("", "Draft d3: The draft itself was changed"),
    "DELETE FROM tombstones": ("", "Tombstone 1: It is missing"),
    "UPDATE custody SET kind = 'begun' WHERE kind = 'erased'": ("", "was changed after it was written"),
    "DELETE FROM documents": ("", "Document doc1 of draft d1: It is missing before its time"),
    "DELETE FROM checkpoints WHERE n = 1": ("", "Checkpoint 1: It is missing from the database"),
}  # fmt: skip
"""A change, what takes it back where that is simple, and what is said; the others add up."""


async def test_changes_are_found_on_postgresql(postgres: str, tmp_path: Path) -> None:
    """A history like any passes, replicas included; then each change is found and named, and so is what checkpoints signed and lost."""
    store, other, heads = open_store(postgres, KEY), open_store(postgres, KEY), HeadsFile(tmp_path / HEADS)
    for replica in (store, other):
        await replica.start()
    await said(store, "d1", ALEX, TALK, calls=2)
    await submitted(other, "d1", "PA-2026-000001", ALEX, TALK)
    await sign(other, heads)
    await decided(store, "d1", "PA-2026-000001", "approved")
    await kept(store, "doc1", "d1", ALEX)
    await said(store, "d2", DANA, OTHER)
    await store.erase(DANA)
    await said(store, "d3", ALEX, TALK, "gifts")
    await forgotten(store, "gifts")
    await sign(store, heads)
    assert await verify_all(store) == (3, [])
    stored, public = await store.checkpoints(), store.public_keys
    assert heads_faults("heads", heads.lines(), stored, public) == []
    connection = await asyncpg.connect(postgres)
    for change, (back, words) in CHANGES.items():
        await connection.execute(change)
        assert words in "\n".join((await verify_all(store))[1]), change
        if back:
            await connection.execute(back)
    await connection.close()
    (cut,) = heads_faults("heads", heads.lines(), stored[:1], public)
    assert "the database was rolled back" in cut.what
    for replica in (store, other):
        await replica.stop()
