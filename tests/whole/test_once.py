"""Redelivered, doubled, stale or somebody else's: nothing happens twice, and nothing that should not."""

from pathlib import Path

import pytest

from tests.whole.steps import FILED, declare, file_request, open_request, own_form, play, to_review
from tests.world import TEAM, World, world


async def test_a_redelivery_of_every_event_doubles_nothing(tmp_path: Path) -> None:
    """Slack sends each event three times, every click twice: one answer each, one record."""
    async with world(tmp_path, kept=True) as w:
        w.sandbox.knobs.redeliver = 2
        w.sandbox.knobs.duplicate_clicks = 5
        await file_request(w)
        (record,) = await w.records()
        assert {n: v["data"] for n, v in record.body["values"].items()} == FILED
        assert len([m for m in w.alex.messages("C0COMPLIANCE") if m.get("bot_id")]) == 1


async def test_a_stale_card_changes_nothing_and_says_so(kept: World) -> None:
    """A click on a card that no longer counts leaves the draft as it is and shows the current card."""
    await open_request(kept)
    old = kept.screen()[-1]
    await kept.say("no")
    before = await kept.values()
    await kept.alex.click("Yes", old, stale=True)
    await kept.settled()
    assert await kept.values() == before
    assert "out of date" in kept.last()
    assert (await kept.draft()).asked == "is_leveraged"


async def test_a_second_click_on_the_living_message_is_no_news(kept: World) -> None:
    """Whoever clicks twice answers nothing else and is told nothing."""
    await open_request(kept)
    old = kept.screen()[-1]
    await kept.click("No")
    before, on_screen = await kept.draft(), kept.transcript()
    await kept.alex.click("No", old, stale=True)
    await kept.settled()
    assert await kept.draft() == before
    assert kept.transcript() == on_screen


async def test_another_late_click_on_the_living_message_is_told_off_where_it_stands(kept: World) -> None:
    """Who clicks Yes where Yes meant the question before is told so; no answer changes, and no message is added."""
    await open_request(kept)
    old = kept.screen()[-1]
    await kept.click("No")
    before, messages = await kept.values(), [m["ts"] for m in kept.screen()]
    await kept.alex.click("Yes", old, stale=True)
    await kept.settled()
    assert await kept.values() == before
    assert [m["ts"] for m in kept.screen()] == messages and "out of date" in kept.last()


SHARED = """
name = "desk"
title = "Desk booking"
version = "1"
prefix = "DSK"
channels = "thread"
words = ["desk"]

[fields.window]
kind = "yes_no"
label = "Window"
ask = "Should it be by the window?"
words = ["window"]
lock = "answered"
"""


async def test_another_persons_click_is_told_off_in_private(tmp_path: Path) -> None:
    """In a thread that others read, only the owner answers; whoever else clicks gets a note that only they see."""
    async with world(tmp_path / "var", kept=True, holdfast_workflows=own_form(tmp_path, "desk", SHARED)) as w:
        await w.alex.say("<@U0HOLDFAST> I need a desk", "C0GENERAL")
        await w.settled()
        (card,) = [m for m in w.alex.messages("C0GENERAL") if m.get("bot_id")]
        assert card["thread_ts"]
        dana = w.sandbox.person("U0DANA")
        await dana.click("Yes", card, channel="C0GENERAL")
        await w.settled()
        (note,) = dana.ephemerals("C0GENERAL")
        assert "<@U0ALEX> can answer this request" in note["text"]
        await w.alex.click("No", card, channel="C0GENERAL")
        await w.settled()
        (stored,) = await w.bot.store.drafts_of(f"{TEAM}:U0ALEX")
        assert stored.body["values"]["window"]["data"] is False


async def test_an_edit_voids_the_review_that_was_on_screen(kept: World) -> None:
    """Submit on a review that showed other answers files nothing."""
    await to_review(kept)
    old = kept.screen()[-1]
    await kept.say("actually make it 250 shares")
    await kept.alex.click("Submit", old, stale=True)
    await kept.settled()
    assert await kept.records() == []
    assert (await kept.values())["quantity"] == 250
    await kept.click("Submit")
    (record,) = await kept.records()
    assert record.body["values"]["quantity"]["data"] == 250


async def test_losing_redis_in_the_middle_loses_nothing(kept: World) -> None:
    """The cache is emptied half way; the request is filed whole."""
    await open_request(kept)
    await declare(kept, upto="has_inside_info")
    assert kept.bot.redis is not None
    await kept.bot.redis.flushall()
    await play(kept, "[No]", "[No]", "[No]", "[I understand]", FILED["justification"], "[Submit]")
    (record,) = await kept.records()
    assert {n: v["data"] for n, v in record.body["values"].items()} == FILED


async def test_edits_deletions_and_bots_are_no_answers(kept: World) -> None:
    """An edited or deleted message changes nothing."""
    await open_request(kept)
    before = await kept.draft()
    (ts,) = [m["ts"] for m in kept.alex.messages() if m.get("user") == "U0ALEX"]
    await kept.alex.edit(ts, "sell 5 Barclays")
    await kept.settled()
    await kept.alex.delete(ts)
    await kept.settled()
    assert await kept.draft() == before


async def test_a_post_that_is_not_answered_is_found_while_its_answer_is_waited_for(kept: World) -> None:
    """Slack posts and never answers: the message is seen there soon, stands once, and Slack is not taken to be away."""
    kept.sandbox.knobs.timeout_after_delivery = {"chat.postMessage": 1}
    await kept.say("hello")
    await kept.settled()
    sent = [s.method for s in kept.sandbox.sent]
    followed = sent[sent.index("chat.postMessage") + 1 :]
    assert "conversations.history" in followed and "auth.test" not in followed and len(kept.screen()) == 1


async def test_an_unclear_outcome_is_looked_up_before_it_is_posted_again(kept: World) -> None:
    """A post that was delivered without an answer stands once."""
    kept.sandbox.knobs.disconnect_after_delivery = {"chat.postMessage": 1}
    again = ("chat.postMessage", "conversations.history")
    await kept.say("hello")
    await kept.sandbox.until(lambda: len([s for s in kept.sandbox.sent if s.method in again]) > 1)
    await kept.settled()
    assert len(kept.screen()) == 1


@pytest.mark.behind(walk=to_review)
@pytest.mark.parametrize("after", [0.05, 0.2, 0.45])
async def test_a_double_click_is_one_act(w: World, after: float) -> None:
    """However its second half falls, before or after the first one's answer, it changes nothing, says nothing and takes nothing off the screen."""
    review = w.screen()[-1]
    await w.click("Submit")
    shown = w.transcript()
    await w.alex.hasty(after).click("Submit", review, stale=True)
    await w.settled()
    assert len(await w.records()) == 1 and w.transcript() == shown and w.alex.ephemerals() == []
