"""Slash commands, App Home, modals, suggested prompts, the thinking status, HTTP mode, and words beside pictures and files."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from pydantic import SecretStr

from blocks import ids
from bot.root.assembly import build
from bot.sandbox.local import pointed_at
from bot.sandbox.models.answers import Answer, slow, text
from bot.sandbox.server import Sandbox
from state.understanding.plain_answers import takes_all
from tests.databases import put_tables
from tests.patience import PACE
from tests.whole.steps import FILED, file_request, own_form, play, tell
from tests.world import World, settings, world


async def test_the_command_opens_the_form_in_the_direct_message(w: World) -> None:
    """/pa begins in the direct message, wherever it was typed; the words after it are read as said."""
    await w.alex.command("/pa", "buy 200 Tesco", channel="C0GENERAL")
    await w.settled()
    assert "*Quantity:* 200" in w.last()
    assert not [m for m in w.alex.messages("C0GENERAL") if m.get("bot_id")]


async def test_a_name_alone_behind_a_command_is_looked_up(w: World) -> None:
    """What follows a command may be the answer to the form's first question, as its usage says."""
    await w.alex.command("/pa", "Tesco")
    await w.settled()
    assert "Tesco PLC" in w.last() and "Use this" in w.last()


async def test_a_month_behind_a_command_is_looked_up(tmp_path: Path) -> None:
    """ "/claim November" finds the month's expenses."""
    async with world(tmp_path) as w:
        await play(w, "hi", "[Expenses]", "train to Leeds 54.20 gbp today", "[Confirm]")
        await w.alex.command("/claim", f"{datetime.now(UTC):%B}")
        await w.settled()
        assert "1 expense, GBP 54.20" in w.last()


@pytest.mark.parametrize(
    ("question", "then", "told"),
    [
        ("can I buy Tesco?", "yes please", ("*Direction:* Buy", "Tesco PLC (", "Use this")),
        ("darf ich Barclays verkaufen?", "ja, gerne", ("_“verkaufen”_", "Barclays PLC (")),
        ("can I trade Shell?", "[Personal account dealing]", ("Shell plc (", "Use this")),
        ("what's the holding period of Tesco?", "I'd like to sell 40 of them", ("*Quantity:* 40", "Tesco PLC (", "Use this")),
        ("when can I sell Apple?", "perfect, let's do it", ("*Direction:* Sell", "Apple Inc. (")),
        ("can I trade gold?", "yes", ("I found no security for “gold”", "It's not in the list")),
        ("can I sell my shares?", "yes please", ("must approve your personal trades", "Which security do you want to trade?")),
        ("can I buy Tesco?", "ok thanks", ("What would you like to start?",)),
        ("my requests", "yes", ("What would you like to start?",)),
    ],
)  # fmt: skip
async def test_what_was_asked_about_is_not_asked_for_again(
    w: World, question: str, then: str, told: tuple[str, ...]
) -> None:
    """A form that is begun right below the answer to a question knows what that was about; a yes begins it, and mere thanks do not."""
    await play(w, question, then)
    assert [part for part in told if part not in w.last()] == []


async def test_a_question_below_a_filed_request_leads_to_the_next_one(w: World) -> None:
    """What was filed here keeps nobody from asking about another thing and going on with it."""
    await file_request(w)
    await play(w, "can I buy Shell?", "yes")
    assert "Shell plc (" in w.last() and "Use this" in w.last()


async def test_a_question_about_what_is_asked_for_is_answered_and_the_thing_looked_up(w: World) -> None:
    """Whoever is asked for a security and asks if it may be traded has named it."""
    await play(w, "personal account dealing", "can I buy Tesco?")
    assert "nothing that stops a request for Tesco PLC" in w.last() and "Use this" in w.last()
    await play(w, "[Use this]", "can I buy Shell?")
    assert "nothing that stops a request for Shell plc" in w.last() and "Use this" not in w.last()


