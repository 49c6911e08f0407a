"""Where no model is set up, rules read a person's words in the commit that keeps them."""

from pathlib import Path

from tests.whole.steps import OPENING
from tests.world import TEAM, World, world


async def readings(w: World) -> list[str]:
    """What waited, or waits, in the outbox for a reader."""
    held = [one.row async for one in w.bot.store.everything(f"{TEAM}:{w.alex.id}") if one.table == "outbox"]
    return [row["kind"] for row in held if row["kind"] == "model"]


async def test_words_are_kept_and_read_in_one_commit(tmp_path: Path) -> None:
    """What was said is on the card at once, and no reading waited in the outbox."""
    async with world(tmp_path) as w:
        await w.say(OPENING)
        assert "Use all of it" in w.transcript()
        assert await readings(w) == []


async def test_lines_that_come_together_are_read_together(tmp_path: Path) -> None:
    """A line behind which others wait is read with them, in a turn of its own, so that what belongs together is one answer."""
    async with world(tmp_path) as w:
        for line in ("I want to buy", "200 Tesco", "for my pension", "for £720"):
            await w.alex.say(line)
        await w.settled()
        offered = {o.field for o in (await w.draft()).offers} | set(await w.values())
        assert {"direction", "quantity", "account", "value"} <= offered


async def test_in_a_conversation_of_operations_words_are_read_behind_it(tmp_path: Path) -> None:
    """“taxi” and “18 euros” may be one expense in two lines: there, a reading waits for what comes with it."""
    async with world(tmp_path) as w:
        await w.say("/expenses")
        await w.say("taxi 18 euros")
        assert await readings(w) == ["model"]
