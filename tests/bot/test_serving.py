"""How the bot starts and stops: it tells what it is doing, makes ready what nobody should wait for, and lets go of whoever is still connected."""

import asyncio
import base64
import os
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from pathlib import Path

import aiohttp
import pytest

from bot.commands.serve import warm
from bot.root.assembly import build
from bot.sandbox.local import pointed_at, sandboxed
from bot.sandbox.server import Sandbox
from bot.settings import Settings, Wrong
from tests.shipped import shipped
from tests.world import settings

PATIENCE = 8
"""Seconds: less than the ten that aiohttp waits for a peer that does not answer a close."""


async def started(told: Settings) -> list[str]:
    """What a start said."""
    said: list[str] = []
    async with sandboxed(told, say=said.append):
        return said


async def test_a_start_says_what_it_is_doing(tmp_path: Path) -> None:
    """Each longer step has its line; tables are made at the first start alone, and a model's client is loaded where there is one."""
    steps = ["Loading the workflows …", "Opening the database …", "Connecting to Slack …"]
    first = await started(settings(tmp_path))
    assert first == [*steps[:2], "Making the database's tables …", steps[2]]
    assert await started(settings(tmp_path)) == steps
    with_model = settings(tmp_path, anthropic_api_key="sk-test", anthropic_base_url="http://127.0.0.1:9")
    assert await started(with_model) == [steps[0], "Loading the model's client …", *steps[1:]]


async def test_a_stop_lets_go_of_open_pages_and_sockets(tmp_path: Path) -> None:
    """Streams of open pages come to their end, idle connections are closed, and an app that hangs is not waited for."""
    async with aiohttp.ClientSession() as browser, AsyncExitStack() as open_still:
        async with asyncio.timeout(None) as limit, sandboxed(settings(tmp_path)) as (sandbox, _):
            pages = [await browser.get(f"{sandbox.url}/ui/events") for _ in range(3)]
            (await browser.get(f"{sandbox.url}/ui/state")).release()  # stays open for the page's next request
            hanging = await open_still.enter_async_context(mute_app(sandbox, browser))
            await sandbox.until(lambda: sandbox.connected == 2)
            limit.reschedule(asyncio.get_running_loop().time() + PATIENCE)
        async with asyncio.timeout(PATIENCE):
            for stream in (*(page.content for page in pages), hanging):
                await stream.read()
                assert stream.at_eof()


@asynccontextmanager
async def mute_app(sandbox: Sandbox, browser: aiohttp.ClientSession) -> AsyncIterator[asyncio.StreamReader]:
    """What an app hears that connects by Socket Mode and never answers, not even a close."""
    headers = {"Authorization": f"Bearer {sandbox.app_token}"}
    async with browser.post(f"{sandbox.api_url}apps.connections.open", headers=headers) as answer:
        address = (await answer.json())["url"]
    host, _, path = address.removeprefix("ws://").partition("/")
    name, _, port = host.partition(":")
    reader, writer = await asyncio.open_connection(name, int(port))
    key = base64.b64encode(os.urandom(16)).decode()
    upgrade = f"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13"
    writer.write(f"GET /{path} HTTP/1.1\r\nHost: {host}\r\n{upgrade}\r\n\r\n".encode())
    await reader.readuntil(b"\r\n\r\n")
    yield reader
    writer.close()
    await writer.wait_closed()


async def test_what_slack_refuses_is_a_sentence(tmp_path: Path) -> None:
    """A wrong token and a Slack that is not there are told by the setting to mend, without the token."""
    sandbox = Sandbox()
    await sandbox.start()
    told = pointed_at(settings(tmp_path), sandbox)
    try:
        wrong = settings(
            tmp_path, slack_bot_token="xoxb-wrong", slack_app_token="xapp-1", slack_api_url=sandbox.api_url
        )
        assert "SLACK_BOT_TOKEN (invalid_auth)" in await refused(wrong)
    finally:
        await sandbox.stop()
    assert f"cannot be reached at {sandbox.api_url}" in await refused(told)


async def refused(told: Settings) -> str:
    """The sentence with which a start ends."""
    bot = await build(told)
    try:
        with pytest.raises(Wrong) as problem:
            await bot.start()
    finally:
        await bot.stop()
    (sentence,) = problem.value.problems
    assert "xoxb" not in sentence
    return sentence


FIRST = """
import sys
from bot.commands.serve import warm
from state.engine.codec import ADAPTERS, KINDS
from tests.shipped import shipped
warm({"pa_dealing": shipped("pa_dealing")})
assert set(ADAPTERS) == set(KINDS)
assert "holidays.financial" in sys.modules
"""


def test_a_start_makes_ready_what_the_first_person_would_wait_for() -> None:
    """After warming, every schema of what is stored is built and the calendars of exchanges are loaded."""
    subprocess.run([sys.executable, "-c", FIRST], check=True, timeout=120)  # noqa: S603  this file's own words


def test_a_form_that_fails_keeps_nobody_from_starting(capsys: pytest.CaptureFixture[str]) -> None:
    """What cannot be made ready is logged, and the bot serves."""
    broken = {"gifts": replace(shipped("gifts"), form=None)}  # type: ignore[arg-type]
    warm(broken)
    assert "warming_failed" in capsys.readouterr().out
