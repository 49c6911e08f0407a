"""Deliver to sinks: one signed POST of JSON with a key by which it is known again, or a line of CSV. A sink that is away makes no other wait."""

import asyncio
import hashlib
import hmac
import json
import os
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any

import aiohttp

from bot.exports.sinks.drop import append
from bot.exports.sinks.file import SECRET, Sink, Sinks
from bot.operations.metrics import SINK_AWAY, SINK_DELIVERIES
from bot.slack.client import Reach
from bot.slack.errors import Fault, Later, Scope, Undelivered, fault_of, status_fault
from state.stores.rows import OutboxRow

LIMIT = 10.0
"""Seconds for the whole of it."""
KEY, TIMESTAMP, SIGNATURE = "Idempotency-Key", "X-Holdfast-Timestamp", "X-Holdfast-Signature"
AGENT = "Holdfast"
CONFLICT = 409


def signature(secret: bytes, timestamp: str, body: bytes) -> str:
    """HMAC-SHA-256 over version, timestamp and body, in hexadecimal: "v0=…"."""
    return f"v0={hmac.new(secret, b'v0:' + timestamp.encode() + b':' + body, hashlib.sha256).hexdigest()}"


def read_secret(file: Path) -> bytes:
    """Return what signs. Raises ValueError, in words that do not repeat it, and OSError."""
    secret = file.read_bytes().strip()
    if len(secret) < SECRET:
        raise ValueError(f"{file.name} has fewer than {SECRET} bytes.")
    return secret


def lacks(name: str, sink: Sink, var: Path) -> Iterator[str]:
    """Yield what a sink lacks beside its file, in sentences."""
    if sink.folder and not os.access(var / sink.folder, os.W_OK | os.X_OK):
        yield f"The sink {name} writes into {var / sink.folder}, and cannot: make that folder, and let Holdfast write there."
    try:
        _ = read_secret(var / sink.secret_file) if sink.secret_file else b""
    except (OSError, ValueError) as problem:
        why = problem.strerror if isinstance(problem, OSError) else str(problem).rstrip(".")
        yield f"The sink {name} cannot sign: {var / sink.secret_file} cannot be read ({why}). Nothing is sent to it until then."


async def post(session: aiohttp.ClientSession, sink: Sink, secret: bytes, told: dict[str, Any], now: int) -> None:
    """Send once. Raises Undelivered; a connection that breaks, as aiohttp raises it, after which nobody knows. The answer's body is not read."""
    body = json.dumps(told, ensure_ascii=False, separators=(",", ":")).encode()
    headers = {
        "Content-Type": "application/json", "User-Agent": AGENT, KEY: str(told["key"]), TIMESTAMP: str(now),
        SIGNATURE: signature(secret, str(now), body),
    }  # fmt: skip
    limit = aiohttp.ClientTimeout(total=LIMIT)
    async with session.post(sink.url, data=body, headers=headers, timeout=limit, allow_redirects=False) as answer:
        status, given = answer.status, answer.headers
    if status == CONFLICT and given.get(KEY, told["key"]) == told["key"]:
        return  # it has that one already
    fault = status_fault(status, _seconds(given.get("Retry-After", ""), now))
    if fault is not None:
        raise Undelivered(fault)


def _seconds(wanted: str, now: int) -> float:
    """`Retry-After`, which is in seconds or a date; nothing where it is neither."""
    if wanted.isascii() and wanted.isdigit():
        return float(wanted)
    try:
        return parsedate_to_datetime(wanted).timestamp() - now
    except (TypeError, ValueError):
        return 0.0


def no_secret(problem: Exception) -> Undelivered:
    """The sink's secret cannot be read: nothing is sent unsigned."""
    return Undelivered(Fault(Scope.PLACE, "no_secret" if isinstance(problem, OSError) else "short_secret"))


AT_ONCE, SOON = 8, 0.2
"""Rows that are under way to one sink, and seconds until there may be room for one more."""
METHOD = "POST"


class Deliverer:
    """`pace`: how many times as fast as elsewhere minutes pass; `now` is the store's clock."""

    def __init__(
        self, sinks: Sinks, session: aiohttp.ClientSession, now: Callable[[], Awaitable[datetime]], pace: float = 1.0
    ) -> None:
        self._sinks, self._session, self._now, self._pace = sinks, session, now, pace or 1.0
        self._reaches: dict[str, Reach] = {}
        self._busy: Counter[str] = Counter()
        self._locks: dict[str, asyncio.Lock] = {}

    async def serve(self, row: OutboxRow) -> None:
        """Perform one row. Raises Undelivered, and Later where there is no room."""
        name = str(row.body["sink"])
        sink = self._sinks.current().get(name)
        if sink is None:
            self._reaches.pop(name, None)
            SINK_AWAY.labels(name).set(0)
            raise Undelivered(Fault(Scope.PLACE, "no_such_sink"))
        reach = self._reaches.setdefault(name, Reach(self._pace))
        with self._room(name):
            await _asked(reach)
            try:
                await self._deliver(name, sink, row.body["payload"])
            except Undelivered as refused:
                self._failed(name, reach, refused.fault)
                raise
            except Exception as problem:
                fault = _fault_of(problem)
                self._failed(name, reach, fault)
                raise Undelivered(fault) from problem
        self._came(name, reach)

    async def _deliver(self, name: str, sink: Sink, told: dict[str, Any]) -> None:
        if sink.kind == "csv":
            async with self._locks.setdefault(name, asyncio.Lock()):
                folder = self._sinks.var / sink.folder  # a relative one is under HOLDFAST_VAR
                await asyncio.to_thread(append, folder, sink, told)
            return
        try:
            secret = await asyncio.to_thread(read_secret, self._sinks.var / sink.secret_file)
        except (OSError, ValueError) as problem:
            raise no_secret(problem) from None
        await post(self._session, sink, secret, told, int((await self._now()).timestamp()))

    @contextmanager
    def _room(self, name: str) -> Iterator[None]:
        if self._busy[name] >= AT_ONCE:
            raise Later(SOON)
        self._busy[name] += 1
        try:
            yield
        finally:
            self._busy[name] -= 1

    def _failed(self, name: str, reach: Reach, fault: Fault) -> None:
        SINK_DELIVERIES.labels(name, "waits" if fault.scope is Scope.OUTAGE else "refused").inc()
        if fault.scope is not Scope.OUTAGE:
            reach.answered(METHOD, datetime.now(UTC))  # it is there, and says no
            SINK_AWAY.labels(name).set(0)
            return
        reach.failed(Fault(Scope.OUTAGE, fault.code, method=METHOD), datetime.now(UTC))
        reach.hold(fault.after)
        SINK_AWAY.labels(name).set(1)

    def _came(self, name: str, reach: Reach) -> None:
        reach.answered(METHOD, datetime.now(UTC))
        SINK_DELIVERIES.labels(name, "done").inc()
        SINK_AWAY.labels(name).set(0)


def _fault_of(problem: Exception) -> Fault:
    """A certificate that does not hold is mended by somebody; whatever else breaks off ends by itself."""
    if isinstance(problem, aiohttp.ClientSSLError):
        return Fault(Scope.PLACE, "certificate")
    return fault_of(problem) or Fault(Scope.UNKNOWN, type(problem).__name__)


async def _asked(reach: Reach) -> None:
    """Return when this row may be the one that asks. Raises Undelivered, with nothing sent, while the sink is to be left alone."""
    try:
        await reach.clear()
    except Later as later:
        raise Undelivered(Fault(Scope.OUTAGE, reach.reason, after=later.seconds, tried=False)) from None
