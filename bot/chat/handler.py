"""The HTTP side of `/chat`: method, token, body, and errors as JSON. No exception's text ever leaves."""

import asyncio
import json
import math
from typing import Any

import structlog
from aiohttp import web

from bot.chat.answering import Answering
from bot.chat.contract import LONGEST, Failed, read_body, written
from bot.chat.limits import Limits
from bot.chat.tokens import Caller, Tokens
from bot.metrics import CHATS
from bot.model.dialects.strict_json import exact
from state.exact_json import no_number, without_doubles

log = structlog.get_logger("holdfast.chat")
BEARER = "bearer "
HEADERS = {405: {"Allow": "POST"}, 401: {"WWW-Authenticate": "Bearer"}}
CLOSES = (408, 413, 429)
"""Statuses after which the rest of what was sent is not waited for."""


class Chat:
    """Handles every request to `/chat`. `patience`: seconds for a body."""

    def __init__(self, tokens: Tokens, answering: Answering, *, patience: float) -> None:
        self._tokens, self._answering, self._limits, self._patience = tokens, answering, Limits(), patience

    async def handle(self, request: web.Request) -> web.Response:
        """200 with an answer, or `{error, detail?}` with the status that fits."""
        try:
            status, body, headers = 200, await self._answer(request), {}
        except Failed as problem:
            status, body = problem.status, dict(problem.body)
            headers = dict(HEADERS.get(problem.status, {}))
            if problem.seconds:
                headers["Retry-After"] = str(math.ceil(problem.seconds))
        except Exception:
            log.exception("chat_failed")
            status, body, headers = 500, {"error": "internal"}, {}
        CHATS.labels(status).inc()
        response = web.json_response(body, status=status, headers=headers, dumps=written)
        if status in CLOSES:
            response.force_close()
        return response

    async def _answer(self, request: web.Request) -> dict[str, Any]:
        if request.method != "POST":
            raise Failed(405, "method_not_allowed", "Use POST.")
        caller = self._caller(request)
        try:
            async with asyncio.timeout(self._patience):
                given = await _json(request)
        except TimeoutError:
            raise Failed(408, "timeout", "The body did not come in time.") from None
        return await self._answering.answer(caller, read_body(given))

    def _caller(self, request: web.Request) -> Caller:
        """Whoever the token stands for, as often as they may ask."""
        address = request.remote or ""
        _within(self._limits.address(address))
        given = request.headers.get("Authorization", "")
        known = self._tokens.caller(given[len(BEARER) :].strip()) if given.lower().startswith(BEARER) else None
        if known is None:
            _within(self._limits.wrong(address))
            raise Failed(401, "unauthorised", "A valid token is needed: Authorization: Bearer …")
        _within(self._limits.token(known.sha256))
        return known


def _within(seconds: float) -> None:
    if seconds > 0:
        raise Failed(429, "too_many", "Too many requests. Come again after the seconds of Retry-After.", seconds)


async def _json(request: web.Request) -> object:
    if (request.content_length or 0) > LONGEST:
        raise Failed(413, "too_large", f"A body may have {LONGEST} bytes.")
    raw = bytearray()
    async for part in request.content.iter_chunked(8192):
        raw += part
        if len(raw) > LONGEST:
            raise Failed(413, "too_large", f"A body may have {LONGEST} bytes.")
    try:
        return json.loads(raw, object_pairs_hook=without_doubles, parse_float=exact, parse_constant=no_number)
    except (ValueError, RecursionError):
        raise Failed(400, "malformed", "The body is not JSON, or gives a key twice.") from None
