"""Every address of the sandbox in one table, and the Web API's front door: the token, faults on demand, answers, records."""

import asyncio
import contextlib
import json
from collections.abc import Awaitable, Callable
from dataclasses import replace
from email.utils import formatdate
from ipaddress import ip_address
from urllib.parse import urlencode, urlsplit

from aiohttp import BasicAuth, web

from bot.sandbox import changes, chat, conversations, views
from bot.sandbox.delivery import Sockets
from bot.sandbox.slack import APP_TOKEN, BOT_TOKEN, Method, Params, Slack
from bot.sandbox.ui import STATIC, Page
from bot.sandbox.workspace import Json, SlackError, StoredFile

METHODS: dict[str, Method] = {**chat.METHODS, **conversations.METHODS, **views.METHODS}
CONNECT, ACCESS = "apps.connections.open", "oauth.v2.access"
LONGEST_WAIT = 120
TOO_MANY = 429
NO_ANSWERS = {"page": "text/html", "plain": "text/plain", "cut": "text/plain"}
"""Outages that answer no JSON, and what they answer instead."""


async def read(request: web.Request) -> Json:
    """Return a call's parameters from query string, form and JSON body alike.

    Raises SlackError invalid_json or json_not_object.
    """
    args: Json = dict(request.query)
    if request.method != "POST":
        return args
    if request.content_type != "application/json":
        return args | {name: value for name, value in (await request.post()).items() if isinstance(value, str)}
    try:
        parsed = json.loads(await request.text() or "{}")
    except ValueError:
        raise SlackError("invalid_json") from None
    if not isinstance(parsed, dict):
        raise SlackError("json_not_object")
    return args | parsed


