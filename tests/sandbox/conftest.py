"""A fresh local Slack for each test, and real SDKs that speak to it."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from aiohttp import ClientSession
from sandbox_page import Ui
from sandbox_types import Connect, Seen
from slack_bolt.adapter.socket_mode.async_handler import AsyncSocketModeHandler
from slack_bolt.async_app import AsyncApp
from slack_clock import Hand
from slack_sdk.web.async_client import AsyncWebClient

from bot.sandbox.people import Person
from bot.sandbox.server import Sandbox
from bot.sandbox.workspace import Json
from tests.patience import PATIENCE

ACKED = 10.0
"""Seconds for an ack, three times what Slack grants: other tests run beside these."""
SAMPLES = Path(__file__).parents[3] / "shared" / "data" / "slack" / "samples"


@pytest.fixture
async def sandbox(request: pytest.FixtureRequest) -> AsyncIterator[Sandbox]:
    """A running sandbox; a test that lets acks time out asks for less patience, in seconds."""
    running = Sandbox(ack_timeout=getattr(request, "param", ACKED), retry_delays=(0.0, 0.02, 0.02))
    await running.start()
    yield running
    await running.stop()


@pytest.fixture
async def hand() -> Hand:
    """A clock that moves only when told."""
    return Hand()


@pytest.fixture
def client(sandbox: Sandbox) -> AsyncWebClient:
    """The real SDK's client with the bot's token."""
    return AsyncWebClient(sandbox.bot_token, base_url=sandbox.api_url, timeout=int(PATIENCE), retry_handlers=[])


@pytest.fixture
def alex(sandbox: Sandbox) -> Person:
    """Alex Reed at the keyboard."""
    return sandbox.person("U0ALEX")


@pytest.fixture
def app(client: AsyncWebClient) -> AsyncApp:
    """A bot that knows nothing yet."""
    return AsyncApp(name="app", client=client)


@pytest.fixture
async def connect(sandbox: Sandbox) -> AsyncIterator[Connect]:
    """Connects a bot through the real Socket Mode handler; all are closed at the end."""
    handlers: list[AsyncSocketModeHandler] = []

    async def connected(app: AsyncApp) -> AsyncSocketModeHandler:
        handler = AsyncSocketModeHandler(app, sandbox.app_token, ping_interval=2)
        handlers.append(handler)
        await handler.connect_async()
        await sandbox.until(lambda: sandbox.connected >= len(handlers))
        return handler

    yield connected
    for handler in handlers:
        await handler.close_async()


@pytest.fixture
def seen() -> Seen:
    """Nothing yet."""
    return Seen()


@pytest.fixture
async def events(app: AsyncApp, connect: Connect, seen: Seen) -> Seen:
    """What a connected bot hears: words, mentions and files."""

    async def note(event: Json) -> None:
        seen.append(event)

    for name in ("message", "app_mention", "file_shared"):
        app.event(name)(note)
    await connect(app)
    return seen


@pytest.fixture
async def browser() -> AsyncIterator[ClientSession]:
    """A plain HTTP client, as the page is one."""
    async with ClientSession() as session:
        yield session


@pytest.fixture
def samples() -> Path:
    """The folder with shapes of Slack's own answers."""
    if not SAMPLES.is_dir():
        pytest.skip("NOT COMPARED WITH SLACK: the samples of Slack's answers are not on this machine")
    return SAMPLES


@pytest.fixture
def ui(browser: ClientSession, sandbox: Sandbox) -> Ui:
    """The page."""
    return Ui(browser, sandbox.url)
