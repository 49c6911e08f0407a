"""The Web API's front door: reading the call, checking the token, faults on demand, answering, recording."""

import asyncio
import json

from aiohttp import BasicAuth, web

from bot.sandbox.errors import SlackError
from bot.sandbox.params import Method, Params
from bot.sandbox.slack import Slack
from bot.sandbox.socket_mode import Sockets
from bot.sandbox.web import assistant, chat, conversations, files, users, views
from bot.sandbox.workspace import Json

METHODS: dict[str, Method] = {
    **assistant.METHODS,
    **chat.METHODS,
    **conversations.METHODS,
    **files.METHODS,
    **users.METHODS,
    **views.METHODS,
}
CONNECT, ACCESS = "apps.connections.open", "oauth.v2.access"
LONGEST_WAIT = 120
TOO_MANY = 429
NO_ANSWERS = {"page": "text/html", "plain": "text/plain", "cut": "text/plain"}
"""Outages that answer no JSON, and what they answer instead."""


class WebApi:
    """Serves /api/<method>; `stopping` releases calls that are kept waiting."""

    def __init__(self, slack: Slack, sockets: Sockets, stopping: asyncio.Event) -> None:
        self._slack = slack
        self._sockets = sockets
        self._stopping = stopping

    async def serve(self, request: web.Request) -> web.StreamResponse:
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
            return self._no_answer(method, args, request, failure)
        answer = self._answer(method, args, request, failure if isinstance(failure, str) else None)
        self._slack.changes.tick()
        await self._withhold(method, request)
        return web.json_response(answer)

    def _no_answer(self, method: str, args: Json, request: web.Request, failure: int | str) -> web.Response:
        """What comes where Slack is not well: a status, a page of some proxy's, or nothing at all."""
        self._record(method, args, {"ok": False, "error": f"http_{failure}"})
        if failure == "cut" and request.transport is not None:
            request.transport.close()
        status, kind = (failure, "text/plain") if isinstance(failure, int) else (200, NO_ANSWERS[failure])
        return web.Response(status=status, text="The sandbox fails on demand.", content_type=kind)

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
            return {"ok": True, "url": self._socket_url()}
        if method not in METHODS:
            raise SlackError("unknown_method", req_method=method)
        return METHODS[method](self._slack, Params(args))

    def _authenticate(self, method: str, args: Json, request: web.Request) -> str:
        """Return the workspace of a token that OAuth gave; empty for the app's own ones."""
        scheme, _, token = request.headers.get("Authorization", "").partition(" ")
        parameter = str(args.pop("token", ""))
        token = token if scheme == "Bearer" else parameter
        credentials = self._slack.credentials
        if not token:
            raise SlackError("not_authed")
        if (team := self._slack.grants.team_of(token)) is not None:
            return team
        if token not in (credentials.bot_token, credentials.app_token):
            raise SlackError("invalid_auth")
        if (token == credentials.app_token) != (method == CONNECT) and method != "auth.test":
            raise SlackError("not_allowed_token_type")
        return ""

    def _socket_url(self) -> str:
        return f"{self._slack.url.replace('http', 'ws', 1)}/link/?ticket={self._sockets.ticket()}"

    def _rate_limited(self, method: str, args: Json, wait: int) -> web.Response:
        answer = {"ok": False, "error": "ratelimited"}
        self._record(method, args, answer)
        return web.json_response(answer, status=TOO_MANY, headers={"Retry-After": str(wait)})

    async def _withhold(self, method: str, request: web.Request) -> None:
        if self._slack.knobs.cut_off(method) and request.transport is not None:
            request.transport.close()
        if self._slack.knobs.unanswered(method):
            try:
                await asyncio.wait_for(self._stopping.wait(), LONGEST_WAIT)
            except TimeoutError:
                return

    def _record(self, method: str, args: Json, answer: Json) -> None:
        self._slack.records.add(method, args, answer)
        self._slack.changes.tick()


async def read(request: web.Request) -> Json:
    """Return a call's parameters from query string, form and JSON body alike.

    Raises SlackError invalid_json or json_not_object.
    """
    args: Json = dict(request.query)
    if request.method != "POST":
        return args
    if request.content_type == "application/json":
        return args | _object(await request.text())
    return args | {name: value for name, value in (await request.post()).items() if isinstance(value, str)}


def _object(body: str) -> Json:
    try:
        parsed = json.loads(body or "{}")
    except ValueError:
        raise SlackError("invalid_json") from None
    if not isinstance(parsed, dict):
        raise SlackError("json_not_object")
    return parsed
