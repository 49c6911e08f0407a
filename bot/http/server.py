"""Serve the bot's own HTTP: health, metrics, and Slack's events where Socket Mode is not used. On the loopback, unless set otherwise."""

import asyncio
import hashlib
import hmac
import os
import socket
import time
from collections.abc import Awaitable, Callable
from typing import Any
from weakref import WeakSet

from aiohttp import web
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from slack_bolt.adapter.aiohttp import to_aiohttp_response, to_bolt_request
from slack_bolt.async_app import AsyncApp
from slack_bolt.oauth.async_oauth_flow import AsyncOAuthFlow
from slack_bolt.request.async_request import AsyncBoltRequest
from slack_bolt.response import BoltResponse

from bot.http.health import Health, HealthAnswer
from bot.settings import LOOPBACK
from bot.slack.requests import BODY, MISSHAPEN, Broken, read

Handled = Callable[[web.Request], Awaitable[web.StreamResponse]]
_begun: "WeakSet[asyncio.BaseTransport]" = WeakSet()


@web.middleware
async def begun(request: web.Request, handler: Handled) -> web.StreamResponse:
    """Note that a connection has brought a whole head."""
    if request.transport is not None:
        _begun.add(request.transport)
    return await handler(request)


class PatientSite(web.BaseSite):
    """A TCP site whose connections have so many seconds for their first head."""

    def __init__(self, runner: web.AppRunner, bound: socket.socket, head: float) -> None:
        super().__init__(runner)
        self._bound, self._head = bound, head

    @property
    def name(self) -> str:
        """The address."""
        host, port = self._bound.getsockname()[:2]
        return f"http://{host}:{port}"

    async def start(self) -> None:
        """Listen."""
        await super().start()
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(self._connection, sock=self._bound, backlog=128)

    def _connection(self) -> asyncio.BaseProtocol:
        server: Any = self._runner.server
        protocol: asyncio.BaseProtocol = server()
        asyncio.get_running_loop().call_later(self._head, _close, protocol)
        return protocol


def _close(protocol: Any) -> None:
    if protocol.transport is not None and protocol.transport not in _begun:
        protocol.transport.close()


INSTALL, INSTALLED = "/slack/install", "/slack/oauth_redirect"
Handler = Callable[[web.Request], Awaitable[web.Response]]
PATIENCE = 0.5
"""Seconds that open requests are given when the bot stops: what is not answered by then is asked again."""
LINGERING, KEPT_OPEN = 1.0, 30.0
"""Seconds for the rest of a body that nobody reads; and for the next request on an open connection."""
LONGEST = 16
"""Digits of a request timestamp; seconds since 1970 have ten."""
UNKNOWN = 404
"""How Bolt answers what no listener takes."""
OLDEST = 300
"""Seconds after which what was signed counts no more."""


