"""docs/reference/sandbox.md tells the truth: its tables are played, its app runs."""

import asyncio
import os
import re
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest
from aiohttp import ClientSession
from aiohttp.test_utils import TestServer
from reference import PAGE, answered, fresh, written
from sandbox_page import Ui
from slack_bolt.async_app import AsyncApp
from slack_sdk.web.async_client import AsyncWebClient
from web_api_calls import CALLS

from bot.sandbox.__main__ import arguments, serve
from bot.sandbox.routes import METHODS
from bot.sandbox.workspace import Json
from tests.patience import PATIENCE

EXAMPLE = re.compile(r"```python\n(.*?)```", re.DOTALL)
ALEX = {"person": "U0ALEX", "channel": "D0ALEX"}


async def test_every_call_is_granted_or_refused_with_slacks_error() -> None:
    """Each method grants what Slack grants, and refuses what is wrong by the error that Slack gives."""
    told = [(method, args, error, (await answered(method, args))[0]) for method, args, error in CALLS]
    assert [one for one in told if one[2] != one[3]] == []
    assert {method for method, _, _ in CALLS} - {"response_url"} == set(METHODS)


async def test_the_page_has_what_was_played() -> None:
    """The tables of methods, events, blocks and sizes in the page are those that playing them gives."""
    text = PAGE.read_text("utf-8")
    assert text == await fresh(text), "write it anew: PYTHONPATH=. .venv/bin/python tests/sandbox/reference.py"


def test_no_argument_and_no_error_is_left_out() -> None:
    """Every argument that a method reads and every error that it may give stands in the page."""
    told = set(re.findall(r"`([^`\n]+)`", re.sub(r"```.*?```", "", PAGE.read_text("utf-8"), flags=re.DOTALL)))
    assert {word for word in written() if re.fullmatch(r"[a-z_]*[a-z]", word)} - told == set()


@asynccontextmanager
async def alone(*given: str) -> AsyncIterator[dict[str, str]]:
    """The sandbox as `python -m bot.sandbox` starts it, and what it prints for an app."""
    said: asyncio.Queue[str] = asyncio.Queue()
    serving = asyncio.create_task(serve(arguments(["--port", "0", *given]), said.put_nowait))
    try:
        lines = [await asyncio.wait_for(said.get(), PATIENCE) for _ in range(3)]
        yield dict(line.split("=") for line in "\n".join(lines[1:]).splitlines())
    finally:
        serving.cancel()
        with suppress(asyncio.CancelledError):
            await serving


async def until(ui: Ui, *, connected: int = 0, text: str = "") -> Json:
    """Wait until the app has so many sockets, or its newest message to Alex says this."""
    async with asyncio.timeout(PATIENCE):
        while True:
            state = await ui.get("state")
            newest = (state["messages"]["D0ALEX"] or [{"text": ""}])[-1]
            if state["connected"] >= connected and text in newest["text"]:
                return newest
            await asyncio.sleep(0.02)


async def test_the_apps_of_the_page_run_unchanged(browser: ClientSession, tmp_path: Path) -> None:
    """The page's app, in a process of its own with the settings that the sandbox prints, answers words and a click."""
    app = tmp_path / "app.py"
    app.write_text("".join(EXAMPLE.findall(PAGE.read_text("utf-8"))), "utf-8")
    async with alone() as settings:
        ui = Ui(browser, settings["SLACK_API_URL"].removesuffix("/api/"))
        running = await asyncio.create_subprocess_exec(sys.executable, app, env={**os.environ, **settings})
        try:
            await until(ui, connected=1)
            await ui.post("say", {**ALEX, "text": "hello"})
            hello = await until(ui, text="Hello!")
            place = {"type": "message", "channel": "D0ALEX", "message_ts": hello["ts"]}
            await ui.post("click", {**ALEX, "container": place, "action": {"action_id": "again"}})
            assert (await until(ui, text="Hello again!"))["ts"] == hello["ts"]
        finally:
            running.kill()
            await running.wait()


async def test_an_app_in_http_mode_is_reached_with_its_manifest(
    browser: ClientSession, tmp_path: Path, unused_tcp_port: int
) -> None:
    """With a manifest and a request URL the app gets its own commands by its own name, though it is started last."""
    manifest = tmp_path / "manifest.yml"
    manifest.write_text("features: {bot_user: {display_name: Helper}, slash_commands: [{command: /hello}]}", "utf-8")
    url = f"http://127.0.0.1:{unused_tcp_port}/slack/events"
    async with alone("--manifest", str(manifest), "--request-url", url) as settings:
        client = AsyncWebClient(settings["SLACK_BOT_TOKEN"], base_url=settings["SLACK_API_URL"])
        app = AsyncApp(client=client, signing_secret=settings["SLACK_SIGNING_SECRET"])

        @app.command("/hello")
        async def answer(ack: object, command: Json, say: object) -> None:
            await ack()  # type: ignore[operator]
            await say(command["text"])  # type: ignore[operator]

        async with TestServer(app.web_app("/slack/events"), port=unused_tcp_port):
            ui = Ui(browser, settings["SLACK_API_URL"].removesuffix("/api/"))
            state = await ui.get("state")
            assert (state["bot"]["name"], state["commands"], state["inspects"]) == ("Helper", ["/hello"], False)
            async with asyncio.timeout(PATIENCE):
                while True:
                    with suppress(AssertionError):
                        await ui.post("command", {**ALEX, "command": "/hello", "text": "there"})
                        break
            await until(ui, text="there")


def test_a_manifest_that_cannot_be_read_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A manifest that is not there ends the start with a sentence."""
    with pytest.raises(SystemExit):
        arguments(["--manifest", str(tmp_path / "none.yml")])
    assert "the manifest cannot be read" in capsys.readouterr().err
