"""Check liveness and readiness, with a reason in a few words that names no person: at most once a second, so that asking costs nothing."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import structlog
from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler

from bot.effects.performer import KINDS, SAME
from bot.exports.sinks.rows import KIND as SINK
from bot.operations import metrics
from bot.slack.client import Reach
from bot.slack.errors import reason_of
from state.stores.delivery import Depth
from state.stores.errors import StoreError, Unavailable
from state.stores.store import Store

log = structlog.get_logger("holdfast.health")

PATIENCE = 5.0
"""Seconds for the database."""
OLDEST = timedelta(minutes=5)
"""How long what is due may wait before the bot counts as not keeping up."""
SILENT = timedelta(minutes=3)
"""How long ago Slack may last have done what it was asked: it is asked every minute."""


@dataclass(frozen=True)
class Found:
    """What a check found; `reason` says what is wrong, or what to know."""

    name: str
    ok: bool
    reason: str = ""


class Writing:
    """Something is really written; while that hangs nothing else is begun, and nobody waits for its end."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._task: asyncio.Task[None] | None = None

    async def found(self) -> Found:
        """Write to the database and return what that found."""
        self._task = self._task or asyncio.create_task(self._store.prove_writable())
        await asyncio.wait({self._task}, timeout=PATIENCE)
        if not self._task.done():
            return Found("database", False, "does not answer")
        problem, self._task = self._task.exception(), None
        return Found("database", not problem, _why(problem) if problem else "")


def _why(problem: BaseException) -> str:
    """Return what to do, where the disk says what is wrong."""
    known = isinstance(problem, Unavailable) and problem.why
    return str(problem) if known else f"cannot be written ({type(problem).__name__})"


async def check_slack(
    reaches: Sequence[Reach], socket: AsyncSocketModeHandler | None, now: datetime, *, in_sockets: bool
) -> Found:
    """A token works, and events can come: a socket is open, or Slack answered lately where they come by HTTP.

    Of many workspaces one that refuses its token takes nothing from the others.
    """
    if reaches and all(reach.holding for reach in reaches):
        return Found("slack", False, f"does not take what is sent ({reaches[0].reason})")
    if in_sockets:
        client = socket.client if socket is not None else None
        well = client is not None and await client.is_connected()
        return Found("slack", well, "" if well else "no socket is open")
    heard = [reach.ok_at for reach in reaches if reach.ok_at]
    silent = len(reaches) == 1 and not (heard and now - heard[0] <= SILENT)
    return Found("slack", not silent, "has not answered lately" if silent else "")


def check_queues(depths: Sequence[Depth], now: datetime) -> Found:
    """Nothing that is due has waited too long; what stands behind something blocked is told apart, and so is what others do not take."""
    late = [d for d in depths if d.pool != SINK and d.oldest is not None and now - d.oldest > OLDEST]
    told = (f"{d.queue} {d.pool}: {d.count} wait, the oldest for {_seconds(now, d.oldest)} s" for d in late)
    return Found("queues", not late, "; ".join(told))


def _seconds(now: datetime, since: datetime | None) -> int:
    return int((now - since).total_seconds()) if since else 0


async def check_key(problem_of: Callable[[], str]) -> Found:
    """The installation's key can still be read: without it the next start finds nothing."""
    problem = await asyncio.to_thread(problem_of)
    return Found("key", not problem, problem)


FRESH = 1.0
"""Seconds for which an answer counts."""
BEAT, STALLED = 1.0, 10.0
"""Seconds between two beats of the event loop's pulse, and how late one may be."""
POOLS = (*KINDS, *SAME)
"""Classes of lanes; any other counts as "other"."""
OWN_REASONS = frozenset({"unclear", "late"})


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
        self._writing = Writing(self.parts.store)

    async def alive(self) -> Told:
        """Return the process: its event loop turns, and what works off the queues has not ended."""
        working = self.parts.working() or not self.started
        ok = self.lag < STALLED and working
        reasons = [] if ok else ["the event loop stalls"] if working else ["the queues are not worked off any more"]
        return Told(ok, {"ok": ok, "loop_lag_seconds": round(self.lag, 3), "reasons": reasons})

    async def ready(self) -> Told:
        """Return what says that the bot does what it is for (database, Slack, queues, key), and what an operator should look at."""
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
        reached = await check_slack(parts.reaches(), parts.socket(), datetime.now(UTC), in_sockets=parts.in_sockets)
        metrics.SLACK_CONNECTED.set(reached.ok)
        found = [writable, reached, await check_key(parts.key)]
        if writable.ok:
            depths, now = await parts.store.depths(), await parts.store.now()
            self._gauge(depths, now.timestamp())
            found.append(check_queues(depths, now))
        return found

    def _gauge(self, depths: list[Depth], now: float) -> None:
        for gauge in (metrics.DEPTH, metrics.OLDEST, metrics.HELD):
            gauge.clear()
        for one in depths:
            pool = one.pool if one.pool in POOLS else "other"
            metrics.DEPTH.labels(one.queue, pool).set(one.count)
            metrics.HELD.labels(one.queue, pool).set(one.held)
            metrics.OLDEST.labels(one.queue, pool).set(max(0.0, now - one.oldest.timestamp()) if one.oldest else 0.0)

    async def _stuck(self) -> tuple[dict[str, int], list[str]]:
        """Return what cannot be delivered or handled: no reason to take the bot away, and reason enough to look."""
        lanes = {f"slack:{channel}" for channel in self.parts.operators}
        try:
            counts = await self.parts.store.count_stuck()
            own = [s for s in await self.parts.store.stuck() if s.lane in lanes]
        except StoreError:
            return {}, []
        metrics.STUCK.clear()
        told: dict[str, int] = {}
        for (queue, status, reason), count in counts.items():
            metrics.STUCK.labels(queue, status, _reason_label(reason)).inc(count)
            told[f"{queue} {status}: {reason or 'no reason known'}"] = count
        return told, [f"the operators' channel takes no messages ({one.reason})" for one in own]


def _reason_label(reason: str) -> str:
    """Return a label from a closed list; a class of ours counts as "error"."""
    if reason in OWN_REASONS:
        return reason
    return "error" if reason[:1].isupper() else reason_of(reason)
