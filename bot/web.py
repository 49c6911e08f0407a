"""The bot's own HTTP: health, metrics, and Slack's events where Socket Mode is not used."""

import os
import socket
from collections.abc import Awaitable, Callable

from aiohttp import web
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from slack_bolt.adapter.aiohttp import to_aiohttp_response, to_bolt_request
from slack_bolt.async_app import AsyncApp
from slack_bolt.oauth.async_oauth_flow import AsyncOAuthFlow

INSTALL, INSTALLED = "/slack/install", "/slack/oauth_redirect"
Handler = Callable[[web.Request], Awaitable[web.Response]]
EVERYWHERE = "0.0.0.0"  # noqa: S104  behind a proxy or in a container
PATIENCE = 0.5
"""Seconds that open requests are given when the bot stops: what is not answered by then is asked again."""
LONGEST = 16
"""Digits of a request timestamp; seconds since 1970 have ten."""


class WebServer:
    """Listens on one port. `slack` says whether Slack's requests come here, `chat` answers `/chat`; with `port` None there is no server at all."""

    def __init__(
        self,
        app: AsyncApp,
        port: int | None,
        *,
        host: str = EVERYWHERE,
        slack: bool = False,
        chat: Handler | None = None,
        oauth: AsyncOAuthFlow | None = None,
    ) -> None:
        self._app, self._port, self._host, self._slack, self._chat = app, port, host, slack, chat
        self._oauth = oauth
        self._runner: web.AppRunner | None = None
        self._bound: socket.socket | None = None
        self.port = 0

    def bind(self) -> None:
        """Take the port; who comes is kept waiting, and nothing is read yet. Port 0 takes a free one. Raises OSError where it is taken."""
        if self._port is None or self._bound is not None:
            return
        try:
            self._bound = socket.create_server((self._host, self._port))
        except OSError as problem:
            raise OSError(problem.errno, f"('{self._host}', {self._port}): {os.strerror(problem.errno or 0)}") from None
        self.port = self._bound.getsockname()[1]

    async def start(self) -> None:
        """Answer what comes to the port, taken by now at the latest."""
        self.bind()
        if self._bound is None:
            return
        self._runner = web.AppRunner(self._application(), access_log=None, shutdown_timeout=PATIENCE)
        await self._runner.setup()
        await web.SockSite(self._runner, self._bound).start()

    async def stop(self) -> None:
        """Let open requests finish, for a moment, then stop."""
        if self._runner is not None:
            await self._runner.cleanup()
        if self._bound is not None:
            self._bound.close()

    def _application(self) -> web.Application:
        application = web.Application(client_max_size=2**21)
        application.add_routes([web.get("/healthz", _health), web.get("/metrics", _metrics)])
        if self._slack:
            application.add_routes([web.post("/slack/events", self._events)])
        if self._oauth:
            application.add_routes(_oauth_routes(self._oauth))
        if self._chat:
            application.router.add_route("*", "/chat", self._chat)
        return application

    async def _events(self, request: web.Request) -> web.Response:
        """Bolt verifies the signature; a timestamp that is no number would break it, and is refused before."""
        timestamp = request.headers.get("X-Slack-Request-Timestamp", "")
        if not (timestamp.isascii() and timestamp.isdigit() and len(timestamp) <= LONGEST):
            return web.json_response({"error": "invalid request"}, status=401)
        return await to_aiohttp_response(await self._app.async_dispatch(await to_bolt_request(request)))


def _oauth_routes(flow: AsyncOAuthFlow) -> list[web.RouteDef]:
    """The page that leads to Slack's own, and where Slack sends people back to, with a code for the workspace's token."""

    async def install(request: web.Request) -> web.Response:
        return await to_aiohttp_response(await flow.handle_installation(await to_bolt_request(request)))

    async def installed(request: web.Request) -> web.Response:
        return await to_aiohttp_response(await flow.handle_callback(await to_bolt_request(request)))

    return [web.get(INSTALL, install), web.get(INSTALLED, installed)]


async def _health(_: web.Request) -> web.Response:
    return web.json_response({"ok": True})


async def _metrics(_: web.Request) -> web.Response:
    return web.Response(body=generate_latest(), headers={"Content-Type": CONTENT_TYPE_LATEST})
