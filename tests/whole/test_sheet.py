"""The one living message of a draft: where it stands, how many messages a request takes, what words mean that crossed a repaint."""

from pathlib import Path
from typing import Any

import pytest

from tests.whole.sheet import POST, UPDATE, WAY, alive, cost, faults
from tests.whole.steps import DECLARATIONS, OPENING, REASON, declare, open_request, play, to_review
from tests.world import World, shown, world

pytestmark = pytest.mark.behind(walk=open_request)

CLICKS = ("No", "No", "No", "No", "No", "I understand")


async def test_a_request_reaches_its_review_in_six_messages(w: World) -> None:
    """README's sentence, a question in between and a correction: at most six messages of the bot up to the review."""
    await declare(w, upto="has_inside_info")
    await play(w, "what counts as inside information?", "[No]", "actually make it 250 shares")
    for words in ("No", "No", "I understand"):
        await w.click(words)
    await w.say(REASON)
    draft = await w.draft()
    assert draft.card is not None and draft.card.kind == "review" and draft.values["quantity"].data == 250
    posts = [s for s in w.sandbox.sent if s.method == POST and s.args["channel"] == w.alex.dm]
    assert len(posts) <= 6 and len(w.screen()) <= 6
    assert await faults(w) == []


@pytest.mark.behind(walk=None)
async def test_a_clicked_question_needs_no_new_message(w: World) -> None:
    """From the results to the reason, one message is clicked through; Slack's scarce chat.update is not needed for it."""
    await w.say(OPENING)
    before = [m["ts"] for m in w.screen()]
    for words in ("Use all of it", "Use this", *CLICKS):
        since = len(w.sandbox.sent)
        await w.click(words)
        spent = cost(w, w.alex, since)
        assert (spent.posts, spent.updates, spent.counted) == (0, 1, 0), words
    assert [m["ts"] for m in w.screen()] == before
    assert (await w.draft()).asked == "justification"


@pytest.mark.behind(walk=to_review)
async def test_after_filing_nothing_is_alive(w: World) -> None:
    """Neither the sheet nor any earlier message of a filed request has a button that could touch it."""
    draft = await w.draft()
    await w.click("Submit")
    assert alive(w, draft) == [] and "hf.edit" not in str(w.screen())
    assert await faults(w) == []


@pytest.mark.parametrize("words", ["Yes, cancel it", "No, continue"])
async def test_what_waits_for_a_click_is_alone(w: World, words: str) -> None:
    """While a card asks whether to cancel, the question is there to read alone; afterwards it is asked again, or nothing is."""
    question = "Is this a derivative?"
    await w.say("cancel")
    assert w.transcript().count(question) == 1 and len(alive(w, await w.draft())) == 1
    await w.click(words)
    assert w.transcript().count(question) == 1 + (words == "No, continue")
    assert await faults(w) == []


async def slow_to_repaint(w: World, seconds: float) -> None:
    """Slack takes its time to replace a clicked message, in either way."""
    w.sandbox.knobs.delay = {WAY: seconds, UPDATE: seconds}


async def test_words_that_crossed_a_repaint_answer_no_later_question(w: World) -> None:
    """A "no" that was on its way before the next declaration stood on the screen is no answer to it."""
    await slow_to_repaint(w, 0.4)
    await w.alex.click("No")
    await w.alex.say("no")
    await w.settled()
    draft = await w.draft()
    assert "is_leveraged" not in draft.values and "is_leveraged" not in draft.locked_fields
    assert await faults(w) == []


async def test_words_below_a_repaint_answer_what_it_shows(w: World) -> None:
    """Once the next declaration stands in the message, a w word answers it, though the message is older than the word before."""
    await w.click("No")
    posted = await w.bot.store.posted((await w.draft()).card.id)  # type: ignore[union-attr]  # it asks
    assert posted is not None and posted.shown > posted.ts
    await w.say("no")
    assert (await w.values())["is_leveraged"] is False


async def test_a_message_that_somebody_took_away_is_posted_anew(w: World) -> None:
    """Where an admin deletes the living message, the next card comes as a message of its own, and the draft goes on."""
    gone = w.screen()[-1]
    await w.bot.app.client.chat_delete(channel=w.alex.dm, ts=gone["ts"])
    await w.alex.click("No", gone, stale=True)
    await w.settled()
    assert "Is this a leveraged product?" in w.last()
    await w.click("No")
    assert (await w.values())["is_leveraged"] is False and await faults(w) == []


async def test_a_repaint_with_an_unclear_outcome_is_repeated_without_harm(w: World) -> None:
    """Slack replaced the message and its answer was lost: the same card is put there again, and stands once."""
    before = len(w.screen())
    w.sandbox.knobs.fail[WAY] = [500]
    w.sandbox.knobs.disconnect_after_delivery[UPDATE] = 1
    await w.click("No")
    await w.sandbox.until(lambda: any(sent.method == "conversations.history" for sent in w.sandbox.sent))
    await w.read()
    assert len(w.screen()) == before and "Is this a leveraged product?" in w.last()
    await w.click("No")
    assert (await w.values())["is_leveraged"] is False and await faults(w) == []


@pytest.mark.behind(walk=None)
async def test_redelivered_events_leave_one_living_message(w: World) -> None:
    """With every event sent three times and every click twice, one message is alive at each question."""
    w.sandbox.knobs.redeliver, w.sandbox.knobs.duplicate_clicks = 2, 1
    await open_request(w)
    before = len(w.screen())
    for words in CLICKS:
        await w.click(words)
        assert await faults(w) == [], words
    assert len(w.screen()) == before
    await play(w, REASON, "[Submit]")
    assert len(await w.records()) == 1 and await faults(w) == []