MOST_BODY_BYTES = 32 * 1024 * 1024
OK, GONE = 200, 404
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class Addresses:
    """The handlers that need no room of their own, and the table of all; `stopping` releases calls that are kept waiting."""

    def __init__(self, slack: Slack, sockets: Sockets, page: Page, stopping: asyncio.Event) -> None:
        self._slack = slack
        self._sockets = sockets
        self._page = page
        self._stopping = stopping

    def application(self) -> web.Application:
        """Return the aiohttp application."""
        application = web.Application(client_max_size=MOST_BODY_BYTES, middlewares=[own_page_only, self._answered])
        application.add_routes(
            [
                web.get("/", self._index),
                web.get("/api/{method}", self._serve),
                web.post("/api/{method}", self._serve),
                web.get("/link/", self._socket),
                web.get("/oauth/v2/authorize", self._authorize),
                web.post("/response/{team}/{secret}", self._respond),
                web.post("/upload/v1/{file}", self._fill),
                web.get("/files/{file}/{name}", self._download),
                web.get("/ui/file/{file}", self._show_file),
                web.get("/ui/state", self._page.state),
                web.get("/ui/events", self._events),
                web.get("/ui/inspect", self._page.inspect),
                web.get("/ui/preview", self._page.preview),
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
            method = request.match_info.get("method") or chat.WAY
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
        return await self._sockets.accept(request, self._slack.delivery)

    async def _events(self, request: web.Request) -> web.StreamResponse:
        return await changes.serve(request, self._slack.changes, self._stopping)

    async def _respond(self, request: web.Request) -> web.Response:
        try:
            args = await read(request)
        except SlackError as error:
            return web.json_response(error.answer())
        await asyncio.sleep(self._slack.knobs.delay.get(chat.WAY, 0))
        failure = self._slack.knobs.failure(chat.WAY)
        if isinstance(failure, int):
            return web.Response(status=failure, text="The sandbox fails on demand.")
        answer = chat.respond(self._slack, request.match_info["secret"], args, failure)
        self._cut_off(chat.WAY, request)
        if answer["ok"]:
            return web.Response(text="ok")
        return web.json_response(answer, status=GONE if answer["error"] in chat.ENDED else OK)

    async def _fill(self, request: web.Request) -> web.Response:
        stored = self._file(request)
        content = await _content(request)
        self._slack.workspace.keep_file(replace(stored, content=content))
        return web.Response(text=f"OK - {len(content)}")

    async def _download(self, request: web.Request) -> web.Response:
        if request.headers.get("Authorization") != f"Bearer {BOT_TOKEN}":
            raise web.HTTPForbidden(text="This file needs the bot's token.")
        return _shown(self._file(request))

    async def _show_file(self, request: web.Request) -> web.Response:
        return _shown(self._file(request))

    def _file(self, request: web.Request) -> StoredFile:
        stored = self._slack.workspace.files.get(request.match_info["file"])
        if stored is None:
            raise web.HTTPNotFound(text="There is no such file.")
        return stored

    async def _serve(self, request: web.Request) -> web.StreamResponse:
        """One call, with whatever fault is in store for it."""
        method = request.match_info["method"]
        try:
            args = await read(request)
        except SlackError as error:
            self._slack.records.add_error(method, {}, error)
            return web.json_response(error.answer())
        knobs = self._slack.knobs
        await asyncio.sleep(knobs.delay.get(method, 0))
        if knobs.rate_limited(method):
            return self._rate_limited(method, args, knobs.retry_after)
        if wait := self._slack.tiers.wait(method, args, knobs.tiers):
            return self._rate_limited(method, args, wait)
        failure = knobs.failure(method)
        if isinstance(failure, int) or failure in NO_ANSWERS:
            # as an ailing Slack answers: a status, a page of some proxy's, or nothing at all
            self._slack.records.add(method, args, {"ok": False, "error": f"http_{failure}"})
            self._slack.changes.tick()
            if failure == "cut" and request.transport is not None:
                request.transport.close()
            status, kind = (failure, "text/plain") if isinstance(failure, int) else (200, NO_ANSWERS[failure])
            return web.Response(status=status, text="The sandbox fails on demand.", content_type=kind)
        answer = self._answer(method, args, request, failure if isinstance(failure, str) else None)
        self._slack.changes.tick()
        self._cut_off(method, request)
        if knobs.unanswered(method):
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._stopping.wait(), LONGEST_WAIT)
        return web.json_response(answer)

    def _cut_off(self, method: str, request: web.Request) -> None:
        if self._slack.knobs.cut_off(method) and request.transport is not None:
            request.transport.close()

    def _answer(self, method: str, args: Json, request: web.Request, failure: str | None) -> Json:
        try:
            if method == ACCESS:
                return self._access(args, request, failure)
            team = self._authenticate(method, args, request)
            answer = self._call(method, args, failure)
        except SlackError as error:
            self._slack.records.add_error(method, args, error)
            return error.answer()
        answer |= {"team_id": team} if team and method == "auth.test" else {}
        self._slack.records.add(method, args, answer, team)
        return answer

    def _access(self, args: Json, request: web.Request, failure: str | None) -> Json:
        """Return the one call that is made without a token: the app says who it is."""
        if failure is not None:
            raise SlackError(failure)
        if (basic := request.headers.get("Authorization")) is not None:
            client = BasicAuth.decode(basic)
            args = {"client_id": client.login, "client_secret": client.password, **args}
        team, granted = self._slack.grants.access(args)
        bot = self._slack.workspace.bot
        self._slack.records.add(ACCESS, {"grant_type": args.get("grant_type", "")}, {"ok": True}, team)
        of = {"app_id": bot.app_id, "bot_user_id": bot.user_id, "team": {"id": team, "name": team}, "enterprise": None}
        who = {"authed_user": {"id": next(iter(self._slack.workspace.people))}, "scope": "chat:write"}
        return {"ok": True, **of, **who, "is_enterprise_install": False, **granted}

    def _call(self, method: str, args: Json, failure: str | None) -> Json:
        if failure is not None:
            raise SlackError(failure)
        if method == CONNECT:
            address = self._slack.url.replace("http", "ws", 1)
            return {"ok": True, "url": f"{address}/link/?ticket={self._sockets.ticket()}"}
        if method not in METHODS:
            raise SlackError("unknown_method", req_method=method)
        return METHODS[method](self._slack, Params(args))

    def _authenticate(self, method: str, args: Json, request: web.Request) -> str:
        """Return the workspace of a token that OAuth gave; empty for the app's own ones."""
        scheme, _, token = request.headers.get("Authorization", "").partition(" ")
        parameter = str(args.pop("token", ""))
        token = token if scheme == "Bearer" else parameter
        if not token:
            raise SlackError("not_authed")
        if (team := self._slack.grants.team_of(token)) is not None:
            return team
        if token not in (BOT_TOKEN, APP_TOKEN):
            raise SlackError("invalid_auth")
        if (token == APP_TOKEN) != (method == CONNECT) and method != "auth.test":
            raise SlackError("not_allowed_token_type")
        return ""

    def _rate_limited(self, method: str, args: Json, wait: int) -> web.Response:
        answer = {"ok": False, "error": "ratelimited"}
        self._slack.records.add(method, args, answer)
        self._slack.changes.tick()
        return web.json_response(answer, status=TOO_MANY, headers={"Retry-After": str(wait)})


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
    host = urlsplit(f"//{request.host}").hostname or ""
    try:
        ip_address("127.0.0.1" if host == "localhost" else host)
    except ValueError:
        raise web.HTTPForbidden(text="The sandbox is reached by its address, not by a name.") from None
    return await handler(request)


async def _fresh(request: web.Request, response: web.StreamResponse) -> None:
    """After an upgrade no browser mixes old modules with new ones."""
    if request.path.startswith("/static/"):
        response.headers.setdefault("Cache-Control", "no-cache")
