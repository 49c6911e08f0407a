"""A receiver for tests and trials, on this machine alone: it honours keys as a good one does, and fails on demand as a bad one does."""

import asyncio
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

from bot.exports.sink_delivery import KEY, SIGNATURE, TIMESTAMP
from bot.settings import LOOPBACK

KEPT, KNOWN = 201, 409
Fate = int | str
"""A status; "cut": the connection breaks before anything is kept; "cut_after": once it is kept; "hang": it is kept, and no answer comes."""


@dataclass(frozen=True)
class Call:
    """One request as it came."""

    path: str
    key: str
    timestamp: str
    signature: str
    body: bytes
    headers: dict[str, str]


@dataclass
class Receiver:
    """Answers 201 to a key that it does not know, and `known` to one that it does.

    fates        the outcome of the next requests, in turn
    outage       the outcome of every request while it lasts
    retry_after  what it asks for with every refusal: seconds or a date; None asks for nothing
    delay        seconds that every answer takes longer
    known        its status for a key that it has
    """

    fates: list[Fate] = field(default_factory=list)
    outage: Fate | None = None
    retry_after: int | str | None = None
    delay: float = 0.0
    known: int = KNOWN
    calls: list[Call] = field(default_factory=list)
    kept: dict[str, dict[str, Any]] = field(default_factory=dict)
    """Key to what was sent with it, in the order in which it came."""
    _runner: web.AppRunner | None = None
    port: int = 0
    _changed: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def url(self) -> str:
        """The address it listens on."""
        return f"http://{LOOPBACK}:{self.port}/records"

    async def start(self) -> None:
        """Listen on a free port."""
        app = web.Application()
        app.router.add_post("/{path:.*}", self._take)
        self._runner = web.AppRunner(app, shutdown_timeout=0.1)
        await self._runner.setup()
        site = web.TCPSite(self._runner, LOOPBACK, self.port)
        await site.start()
        self.port = self._runner.addresses[0][1]

    async def stop(self) -> None:
        """Listen no more."""
        if self._runner is not None:
            await self._runner.cleanup()

    async def until(self, calls: int = 0, kept: int = 0) -> None:
        """Wait for so many requests, and so many keys."""
        while len(self.calls) < calls or len(self.kept) < kept:
            self._changed.clear()
            await self._changed.wait()

    async def _take(self, request: web.Request) -> web.Response:
        body = await request.read()
        given = request.headers
        key = given.get(KEY, "")
        call = Call(request.path, key, given.get(TIMESTAMP, ""), given.get(SIGNATURE, ""), body, dict(given))
        self.calls.append(call)
        self._changed.set()
        await asyncio.sleep(self.delay)
        return await self._answer(request, key, self.fates.pop(0) if self.fates else self.outage)

    async def _answer(self, request: web.Request, key: str, fate: Fate | None) -> web.Response:
        if isinstance(fate, int) and fate >= 300:  # noqa: PLR2004  every status that is no success
            headers = {} if self.retry_after is None else {"Retry-After": str(self.retry_after)}
            return web.Response(status=fate, headers={**headers, "Location": self.url}, text="no")
        if fate == "cut":
            return _cut(request)
        known = key in self.kept
        if not known:
            self.kept[key] = await request.json()
            self._changed.set()
        if fate == "hang":
            await asyncio.sleep(3600)
        if fate == "cut_after":
            return _cut(request)
        return web.Response(
            status=self.known if known else fate if isinstance(fate, int) else KEPT, headers={KEY: key}, text="thanks"
        )


def _cut(request: web.Request) -> web.Response:
    if request.transport is not None:
        request.transport.close()
    return web.Response(status=KEPT)
