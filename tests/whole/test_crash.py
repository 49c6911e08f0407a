"""The bot as people start it: killed between the acknowledgement and the reply, and what its log holds."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any

from bot.sandbox.models.answers import Answer, call, slow, text, tools
from bot.sandbox.models.playback import MessagesServer, Script
from bot.sandbox.people import Person
from bot.sandbox.server import Sandbox
from tests import chaos
from tests.patience import PATIENCE
from tests.process import process
from tests.world import shown


@asynccontextmanager
async def killed(
    model: Script, asked: asyncio.Event, var: Path
) -> AsyncIterator[tuple[Sandbox, MessagesServer, Person]]:
    """A bot that was killed while its model, which sets `asked`, had a person's first line to read."""
    sandbox, server = Sandbox(), MessagesServer(model)
    await sandbox.start()
    await server.start()
    try:
        alex = sandbox.person("U0ALEX")
        async with process(sandbox, server, var) as first:
            await alex.say("I would like to trade a security")
            await asyncio.wait_for(asked.wait(), PATIENCE)
            first.kill()
            await first.wait()
        await sandbox.until(lambda: not sandbox.connected)
        yield sandbox, server, alex
    finally:
        await server.stop()
        await sandbox.stop()


async def test_a_killed_process_loses_no_turn_and_repeats_no_post(tmp_path: Path) -> None:
    """Killed while the model was thinking, the bot answers after its restart, and answers once."""
    asked = asyncio.Event()

    def model(_: dict[str, Any]) -> Answer:
        asked.set()
        return slow(1.5, tools(call("say", act="explain", about="security", readings=[])))

    async with killed(model, asked, tmp_path) as (sandbox, server, alex):
        assert not [m for m in alex.messages() if m.get("bot_id")]
        async with process(sandbox, server, tmp_path):
            await sandbox.until(lambda: [m for m in alex.messages() if m.get("bot_id")], timeout=PATIENCE)
            await asyncio.sleep(1)
            posts = [m for m in alex.messages() if m.get("bot_id")]
            assert len(posts) == 1
            assert "The share, fund or other instrument itself." in shown(posts[0])


async def test_what_a_killed_process_held_is_taken_over_at_once(tmp_path: Path) -> None:
    """Killed in the middle of a turn, the bot hands what it held to its next start: the answer comes, however long the dead one's leases run."""
    asked = asyncio.Event()

    def model(_: dict[str, Any]) -> Answer:
        answer = tools(call("say", act="explain", about="security", readings=[]))
        return answer if asked.is_set() else (asked.set(), slow(60, answer))[1]

    async with killed(model, asked, tmp_path) as (sandbox, server, alex):
        with closing(sqlite3.connect(tmp_path / "holdfast.db")) as database, database:
            held = database.execute("UPDATE leases SET until = '2099-01-01 00:00:00.000000' WHERE until IS NOT NULL")
            assert held.rowcount
        async with process(sandbox, server, tmp_path):
            await sandbox.until(lambda: [m for m in alex.messages() if m.get("bot_id")], timeout=PATIENCE)


async def test_a_request_filed_under_fire_is_one_right_record() -> None:
    """The short form of `make chaos`: killed on a click, on the last answer and on Submit, the bot still files the request exactly once."""
    assert "1 requests, 3 kills" in await chaos.run(1, seed=207, chance=0.3)


CANARY = "canary-7f3a-heard-at-dinner"


async def test_logs_hold_no_words_of_people_and_no_secret(tmp_path: Path) -> None:
    """What was said, names, tokens and keys are in none of the lines that a process writes."""
    sandbox, model = Sandbox(), MessagesServer(lambda _: text("Thank you."))
    await sandbox.start()
    await model.start()
    log = tmp_path / "log"
    try:
        async with process(sandbox, model, tmp_path / "var", log):
            alex = sandbox.person("U0ALEX")
            sandbox.knobs.fail["chat.postMessage"] = ["internal_error"]
            await alex.say(f"buy 200 Tesco because {CANARY} made me want to")
            await sandbox.until(lambda: [m for m in alex.messages() if m.get("bot_id")], timeout=PATIENCE)
    finally:
        await model.stop()
        await sandbox.stop()
    written = log.read_text("utf-8")
    key = (tmp_path / "var" / "holdfast.key").read_text("utf-8").strip()
    assert '"turn"' in written and "row_failed" in written
    for secret in (CANARY, "Tesco", "Alex Reed", sandbox.bot_token, sandbox.app_token, "sk-test", key):
        assert secret not in written, secret
