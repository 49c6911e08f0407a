"""What the panel beside the conversation is told of a form that does things instead of asking."""

from pathlib import Path
from typing import Any

from tests.world import World, world

Json = dict[str, Any]


async def ledger(w: World) -> Json:
    """The ledger of Alex Reed's direct message, as `/ui/inspect` tells it."""
    found = await w.bot.inspector.inspect("U0ALEX", w.alex.dm, None)
    assert found is not None
    told: Json = found["draft"]["ledger"]
    return told


async def test_the_panel_of_expenses_shows_rows_and_what_waits(tmp_path: Path) -> None:
    """A proposal stands there in words until its click; then it is a row with its number, its sum as one and its category."""
    async with world(tmp_path) as w:
        await w.alex.command("/expenses")
        await w.settled()
        assert await ledger(w) == {"rows": [], "count": 0, "waiting": []}
        await w.say("coffee 3,50")
        (waiting,) = (await ledger(w))["waiting"]
        (words,) = waiting["words"]
        assert words.startswith("Add an expense: coffee · EUR 3.50 · ")
        assert waiting["until"] > "2026"
        await w.click("Confirm")
        await w.say("£4 tea today")
        await w.click("Confirm")
        after = await ledger(w)
        assert after["waiting"] == []
        assert (after["count"], [row["number"] for row in after["rows"]]) == (2, [2, 1])
        assert after["rows"][1]["words"].startswith("coffee · EUR 3.50 · ")
        assert "GBP 4.00" in after["rows"][0]["words"]


async def test_a_row_that_was_taken_back_leaves_the_panel(tmp_path: Path) -> None:
    """What is undone or deleted stands there no more, and other people's rows never did."""
    async with world(tmp_path) as w:
        await w.alex.command("/expenses")
        await w.say("£4 coffee today")
        await w.click("Confirm")
        dana = w.sandbox.person("U0DANA")
        await dana.command("/expenses")
        await w.say("£9 taxi today", dana)
        assert [row["words"].split(" · ")[0] for row in (await ledger(w))["rows"]] == ["coffee"]
        await w.say("undo")
        assert (await ledger(w))["count"] == 0


async def test_a_form_of_questions_has_no_ledger(tmp_path: Path) -> None:
    """A request that is filled in shows its fields and nothing else."""
    async with world(tmp_path) as w:
        await w.say("buy 200 Tesco for £720")
        found = await w.bot.inspector.inspect("U0ALEX", w.alex.dm, None)
        assert found is not None and found["draft"]["ledger"] is None and found["draft"]["fields"]