@pytest.mark.behind(walk=to_review)
async def test_the_receipt_stands_where_the_review_was(w: World) -> None:
    """Submit adds no message to the conversation: the review turns into its receipt."""
    review = w.screen()[-1]["ts"]
    await w.click("Submit")
    assert w.screen()[-1]["ts"] == review and "Submitted · PA-" in shown(w.screen()[-1])


MENU = "hf.edit.select"


def menu_of(message: dict[str, Any]) -> str:
    """The id of the block with the Edit menu."""
    rows = (b for b in message["blocks"] if any(e.get("action_id") == MENU for e in b.get("elements", ())))
    return str(next(rows)["block_id"])


@pytest.mark.behind(walk=None)
async def test_results_stand_below_the_name_that_was_typed(w: World) -> None:
    """What was found for a typed name comes below the words, never in the card above them."""
    await play(w, "I'd like to buy 200 Tesco for my pension, about £720", "[None of these]", "Apple")
    said = [m["text"] for m in w.alex.messages() if not m.get("bot_id")]
    newest = w.alex.messages()[-1]
    assert said[-1] == "Apple" and newest.get("bot_id") and "Apple Inc." in str(newest["blocks"])


@pytest.mark.behind(walk=to_review)
async def test_the_review_shows_money_as_one_and_no_card_beside_it(w: World) -> None:
    """The review is the one card, with the amount and its currency in one row."""
    await w.say("A long-term holding because I expect steady dividends for my retirement")
    *muted, card = w.screen()
    assert {b["type"] for m in muted for b in m["blocks"]} == {"context"}
    rows = next(b["rows"] for b in card["blocks"] if b["type"] == "table")
    told = {row[0]["text"]: row[1]["text"] for row in rows}
    assert told["Value"].startswith("GBP 720.00") and "Currency" not in told


async def test_the_menu_serves_again_after_its_box_was_closed(w: World) -> None:
    """Slack keeps a menu's choice: after a box was closed without an answer the menu has another id, and nothing else changes."""
    before, values = menu_of(w.screen()[-1]), await w.values()
    await w.choose(MENU, "Quantity")
    await w.alex.close()
    await w.settled()
    assert menu_of(w.screen()[-1]) != before and await w.values() == values


@pytest.mark.behind(walk=None)
@pytest.mark.parametrize(("words", "form", "told"), [
    ("loan", "loan", {}), ("prestito", "loan", {}), ("pa", "pa_dealing", {}), ("PA dealing", "pa_dealing", {}),
    ("requirements document", "requirements", {}), ("pa buy 200 Tesco", "pa_dealing", {"quantity": 200}),
])  # fmt: skip
async def test_holdfast_begins_a_form_by_its_word(w: World, words: str, form: str, told: dict[str, Any]) -> None:
    """`/holdfast` with a form's name, command or title begins it, and what follows is read as said."""
    await w.alex.command("/holdfast", words)
    await w.settled()
    assert (await w.draft()).form == form
    draft = await w.draft()
    assert told.items() <= {**{o.field: o.data for o in draft.offers}, **await w.values()}.items()


def house_of(tmp_path: Path) -> str:
    """A folder of a company that puts PA dealing's declarations on one card, by one line."""
    house = tmp_path / "house" / "pa_dealing"
    house.mkdir(parents=True)
    (house / "questions.toml").write_text("together = true\n")
    return str(house.parent)


def radios(message: dict[str, Any]) -> list[str]:
    """The questions that can still be answered on a card."""
    beside = (b.get("accessory", {}) for b in message["blocks"])
    return [e["action_id"].removeprefix("hf.together.") for e in beside if e.get("type") == "radio_buttons"]


async def test_declarations_stand_together_where_a_company_says_so(tmp_path: Path) -> None:
    """One line puts them on one card: each is taken and locked as it is chosen, in any order, and the message stays one."""
    async with world(tmp_path, holdfast_workflows=house_of(tmp_path)) as firm:
        await open_request(firm)
        assert radios(firm.screen()[-1]) == list(DECLARATIONS)
        for name in reversed(DECLARATIONS):
            await firm.choose(f"hf.together.{name}", "No")
            assert name in (await firm.draft()).locked_fields and name not in radios(firm.screen()[-1])
        await firm.click("I understand")
        assert len(firm.screen()) == 1 and (await firm.draft()).asked == "justification"


async def test_a_mere_no_answers_none_of_several(tmp_path: Path) -> None:
    """A "no" that could be meant for five questions sets none of them; words that name one are put back to that one."""
    async with world(tmp_path, holdfast_workflows=house_of(tmp_path)) as firm:
        await open_request(firm)
        before = await firm.values()
        await firm.say("no")
        assert await firm.values() == before and "each one" in firm.last()
        await firm.say("I have no inside information")
        assert await firm.values() == before and [o.field for o in (await firm.draft()).offers] == ["has_inside_info"]


async def test_two_quick_clicks_on_one_card_both_count(tmp_path: Path) -> None:
    """Of questions that stand together the second of two clicks counts as well, though the card has been replaced meanwhile."""
    async with world(tmp_path, holdfast_workflows=house_of(tmp_path)) as firm:
        await open_request(firm)
        seen = firm.screen()[-1]
        for name, answer in (("is_leveraged", "Yes"), ("has_client_conflict", "No")):
            await firm.alex.choose(f"hf.together.{name}", answer, message=seen, stale=True)
        await firm.settled()
        values = await firm.values()
        assert values["is_leveraged"] is True and values["has_client_conflict"] is False
