"""Expenses in Slack: said in a line, confirmed by a click, told, changed, deleted and taken back, with a model and without one."""

from pathlib import Path
from typing import Any

from state.stores.ledger import Entry
from tests.world import TEAM, World, world

DAY = "2026-11-20"


async def entries(w: World) -> list[Entry]:
    """What stands in the tenant, newest first."""
    return await w.bot.store.entries(TEAM, "expenses")


async def bodies(w: World) -> list[dict[str, Any]]:
    """The same without numbers."""
    return [{k: v for k, v in e.body.items() if k in ("item", "amount", "currency")} for e in await entries(w)]


async def begun(w: World) -> None:
    """The conversation about expenses is open."""
    await w.alex.command("/expenses")
    await w.settled()


async def test_a_plain_line_waits_for_a_click_and_is_added_once(tmp_path: Path) -> None:
    """Without a model, "coffee 3,50" is shown with what was worked out; nothing is written before the click, and one entry after two clicks."""
    async with world(tmp_path) as w:
        await begun(w)
        await w.say("coffee 3,50")
        assert "coffee · EUR 3.50" in w.last() and "currency, date" in w.last()
        assert await entries(w) == []
        card = w.screen()[-1]
        await w.click("Confirm", card)
        await w.alex.click("Confirm", card, stale=True)
        await w.settled()
        assert await bodies(w) == [{"item": "coffee", "amount": "3.50", "currency": "EUR"}]
        assert "Added 1: coffee · EUR 3.50" in w.last() and "Undo" in w.last()


async def test_what_was_said_in_full_needs_no_click(tmp_path: Path) -> None:
    """An addition of which nothing was worked out runs at once, and can be taken back by a click."""
    async with world(tmp_path) as w:
        await begun(w)
        await w.say("£4 coffee today")
        assert await bodies(w) == [{"item": "coffee", "amount": "4.00", "currency": "GBP"}]
        await w.click("Undo")
        assert await entries(w) == [] and "Taken back." in w.transcript()
