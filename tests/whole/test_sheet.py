"""The sheet at work: how many messages a request takes, what words mean that crossed a repaint, and what becomes of a message that is gone."""

from pathlib import Path

import pytest

from tests.whole.sheet import POST, UPDATE, WAY, alive, cost, faults
from tests.whole.steps import OPENING, REASON, declare, open_request, to_review
from tests.world import World, shown, world

CLICKS = ("No", "No", "No", "No", "No", "I understand")


async def test_a_request_reaches_its_review_in_six_messages(plain: World) -> None:
    """README's sentence, a question in between and a correction: at most six messages of the bot up to the review."""
    await open_request(plain)
    await declare(plain, upto="has_inside_info")
    await plain.say("what counts as inside information?")
    await plain.click("No")
    await plain.say("actually make it 250 shares")
    for words in ("No", "No", "I understand"):
        await plain.click(words)
    await plain.say(REASON)
    draft = await plain.draft()
    assert draft.card is not None and draft.card.kind == "review" and draft.values["quantity"].data == 250
    posts = [s for s in plain.sandbox.sent if s.method == POST and s.args["channel"] == plain.alex.dm]
    assert len(posts) <= 6 and len(plain.screen()) <= 6
    assert await faults(plain) == []


async def test_a_clicked_question_needs_no_new_message(plain: World) -> None:
    """From the results to the reason, one message is clicked through; Slack's scarce chat.update is not needed for it."""
    await plain.say(OPENING)
    before = [m["ts"] for m in plain.screen()]
    for words in ("Use all of it", "Use this", *CLICKS):
        since = len(plain.sandbox.sent)
        await plain.click(words)
        spent = cost(plain, plain.alex, since)
        assert (spent.posts, spent.updates, spent.counted) == (0, 1, 0), words
    assert [m["ts"] for m in plain.screen()] == before
    assert (await plain.draft()).asked == "justification"


async def test_after_filing_nothing_is_alive(plain: World) -> None:
    """Neither the sheet nor any earlier message of a filed request has a button that could touch it."""
    await to_review(plain)
    draft = await plain.draft()
    await plain.click("Submit")
    assert alive(plain, draft) == [] and "hf.edit" not in str(plain.screen())
    assert await faults(plain) == []


@pytest.mark.parametrize("words", ["Yes, cancel it", "No, go on"])
async def test_what_waits_for_a_click_is_alone(plain: World, words: str) -> None:
    """While a card asks whether to cancel, the question is asked nowhere; afterwards it is asked again, or nothing is."""
    await open_request(plain)
    question = "Is this a derivative?"
    await plain.say("cancel")
    assert question not in plain.transcript() and len(alive(plain, await plain.draft())) == 1
    await plain.click(words)
    assert plain.transcript().count(question) == (words == "No, go on")
    assert await faults(plain) == []


async def slow_to_repaint(w: World, seconds: float) -> None:
    """Slack takes its time to replace a clicked message, in either way."""
    w.sandbox.knobs.delay = {WAY: seconds, UPDATE: seconds}


async def test_words_that_crossed_a_repaint_answer_no_later_question(plain: World) -> None:
    """A "no" that was on its way before the next declaration stood on the screen is no answer to it."""
    await open_request(plain)
    await slow_to_repaint(plain, 0.4)
    await plain.alex.click("No")
    await plain.alex.say("no")
    await plain.settled()
    draft = await plain.draft()
    assert "is_leveraged" not in draft.values and "is_leveraged" not in draft.locked_fields
    assert await faults(plain) == []


async def test_words_below_a_repaint_answer_what_it_shows(plain: World) -> None:
    """Once the next declaration stands in the message, a plain word answers it, though the message is older than the word before."""
    await open_request(plain)
    await plain.click("No")
    posted = await plain.bot.store.posted((await plain.draft()).card.id)  # type: ignore[union-attr]  # it asks
    assert posted is not None and posted.shown > posted.ts
    await plain.say("no")
    assert (await plain.values())["is_leveraged"] is False


async def test_a_message_that_somebody_took_away_is_posted_anew(plain: World) -> None:
    """Where an admin deletes the living message, the next card comes as a message of its own, and the draft goes on."""
    await open_request(plain)
    gone = plain.screen()[-1]
    await plain.bot.app.client.chat_delete(channel=plain.alex.dm, ts=gone["ts"])
    await plain.alex.click("No", gone, stale=True)
    await plain.settled()
    assert "Is this a leveraged product?" in plain.last()
    await plain.click("No")
    assert (await plain.values())["is_leveraged"] is False and await faults(plain) == []


@pytest.mark.parametrize("fault", ["timeout_after_delivery", "disconnect_after_delivery"])
async def test_a_repaint_with_an_unclear_outcome_is_repeated_without_harm(plain: World, fault: str) -> None:
    """Slack replaced the message and its answer was lost: the same card is put there again, and stands once."""
    await open_request(plain)
    before = len(plain.screen())
    setattr(plain.sandbox.knobs, fault, {UPDATE: 1, WAY: 1})
    await plain.click("No")
    assert len(plain.screen()) == before and "Is this a leveraged product?" in plain.last()
    await plain.click("No")
    assert (await plain.values())["is_leveraged"] is False and await faults(plain) == []


async def test_redelivered_events_leave_one_living_message(tmp_path: Path) -> None:
    """With every event sent three times and every click twice, one message is alive at each question."""
    async with world(tmp_path) as w:
        w.sandbox.knobs.redeliver, w.sandbox.knobs.duplicate_clicks = 2, 1
        await open_request(w)
        before = len(w.screen())
        for words in CLICKS:
            await w.click(words)
            assert await faults(w) == [], words
        assert len(w.screen()) == before
        await w.say(REASON)
        await w.click("Submit")
        assert len(await w.records()) == 1 and await faults(w) == []


async def test_the_receipt_stands_where_the_review_was(plain: World) -> None:
    """Submit adds no message to the conversation: the review turns into its receipt."""
    await to_review(plain)
    review = plain.screen()[-1]["ts"]
    await plain.click("Submit")
    assert plain.screen()[-1]["ts"] == review and "Submitted · PA-" in shown(plain.screen()[-1])


async def test_a_filed_request_takes_no_late_edit(plain: World) -> None:
    """A menu that stood on the review edits nothing after filing: no box opens, no answer changes."""
    await to_review(plain)
    old = dict(plain.screen()[-1])
    await plain.click("Submit")
    await plain.alex.choose("hf.edit.select", "Quantity", message=old, stale=True)
    await plain.settled()
    (record,) = await plain.records()
    assert plain.alex.modal is None and record.body["values"]["quantity"]["data"] == 200
    assert (await plain.values())["quantity"] == 200
