"""Where officers work: their queue in the App Home, a request opened and decided there, the search, the story; strangers see nothing."""

import asyncio
from pathlib import Path

import pytest

from blocks.queue import ROWS
from bot.operations.evidence import readings
from tests.chain import verify_all
from tests.whole.officers import CHANNEL, NUMBER, ask, cards, desk, file_large, opened, press, pressed, state
from tests.world import World, words_of

pytestmark = pytest.mark.behind(walk=file_large)


async def test_officers_have_before_them_what_waits_for_their_role(w: World) -> None:
    """The manager's queue has the request until they decide; then compliance's has it; the requester reads how it stands, and no more."""
    queue = await desk(w, "U0ROBIN")
    assert "Waiting for your decision: 1. Overdue: 0." in queue
    assert "*Buy 200 Tesco PLC · GBP 50,000.00 · pension*" in queue and "Risk: LOW." in queue and "<@U0ALEX>" in queue
    assert "due by" in queue and NUMBER in queue
    assert NUMBER not in await desk(w, "U0DANA")
    await press(w, "U0ROBIN", "Approve")
    assert NUMBER not in await desk(w, "U0ROBIN") and NUMBER in await desk(w, "U0DANA")
    conditions = {"conditions": "Not before Monday", "reason": "A client trades on Friday"}
    await press(w, "U0DANA", "Approve with conditions…", **conditions)
    own = await desk(w, "U0ALEX")
    assert (
        "Approved until" in own and "Not before Monday" in own and "Friday" not in own and "Waiting for you" not in own
    )
    await w.click(f"hf-request.{NUMBER}", w.alex.home)
    shown = words_of(w.alex.modal["blocks"]) if w.alex.modal else ""
    assert "was approved (Compliance)" in shown and "Not before Monday" in shown and "Friday" not in shown
    assert "U0DANA" not in shown and "U0ROBIN" not in shown
    receipt = next(text for text in map(words_of, w.alex.messages()) if "I've traded" in text)
    assert "Conditions: Not before Monday" in receipt
    await w.say("I've done it")
    assert "Is this what you traded" in w.last() and "Conditions: Not before Monday" in w.last()
    await w.click("Extend")
    await press(w, "U0SASHA", "Extend")
    assert "Not before Monday" in await desk(w, "U0ALEX")


async def test_a_request_is_decided_in_the_home(w: World) -> None:
    """The modal has the card's content and its buttons; the verdict passes the same guards, and both modal and Home show what came of it."""
    robin = await opened(w, "U0ROBIN")
    assert robin.modal and "Waiting for: Manager." in words_of(robin.modal["blocks"])
    assert "/archives/C0COMPLIANCE/p" in str(robin.modal["blocks"])
    after = await pressed(w, robin, "Approve")
    assert "Waiting for: Compliance." in after and "Decline" not in after and await state(w) == "pending_compliance"
    await w.sandbox.until(lambda: NUMBER not in str(robin.home))
    dana = await opened(w, "U0DANA")
    after = await pressed(w, dana, "Decline…", reason="On the restricted list", note="Not this quarter.")
    assert "Declined by <@U0DANA> (Compliance)" in after and "On the restricted list" in after
    assert "Not this quarter." in w.last() and "restricted" not in w.transcript()
    checked, broken = await verify_all(w.bot.store)
    assert checked and broken == []


async def test_what_was_decided_while_the_queue_was_open_is_refused(w: World, tmp_path: Path) -> None:
    """An old modal decides nothing: its officer is told why in their own messages, and sees the request as it is."""
    roles = '[roles.manager]\nusers = ["U0ROBIN", "U0SASHA"]\n'
    (tmp_path / "roles.toml").write_text(roles)
    robin, sasha = await opened(w, "U0ROBIN"), await opened(w, "U0SASHA")
    await asyncio.gather(*(who.click("Approve", who.modal) for who in (robin, sasha)))
    await w.settled()
    draft = await w.draft()
    assert [d.verdict for d in draft.filed.decisions] == ["approve"] and draft.filed.state == "pending_compliance"
    late = sasha if draft.filed.decisions[0].who == "U0ROBIN" else robin
    assert "your decision changed nothing" in words_of(late.ephemerals()[-1].get("text", ""))
    assert late.modal and "Waiting for: Compliance." in words_of(late.modal["blocks"])
    await w.sandbox.until(lambda: NUMBER not in str(robin.home) and NUMBER not in str(sasha.home))


async def test_who_has_lost_the_role_meanwhile_decides_nothing(w: World, tmp_path: Path) -> None:
    """The role is looked up when the verdict is judged, and again when anything is opened."""
    robin = await opened(w, "U0ROBIN")
    (tmp_path / "roles.toml").write_text('[roles.manager]\nusers = ["U0SASHA"]\n')
    await robin.click("Approve", robin.modal)
    await w.settled()
    assert (
        "Only this role can decide here" in words_of(robin.ephemerals()[-1]["text"])
        and await state(w) == "pending_manager"
    )
    assert robin.modal and "You can't see this request" in words_of(robin.modal["blocks"])
    assert "Waiting for you" not in await desk(w, "U0ROBIN") and NUMBER in await desk(w, "U0SASHA")
    (tmp_path / "roles.toml").write_text("[roles\n")
    assert "couldn't check" in await desk(w, "U0SASHA")


