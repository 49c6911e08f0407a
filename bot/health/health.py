"""Liveness, readiness and the figures behind both: worked out at most once a second, so that asking costs the bot nothing."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import structlog
from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler

from bot import metrics
from bot.health import checks
from bot.health.checks import Found
from bot.reach import Reach
from state.stores.delivery import Depth
from state.stores.errors import StoreError
from state.stores.store import Store

log = structlog.get_logger("holdfast.health")

FRESH = 1.0
"""Seconds for which an answer counts."""
BEAT, STALLED = 1.0, 10.0
"""Seconds between two beats of the event loop's pulse, and how late one may be."""


@dataclass(frozen=True)
class Told:
    """An answer: whether all is well, and what goes back as JSON."""

    ok: bool
    body: dict[str, Any]


@dataclass
class Parts:
    """What health looks at. `socket` gives the handler of Socket Mode, once it is there; `working` whether the queues are worked off."""

    in_sockets: bool
    store: Store
    reaches: Callable[[], Sequence[Reach]]
    """Of every workspace that is known."""
    socket: Callable[[], AsyncSocketModeHandler | None]
    working: Callable[[], bool]
    key: Callable[[], str]
    """Says what is wrong with the installation's key."""
    operators: tuple[str, ...] = ()


@dataclass
class Health:
    """`beat` is called by the pulse; `clock` gives seconds."""

    parts: Parts
    clock: Callable[[], float] = time.monotonic
    started: bool = False
    lag: float = 0.0
    _kept: dict[str, tuple[float, Told]] = field(default_factory=dict)
    _lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    def __post_init__(self) -> None:
        self._writing = checks.Writing(self.parts.store)

    async def alive(self) -> Told:
        """The process: its event loop turns, and what works off the queues has not ended."""
        working = self.parts.working() or not self.started
        ok = self.lag < STALLED and working
        reasons = [] if ok else ["the event loop stalls"] if working else ["the queues are not worked off any more"]
        return Told(ok, {"ok": ok, "loop_lag_seconds": round(self.lag, 3), "reasons": reasons})

    async def ready(self) -> Told:
        """Whether the bot does what it is for: database, Slack, queues, key; and what an operator should look at."""
        return await self._fresh("ready", self._ready)

    async def refresh(self) -> None:
        """Bring the gauges up to date; where the database is away they stay as they are, and the check of it says so."""
        await self.ready()

    async def _fresh(self, name: str, work: Callable[[], Awaitable[Told]]) -> Told:
        async with self._lock:
            at, told = self._kept.get(name, (-FRESH, Told(False, {})))
            if self.clock() - at >= FRESH or not told.body:
                told = await work()
                self._kept[name] = (self.clock(), told)
            return told

    async def _ready(self) -> Told:
        if not self.started:
            return Told(False, {"ok": False, "checks": {}, "reasons": ["starting"], "warnings": []})
        found = await self._found()
        ok = all(one.ok for one in found)
        stuck, warnings = await self._stuck()
        for one in found:
            metrics.READY.labels(one.name).set(one.ok)
        reasons = [f"{one.name}: {one.reason}" for one in found if not one.ok]
        told = {one.name: {"ok": one.ok, "reason": one.reason} for one in found}
        return Told(ok, {"ok": ok, "checks": told, "reasons": reasons, "stuck": stuck, "warnings": warnings})

    async def _found(self) -> list[Found]:
        parts = self.parts
        writable = await self._writing.found()
        reached = await checks.slack(parts.reaches(), parts.socket(), datetime.now(UTC), in_sockets=parts.in_sockets)
        metrics.SLACK_CONNECTED.set(reached.ok)
        found = [writable, reached, await checks.key(parts.key)]
        if writable.ok:
            depths, now = await parts.store.depths(), await parts.store.now()
            self._gauge(depths, now.timestamp())
            found.append(checks.queues(depths, now))
        return found

    def _gauge(self, depths: list[Depth], now: float) -> None:
        for gauge in (metrics.DEPTH, metrics.OLDEST, metrics.HELD):
            gauge.clear()
        for one in depths:
            pool = one.pool if one.pool in metrics.POOLS else "other"
            metrics.DEPTH.labels(one.queue, pool).set(one.count)
            metrics.HELD.labels(one.queue, pool).set(one.held)
            metrics.OLDEST.labels(one.queue, pool).set(max(0.0, now - one.oldest.timestamp()) if one.oldest else 0.0)

    async def _stuck(self) -> tuple[dict[str, int], list[str]]:
        """What cannot be delivered or handled: no reason to take the bot away, and reason enough to look."""
        lanes = {f"slack:{channel}" for channel in self.parts.operators}
        try:
            counts = await self.parts.store.count_stuck()
            own = [s for s in await self.parts.store.stuck() if s.lane in lanes]
        except StoreError:
            return {}, []
        metrics.STUCK.clear()
        told: dict[str, int] = {}
        for (queue, status, reason), count in counts.items():
            metrics.STUCK.labels(queue, status, metrics.reason_label(reason)).inc(count)
            told[f"{queue} {status}: {reason or 'no reason known'}"] = count
        return told, [f"the operators' channel takes no messages ({one.reason})" for one in own]
