"""kill -9 between the acknowledgement and the reply: the next process finishes the turn, once."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from bot.model.answers import Answer, slow, text
from bot.model.playback import MessagesServer
from bot.sandbox.server import Sandbox
from tests.world import shown

PATIENCE = 40
"""Seconds for a process to start, and for a killed one's leases to end."""


@asynccontextmanager
async def process(sandbox: Sandbox, model: MessagesServer, var: Path) -> AsyncIterator[asyncio.subprocess.Process]:
    """The bot as people start it, in a process of its own."""
    env = {
        "PATH": os.environ["PATH"],
        "SLACK_BOT_TOKEN": sandbox.bot_token,
        "SLACK_APP_TOKEN": sandbox.app_token,
        "SLACK_API_URL": sandbox.api_url,
        "ANTHROPIC_API_KEY": "sk-test",
        "ANTHROPIC_BASE_URL": model.url,
        "HOLDFAST_VAR": str(var),
        "HOLDFAST_PORT": "0",
    }
    bot = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "bot.cli",
        "run",
        env=env,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        await sandbox.until(lambda: sandbox.connected, timeout=PATIENCE)
        yield bot
    finally:
        if bot.returncode is None:
            bot.kill()
        await bot.wait()


async def test_a_killed_process_loses_no_turn_and_repeats_no_post(tmp_path: Path) -> None:
    """Killed while the model was thinking, the bot answers after its restart, and answers once."""
    asked = asyncio.Event()

    def model(_: dict[str, Any]) -> Answer:
        asked.set()
        return slow(1.5, text("Good to hear from you."))

    sandbox, server = Sandbox(), MessagesServer(model)
    await sandbox.start()
    await server.start()
    try:
        alex = sandbox.person("U0ALEX")
        async with process(sandbox, server, tmp_path) as first:
            await alex.say("what a fine day")
            await asyncio.wait_for(asked.wait(), PATIENCE)
            first.kill()
            await first.wait()
        await sandbox.until(lambda: not sandbox.connected)
        assert not [m for m in alex.messages() if m.get("bot_id")]
        async with process(sandbox, server, tmp_path):
            await sandbox.until(lambda: [m for m in alex.messages() if m.get("bot_id")], timeout=PATIENCE)
            await asyncio.sleep(1)
            posts = [m for m in alex.messages() if m.get("bot_id")]
            assert len(posts) == 1
            assert "Good to hear from you." in shown(posts[0])
    finally:
        await server.stop()
        await sandbox.stop()