async def test_a_request_is_found_and_its_story_is_told(w: World) -> None:
    """By words without their marks, by number, person, state and days; its story says who did what, and every verdict with its reason."""
    await press(w, "U0ROBIN", "Approve")
    await press(w, "U0DANA", "Decline…", note="Not now.", reason="On the restricted list")
    dana = w.sandbox.person("U0DANA")
    await desk(w, "U0DANA")
    for values, found in (
        ({"text": "TÉSCO plc"}, True), ({"text": "tsco"}, True), ({"text": NUMBER.lower()}, True), ({"text": "vodafone"}, False),
        ({"person": "U0ALEX", "state": "withdrawn"}, False), ({"form": "gifts"}, False), ({"since": "2026-11-01"}, True),
        ({"until": "2026-11-01"}, False), ({"text": "!"}, False),
    ):  # fmt: skip
        await dana.click("Find a request", dana.home)
        await dana.submit(values=values)
        assert dana.modal and (NUMBER in words_of(dana.modal["blocks"])) is found, values
        await dana.close()
    await dana.command("/holdfast", "find Tesco")
    await dana.submit()
    await dana.click(f"hf-listed.{NUMBER}", dana.modal)
    assert "On the restricted list" in await pressed(w, dana, "Full history", "More")
    story = words_of(dana.modal["blocks"]) if dana.modal else ""
    reads = [one.reading for one in await readings(w.bot.store) if one.reading.what == "show"]
    assert [(r.by, r.filters["number"]) for r in reads] == [("T0HOLDFAST:U0DANA", NUMBER)] * 2
    assert "<@U0DANA> decided" in story and "Status: Declined" in story and "*Value*: 720.00 → 50,000.00" in story


async def test_a_question_and_its_answer_stay_together(w: World) -> None:
    """The officers' next card, the whole story and the requester's own view each show the question with the words that answered it."""
    await ask(w, "U0ROBIN", note="Is that your whole pension?")
    await w.say("No, a third of it.")
    await w.say("thanks")
    assert (await w.draft()).filed.state == "asked" and "No, a third of it." in w.last()
    await w.click("Submit")
    last = cards(w)[-1]
    assert "Question: Is that your whole pension?\nAnswer: No, a third of it." in last and "thanks" not in last
    await desk(w, "U0ALEX")
    await w.click(f"hf-request.{NUMBER}", w.alex.home)
    own = words_of(w.alex.modal["blocks"]) if w.alex.modal else ""
    assert "Is that your whole pension?" in own and "Answer: No, a third of it." in own
    robin = await opened(w, "U0ROBIN")
    await pressed(w, robin, "Full history", "More")
    story = words_of(robin.modal["blocks"]) if robin.modal else ""
    assert "Is that your whole pension?" in story and "<@U0ALEX> answered the question:\nNo, a third of it." in story
    assert "reply_to_reviewers" not in story and "reply to reviewers" not in story


async def test_a_decline_writes_to_the_requester_first(w: World) -> None:
    """The message is wanted and comes first; the reason below it is private and may be left out."""
    robin = w.sandbox.person("U0ROBIN")
    await robin.click("Decline…", channel=CHANNEL)
    boxes = [b for b in (robin.modal or {})["blocks"] if b["type"] == "input"]
    told = [(b["label"]["text"], b.get("optional", False)) for b in boxes]
    assert told == [("Message to the requester", False), ("Private reason", True)]
    await robin.submit(values={"note": "Please wait for the results."})
    await w.settled()
    assert "Please wait for the results." in w.last() and (await w.draft()).filed.state == "declined"


async def test_strangers_see_nothing_whatever_they_press(w: World, tmp_path: Path) -> None:
    """Somebody without a role has no queue and no search; buttons that were forged, or kept from better days, open and decide nothing."""
    robin, eve = await opened(w, "U0ROBIN"), w.sandbox.person("U0SASHA")
    forged = [
        blocks for view in (robin.home, robin.modal) if view for blocks in view["blocks"] if blocks["type"] != "header"
    ]
    (tmp_path / "roles.toml").write_text('[roles.manager]\nusers = ["U0ROBIN"]\n')
    await eve.command("/holdfast", "find Tesco")
    await w.settled()
    assert eve.modal is None
    told = await desk(w, "U0SASHA")
    assert "Waiting for you" not in told and "Find a request" not in told
    for wanted in ("Find a request", f"hf-listed.{NUMBER}", "Full history"):
        w.sandbox.workspace.homes[eve.id].body["blocks"] = forged
        await eve.click(wanted, eve.home)
        await w.settled()
        assert eve.modal and "You can't see this request" in words_of(eve.modal["blocks"]), wanted
        await eve.close()
    assert await state(w) == "pending_manager" and (await w.draft()).filed.decisions == ()


@pytest.mark.behind(walk=None)
async def test_the_queue_is_filtered_and_paged(w: World) -> None:
    """Filters leave out what is not wanted, pages turn, and the way back leads to where the officer was."""
    for person in ("U0ALEX", "U0DANA"):
        await file_large(w, person)
    robin = w.sandbox.person("U0ROBIN")
    await desk(w, "U0ROBIN")
    await robin.choose("hf-only.late", "late", message=robin.home)
    assert "Nothing is waiting" in words_of((robin.home or {})["blocks"])
    await robin.choose("hf-only.late", "*", message=robin.home)
    await robin.choose("hf-only.form", "gifts", message=robin.home)
    assert "Nothing is waiting" in words_of((robin.home or {})["blocks"])
    await robin.choose("hf-only.form", "pa_dealing", message=robin.home)
    assert "your decision: 2." in words_of((robin.home or {})["blocks"])
    await robin.click(f"hf-listed.{NUMBER}", robin.home)
    await pressed(w, robin, "Approve")
    await w.sandbox.until(lambda: "your decision: 1." in words_of((robin.home or {})["blocks"]))
    assert "pa_dealing" in (robin.home or {})["private_metadata"] and ROWS > 1
