"""Every address of the sandbox, in one table."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from email.utils import formatdate
from ipaddress import ip_address
from urllib.parse import urlencode, urlsplit

from aiohttp import web

from bot.sandbox import changes, replies
from bot.sandbox.errors import SlackError
from bot.sandbox.slack import Slack
from bot.sandbox.socket_mode import Sockets
from bot.sandbox.ui import STATIC, Page
from bot.sandbox.web import router
from bot.sandbox.workspace import StoredFile

MOST_BODY_BYTES = 32 * 1024 * 1024
OK, GONE = 200, 404
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class Addresses:
    """The handlers that need no room of their own, and the table of all."""

    def __init__(self, slack: Slack, sockets: Sockets, page: Page, stopping: asyncio.Event) -> None:
        self._slack = slack
        self._sockets = sockets
        self._page = page
        self._stopping = stopping
        self._api = router.WebApi(slack, sockets, stopping)

    def application(self) -> web.Application:
        """Return the aiohttp application."""
        application = web.Application(client_max_size=MOST_BODY_BYTES, middlewares=[own_page_only, self._answered])
        application.add_routes(
            [
                web.get("/", self._index),
                web.get("/api/{method}", self._api.serve),
                web.post("/api/{method}", self._api.serve),
                web.get("/link/", self._socket),
                web.get("/oauth/v2/authorize", self._authorize),
                web.post("/response/{team}/{secret}", self._respond),
                web.post("/upload/v1/{file}", self._fill),
                web.get("/files/{file}/{name}", self._download),
                web.get("/ui/file/{file}", self._show_file),
                web.get("/ui/state", self._page.state),
                web.get("/ui/events", self._events),
                web.get("/ui/inspect", self._page.inspect),
                web.post("/ui/upload", self._page.upload),
                web.post("/ui/{act:[a-z/]+}", self._page.act),
                web.static("/static", STATIC),
            ]
        )
        application.on_response_prepare.append(_fresh)
        return application

    @web.middleware
    async def _answered(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Every answer says when it was given, by Slack's clock; its way back may take time."""
        response = await handler(request)
        if not response.prepared:
            response.headers["Date"] = formatdate(self._slack.clock.now(), usegmt=True)
            method = request.match_info.get("method") or replies.WAY
            await asyncio.sleep(self._slack.knobs.delay_answers.get(method, 0))
        return response

    async def _index(self, _: web.Request) -> web.StreamResponse:
        return web.FileResponse(STATIC / "index.html", headers={"Cache-Control": "no-store"})

    async def _authorize(self, request: web.Request) -> web.StreamResponse:
        """Whoever comes here agrees, for the workspace that the address names, and is sent back with a code."""
        asked, grants = request.query, self._slack.grants
        code = grants.code(asked.get("team") or self._slack.workspace.team.id)
        back = asked.get("redirect_uri") or grants.redirect
        raise web.HTTPFound(f"{back}?{urlencode({'code': code, 'state': asked.get('state', '')})}")

    async def _socket(self, request: web.Request) -> web.StreamResponse:
        return await self._sockets.accept(request, self._slack.delivery.resume)

    async def _events(self, request: web.Request) -> web.StreamResponse:
        return await changes.serve(request, self._slack.changes, self._stopping)

    async def _respond(self, request: web.Request) -> web.Response:
        try:
            args = await router.read(request)
        except SlackError as error:
            return web.json_response(error.answer())
        await asyncio.sleep(self._slack.knobs.delay.get(replies.WAY, 0))
        failure = self._slack.knobs.failure(replies.WAY)
        if isinstance(failure, int):
            return web.Response(status=failure, text="The sandbox fails on demand.")
        answer = replies.respond(self._slack, request.match_info["secret"], args, failure)
        if answer["ok"]:
            return web.Response(text="ok")
        return web.json_response(answer, status=GONE if answer["error"] in replies.ENDED else OK)

    async def _fill(self, request: web.Request) -> web.Response:
        stored = self._file(request)
        content = await _content(request)
        self._slack.workspace.keep_file(replace(stored, content=content))
        return web.Response(text=f"OK - {len(content)}")

    async def _download(self, request: web.Request) -> web.Response:
        if request.headers.get("Authorization") != f"Bearer {self._slack.credentials.bot_token}":
            raise web.HTTPForbidden(text="This file needs the bot's token.")
        return _shown(self._file(request))

    async def _show_file(self, request: web.Request) -> web.Response:
        return _shown(self._file(request))

    def _file(self, request: web.Request) -> StoredFile:
        stored = self._slack.workspace.files.get(request.match_info["file"])
        if stored is None:
            raise web.HTTPNotFound(text="There is no such file.")
        return stored


def _shown(stored: StoredFile) -> web.Response:
    headers = {
        "Content-Type": stored.mimetype,
        "Content-Security-Policy": "default-src 'none'; sandbox",
        "X-Content-Type-Options": "nosniff",
    }
    return web.Response(body=stored.content, headers=headers)


async def _content(request: web.Request) -> bytes:
    if request.content_type != "multipart/form-data":
        return await request.read()
    for value in (await request.post()).values():
        if isinstance(value, web.FileField):
            return value.file.read()
    return b""


@web.middleware
async def own_page_only(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Keep other web pages in the same browser away, also those that point a name of theirs at this machine."""
    origin = request.headers.get("Origin")
    if origin is not None and urlsplit(origin).netloc != request.host:
        raise web.HTTPForbidden(text="The sandbox serves its own page only.")
    if not _is_address(urlsplit(f"//{request.host}").hostname or ""):
        raise web.HTTPForbidden(text="The sandbox is reached by its address, not by a name.")
    return await handler(request)


def _is_address(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


async def _fresh(request: web.Request, response: web.StreamResponse) -> None:
    """After an upgrade no browser mixes old modules with new ones."""
    if request.path.startswith("/static/"):
        response.headers.setdefault("Cache-Control", "no-cache")
