"""A form's folder is taken away while drafts and records of it exist: who acts reads that, nothing is lost, and all goes on when it is back."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import cast

import pytest

from bot.root.assembly import build
from bot.sandbox.local import pointed_at
from bot.sandbox.server import Sandbox
from state.engine.codec import encode
from state.engine.events import FactsGathered
from state.stores.rows import InboxRow
from state.workflow.load import Workflow
from tests.command import holdfast
from tests.databases import put_tables
from tests.forms.form_cases import write
from tests.patience import PACE
from tests.whole.officers import CHANNEL, file_large, notes, officer, press
from tests.whole.steps import play
from tests.world import World, settings, shown, words_of

FORM = """
title = "Holiday request"
version = "1"
prefix = "HOL"
command = "/holiday"
words = ["holiday"]
[fields.first_day]
kind = "date"
lies = "ahead"
label = "First day"
ask = "From which day?"
words = ["from"]
[fields.days]
kind = "integer"
label = "Days"
ask = "How many days?"
[fields.handed_over]
kind = "yes_no"
label = "Work handed over"
ask = "Is your work handed over?"
lock = "answered"
"""
AWAY = "This form isn't installed at the moment."


@asynccontextmanager
async def running(sandbox: Sandbox, var: Path, forms: str) -> AsyncIterator[World]:
    """A bot from its start to its end, on the same database as the one before it."""
    bot = await build(pointed_at(settings(var, holdfast_workflows=forms), sandbox))
    await bot.start()
    try:
        await sandbox.until(lambda: sandbox.connected)
        yield World(sandbox, bot, None, sandbox.person("U0ALEX"))
    finally:
        await bot.stop()
        await sandbox.until(lambda: not sandbox.connected)


@asynccontextmanager
async def workspace(var: Path) -> AsyncIterator[Sandbox]:
    """A workspace that outlives its bots."""
    await asyncio.to_thread(var.mkdir)
    put_tables(var / "holdfast.db")
    sandbox = Sandbox(commands=("/pa", "/holdfast"))
    sandbox.knobs.tiers = PACE
    await sandbox.start()
    try:
        yield sandbox
    finally:
        await sandbox.stop()


async def test_a_form_is_taken_out_and_put_back(tmp_path: Path) -> None:
    """Whoever writes or clicks reads one sentence, other forms go on, operators read what waits; back again, the draft is finished as it was."""
    var, forms = tmp_path / "var", str(write(tmp_path / "mine" / "holiday", FORM).parent)
    url = f"sqlite:///{var / 'holdfast.db'}"
    async with workspace(var) as sandbox:
        async with running(sandbox, var, forms) as w:
            await play(w, "I need a holiday from 3 March 2027", "[✓ 3 Mar 2027]", "5")
            assert "Is your work handed over?" in w.last()
            draft = await w.draft()
        async with running(sandbox, var, "") as w:
            await w.say("is that all?")
            assert AWAY in w.last()
            asked = next(m for m in w.screen() if "Is your work handed over?" in shown(m))
            await w.click("Yes", asked)
            told = [m for m in sandbox.person("U0ALEX").messages() if AWAY in shown(m)]
            assert told, "the click is answered as well"
            await w.say("I would like to trade a security")
            assert AWAY not in w.last() and (await w.draft()).form == "pa_dealing"
            event = FactsGathered("facts:late", draft.began, "facts", purpose="submit", facts={})
            row = InboxRow(
                event.id, draft.conversation, "T0HOLDFAST:U0ALEX", {"event": encode(event), "draft": draft.id}
            )
            await w.bot.store.receive(row)
            await w.bot.engine.idle()
            await w.sandbox.until(w.bot.store.count_stuck)
            assert [(one.queue, one.reason) for one in await w.bot.store.stuck()] == [("inbox", "NotInstalled")]
            await w.alex.open_home("home")
            await w.settled()
        status = holdfast("status", var=var, DATABASE_URL=url).stdout
        assert "holiday: 1 open drafts and 0 records wait for it; put its folder back" in status
        assert "holiday: 1 open drafts" in holdfast("check", var=var, DATABASE_URL=url).stdout
        assert "Not installed" not in holdfast("status", var=var, DATABASE_URL=url, HOLDFAST_WORKFLOWS=forms).stdout
        async with running(sandbox, var, forms) as w:
            await w.settled()
            assert await w.bot.store.stuck() == []
            await w.click("Yes", next(m for m in reversed(w.screen()) if "Is your work handed over?" in shown(m)))
            await w.click("Submit")
            (record,) = await w.records()
            assert {n: v["data"] for n, v in record.body["values"].items()} == {
                "first_day": "2027-03-03", "days": 5, "handed_over": True,
            }  # fmt: skip
        async with running(sandbox, var, "") as w:
            await w.alex.open_home("home")
            await w.settled()
            assert "0 open drafts and 1 records wait" in holdfast("status", var=var, DATABASE_URL=url).stdout
            await w.say("my data")
            await w.settled()
            assert await w.bot.store.stuck() == []


@pytest.mark.behind(walk=file_large)
async def test_an_officer_reads_that_the_form_is_away(w: World) -> None:
    """A verdict, the box for words, where answers come from, a box that stood open: each is answered in private, and the request stays as it was."""
    robin = officer(w, "U0ROBIN")
    await robin.click("Decline…", channel=CHANNEL)
    workflow = w.bot.workflows["pa_dealing"]
    installed = cast(dict[str, Workflow], w.bot.workflows)
    del installed["pa_dealing"]
    await robin.submit(values={"reason": "", "note": "Not now."})
    assert AWAY in words_of(robin.modal or {})
    for n, button in enumerate(("Approve", "Decline…", "Sources"), 1):
        await robin.click(button, channel=CHANNEL)
        await w.settled()
        assert len([note for note in notes(w, "U0ROBIN") if AWAY in note]) == n, button
    (record,) = await w.records()
    assert record.state.startswith("pending") and await w.bot.store.stuck() == []
    await robin.open_home("home")
    await w.alex.open_home("home")
    await w.click("Withdraw")
    assert AWAY in w.alex.ephemerals()[-1]["text"]
    installed["pa_dealing"] = workflow
    await press(w, "U0ROBIN", "Approve")
    assert (await w.records())[0].state == "pending_compliance"
