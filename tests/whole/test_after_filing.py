"""Questions about filed requests, in a conversation with several of them."""

import pytest

from tests.whole.officers import file_large, state
from tests.whole.steps import file_request, play
from tests.world import World, shown

GIFT = (
    "/gifts", "[Received]", "[Gift]", "a hamper", "[✓ a hamper]", "Ana Example", "Quillbrook Partners", "[No]", "19 November 2026", "£40",
    "to thank us", "[✓ to thank us]", "[I confirm]", "[Submit]",
)  # fmt: skip


async def both(w: World) -> None:
    """A trade that the rules approved, then a gift in the register."""
    await file_request(w)
    await play(w, *GIFT)


QUESTIONS = {
    "when can I trade?": ("PA-2026-000001", "You can trade until"),
    "why was my Tesco request approved?": ("PA-2026-000001", "Approved automatically"),
    "who decided on the hamper?": ("GIFT-2026-000001", "it follows from the rules"),
    "can I still cancel it?": ("GIFT-2026-000001", "can no longer be withdrawn"),
    "what about PA-2026-000001?": ("PA-2026-000001", "Approved automatically"),
}


@pytest.mark.parametrize("question", QUESTIONS)
async def test_the_right_record_answers(w: World, question: str) -> None:
    """A number, a subject or a form's own words name it; else it is the newest here. No other form's record answers."""
    await both(w)
    await w.say(question)
    for said in QUESTIONS[question]:
        assert said in w.last()
    assert "filed already" not in w.last()


async def test_a_question_beside_an_open_form_is_answered_and_the_form_stays(w: World) -> None:
    """How a filed request is may be asked while another form is filled in: its question comes again below."""
    await both(w)
    await w.say("/pa")
    before = await w.draft()
    await w.say("has PA-2026-000001 been approved?")
    after = await w.draft()
    assert "PA-2026-000001" in w.last(2) and after.id == before.id and after.values == before.values
    assert "Which security do you want to trade?" in w.last()


@pytest.mark.behind(walk=file_request)
@pytest.mark.parametrize("question", ["why was my Tesco trade approved?", "wer hat über PA-2026-000001 entschieden?"])
async def test_beside_expenses_the_record_answers(w: World, question: str) -> None:
    """A conversation of operations is always open, and a question about a filed request is none of them."""
    await play(w, "/expenses", question)
    assert "PA-2026-000001" in w.last() and "Approved automatically" in w.last()


@pytest.mark.behind(walk=file_request)
async def test_a_question_from_elsewhere_is_answered_to_its_owner_alone(w: World) -> None:
    """By a slash command the answer stands in the direct message, by a mention in a channel nobody else sees it; others hear of no request."""
    await w.alex.command("/pa", "status", "C0GENERAL")
    await w.settled()
    assert "Approved automatically" in w.last() and len(await w.bot.store.drafts()) == 1
    for who in (w.alex, w.sandbox.person("U0DANA")):
        await who.say(f"<@{w.sandbox.slack.workspace.bot.user_id}> why was PA-2026-000001 approved?", "C0GENERAL")
        await w.settled()
    assert "PA-2026-000001" in shown(w.alex.ephemerals("C0GENERAL")[-1])
    told = [
        *w.sandbox.person("U0DANA").ephemerals("C0GENERAL"),
        *(m for m in w.alex.messages("C0GENERAL") if m.get("bot_id")),
    ]
    assert "Tesco" not in str(told)


async def test_who_filed_nothing_is_told_so(w: World) -> None:
    """A question about a request that is not there begins no form."""
    await w.say("what is the status of my request?")
    assert "You haven't submitted anything here yet." in w.last() and not await w.records()


CARDS = {"I didn't trade after all": ("small", "Yes, give it up"), "withdraw it": ("large", "Yes, withdraw it")}


@pytest.mark.parametrize("words", CARDS)
async def test_a_typed_yes_below_a_card_about_the_record_asks_for_its_click(w: World, words: str) -> None:
    """Words withdraw nothing and give nothing up; a plain no leaves the record as it is, and the card that asked is gone."""
    size, button = CARDS[words]
    await (file_large if size == "large" else file_request)(w)
    before = await state(w)
    await play(w, words, "yes please")
    assert "please press the button" in w.last() and button in w.last()
    await play(w, "no, leave it")
    assert await state(w) == before and button not in w.transcript()
    await play(w, words, f"[{button}]")
    assert await state(w) in ("unused", "withdrawn")
    await play(w, "yes")
    assert button not in w.transcript()


@pytest.mark.behind(walk=file_request)
@pytest.mark.parametrize("words", ["yes", "no"])
async def test_a_typed_answer_below_a_report_asks_for_its_click(w: World, words: str) -> None:
    """The report as it was read stands on one card, the newest, until a click records it."""
    await play(w, "I traded it", words)
    assert "Please press one of these" in w.last() and w.transcript().count("Yes, record it") == 1
    assert not (await w.draft()).filed.reports
    await play(w, "[Yes, record it]")
    assert len((await w.draft()).filed.reports) == 1
