"""Clicks that come faster than anybody reads, clocks that are apart, and ways that take their time: through the whole bot."""

import asyncio
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.sandbox.edits import COMPLIANCE
from state.stores.opener import memory_store
from tests.patience import PATIENCE
from tests.whole.sheet import POST, UPDATE, WAY, joined
from tests.whole.steps import REASON, declare, open_request, play, to_review
from tests.world import World, shown, world

HASTE = 0.3
TOO_SOON = "That had only just appeared, so your click didn't count. Please read it, then click again."


@pytest.mark.behind(walk=open_request)
@pytest.mark.parametrize("seconds", [0.0, 0.2, 0.45, 0.7])
async def test_two_quick_clicks_answer_one_declaration(w: World, seconds: float) -> None:
    """The next question's button lies where the last one's was: what was not read is not declared, and says so in private."""
    await w.click("No")
    await w.alex.hasty(seconds).click("No")
    await w.settled()
    draft = await w.draft()
    assert set(draft.values) & {"is_leveraged"} == set() and draft.asked == "is_leveraged"
    assert [note["text"] for note in w.alex.ephemerals()] == [TOO_SOON]
    await w.click("No")
    assert (await w.values())["is_leveraged"] is False


@pytest.mark.behind(walk=open_request)
async def test_submit_right_after_the_last_answer_files_nothing(w: World) -> None:
    """The review has to be on screen for a second before it is consented to."""
    await declare(w)
    await play(w, "[I understand]", REASON)
    await w.alex.hasty(HASTE).click("Submit")
    await w.settled()
    assert await w.records() == [] and w.alex.ephemerals()[-1]["text"] == TOO_SOON
    await w.click("Submit")
    assert len(await w.records()) == 1


@pytest.mark.behind(walk=to_review)
async def test_a_button_that_stood_counts_however_nervous_the_finger(w: World) -> None:
    """Both clicks of a double click on one and the same button are about what was read, and count once."""
    w.sandbox.knobs.duplicate_clicks = 1
    await w.click("Submit")
    assert len(await w.records()) == 1
    assert [n["text"] for n in w.alex.ephemerals()] == []


@pytest.mark.behind(walk=to_review)
async def test_a_verdict_wants_its_request_to_be_read(w: World) -> None:
    """A click as the request comes in decides nothing, and says so in private; a double click decides once, and its second half is told nothing."""
    await w.edit("value", "GBP 50,000")
    await w.click("Submit")
    robin = w.sandbox.person("U0ROBIN")
    await robin.hasty(HASTE).click("Approve", channel=COMPLIANCE)
    await w.settled()
    assert (await w.draft()).filed.decisions == ()
    assert [note["text"] for note in robin.ephemerals(COMPLIANCE)] == [TOO_SOON]
    w.sandbox.knobs.duplicate_clicks = 1
    await robin.click("Approve", channel=COMPLIANCE)
    await w.settled()
    assert (len((await w.draft()).filed.decisions), len(robin.ephemerals(COMPLIANCE))) == (1, 1)


def clocks(slack: float, database: float) -> dict[str, Any]:
    """Options of a world in which Slack's clock and the database's are so many seconds ahead of the bot's."""
    store = memory_store(lambda: datetime.now(UTC) + timedelta(seconds=database))
    return {"clock": lambda: time.time() + slack, "store": store}


SKEWS = ((0.0, 0.0), (-5.0, 0.0), (5.0, 0.0), (0.0, -5.0), (0.0, 5.0), (0.5, -0.5), (-0.5, 0.5))
WAYS = ((0.0, 0.0, 0.0), (0.4, 0.0, 0.0), (0.0, 1.2, 0.0), (0.0, 0.0, 0.4), (0.3, 0.6, 0.3))
"""Seconds: a call on its way to Slack, its answer on its way back, an event on its way to the bot."""
BECAUSE = "I hold it for the long term because I expect steady dividends for my retirement"


