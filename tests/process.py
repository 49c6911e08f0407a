"""The bot in a process of its own, as people start it."""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from bot.sandbox.models.playback import MessagesServer, Script
from bot.sandbox.server import Sandbox
from tests.patience import PACE, PATIENCE
from tests.warm import Warm, quiet


@asynccontextmanager
async def outside(model: Script, **options: Any) -> AsyncIterator[tuple[Sandbox, MessagesServer]]:
    """What stands outside of the bot's process: a Slack with these options, and a Messages API where this model answers."""
    sandbox, server = Sandbox(**options), MessagesServer(model)
    await sandbox.start()
    await server.start()
    try:
        yield sandbox, server
    finally:
        await server.stop()
        await sandbox.stop()


def environment(sandbox: Sandbox, model: MessagesServer, var: Path) -> dict[str, str]:
    """Return the environment of a bot between this Slack and this model, with its files under `var`."""
    return {
        "PATH": os.environ["PATH"],
        "SLACK_BOT_TOKEN": sandbox.bot_token,
        "SLACK_APP_TOKEN": sandbox.app_token,
        "SLACK_API_URL": sandbox.api_url,
        "ANTHROPIC_API_KEY": "sk-test",
        "ANTHROPIC_BASE_URL": model.url,
        "HOLDFAST_VAR": str(var),
        "HOLDFAST_PORT": "0",
        "HOLDFAST_PACE": str(PACE),
    }


@asynccontextmanager
async def process(
    sandbox: Sandbox, model: MessagesServer, var: Path, log: Path | None = None, **more: str
) -> AsyncIterator[Warm]:
    """The bot as people start it, in a process of its own; its log goes to a file, if one is named; `more` is its environment."""
    sandbox.knobs.tiers = PACE
    bot = await quiet(["run"], environment(sandbox, model, var) | more, log)
    try:
        await sandbox.until(lambda: sandbox.connected, timeout=PATIENCE)
        yield bot
    finally:
        if bot.returncode is None:
            bot.kill()
        await bot.wait()
