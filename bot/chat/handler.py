"""The HTTP side of `/chat`: method, token, body, and errors as JSON. No exception's text ever leaves."""

import json
from typing import Any

import structlog
from aiohttp import web

from bot.chat.answering import Answering
from bot.chat.contract import LONGEST, Failed, read_body
from bot.chat.tokens import Caller, Tokens
from bot.metrics import CHATS

log = structlog.get_logger("holdfast.chat")
BEARER = "bearer "


class Chat:
    """Handles every request to `/chat`."""

    def __init__(self, tokens: Tokens, answering: Answering) -> None:
        self._tokens, self._answering = tokens, answering

    async def handle(self, request: web.Request) -> web.Response:
        """200 with an answer, or `{error, detail?}` with the status that fits."""
        try:
            status, body, headers = 200, await self._answer(request), {}
        except Failed as problem:
            status, body = problem.status, dict(problem.body)
            headers = {405: {"Allow": "POST"}, 401: {"WWW-Authenticate": "Bearer"}}.get(problem.status, {})
        except Exception:
            log.exception("chat_failed")
            status, body, headers = 500, {"error": "internal"}, {}
        CHATS.labels(status).inc()
        return web.json_response(body, status=status, headers=headers)

    async def _answer(self, request: web.Request) -> dict[str, Any]:
        if request.method != "POST":
            raise Failed(405, "method_not_allowed", "Use POST.")
        caller = self._caller(request)
        return await self._answering.answer(caller, read_body(await _json(request)))

    def _caller(self, request: web.Request) -> Caller:
        """Whoever the token stands for."""
        given = request.headers.get("Authorization", "")
        known = self._tokens.caller(given[len(BEARER) :].strip()) if given.lower().startswith(BEARER) else None
        if known is None:
            raise Failed(401, "unauthorised", "A valid token is needed: Authorization: Bearer …")
        return known


async def _json(request: web.Request) -> object:
    if (request.content_length or 0) > LONGEST:
        raise Failed(413, "too_large", f"A body may have {LONGEST} bytes.")
    raw = bytearray()
    async for part in request.content.iter_chunked(8192):
        raw += part
        if len(raw) > LONGEST:
            raise Failed(413, "too_large", f"A body may have {LONGEST} bytes.")
    try:
        return json.loads(raw)
    except (ValueError, RecursionError):
        raise Failed(400, "malformed", "The body is not JSON.") from None
