"""Keeps turns and posts going: a kick in the process, a signal to other replicas, a sweep as the safety net."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress

import structlog

from bot.delivery.performer import Performer
from bot.metrics import FAILED
from bot.tasks import cancelled
from bot.turn.turn import TurnHandler
from state.stores.protocol import (
    InboxRow,
    Lease,
    LeaseLost,
    OutboxRow,
    Store,
)
from state.stores.wake import Kind, NoSignal, Signal

log = structlog.get_logger("holdfast.engine")

LEASE = 6.0
"""Seconds; renewed at a third of it, so that what a killed process held is free again soon."""
SWEEP = 0.5
IDLE = 0.01
PURGE = 600.0
ATTEMPTS = 8
AT_ONCE = 32
"""Lanes worked on at the same time by one process."""

Line = tuple[Kind, str]
Fail = Callable[[Lease, int, float | None], Awaitable[None]]


class Worker:
    """Works off the inbox, a conversation at a time, and the outbox, a lane at a time."""

    def __init__(self, store: Store, turns: TurnHandler, performer: Performer, forget: Callable[[str], None]) -> None:
        self._store, self._turns, self._performer, self._forget = store, turns, performer, forget
        self.signal: Signal | NoSignal = NoSignal()
        self.attempts = ATTEMPTS
        self._running: dict[Line, asyncio.Task[None]] = {}
        self._again: set[Line] = set()
        self._room = asyncio.Semaphore(AT_ONCE)
        self._loops: list[asyncio.Task[None]] = []
        self._purge_at = 0.0

    async def start(self) -> None:
        """Begin sweeping and listening."""
        await self.signal.start()
        self._loops = [asyncio.create_task(self._sweep())]

    async def stop(self) -> None:
        """Stop where it stands: what is not finished is still stored, and goes on at the next start."""
        await self.signal.stop()
        await cancelled(*self._loops, *self._running.values())

    async def idle(self) -> None:
        """Wait until nothing runs here and nothing is due: for scenarios and tests, which look at the screen then."""
        while self._running or await self._store.waiting(1) or await self._store.lanes(1):  # noqa: ASYNC110  other processes' work shows in the store alone
            await asyncio.sleep(IDLE)

    async def kick(self, kind: Kind, name: str) -> None:
        """Work on a line at once, here; where all hands are full, other replicas are told."""
        if self._room.locked():
            await self.signal.wake(kind, name)
        self._start((kind, name))

    def heard(self, kind: Kind, name: str) -> None:
        """Another replica has its hands full, or has erased a person."""
        if kind == "person":
            self._forget(name)
        elif not self._room.locked():
            self._start((kind, name))

    def _start(self, line: Line) -> None:
        if line in self._running:
            self._again.add(line)
            return
        task = asyncio.create_task(self._work(line))
        self._running[line] = task
        task.add_done_callback(lambda _: self._ended(line))

    def _ended(self, line: Line) -> None:
        self._running.pop(line, None)
        if line in self._again:
            self._again.discard(line)
            self._start(line)

    async def _sweep(self) -> None:
        while True:
            try:
                for name in await self._store.waiting():
                    self._start(("conversation", name))
                for name in await self._store.lanes():
                    self._start(("lane", name))
                await self._purge()
            except Exception:
                log.exception("sweep_failed")
            await asyncio.sleep(SWEEP)

    async def _purge(self) -> None:
        """Destroy, every now and then, the documents whose time is over."""
        if time.monotonic() >= self._purge_at:
            self._purge_at = time.monotonic() + PURGE
            if gone := await self._store.purge():
                log.info("documents_purged", count=gone)

    async def _work(self, line: Line) -> None:
        kind, name = line
        async with self._room:
            try:
                lease = await self._store.take(name, LEASE)
                if lease is None:
                    return
                async with self._held(lease):
                    await (self._inbox if kind == "conversation" else self._outbox)(lease, name)
            except LeaseLost:
                log.info("lease_lost", kind=kind)
            except Exception:
                log.exception("line_failed", kind=kind)

    @asynccontextmanager
    async def _held(self, lease: Lease) -> AsyncIterator[None]:
        keeper = asyncio.create_task(self._keep(lease))
        try:
            yield
        finally:
            keeper.cancel()
            with suppress(asyncio.CancelledError):
                await keeper
            with suppress(LeaseLost):
                await self._store.release(lease)

    async def _keep(self, lease: Lease) -> None:
        with suppress(LeaseLost):
            while True:
                await asyncio.sleep(LEASE / 3)
                lease = await self._store.renew(lease, LEASE)

    async def _inbox(self, lease: Lease, conversation: str) -> None:
        while (incoming := await self._store.next_incoming(conversation)) is not None:
            if not await self._guarded(self._turn(lease, incoming), lease, incoming, self._store.fail_incoming):
                self._start_lanes(await self._turns.apologise(lease, incoming))

    async def _turn(self, lease: Lease, incoming: InboxRow) -> None:
        self._start_lanes(await self._turns.handle(lease, incoming))

    def _start_lanes(self, lanes: list[str]) -> None:
        for lane in dict.fromkeys(lanes):
            self._start(("lane", lane))

    async def _outbox(self, lease: Lease, lane: str) -> None:
        while (row := await self._store.next_outgoing(lane)) is not None:
            await self._guarded(self._perform(lease, row), lease, row, self._store.fail_outgoing)

    async def _perform(self, lease: Lease, row: OutboxRow) -> None:
        conversation = await self._performer.perform(lease, row)
        if conversation:
            self._start(("conversation", conversation))

    async def _guarded(self, work: Awaitable[None], lease: Lease, row: InboxRow | OutboxRow, fail: Fail) -> bool:
        """Trouble with one row is counted and tried again later. False where it became a dead letter, which `holdfast verify` lists."""
        last = False
        try:
            await work
        except LeaseLost:
            raise
        except Exception:
            last = row.attempts + 1 >= self.attempts
            log.exception("row_failed", row=row.id, attempts=row.attempts + 1, dead=last)
            FAILED.labels(row.__class__.__name__, last).inc()
            await fail(lease, row.id, None if last else min(60.0, 0.5 * 2**row.attempts))
        return not last
