"""Serve `/chat` over HTTP: method, token, rate, body, and errors as JSON. No exception's text ever leaves."""

import asyncio
import ipaddress
import json
import math
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import structlog
from aiohttp import web

from bot.http.answering import Answering
from bot.http.contract import LONGEST, Failed, read_body, written
from bot.http.tokens import Caller, Tokens
from bot.model.shapes import exact
from bot.operations.metrics import CHATS
from state.exact_json import no_number, without_doubles

log = structlog.get_logger("holdfast.chat")

KEPT = 5000
"""Tokens and addresses that are remembered."""


@dataclass(frozen=True)
class Rate:
    """So many at once, and so many a minute."""

    burst: int
    a_minute: int


TOKEN, ADDRESS, WRONG = Rate(60, 120), Rate(600, 1200), Rate(20, 20)
"""Of a caller; of an address, behind which many callers may be; of tokens that are wrong, from one address."""


class Limits:
    """Buckets that fill up with time. `clock` gives seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._full_at: OrderedDict[tuple[str, str], float] = OrderedDict()

    def address(self, address: str) -> float:
        """Count a request of an address. Gives the seconds after which to come again; 0 where it is within its rate."""
        return self._take("address", _network(address), ADDRESS)

    def token(self, digest: str) -> float:
        """Count a request of a caller by the hash of the token."""
        return self._take("token", digest, TOKEN)

    def wrong(self, address: str) -> float:
        """Count a wrong token from an address."""
        return self._take("wrong", _network(address), WRONG)

    def _take(self, kind: str, name: str, rate: Rate) -> float:
        """A bucket is kept as the time at which it will be full again; what is refused costs nothing."""
        now, each = self._clock(), 60.0 / rate.a_minute
        full_at = max(now, self._full_at.pop((kind, name), now))
        wait = full_at + each - (now + rate.burst * each)
        self._full_at[kind, name] = full_at if wait > 0 else full_at + each
        while len(self._full_at) > KEPT:
            self._full_at.popitem(last=False)
        return max(0.0, wait)


def _network(address: str) -> str:
    """Return an address; of the newer kind the part that one customer has."""
    try:
        known = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    return str(ipaddress.ip_network(f"{known}/64", strict=False)) if known.version == 6 else str(known)  # noqa: PLR2004


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
