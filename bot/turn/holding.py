"""The leases that this process holds, renewed together at a third of their time."""

import asyncio
import time
from contextlib import suppress
from dataclasses import dataclass

import structlog

from bot.tasks import cancelled
from state.stores.errors import LeaseLost
from state.stores.rows import Lease
from state.stores.store import Store

log = structlog.get_logger("holdfast.worker")

LEASE = 6.0
"""Seconds; renewed at a third of it, so that what a killed process held is free again soon."""


@dataclass
class _Held:
    lease: Lease
    good_until: float
    """By this machine's clock: the database may have given the lane to another from then on."""


class Leases:
    """What a process that was stopped for a while still believes to hold, it does not act on."""

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
        """Whether leases are renewed."""
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
        if held is None or held.lease.token != lease.token or time.monotonic() > held.good_until:
            raise LeaseLost("The lease has run out here.")

    async def _renew(self) -> None:
        while True:
            await self._some.wait()
            await asyncio.sleep(LEASE / 3)
            old = [h for h in self._held.values() if h.good_until - time.monotonic() < LEASE * 0.7]
            if old:
                await self._longer(old)
            if not self._held:
                self._some.clear()

    async def _longer(self, old: list[_Held]) -> None:
        began = time.monotonic()
        try:
            renewed = await self._store.renew_all([held.lease for held in old], LEASE)
        except Exception:
            log.exception("renewing_failed")
            return
        tokens = {(lease.lane, lease.token) for lease in renewed}
        for held in old:
            held.good_until = began + LEASE if (held.lease.lane, held.lease.token) in tokens else 0.0
