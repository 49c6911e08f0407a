"""Expenses are put before the manager as a record with a number: what is claimed stays as it is until they decline it, or it is taken back."""

from pathlib import Path

from tests.chain import verify_all
from tests.whole.test_decisions import CHANNEL, cards, officer, press, state
from tests.world import World, world

SPENT = ("lunch with a customer 42,50 EUR", "taxi 18 EUR", "train to Leeds 96 GBP")


async def spend(w: World) -> None:
    """Three expenses of today."""
    await w.say("/expenses")
    for line in SPENT:
        await w.say(line)
        if "Confirm" in w.last():
            await w.click("Confirm")


async def claim(w: World, which: str = "all") -> None:
    """A claim up to its record."""
    await w.say("/claim")
    await w.say(which)
    await w.click("Use this")
    await w.say("The trip to Leeds in November")
    await w.click("✓ The trip to Leeds in November")
    await w.click("Submit")


async def test_a_claim_goes_before_the_manager_and_holds_its_expenses(tmp_path: Path) -> None:
    """What waits and what is approved is neither changed nor deleted, and is not claimed twice; the manager reads every line."""
    async with world(tmp_path) as w:
        await spend(w)
        await claim(w)
        (record,) = await w.records()
        assert (record.form, record.state) == ("reimbursement", "pending_manager") and record.number.startswith("CLM-")
        assert record.body["computed"]["total"] == {"EUR": "60.50", "GBP": "96.00"}
        (card,) = cards(w)
        assert "Waits for: Manager." in card and "taxi" in card and "3 expenses, EUR 60.50 + GBP 96.00" in card
        for order in ("/expenses change 2 to 20 EUR", "/expenses delete 2"):
            await w.say(order)
            assert f"Number 2 is part of {record.number}" in w.last()
        await press(w, "U0ROBIN", "Approve")
        assert await state(w) == "approved"
        await w.say("/expenses delete 1")
        assert f"Number 1 is part of {record.number}" in w.last()
        await w.say("/claim")
        await w.say("all")
        assert "no open expense" in w.last()
        assert (await verify_all(w.bot.store))[1] == []


async def test_what_is_declined_or_asked_about_is_open_again(tmp_path: Path) -> None:
    """The person changes an expense, the same claim comes back with what it says now; after a decline all are free."""
    async with world(tmp_path) as w:
        await spend(w)
        await claim(w, "numbers 1 and 2")
        robin = officer(w, "U0ROBIN")
        await robin.click("Ask for more…", channel=CHANNEL)
        await robin.submit(values={"fields": ["purpose"], "note": "Was the taxi not 19?"})
        await w.settled()
        await w.say("/expenses change 2 to 19 EUR")
        await w.click("Confirm")
        await w.say("/claim")
        await w.say("The trip to Leeds; the taxi was 19")
        await w.click("✓ The trip to Leeds; the taxi was 19")
        await w.click("Submit")
        (record,) = await w.records()
        assert record.body["computed"]["total"] == {"EUR": "61.50"} and record.state == "pending_manager"
        assert "taxi, EUR 19.00" in cards(w)[-1]
        await w.say("/expenses delete 3")
        await w.click("Confirm")
        assert "Deleted 3" in w.last()
        await press(w, "U0ROBIN", "Decline…", reason="Private")
        await w.say("/expenses delete 1")
        await w.click("Confirm")
        assert "Deleted 1" in w.last() and await state(w) == "declined"
