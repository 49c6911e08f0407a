"""A bare Socket Mode client: shows every frame as it came and acks only when told to."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass

from aiohttp import ClientSession, ClientWebSocketResponse, WSMsgType
from slack_sdk.web.async_client import AsyncWebClient

from bot.sandbox.server import Sandbox
from bot.sandbox.workspace import Json
from tests.patience import PATIENCE


@dataclass
class RawSocket:
    """One connection."""

    socket: ClientWebSocketResponse

    async def frame(self, seconds: float = PATIENCE) -> Json:
        """The next frame."""
        return json.loads((await asyncio.wait_for(self.socket.receive(), seconds)).data)

    async def ack(self, frame: Json, payload: Json | None = None) -> None:
        """Ack an envelope, with a payload if there is one."""
        extra = {"payload": payload} if payload is not None else {}
        await self.socket.send_str(json.dumps({"envelope_id": frame["envelope_id"], **extra}))

    async def take(self, payload: Json | None = None) -> Json:
        """The next frame, acked."""
        frame = await self.frame()
        await self.ack(frame, payload)
        return frame

    async def quiet(self, seconds: float = 0.15) -> bool:
        """True when nothing comes for a while."""
        try:
            await self.frame(seconds)
        except TimeoutError:
            return True
        return False

    async def closed(self) -> bool:
        """True once the server has closed the connection."""
        message = await asyncio.wait_for(self.socket.receive(), PATIENCE)
        return message.type in (WSMsgType.CLOSE, WSMsgType.CLOSING, WSMsgType.CLOSED)


async def address(sandbox: Sandbox) -> str:
    """A fresh address for one connection."""
    answer = await AsyncWebClient(base_url=sandbox.api_url).apps_connections_open(app_token=sandbox.app_token)
    return str(answer["url"])


@asynccontextmanager
async def _opened(sandbox: Sandbox) -> AsyncIterator[RawSocket]:
    async with ClientSession() as session, session.ws_connect(await address(sandbox)) as socket:
        yield RawSocket(socket)


@asynccontextmanager
async def _connected(sandbox: Sandbox) -> AsyncIterator[RawSocket]:
    async with _opened(sandbox) as raw:
        assert (await raw.frame())["type"] == "hello"
        yield raw


def opened(sandbox: Sandbox) -> AbstractAsyncContextManager[RawSocket]:
    """A connection whose hello is still to be read."""
    return _opened(sandbox)


def connected(sandbox: Sandbox) -> AbstractAsyncContextManager[RawSocket]:
    """A connection after its hello."""
    return _connected(sandbox)
