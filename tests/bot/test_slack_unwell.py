"""A Slack that answers badly at the start: one sentence that says what to do, and never an exception of a library's."""

import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import aiohttp
import pytest
from aiohttp import web
from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler
from slack_bolt.async_app import AsyncApp

from bot.http.server import WebServer
from bot.root.assembly import build
from bot.root.slack import check_app_token, connected, identify, make_client
from bot.sandbox.server import Sandbox
from bot.settings import Settings, Wrong
from bot.slack.client import SlackAvailability
from tests.world import in_memory, settings

ANSWERS: dict[str, dict[str, Any]] = {
    "an error in plain text": {"status": 500, "text": "upstream went away", "content_type": "text/plain"},
    "an error page": {"status": 500, "text": "<html>oops</html>", "content_type": "text/html"},
    "an error without a word": {"status": 503},
    "broken JSON": {"text": '{"ok": tr', "content_type": "application/json"},
    "broken JSON and an error": {"status": 502, "text": "bad gateway", "content_type": "application/json"},
    "JSON that is no answer": {"text": "[1, 2]", "content_type": "application/json"},
    "no JSON at all": {"text": "null", "content_type": "application/json"},
    "a proxy's page to sign in": {"text": "<html>sign in</html>", "content_type": "text/html"},
    "a yes without a workspace": {"text": '{"ok": true}', "content_type": "application/json"},
    "a no without a reason": {"text": '{"ok": false}', "content_type": "application/json"},
}
UNWELL = r"^Slack (answers at|cannot be reached at) http://127.0.0.1:\d+/api/.* Check .*\.$"


@asynccontextmanager
async def answering(answer: Callable[[], web.StreamResponse]) -> AsyncIterator[str]:
    """The address of a server that answers everything so."""

    async def every(_: web.Request) -> web.StreamResponse:
        return answer()

    application = web.Application()
    application.router.add_route("*", "/{path:.*}", every)
    runner = web.AppRunner(application)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    yield f"http://127.0.0.1:{runner.addresses[0][1]}/api/"
    await runner.cleanup()


@pytest.mark.parametrize("name", ANSWERS)
async def test_what_is_no_answer_of_slacks_is_one_sentence(name: str, tmp_path: Path) -> None:
    """Whatever stands where Slack should be, the start says so, with the setting to look at."""
    async with answering(lambda: web.Response(**ANSWERS[name])) as url:
        client = make_client(settings(tmp_path, slack_api_url=url), 0, SlackAvailability())
        with pytest.raises(Wrong, match=UNWELL):
            await identify(client)


async def test_a_connection_that_breaks_off_is_one_sentence(tmp_path: Path) -> None:
    """A server that hangs up is told as one that cannot be reached, for both tokens."""

    def hang_up() -> web.StreamResponse:
        raise ConnectionResetError

    async with answering(hang_up) as url:
        client = make_client(settings(tmp_path, slack_api_url=url), 0, SlackAvailability())
        with pytest.raises(Wrong, match=UNWELL):
            await identify(client)
        with pytest.raises(Wrong, match=UNWELL):
            await check_app_token(client, "xapp-1")


async def test_the_port_is_ours_before_slack_hears_of_the_bot(tmp_path: Path) -> None:
    """Where the port is taken, Slack is never asked anything, and no socket is opened."""
    async with slack(tmp_path) as (sandbox, given):
        with socket.create_server(("127.0.0.1", 0)) as taken:
            bot = await build(given, port=taken.getsockname()[1], store=in_memory(), host="127.0.0.1")
            with pytest.raises(OSError, match=str(taken.getsockname()[1])):
                await bot.start()
            await bot.stop()
        assert not sandbox.connected and not sandbox.sent


async def test_nothing_is_answered_before_it_can_be_stored(tmp_path: Path) -> None:
    """Between taking the port and the start, who comes waits; after it they are answered."""
    async with slack(tmp_path) as (_, given):
        bot = await build(given, port=0, store=in_memory(), host="127.0.0.1")
        bot.web.bind()
        address = f"http://127.0.0.1:{bot.web.port}/healthz"
        async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=0.2)) as caller:
            with pytest.raises(TimeoutError):
                await caller.get(address)
        await bot.start()
        async with aiohttp.ClientSession() as caller, caller.get(address) as answer:
            assert answer.status == 200
        await bot.stop()


async def test_a_socket_that_cannot_be_opened_ends_the_start(tmp_path: Path) -> None:
    """Where Slack answers, and its socket's address is closed to this network, the start does not wait for ever."""
    async with slack(tmp_path) as (sandbox, given):
        bot = await build(given, store=in_memory())
        handler = AsyncSocketModeHandler(bot.app, sandbox.app_token)
        handler.client.wss_uri = "ws://127.0.0.1:9/"
        with pytest.raises(Wrong, match="its address for Socket Mode cannot be reached"):
            await connected(handler, bot.app.client, patience=0.2)
        await handler.close_async()  # type: ignore[no-untyped-call]  # Bolt has no types here
        await bot.stop()


@asynccontextmanager
async def slack(var: Path) -> AsyncIterator[tuple[Sandbox, Settings]]:
    """A Slack that is well, and the settings for it."""
    sandbox = Sandbox()
    await sandbox.start()
    tokens = {"slack_bot_token": sandbox.bot_token, "slack_app_token": sandbox.app_token}
    yield sandbox, settings(var, slack_api_url=sandbox.api_url, **tokens)
    await sandbox.stop()


def test_a_port_that_is_taken_is_named() -> None:
    """The error names the port, which the sentence needs."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(OSError, match=f", {port}"):
            WebServer(AsyncApp(token="xoxb-1", signing_secret="s"), port, SimpleNamespace(), host="127.0.0.1").bind()
