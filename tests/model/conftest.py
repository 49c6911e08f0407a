"""A scripted Messages API and the adapter in front of it, closed after each test."""

import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from typing import Any

import pytest
from anthropic import DefaultAioHttpClient

from bot.model.claude import Claude, connect
from bot.sandbox.models.playback import MessagesServer, Script
from state.draft.reply import Reply
from tests.model.asking import KEY, asked

AUTHORITIES = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
"""No authority at all: reading the usual ones takes longer than a test, and the loopback needs none."""

Serve = Callable[..., Awaitable[MessagesServer]]
Ask = Callable[..., Awaitable[Claude]]


@pytest.fixture
async def stack() -> AsyncIterator[AsyncExitStack]:
    async with AsyncExitStack() as exits:
        yield exits


@pytest.fixture
async def serve(stack: AsyncExitStack) -> Serve:
    """Start a server that plays this script (an answer alone is a script, too)."""

    async def start(script: Script | Any, **options: Any) -> MessagesServer:
        server = MessagesServer(script if callable(script) else lambda _: script, **options)
        await server.start()
        stack.push_async_callback(server.stop)
        return server

    return start


@pytest.fixture
async def claude(stack: AsyncExitStack) -> Ask:
    """The adapter, through the real SDK, at this server."""

    async def at(
        server: MessagesServer,
        name: str = "claude-haiku-5-5",
        *,
        key: str = KEY,
        patience: float = 5.0,
        max_retries: int = 0,
        **options: Any,
    ) -> Claude:
        http_client = DefaultAioHttpClient(verify=AUTHORITIES)
        client = connect(key, server.url, timeout=patience, max_retries=max_retries, http_client=http_client)
        await stack.enter_async_context(client)
        return Claude(client, name, pause=0.01, **options)

    return at


@pytest.fixture
async def reply_to(serve: Serve, claude: Ask) -> Callable[..., Awaitable[Reply]]:
    """Return the adapter's reply to this script, through the real SDK."""

    async def asking(script: Script | Any, **options: Any) -> Reply:
        return await (await claude(await serve(script), **options)).reply(asked())

    return asking
