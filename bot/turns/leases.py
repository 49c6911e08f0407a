"""A process's leases, how much it does at once, and the sweep that finds what others left or what has come due."""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from contextlib import suppress
from contextvars import Context
from dataclasses import dataclass

import structlog

from bot.effects.performer import COSMETIC, TURNS, kind_of
from bot.operations.tasks import cancelled
from state.stores.errors import LeaseLost
from state.stores.rows import Lease, Received
from state.stores.store import Store

log = structlog.get_logger("holdfast.worker")

LIMITS: Mapping[str, int] = {
    TURNS: 8, "slack": 64, COSMETIC: 16, "model": 256, "facts": 16, "operate": 16, "documents": 4, "rights": 4, "prompts": 8,
    "sink": 16,
}  # fmt: skip
"""Lanes worked on at once by one process. A model call costs nothing but a connection; more turns would be done no sooner, and out of order."""

SHARED: Mapping[str, int] = {**LIMITS, TURNS: 4}
"""The same where replicas share the conversations: what a busy one has begun, no other can serve sooner."""


class Pools:
    """Counts what runs, and queues what has to wait. `room` may be asked from any thread."""

    def __init__(self, limits: Mapping[str, int] = LIMITS) -> None:
        self._limits = limits
        self._running: dict[str, int] = dict.fromkeys(limits, 0)
        self._waiting: dict[str, OrderedDict[str, None]] = {kind: OrderedDict() for kind in limits}

    def room(self, lane: str) -> bool:
        """Return True if work in this lane could begin now."""
        kind = kind_of(lane)
        return self._running[kind] < self._limits[kind]

    def enter(self, lane: str) -> None:
        """Count one more."""
        self._running[kind_of(lane)] += 1
        self._waiting[kind_of(lane)].pop(lane, None)

    def wait(self, lane: str, *, first: bool = False) -> None:
        """Queue up, before all others if it is to be `first`."""
        self._waiting[kind_of(lane)][lane] = None
        if first:
            self._waiting[kind_of(lane)].move_to_end(lane, last=False)

    def leave(self, lane: str) -> str | None:
        """Count one less; gives the lane that has waited longest for this room."""
        kind = kind_of(lane)
        self._running[kind] -= 1
        return self._waiting[kind].popitem(last=False)[0] if self._waiting[kind] and self.room(lane) else None


class Line:
    """The conversations that wait for any replica: whoever has a hand free takes the one that came first, whoever received it.

    `begin` is given the event of each that is taken, and when that was asked for.
    """

    def __init__(self, store: Store, pools: Pools, begin: Callable[[Received, float], None]) -> None:
        self._store, self._pools, self._begin = store, pools, begin
        self._more, self._closed = False, True
        self._task: asyncio.Task[None] | None = None

    def open(self) -> None:
        """Take from now on."""
        self._closed = False

    async def close(self) -> None:
        """Take no more: others do."""
        self._closed = True
        if self._task:
            await self._task

    @property
    def long(self) -> bool:
        """True if who comes now has others before them. It may be asked from any thread."""
        return self._more or self._task is not None or not self._pools.room(TURNS)

    def grows(self) -> None:
        """Take one after the other while hands are free."""
        self._more = True
        self.go_on()

    def go_on(self) -> None:
        """Do so where any may be left."""
        if self._more and self._task is None and not self._closed and self._pools.room(TURNS):
            self._task = asyncio.create_task(self._take(), context=Context())

    async def _take(self) -> None:
        try:
            while self._more and not self._closed and self._pools.room(TURNS):
                self._more = False  # who comes meanwhile says so
                self._more = await self._take_one() or self._more
        except Exception:
            log.exception("line_failed", kind=TURNS)  # the sweep finds them
        finally:
            self._task = None

    async def _take_one(self) -> bool:
        asked = time.monotonic()
        with suppress(LeaseLost):
            oldest = await self._store.take_oldest(LEASE)
            if oldest is None:
                return False
            self._begin(oldest, asked)
        return True


LEASE = 6.0
"""Seconds; renewed at a third of it, so that what a killed process held is free again soon."""


@dataclass
class _Held:
    lease: Lease
    good_until: float
    """By this machine's clock: the database may have given the lane to another from then on."""


