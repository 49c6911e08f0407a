"""Records that version 0.1 filed wait in the officers' queue, and are decided like any other."""

from pathlib import Path

from state.engine.codec import decode_draft
from state.stores.chain import verify_all
from tests.stored.restored import stored_world
from tests.whole.test_desk import desk, opened, pressed
from tests.world import shown

PENDING = "PA-2026-000007"
ROLES = """
[roles]
manager = { users = ["U0ROBIN"] }
compliance = { users = ["U0DANA"] }
technician = { users = ["U0SASHA"] }
"""


async def test_a_record_from_before_there_were_routes_is_decided_from_the_queue(tmp_path: Path) -> None:
    """It is in the index, opening it puts it up for its role once, a verdict moves it on, and the chain holds."""
    (tmp_path / "roles.toml").write_text(ROLES)
    async with stored_world(tmp_path) as w:
        assert w.bot.indexer is not None
        await w.bot.indexer.fill()
        assert PENDING in await desk(w, "U0ROBIN") and "EXPTE-2026-000001" in await desk(w, "U0SASHA")
        robin = await opened(w, "U0ROBIN", PENDING)
        await w.settled()
        cards = [
            shown(m)
            for m in robin.messages("C0COMPLIANCE")
            if PENDING in shown(m) and "Waits for: Manager." in shown(m)
        ]
        assert len(cards) == 1 and robin.modal
        await pressed(w, robin, "Approve")
        record = await w.bot.store.record(PENDING)
        assert record and record.state == "pending_compliance" and PENDING in await desk(w, "U0DANA")
        stored = await w.bot.store.draft(record.draft)
        draft = decode_draft(stored.body) if stored else None
        assert draft and draft.filed_at and [d.verdict for d in draft.decisions] == ["approve"]
        checked, broken = await verify_all(w.bot.store)
        assert checked and broken == []
