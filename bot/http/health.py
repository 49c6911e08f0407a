"""Check liveness and readiness, with a reason that names no person; the pulse measures the event loop, asks Slack, and notes what it hears."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import structlog
from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler

from bot.effects.performer import KINDS, SAME
from bot.exports.sinks import KIND as SINK
from bot.operations import metrics
from bot.operations.tasks import Periodic, cancelled
from bot.slack.client import SlackAvailability
from bot.slack.errors import reason_of
from state.stores.delivery import Reached
from state.stores.errors import StoreError, Unavailable
from state.stores.store import Store

log = structlog.get_logger("holdfast.health")

PATIENCE = 5.0
"""Seconds for the database."""
OLDEST = timedelta(minutes=5)
"""How long what is due may wait before the bot counts as not keeping up."""
SILENT = timedelta(minutes=3)
"""How long ago Slack may last have done what it was asked: it is asked every minute."""


FRESH = 1.0
"""Seconds for which an answer counts."""
BEAT, STALLED = 1.0, 10.0
"""Seconds between two beats of the event loop's pulse, and how late one may be."""
POOLS = (*KINDS, *SAME)
"""Classes of lanes; any other counts as "other"."""


@dataclass(frozen=True)
class CheckResult:
    """The result of a check; `reason` says what is wrong, or what to know."""

    name: str
    ok: bool
    reason: str = ""


@dataclass(frozen=True)
class HealthAnswer:
    """An answer: whether all is well, and what goes back as JSON."""

    ok: bool
    body: dict[str, Any]


@dataclass
class Health:
    """Looks at the store, Slack, the queues and the key. The pulse sets `lag`; `clock` gives seconds."""

    in_sockets: bool
    store: Store
    reaches: Callable[[], Sequence[SlackAvailability]]
    """Of every workspace that is known."""
    socket: Callable[[], AsyncSocketModeHandler | None]
    """Returns the handler of Socket Mode, once it is there."""
    working: Callable[[], bool]
    """Returns True while the queues are worked off."""
    key: Callable[[], str]
    """Says what is wrong with the installation's key: without it the next start finds nothing."""
    operators: tuple[str, ...] = ()
    clock: Callable[[], float] = time.monotonic
    started: bool = False
    lag: float = 0.0
    _kept: tuple[float, HealthAnswer] | None = None
    _lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    _writing: asyncio.Task[None] | None = None

    async def alive(self) -> HealthAnswer:
        """Return the process: its event loop turns, and what works off the queues has not ended."""
        working = self.working() or not self.started
        ok = self.lag < STALLED and working
        reasons = [] if ok else ["the event loop stalls"] if working else ["the queues are not worked off any more"]
        return HealthAnswer(ok, {"ok": ok, "loop_lag_seconds": round(self.lag, 3), "reasons": reasons})

    async def ready(self) -> HealthAnswer:
        """Return what says that the bot does what it is for (database, Slack, queues, key), and what an operator should look at."""
        async with self._lock:
            if self._kept is None or self.clock() - self._kept[0] >= FRESH:
                told = await self._ready()
                self._kept = (self.clock(), told)
            return self._kept[1]

    async def _ready(self) -> HealthAnswer:
        if not self.started:
            return HealthAnswer(False, {"ok": False, "checks": {}, "reasons": ["starting"], "warnings": []})
        slack, writable = await self._slack(datetime.now(UTC)), await self._database()
        metrics.SLACK_CONNECTED.set(slack.ok)
        problem = await asyncio.to_thread(self.key)
        found = [writable, slack, CheckResult("key", not problem, problem)]
        if writable.ok:
            found.append(await self._queues())
        for one in found:
            metrics.READY.labels(one.name).set(one.ok)
        ok = all(one.ok for one in found)
        stuck, warnings = await self._stuck()
        reasons = [f"{one.name}: {one.reason}" for one in found if not one.ok]
        checks = {one.name: {"ok": one.ok, "reason": one.reason} for one in found}
        return HealthAnswer(ok, {"ok": ok, "checks": checks, "reasons": reasons, "stuck": stuck, "warnings": warnings})

    async def _database(self) -> CheckResult:
        """Write something; while that hangs nothing else is begun, and nobody waits for its end."""
        self._writing = self._writing or asyncio.create_task(self.store.prove_writable())
        await asyncio.wait({self._writing}, timeout=PATIENCE)
        if not self._writing.done():
            return CheckResult("database", False, "does not answer")
        problem, self._writing = self._writing.exception(), None
        if isinstance(problem, Unavailable) and problem.why:
            return CheckResult("database", False, str(problem))
        return CheckResult("database", not problem, f"cannot be written ({type(problem).__name__})" if problem else "")

    async def _slack(self, now: datetime) -> CheckResult:
        """Check that a token works, and that events can come: a socket is open, or Slack answered lately where they come by HTTP.

        Of many workspaces one that refuses its token takes nothing from the others.
        """
        reaches = self.reaches()
        if reaches and all(reach.holding for reach in reaches):
            return CheckResult("slack", False, f"does not take what is sent ({reaches[0].reason})")
        if self.in_sockets:
            socket = self.socket()
            client = socket.client if socket is not None else None
            well = client is not None and await client.is_connected()
            return CheckResult("slack", well, "" if well else "no socket is open")
        last = [reach.ok_at for reach in reaches if reach.ok_at]
        silent = len(reaches) == 1 and not (last and now - last[0] <= SILENT)
        return CheckResult("slack", not silent, "has not answered lately" if silent else "")

    async def _queues(self) -> CheckResult:
        """Measure the queues, and check that nothing due has waited too long.

        What waits behind something blocked is told apart, and so is what sinks do not take.
        """
        depths, now = await self.store.depths(), await self.store.now()
        for gauge in (metrics.DEPTH, metrics.OLDEST, metrics.HELD):
            gauge.clear()
        late = []
        for one in depths:
            pool = one.pool if one.pool in POOLS else "other"
            age = (now - one.oldest).total_seconds() if one.oldest else 0.0
            metrics.DEPTH.labels(one.queue, pool).set(one.count)
            metrics.HELD.labels(one.queue, pool).set(one.held)
            metrics.OLDEST.labels(one.queue, pool).set(max(0.0, age))
            if one.pool != SINK and age > OLDEST.total_seconds():
                late.append(f"{one.queue} {one.pool}: {one.count} wait, the oldest for {int(age)} s")
        return CheckResult("queues", not late, "; ".join(late))

    async def _stuck(self) -> tuple[dict[str, int], list[str]]:
        """Return what cannot be delivered or handled: no reason to take the bot away, and reason enough to look."""
        lanes = {f"slack:{channel}" for channel in self.operators}
        try:
            counts = await self.store.count_stuck()
            own = [s for s in await self.store.stuck() if s.lane in lanes]
        except StoreError:
            return {}, []
        metrics.STUCK.clear()
        told: dict[str, int] = {}
        for (queue, status, reason), count in counts.items():
            ours = "error" if reason[:1].isupper() else reason_of(reason)  # labels come from a closed list
            metrics.STUCK.labels(queue, status, reason if reason in ("unclear", "late") else ours).inc(count)
            told[f"{queue} {status}: {reason or 'no reason known'}"] = count
        return told, [f"the operators' channel takes no messages ({one.reason})" for one in own]