async def test_a_question_about_another_thing_leaves_what_was_found(w: World) -> None:
    """What a search found stays, whatever is asked beside it; of what is in no list that is said once."""
    await play(w, "personal account dealing", "Barclays", "is Vodafone restricted?")
    assert "Barclays PLC (" in w.last() and "Use this" in w.last()
    await play(w, "[None of these]", "can I trade Zorgplax?")
    assert "isn't in our list" in w.last() and "I found no security" not in w.last()


async def test_who_only_says_that_they_want_something_is_asked_what(tmp_path: Path) -> None:
    """No word of "I have something to file" is looked up."""
    async with world(tmp_path, options={"only": "pa_dealing"}) as w:
        await w.say("I have something to file")
        assert "I found no" not in w.last() and (await w.draft()).asked == "security"


async def test_use_all_of_it_is_the_button_of_that_name(w: World) -> None:
    """Also with a name among it of which a plain yes would not say where it ends."""
    await play(w, "sell 400 Diageo for about 11,000 pounds via AJ Bell", "[Use this]", "use all of it")
    assert {"direction": "sell", "quantity": 400, "account": "AJ Bell"}.items() <= (await w.values()).items()


@pytest.mark.parametrize(
    ("words", "all_of_it"),
    [("use all of it", True), ("yes to all of it", True), ("no to all of it", False), ("yes", False)],
)
def test_what_takes_all_names_all_of_it_and_refuses_nothing(words: str, all_of_it: bool) -> None:
    """The same words behind a no are no button, and a plain yes is not that one."""
    assert takes_all(words, "en-GB") is all_of_it


async def test_a_figure_below_what_was_found_is_no_code(w: World) -> None:
    """Who goes on telling while a security is on screen tells how many; a place picks it."""
    await play(w, "personal account dealing", "Barclays", "100")
    assert "*Quantity:* 100" in w.last() and "Barclays PLC (" in w.last()
    await w.say("1")
    assert "security" in await w.values()


async def test_a_forms_own_name_is_no_answer_in_it(w: World) -> None:
    """ "I'd like personal account dealing" names the form, and no account."""
    await w.say("I'd like personal account dealing")
    assert (await w.draft()).offers == () and "*Account:*" not in w.last()


async def test_a_text_may_be_written_in_a_box(w: World) -> None:
    """The box takes the answer; what cannot be read is refused in the box itself, and nothing is lost."""
    await tell(w, "I want to buy Tesco for my pension")
    await w.click("Use this")
    assert (await w.draft()).asked == "quantity"
    await w.alex.click(ids.OPEN_BOX)
    refused = await w.alex.submit(values={ids.ENTRY_BLOCK: "a lot"})
    assert refused["errors"] == {ids.ENTRY_BLOCK: "Please give a number, in digits."}
    await w.alex.submit(values={ids.ENTRY_BLOCK: "2,000"})
    await w.settled()
    assert (await w.values())["quantity"] == 2000


MANY = """
name = "parcel"
title = "Parcel"
version = "1"
prefix = "PCL"
words = ["parcel"]

[fields.town]
kind = "choice"
label = "Town"
ask = "To which town?"
choices = [{towns}]
"""


async def test_a_long_menu_is_searched_while_typing(tmp_path: Path) -> None:
    """More options than one message takes are found by what the person types, and one of them is chosen."""
    many = MANY.replace("{towns}", ", ".join(f'"Town number {n}"' for n in range(150)))
    async with world(tmp_path / "var", holdfast_workflows=own_form(tmp_path, "parcel", many)) as w:
        await w.say("send a parcel")
        found = await w.alex.options(f"{ids.FIND}.answer", "number 149")
        assert [o["text"]["text"] for o in found] == ["Town number 149"]
        await w.choose(f"{ids.FIND}.answer", "Town number 149")
        assert (await w.values())["town"] == "Town number 149"


