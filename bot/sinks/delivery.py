"""Delivers to sinks. One that is away is asked by one row for all, and makes nobody wait at another."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import aiohttp

from bot.faults import Fault, Later, Scope, Undelivered, fault_of
from bot.metrics import SINK_AWAY, SINK_DELIVERIES
from bot.reach import Reach
from bot.sinks.drop import append
from bot.sinks.file import Sink, Sinks
from bot.sinks.webhook import no_secret, post, read_secret
from state.stores.rows import OutboxRow

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
                await asyncio.to_thread(append, self._folder(sink), sink, told)
            return
        try:
            secret = await asyncio.to_thread(read_secret, self._sinks.var / sink.secret_file)
        except (OSError, ValueError) as problem:
            raise no_secret(problem) from None
        await post(self._session, sink, secret, told, int((await self._now()).timestamp()))

    def _folder(self, sink: Sink) -> Path:
        """A relative folder is one under HOLDFAST_VAR."""
        return self._sinks.var / sink.folder

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