class Leases:
    """Renews leases. A process that was stopped for a while acts on none that it still believes to hold."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._held: dict[str, _Held] = {}
        self._some = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to renew."""
        self._task = asyncio.create_task(self._renew(), name="leases")

    @property
    def running(self) -> bool:
        """True if leases are renewed."""
        return self._task is not None and not self._task.done()

    async def stop(self) -> None:
        """Free what is held, so that the next process need not wait."""
        if self._task:
            await cancelled(self._task)
        while self._held:
            _, held = self._held.popitem()
            with suppress(Exception):
                await self._store.release(held.lease)

    def add(self, lease: Lease, since: float) -> None:
        """Hold a lease that was asked for at `since` (monotonic)."""
        self._held[lease.lane] = _Held(lease, since + LEASE)
        self._some.set()

    def drop(self, lease: Lease) -> None:
        """It is another's, or free."""
        held = self._held.get(lease.lane)
        if held and held.lease.token == lease.token:
            del self._held[lease.lane]

    def sure(self, lease: Lease) -> None:
        """Raises LeaseLost where another may have the lane by now: nothing is done that could not be taken back."""
        held = self._held.get(lease.lane)
        known = held is not None and held.lease.holder in (None, self._store.holder)
        if held is None or not known or held.lease.token != lease.token or time.monotonic() > held.good_until:
            raise LeaseLost("The lease has run out here.")

    async def _renew(self) -> None:
        while True:
            await self._some.wait()
            await asyncio.sleep(LEASE / 3)
            old = [h for h in self._held.values() if h.good_until - time.monotonic() < LEASE * 0.7]
            if old:
                await self.renew(old)
            if not self._held:
                self._some.clear()

    async def renew(self, old: list[_Held]) -> None:
        """Extend leases; those that were lost count no more here."""
        began = time.monotonic()
        try:
            renewed = await self._store.renew_all([held.lease for held in old], LEASE)
        except Exception:
            log.exception("renewing_failed")
            return
        kept = {(lease.lane, lease.token): lease for lease in renewed}
        for held in old:
            now = kept.get((held.lease.lane, held.lease.token))
            held.lease, held.good_until = now or held.lease, began + LEASE if now else 0.0


SWEEP, PURGE, LOOK = 2.0, 600.0, 0.5
"""Seconds between two looks at the database; between two of those that destroy documents whose time is over; and between two looks at who lives."""


class Sweep:
    """`start` is given each lane with due rows that nobody holds."""

    def __init__(self, store: Store, start: Callable[[str], None]) -> None:
        self._store, self._start = store, start
        self._look, self._purge_at = asyncio.Event(), 0.0
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        """Begin to look."""
        both = {"sweep": self._watch(), "others": self._others()}
        self._tasks = [asyncio.create_task(work, name=name) for name, work in both.items()]

    async def stop(self) -> None:
        """Look no more."""
        await cancelled(*self._tasks)

    @property
    def running(self) -> bool:
        """True if it looks."""
        return bool(self._tasks) and not any(task.done() for task in self._tasks)

    def soon(self) -> None:
        """Something will be due sooner than was known."""
        self._look.set()

    async def _others(self) -> None:
        """Free what other processes held that live no more. Where nobody can know, leases run out in their own time."""
        while True:
            pause = LOOK
            try:
                if (freed := await self._store.free_gone()) is None:
                    pause = PURGE
                elif freed:
                    log.warning("process_gone", lanes=freed)
                    self.soon()
            except Exception as problem:
                log.debug("others_unknown", error=type(problem).__name__)  # the sweep warns of a database that is away
            await asyncio.sleep(pause)

    async def _watch(self) -> None:
        """Start what is due; every now and then destroy the documents whose time is over."""
        while True:
            pause = SWEEP
            self._look.clear()
            try:
                left = await self._store.sweep()
                for lane in left.lanes:
                    self._start(lane)
                if time.monotonic() >= self._purge_at:
                    self._purge_at = time.monotonic() + PURGE
                    if gone := await self._store.purge():
                        log.info("documents_purged", count=gone)
                if left.wait is not None:
                    pause = min(SWEEP, max(0.01, left.wait + 0.005))
            except Exception:
                log.exception("sweep_failed")
            with suppress(TimeoutError):
                await asyncio.wait_for(self._look.wait(), pause)