async def test_thinking_is_shown_while_a_model_call_runs(tmp_path: Path) -> None:
    """The status says that an answer is coming, and goes when it came."""

    def model(_: dict[str, Any]) -> Answer:
        return slow(0.5, text("Good to hear."))

    async with world(tmp_path, model) as w:
        await w.say("what a fine day to trade")
        states = [s.args.get("status") for s in w.sandbox.sent if s.method == "assistant.threads.setStatus"]
        assert states[0] and states[-1] == ""


async def test_a_newer_act_supersedes_a_call_in_flight(tmp_path: Path) -> None:
    """What a model says to an older turn is dropped; the newer act stands, and the words stay in the conversation."""
    first = asyncio.Event()

    async def model(_: dict[str, Any]) -> Answer:
        if not first.is_set():
            first.set()
            return slow(1.0, text("An answer that comes too late."))
        return text("Fine.")

    async with world(tmp_path, model) as w:
        await w.alex.say("what a fine day to trade")
        await first.wait()
        await w.say("help")
        assert "An answer that comes too late." not in w.transcript()


@asynccontextmanager
async def over_http(tmp_path: Path) -> AsyncIterator[World]:
    """A bot in HTTP mode: a signing secret instead of an app token."""
    sandbox = Sandbox(commands=("/pa", "/holdfast"))
    sandbox.knobs.tiers = PACE
    await sandbox.start()
    put_tables(tmp_path / "holdfast.db")
    given = pointed_at(settings(tmp_path), sandbox)
    secret = SecretStr(sandbox.signing_secret)
    bot = await build(given.model_copy(update={"slack_app_token": None, "slack_signing_secret": secret}), port=0)
    await bot.start()
    try:
        await sandbox.deliver_to(f"http://127.0.0.1:{bot.web.port}/slack/events")
        yield World(sandbox, bot, None, sandbox.person("U0ALEX"))
    finally:
        await bot.stop()
        await sandbox.stop()


async def test_http_mode_serves_the_same_conversation(tmp_path: Path) -> None:
    """With a signing secret instead of an app token, Slack's signed requests reach the same bot."""
    async with over_http(tmp_path) as w:
        await file_request(w)
        (record,) = await w.records()
        assert {n: v["data"] for n, v in record.body["values"].items()} == FILED


async def test_a_malformed_timestamp_is_unauthorised(tmp_path: Path) -> None:
    """A request whose timestamp is no number, or long ago, is refused with 401, never a crash."""
    async with over_http(tmp_path) as w, aiohttp.ClientSession() as client:
        events = f"http://127.0.0.1:{w.bot.web.port}/slack/events"
        for stamp in ("", "letters", "9" * 400, "-5", "1e9", str(10**9)):
            headers = {"X-Slack-Request-Timestamp": stamp, "X-Slack-Signature": "v0=00"}
            async with client.post(events, data=b"{}", headers=headers) as answer:
                assert answer.status == 401, stamp


async def test_every_upload_says_what_it_shows(w: World) -> None:
    """A chart is uploaded with its sums in words, a table of rows with its title."""
    await w.alex.command("/expenses", "coffee 3,50")
    await w.settled()
    await w.click("Confirm")
    for ask in ("summary this month", "export"):
        await w.say(ask)
    uploads = [call.args for call in w.sandbox.sent if call.method == "files.getUploadURLExternal"]
    assert [u["filename"].rpartition(".")[2] for u in uploads] == ["png", "csv"]
    assert [u for u in uploads if not u.get("alt_txt")] == []
    assert "3.50" in uploads[0]["alt_txt"] and "\n" not in uploads[0]["alt_txt"]
    shared = [f for m in w.alex.messages() for f in m.get("files", ())]
    assert [f["alt_txt"] for f in shared] == [u["alt_txt"] for u in uploads]


async def test_the_copy_of_one_s_data_has_a_title(w: World) -> None:
    """Each file of a person's own data says what it is."""
    await play(w, "I want to buy 200 Tesco", "my data")
    uploads = [call.args for call in w.sandbox.sent if call.method == "files.getUploadURLExternal"]
    assert uploads and [u for u in uploads if not u.get("alt_txt")] == []
