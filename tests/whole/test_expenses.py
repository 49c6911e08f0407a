"""Expenses in Slack: said in a line, confirmed by a click, told, changed, deleted and taken back, with a model and without one."""

from typing import Any

from bot.sandbox.talk import Upload
from state.stores.ledger import Entry
from tests.documents.files import png
from tests.whole.steps import play
from tests.world import TEAM, World

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


async def test_a_plain_line_waits_for_a_click_and_is_added_once(w: World) -> None:
    """Without a model, "coffee 3,50" is shown with what was worked out; nothing is written before the click, and one entry after two clicks."""
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


async def test_a_receipt_goes_with_its_expense(w: World) -> None:
    """A photo sent with the words waits for their click; one sent alone goes with the row that was touched last."""
    await begun(w)
    await w.alex.share([Upload("coffee.png", png(), "image/png")], "coffee 3,50")
    await w.settled()
    await w.click("Confirm")
    (entry,) = await entries(w)
    kept = await w.bot.store.document(entry.body["receipt"])
    assert kept and (kept.name, kept.person) == ("coffee.png", f"{TEAM}:U0ALEX")
    assert "Receipt kept with 1: coffee" in w.transcript()
    await w.alex.upload("better.png", png(), "image/png")
    await w.settled()
    (entry,) = await entries(w)
    kept = await w.bot.store.document(entry.body["receipt"])
    assert kept and kept.name == "better.png"
    await w.say("list")
    assert "with receipt" in w.last()


async def test_a_file_of_nothing_is_not_kept(w: World) -> None:
    """Where the words that came with a file are cancelled, the file is destroyed; a file alone, with nothing added yet, waits and says so."""
    await begun(w)
    await w.alex.share([Upload("coffee.png", png(), "image/png")], "coffee 3,50")
    await w.settled()
    await w.click("Cancel")
    assert await w.bot.store.documents_of(f"{TEAM}:U0ALEX") == []
    await w.alex.upload("tea.png", png(), "image/png")
    await w.settled()
    assert "tea.png" in w.last() and "Tell me what it's for" in w.last()
    await play(w, "£4 tea today", "[Confirm]")
    (entry,) = await entries(w)
    assert entry.body["receipt"]
