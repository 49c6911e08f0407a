"""The sweep: what other processes have left, what has come due, and what an operator has asked for is found in the database."""

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime

import structlog

from bot.tasks import cancelled
from state.stores.store import Store

log = structlog.get_logger("holdfast.worker")

SWEEP, PURGE = 2.0, 600.0
"""Seconds between two looks at the database; and between two of those that destroy documents whose time is over."""


class Sweep:
    """`start` is given each lane with due rows that nobody holds; `tidy` forgets what nobody uses."""

    def __init__(self, store: Store, start: Callable[[str], None], tidy: Callable[[], None]) -> None:
        self._store, self._start, self._tidy = store, start, tidy
        self._look, self._purge_at = asyncio.Event(), 0.0
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to look."""
        self._task = asyncio.create_task(self._watch(), name="sweep")

    async def stop(self) -> None:
        """Look no more."""
        if self._task:
            await cancelled(self._task)

    @property
    def running(self) -> bool:
        """Whether it looks."""
        return self._task is not None and not self._task.done()

    def soon(self) -> None:
        """Something will be due sooner than was known."""
        self._look.set()

    async def left(self) -> list[str]:
        """Lanes with due rows that nobody holds."""
        return [*await self._store.waiting(), *await self._store.lanes()]

    async def _watch(self) -> None:
        while True:
            pause = SWEEP
            self._look.clear()
            try:
                await self._store.take_up_keys()
                for lane in await self.left():
                    self._start(lane)
                await self._purge()
                pause = _until(await self._store.due(), await self._store.now())
            except Exception:
                log.exception("sweep_failed")
            with suppress(TimeoutError):
                await asyncio.wait_for(self._look.wait(), pause)

    async def _purge(self) -> None:
        """Destroy, every now and then, the documents whose time is over, and forget drafts that nobody writes on."""
        if time.monotonic() >= self._purge_at:
            self._purge_at = time.monotonic() + PURGE
            self._tidy()
            if gone := await self._store.purge():
                log.info("documents_purged", count=gone)


def _until(due: datetime | None, now: datetime) -> float:
    return SWEEP if due is None else min(SWEEP, max(0.01, (due - now).total_seconds() + 0.005))
