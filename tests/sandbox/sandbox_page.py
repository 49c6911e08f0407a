"""The page's way to the sandbox: JSON over HTTP and server-sent events."""

import asyncio
import json
from typing import Any

from aiohttp import ClientSession

from bot.sandbox.workspace import Json
from tests.patience import PATIENCE


class Ui:
    """The page's way to the sandbox."""

    def __init__(self, session: ClientSession, url: str) -> None:
        self.session = session
        self.url = url

    async def get(self, path: str) -> Json:
        """A GET's JSON."""
        async with self.session.get(f"{self.url}/ui/{path}") as response:
            return await response.json()

    async def post(self, path: str, body: Json, status: int = 200) -> Json:
        """A POST's JSON."""
        async with self.session.post(f"{self.url}/ui/{path}", json=body) as response:
            assert response.status == status, await response.text()
            return await response.json()


class Stream:
    """Reads server-sent events one by one."""

    def __init__(self, response: Any) -> None:
        self.lines = response.content

    async def next(self) -> tuple[str, Json]:
        """The next event's id and data."""
        found: dict[str, str] = {}
        async with asyncio.timeout(PATIENCE):
            while True:
                line = (await self.lines.readline()).decode().rstrip("\n")
                if not line and "data" in found:
                    assert found["event"] == "change"
                    return found["id"], json.loads(found["data"])
                key, _, value = line.partition(": ")
                found[key] = value