class WebServer:
    """Listens on one port; with `port` None there is no server.

    `secret`: Slack's requests come here, signed with it; `chat` answers `/chat`; `patience`: seconds for the head, and for the body, of a request.
    """

    def __init__(
        self,
        app: AsyncApp,
        port: int | None,
        health: Health,
        *,
        host: str = LOOPBACK,
        secret: str = "",
        chat: Handler | None = None,
        patience: float = BODY,
        oauth: AsyncOAuthFlow | None = None,
    ) -> None:
        self._app, self._port, self._host, self._chat, self._health = app, port, host, chat, health
        self._secret, self._oauth = secret, oauth
        self._runner: web.AppRunner | None = None
        self._bound: socket.socket | None = None
        self._patience, self.port = patience, 0

    def bind(self) -> None:
        """Take the port; who comes is kept waiting, and nothing is read yet. Port 0 takes a free one. Raises OSError where it is taken."""
        if self._port is None or self._bound is not None:
            return
        try:
            family = socket.AF_INET6 if ":" in self._host else socket.AF_INET
            self._bound = socket.create_server((self._host, self._port), family=family)
        except OSError as problem:
            raise OSError(problem.errno, f"('{self._host}', {self._port}): {os.strerror(problem.errno or 0)}") from None
        self.port = self._bound.getsockname()[1]

    async def start(self) -> None:
        """Answer what comes to the port, taken by now at the latest."""
        self.bind()
        if self._bound is None:
            return
        self._runner = web.AppRunner(
            self._application(), access_log=None, shutdown_timeout=PATIENCE, lingering_time=LINGERING, keepalive_timeout=KEPT_OPEN
        )  # fmt: skip
        await self._runner.setup()
        await PatientSite(self._runner, self._bound, self._patience).start()

    async def stop(self) -> None:
        """Let open requests finish, for a moment, then stop."""
        if self._runner is not None:
            await self._runner.cleanup()
        if self._bound is not None:
            self._bound.close()

    def _application(self) -> web.Application:
        application = web.Application(client_max_size=2**21, middlewares=[begun])
        health, ready = self._told(self._health.alive), self._told(self._health.ready)
        application.add_routes(
            [web.get("/healthz", health), web.get("/readyz", ready), web.get("/metrics", self._metrics)]
        )
        if self._secret:
            application.add_routes([web.post("/slack/events", self._events)])
        if self._oauth:
            application.add_routes(_oauth_routes(self._oauth))
        if self._chat:
            application.router.add_route("*", "/chat", self._chat)
        return application

    def _told(self, ask: Callable[[], Awaitable[HealthAnswer]]) -> Handler:
        async def tell(_: web.Request) -> web.Response:
            told = await ask()
            return web.json_response(told.body, status=200 if told.ok else 503)

        return tell

    async def _metrics(self, _: web.Request) -> web.Response:
        """The gauges are brought up to date first, at most once a second."""
        await self._health.ready()
        text = await asyncio.to_thread(generate_latest)
        return web.Response(body=text, headers={"Content-Type": CONTENT_TYPE_LATEST})

    async def _events(self, request: web.Request) -> web.Response:
        """Who did not sign hears 401, whatever they sent; what is signed and is no request of Slack's is refused before Bolt breaks over it."""
        timestamp = request.headers.get("X-Slack-Request-Timestamp", "")
        try:
            body = await read(request, self._patience)
        except Broken as problem:
            return web.json_response({"error": problem.error}, status=problem.status)
        if not self._signed(timestamp, request.headers.get("X-Slack-Signature", ""), body.raw):
            return web.json_response({"error": "invalid request"}, status=401)
        if not body.well_formed:
            return web.json_response({"error": "malformed"}, status=400)
        try:
            asked = AsyncBoltRequest(body=body.text, query=request.query_string, headers=dict(request.headers))
            answer = await self._app.async_dispatch(asked)
        except MISSHAPEN:  # of Bolt's, over what nobody listens to
            answer = BoltResponse(status=UNKNOWN)
        if (
            answer.status == UNKNOWN
        ):  # a sort of request that nobody listens to is none of ours, and nothing to send again
            answer.status = 200 if '"event_callback"' in body.text else 400
        return await to_aiohttp_response(answer)

    def _signed(self, timestamp: str, signature: str, raw: bytes) -> bool:
        """As Bolt looks at it too, which cannot look at what is no text."""
        if not (timestamp.isascii() and timestamp.isdigit() and len(timestamp) <= LONGEST):
            return False
        expected = hmac.new(self._secret.encode(), f"v0:{timestamp}:".encode() + raw, hashlib.sha256).hexdigest()
        fresh = abs(time.time() - int(timestamp)) <= OLDEST
        return fresh and hmac.compare_digest(f"v0={expected}".encode(), signature.encode("utf-8", "surrogateescape"))


def _oauth_routes(flow: AsyncOAuthFlow) -> list[web.RouteDef]:
    """Return the page that leads to Slack's own, and where Slack sends people back to, with a code for the workspace's token."""

    async def install(request: web.Request) -> web.Response:
        return await to_aiohttp_response(await flow.handle_installation(await to_bolt_request(request)))

    async def installed(request: web.Request) -> web.Response:
        return await to_aiohttp_response(await flow.handle_callback(await to_bolt_request(request)))

    return [web.get(INSTALL, install), web.get(INSTALLED, installed)]
