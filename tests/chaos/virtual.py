"""A machine that leaves nothing to chance: time passes only when everybody waits; a seed draws the order of callbacks, and ids.

Nothing of ours is patched. The loop is asyncio's own with another clock and another order, and where code asks the standard
library for the time or for random bytes, it gets the loop's time and the seed's bytes.
"""

import asyncio
import heapq
import os
import random
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar
from unittest.mock import patch

Result = TypeVar("Result")
BEGINS = 1_000.0
"""Seconds of the loop's clock at the beginning."""
MOST = 300_000
"""Rounds of a loop that comes to an end."""


class Stalled(Exception):
    """Everybody waits, and nothing will ever come; or all goes round and round."""


class Loop(asyncio.BaseEventLoop):
    """An event loop without sockets. What is ready at one moment runs in an order drawn from the seed; then time jumps to whoever waits least."""

    def __init__(self, seed: int) -> None:
        super().__init__()
        self.now, self.rng = BEGINS, random.Random(seed)
        self._rounds = 0
        self.set_exception_handler(lambda _loop, _context: None)

    def time(self) -> float:
        """Return the virtual time in seconds."""
        return self.now

    def run_in_executor(self, executor: Any, work: Callable[..., Result], *args: Any) -> asyncio.Future[Result]:
        """Do the work at once; its outcome comes a little later, as from a thread. A form's look-up may take a second."""
        outcome: asyncio.Future[Result] = self.create_future()
        try:
            settle, value = outcome.set_result, work(*args)
        except Exception as problem:
            settle, value = outcome.set_exception, problem
        longest = 1.0 if getattr(executor, "_thread_name_prefix", "") == "look-up" else 0.02
        self.call_later(self.rng.random() * longest, lambda: None if outcome.done() else settle(value))
        return outcome

    def _run_once(self) -> None:
        waiting: list[Any] = self._scheduled
        ready: Any = self._ready
        self._rounds += 1
        if self._rounds > MOST:
            raise Stalled(f"{MOST} rounds by {self.now - BEGINS:.3f} s")
        while waiting and waiting[0]._cancelled:
            heapq.heappop(waiting)._scheduled = False
        if not ready:
            if not waiting:
                raise Stalled
            self.now = max(self.now, waiting[0]._when)
        while waiting and waiting[0]._when <= self.now:
            timer = heapq.heappop(waiting)
            timer._scheduled = False
            ready.append(timer)
        batch = list(ready)
        ready.clear()
        if len(batch) > 1:
            self.rng.shuffle(batch)
        for handle in batch:
            if not handle._cancelled:
                handle._run()


@contextmanager
def _fixed(loop: Loop, epoch: float) -> Iterator[None]:
    drawn, was = random.Random(loop.rng.random()).randbytes, random.getstate()
    random.seed(loop.rng.random())
    with (
        patch.object(time, "monotonic", loop.time),
        patch.object(time, "time", lambda: epoch + loop.now - BEGINS),
        patch.object(os, "urandom", drawn),
        patch.object(random, "_urandom", drawn),
    ):
        yield
    random.setstate(was)


def run(seed: int, epoch: float, work: Callable[[Loop], Awaitable[Result]]) -> Result:
    """Run `work` on a loop of its own, which begins at `epoch` (seconds since 1970). Raises Stalled, and whatever it raises."""
    loop = Loop(seed)
    asyncio.set_event_loop(loop)
    try:
        with _fixed(loop, epoch):
            return loop.run_until_complete(asyncio.ensure_future(work(loop), loop=loop))
    finally:
        asyncio.set_event_loop(None)
        loop.close()
