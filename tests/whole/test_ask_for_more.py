"""Ask for more in Slack: the officer picks answers and writes what they want to know; the requester answers, and the same record waits again."""

import asyncio
from pathlib import Path

from state.draft.draft import Status
from state.stores.chain import verify_all
from tests.whole.steps import REASON
from tests.whole.test_decisions import CHANNEL, cards, file_large, notes, officer, press, state
from tests.world import World, shown, world

BETTER = "A long-term holding for my retirement, on the advice of my pension's manager"


async def ask(w: World, person: str, *fields: str, note: str = "Who advised you?") -> None:
    """Press Ask for more, pick these fields and write what is wanted."""
    who = officer(w, person)
    await who.click("Ask for more…", channel=CHANNEL)
    await who.submit(values={"fields": list(fields), "note": note})
    await w.settled()


async def test_more_is_asked_and_the_same_record_comes_back(tmp_path: Path) -> None:
    """One number, one record, its body as it was confirmed last, with the earlier one in the chain; the officers see what is different."""
    async with world(tmp_path) as w:
        await file_large(w)
        number, first = (await w.records())[0].number, (await w.records())[0]
        await press(w, "U0ROBIN", "Approve")
        await ask(w, "U0DANA", "justification")
        assert await state(w) == "asked" and "More asked for by <@U0DANA>" in cards(w)[-1]
        assert "Who advised you?" in w.last() and "Open again: Justification" in w.last() and "Dana" not in w.transcript()
        await w.say(BETTER)
        assert (await w.draft()).card.kind == "review"  # type: ignore[union-attr]
        await w.click("Submit")
        (record,) = await w.records()
        assert (record.number, record.state) == (number, "pending_manager")
        assert record.body["values"]["justification"]["data"] == BETTER and record.hash != first.hash
        assert record.filed_at == first.filed_at and first.body["values"]["justification"]["data"] == REASON
        last = cards(w)[-1]
        assert "was: A long-term holding" in last and "Asked: Who advised you?" in last and "Waits for: Manager." in last
        assert "was submitted again" in w.transcript() and len(cards(w)) == 3
        checked, broken = await verify_all(w.bot.store)
        assert checked and broken == []