ASK, NOTE = timedelta(minutes=1), timedelta(seconds=5)
"""After how long a silence Slack is asked; and how often it is noted that it answers."""


Alarm = Callable[[str, str], Awaitable[None]]
"""Given the workspace, tells the operators why nothing can be written; "" once it can be again."""


class Pulse(Periodic):
    """Beats once a second."""

    name, pause = "pulse", BEAT

    def __init__(self, health: Health, store: Store, alarm: Alarm | None = None) -> None:
        self._health, self._store, self._alarm = health, store, alarm
        self._refused = ""
        self._noted: dict[str, Reached] = {}
        self._beating: asyncio.Task[None] | None = None

    async def start(self, team: str = "") -> None:
        """Begin. `team` is the workspace of the bot's own token; empty where workspaces install the app by themselves."""
        for reach in self._health.reaches() if team else ():
            reach.team = team
        self._beating = asyncio.create_task(self._beat(), name="beat")
        await super().start(team)

    async def stop(self) -> None:
        """End, and leave in the database what was known last."""
        if self._beating:
            await cancelled(self._beating)
            await super().stop()
            await self._note(timedelta())

    async def _beat(self) -> None:
        while True:
            expected = time.monotonic() + BEAT
            await asyncio.sleep(BEAT)
            self._health.lag = max(0.0, time.monotonic() - expected)

    async def look(self) -> None:
        """Ask Slack where it has been silent, note what is heard, and tell the operators once the database takes nothing, or again."""
        reaches, now = self._health.reaches(), datetime.now(UTC)
        for reach in reaches:
            if reach.holding:  # whoever waits asks after an outage, and so does this
                await reach.probe()
            elif len(reaches) == 1 and (reach.ok_at is None or now - reach.ok_at > ASK):
                await reach.check()
        await self._note(NOTE)
        if self._store.refused:
            with suppress(StoreError):
                await self._store.prove_writable()
        refused = self._store.refused
        if refused != self._refused:
            self._refused = refused
            log.error("database_refused", reason=refused) if refused else log.info("database_back")
            if self._alarm is not None:
                await self._alarm(self.team, refused)

    async def _note(self, every: timedelta) -> None:
        """Note a change at once, and now and then that all is well."""
        for reach in self._health.reaches():
            now, noted = Reached(reach.team, reach.ok_at, reach.since, reach.reason), self._noted.get(reach.team)
            known = noted or Reached(reach.team)
            turned = (now.since, now.reason) != (known.since, known.reason)
            newer = now.ok_at is not None and (known.ok_at is None or now.ok_at - known.ok_at > every)
            if reach.team and (turned or newer):
                await self._tell(now, turned=turned)

    async def _tell(self, now: Reached, *, turned: bool) -> None:
        try:
            await self._store.reached(now)
        except StoreError:
            return
        self._noted[now.team] = now
        if turned and now.since:
            log.warning("slack_away", reason=now.reason)
        elif turned:
            log.info("slack_back")
