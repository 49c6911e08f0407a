"""Ask for more in Slack: the officer picks answers and writes what they want to know; the requester answers, and the same record waits again."""

import asyncio
from pathlib import Path

from state.draft.draft import Status
from tests.chain import verify_all
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
        assert (
            "Who advised you?" in w.last() and "Open again: Justification" in w.last() and "Dana" not in w.transcript()
        )
        await w.say(BETTER)
        assert (await w.draft()).card.kind == "review"  # type: ignore[union-attr]
        await w.click("Submit")
        (record,) = await w.records()
        assert (record.number, record.state) == (number, "pending_manager")
        assert record.body["values"]["justification"]["data"] == BETTER and record.hash != first.hash
        assert record.filed_at == first.filed_at and first.body["values"]["justification"]["data"] == REASON
        last = cards(w)[-1]
        assert (
            "was: A long-term holding" in last and "Asked: Who advised you?" in last and "Waits for: Manager." in last
        )
        assert "was submitted again" in w.transcript() and len(cards(w)) == 3
        checked, broken = await verify_all(w.bot.store)
        assert checked and broken == []


async def test_another_form_that_is_being_filled_in_stays_within_reach(tmp_path: Path) -> None:
    """The question that comes last is the one that is answered; the other form has its button above it, and goes on from there."""
    async with world(tmp_path) as w:
        await file_large(w)
        await w.say("/gifts")
        await w.click("Received")
        gift = await w.draft()
        await ask(w, "U0ROBIN", "quantity", note="Why so many?")
        assert (await w.draft()).form == "pa_dealing" and "Why so many?" in w.last()
        assert "“Gifts and entertainment” stays as it is" in w.last(2)
        await w.say("100")
        assert (await w.values())["quantity"] == 100
        await w.click("Continue", w.screen()[-4] if "stays as it is" in shown(w.screen()[-4]) else None)
        there = await w.draft()
        assert (there.id, there.values, there.asked) == (gift.id, gift.values, gift.asked)
        home = await home_of(w)
        assert "Asked for more" in home and home.count("Continue") == 2


async def home_of(w: World) -> str:
    """What the Home tab says."""
    await w.alex.open_home()
    await w.settled()
    return shown(w.alex.home or {})


async def test_an_approval_and_a_question_at_the_same_moment(tmp_path: Path) -> None:
    """One wins, the other officer is told, and the request is where the winner put it."""
    async with world(tmp_path) as w:
        await file_large(w)
        (tmp_path / "roles.toml").write_text('[roles.manager]\nusers = ["U0ROBIN", "U0SASHA"]\n')
        robin, sasha = officer(w, "U0ROBIN"), officer(w, "U0SASHA")
        await robin.click("Ask for more…", channel=CHANNEL)
        box = robin.submit(values={"fields": ["quantity"], "note": "Why?"})
        await asyncio.gather(box, sasha.click("Approve", channel=CHANNEL))
        await w.settled()
        verdicts = [d.verdict for d in (await w.draft()).filed.decisions]
        assert len(verdicts) == 1 and await state(w) == {"ask": "asked", "approve": "pending_compliance"}[verdicts[0]]
        loser = "U0SASHA" if verdicts == ["ask"] else "U0ROBIN"
        assert "came too late" in notes(w, loser)[-1]


async def test_new_answers_may_block_it(tmp_path: Path) -> None:
    """Rules judge anew: inside information that is declared now blocks the same record, with its reasons, and nobody decides."""
    async with world(tmp_path) as w:
        await file_large(w)
        await ask(w, "U0ROBIN", "has_inside_info", note="Is that still so?")
        await w.click("Yes")
        await w.click("Submit")
        (record,) = await w.records()
        assert record.state == "blocked" and "Inside information" in str(record.body["reasons"])
        assert (await w.draft()).status is Status.SUBMITTED and "Waits for" not in cards(w)[-1]


async def test_what_came_back_and_is_given_up_is_withdrawn(tmp_path: Path) -> None:
    """Cancelling what was asked for takes the request back: the record stays, and those who asked see it."""
    async with world(tmp_path) as w:
        await file_large(w)
        await ask(w, "U0ROBIN", "quantity", note="Why?")
        await w.say("cancel")
        await w.click("Yes, withdraw it")
        assert await state(w) == "withdrawn" and "is withdrawn" in w.last()
        assert "Withdrawn by <@U0ALEX>" in cards(w)[-1]
        assert "Withdraw\n" not in w.transcript()
        assert (await verify_all(w.bot.store))[1] == []