def slow(w: World, there: float, back: float, events: float) -> None:
    """Let the ways between Slack and the bot take so long."""
    knobs, methods = w.sandbox.knobs, (POST, UPDATE, WAY)
    knobs.delay, knobs.delay_answers = dict.fromkeys(methods, there), dict.fromkeys(methods, back)
    knobs.delay_events = dict.fromkeys(("events_api", "interactive", "slash_commands"), events)


async def quick(w: World, seconds: float, words: str, then: str) -> None:
    """Click, and so many seconds after the next question is on screen click what it shows as well."""
    await w.alex.click(words)
    await w.sandbox.until(lambda: then in w.last(), timeout=PATIENCE)
    await w.alex.hasty(seconds).click(words)
    await w.settled()


@pytest.mark.parametrize(
    ("apart", "ways"),
    [*((skew, WAYS[0]) for skew in SKEWS), *((SKEWS[0], way) for way in WAYS[1:]), (SKEWS[5], WAYS[4])],
)
async def test_neither_skew_nor_delay_changes_what_an_act_means(
    tmp_path: Path, apart: tuple[float, float], ways: tuple[float, float, float]
) -> None:
    """A hasty declaration, a reason below its question, a hasty Submit: each comes to the same, whatever the clocks and the ways are like."""
    async with world(tmp_path, None, {**clocks(*apart), "only": "pa_dealing"}) as w:
        await open_request(w)
        await declare(w, upto="is_related_party")
        slow(w, *ways)
        await quick(w, 0.4, "No", "conflict")
        assert (await w.draft()).asked == "has_client_conflict" and "has_client_conflict" not in await w.values()
        await w.click("No")
        await w.alex.click("I understand")
        await w.sandbox.until(lambda: "Why do you want" in w.last(), timeout=PATIENCE)
        await w.alex.say(BECAUSE)
        await w.sandbox.until(lambda: "Submit" in w.last(), timeout=PATIENCE)
        await w.alex.hasty(0.2).click("Submit")
        await w.settled()
        draft = await w.draft()
        assert draft.values["justification"].data == BECAUSE and not draft.offers
        assert await w.records() == [] and [n["text"] for n in w.alex.ephemerals()] == [TOO_SOON, TOO_SOON]
        await w.click("Submit")
        assert len(await w.records()) == 1


@pytest.mark.parametrize("apart", SKEWS)
async def test_a_reason_that_crosses_its_question_is_put_back_whole(tmp_path: Path, apart: tuple[float, float]) -> None:
    """Written after the click, while the question was on its way: nothing is cut at "because", and nothing is taken for sure."""
    async with world(tmp_path, None, {**clocks(*apart), "only": "pa_dealing"}) as w:
        await open_request(w)
        await declare(w)
        w.sandbox.knobs.delay = {WAY: 0.4}
        await w.alex.click("I understand")
        await w.alex.hasty().say(BECAUSE)
        await w.settled()
        draft = await w.draft()
        assert "justification" not in draft.values and [o.data for o in draft.offers] == [BECAUSE]
        assert BECAUSE in w.last()


async def test_first_words_open_the_form_whatever_is_still_on_its_way(tmp_path: Path) -> None:
    """Twenty people name the security right after `/pa`, some before the first question is there: all are asked whether it is that one."""
    async with world(tmp_path, None, {"only": "pa_dealing"}) as w:
        worlds = [joined(w, f"P{n}") for n in range(20)]
        w.sandbox.knobs.delay = {POST: 0.2}

        async def begins(one: World, wait: float) -> None:
            await one.alex.command("/pa")
            await asyncio.sleep(wait)
            await one.alex.hasty().say("Tesco")

        await asyncio.gather(*(begins(one, n % 8 / 20) for n, one in enumerate(worlds)))
        await w.settled()
        told = [shown(one.screen()[-1]) for one in worlds]
        assert [text for text in told if "Is it this one?" not in text] == []
