"""The contract of the report's figures: every store counts the same, from plain columns alone."""

from dataclasses import replace
from datetime import timedelta

from state.stores.figures import Figures
from state.stores.protocol import Store, ToolLogEntry
from tests.stores.helpers import ALEX, DANA, OTHER, TALK, filed, step, taken, write
from tests.stores.test_tool_calls import called

FINAL = {"tool": "finalize", "status": "success", "finalizes": True}


async def talk(store: Store, name: str, who: str, where: str, *calls: ToolLogEntry, status: str = "open") -> None:
    """A draft of one turn with these calls."""
    lease = await taken(store, where)
    draft, event = step(None, name, who, where, quantity=1)
    mine = [replace(call, draft=name, person=who) for call in calls]
    await write(store, lease, draft=replace(draft, status=status), events=[event], calls=mine)
    await store.release(lease)


async def story(store: Store) -> None:
    """Three conversations: one files and files again, one loops and is handed over, one is submitted without a record."""
    again = called(**FINAL, idempotent=True)
    loop = called(tool="hand_over", status="escalated", reason="loop", reader="code")
    refused = called(status="rejected", reason="grounding")
    await talk(store, "d1", ALEX, TALK, called(), called(**FINAL), again, status="submitted")
    await talk(store, "d2", DANA, OTHER, refused, refused, loop, called(tool="book", status="error"))
    await talk(store, "d3", DANA, "T0NORTH:D0DANA:", called(), status="submitted")
    lease = await taken(store)
    draft, event = step(await store.draft("d1"), "d1", quantity=2)
    await write(store, lease, draft=draft, events=[event], records=[filed("PA-2026-000001")])


async def test_figures_are_counted_alike_by_every_store(store: Store) -> None:
    """Calls by tool, status and reason; repeated finalisations; loops by day; what is stuck and what waits."""
    await story(store)
    figures, today = await store.figures(), (await store.now()).date().isoformat()
    assert figures.by_tool == {"set_trade": 4, "finalize": 2, "book": 1}
    assert figures.by_reason == {"grounding": 2}
    assert (figures.conversations, figures.filed, figures.errors) == (3, 1, 1)
    assert (figures.idempotent, figures.repeated, figures.loops) == (1, 1, {today: 1})
    assert (figures.stuck, figures.pending) == (1, 1)
    assert figures.pending_since is not None


async def test_figures_begin_where_they_are_asked_to(store: Store) -> None:
    """What came before the day that is asked for does not count; what stands still does."""
    await story(store)
    figures = await store.figures((await store.now()) + timedelta(days=1))
    assert replace(figures, pending_since=None) == Figures(stuck=1, pending=1)


async def test_an_erasure_takes_nothing_from_the_figures(store: Store) -> None:
    """Figures are no personal data: they are the same after a person was erased."""
    await story(store)
    before = await store.figures()
    await store.erase(DANA)
    assert await store.figures() == before
