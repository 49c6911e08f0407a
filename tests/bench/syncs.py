"""Disk syncs and futex calls of one click, counted by strace on the bot's process."""

import asyncio
import re
import shutil
import signal
from collections.abc import AsyncIterator
from pathlib import Path

from tests.bench.acts import Act, Seat, quiet
from tests.bench.figures import Figure, Scale, Target, sample
from tests.bench.model import begin
from tests.bench.sides import bare, holdfast
from tests.whole.steps import DECLARATIONS, REASON

LEFT_OUT = "LEFT OUT: disk syncs and futex calls (there is no strace here; apt-get install strace)"
SYNCS, FUTEX = ("fsync", "fdatasync"), ("futex",)
BOUND = {
    SYNCS: "One a commit: one receives, one is the turn, the others settle what was posted.",
    FUTEX: "A transaction is a hop to the database's thread and back, on either side; a hop is a few calls.",
}
ATTACH = 0.5
"""Seconds in which strace gets hold of every thread."""
ROW = re.compile(r"^\s*[\d.]+\s+[\d.]+\s+\d+\s+(\d+)\s+(?:\d+\s+)?(\w+)$", re.MULTILINE)


class Trace:
    """strace on one process, from `start` to `stop`, which gives system calls by name."""

    def __init__(self, pid: int) -> None:
        self._pid = pid

    async def start(self) -> None:
        """Attach to every thread."""
        self._tracer = await asyncio.create_subprocess_exec(
            "strace", "-f", "-qq", "-c", "-e", "trace=fsync,fdatasync,futex", "-p", str(self._pid),
            stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.PIPE,
        )  # fmt: skip
        await asyncio.sleep(ATTACH)

    async def stop(self) -> dict[str, int]:
        """Detach."""
        self._tracer.send_signal(signal.SIGINT)
        _, told = await self._tracer.communicate()
        return counted(told.decode())


def counted(summary: str) -> dict[str, int]:
    """Calls by name in strace's summary."""
    return {row[2]: int(row[1]) for row in ROW.finditer(summary)}


async def an_act(seat: Seat) -> dict[tuple[str, ...], float]:
    """Calls a click, of the declarations of one request; what the bot calls idly in the same time is taken off."""
    await begin(seat)
    trace, loop, clicks = Trace(seat.side.process.pid), asyncio.get_running_loop(), len(DECLARATIONS)
    await trace.start()
    began = loop.time()
    for _ in range(clicks):
        await seat.do(Act("click", "No", clicks=True, changes=True))
        await quiet(seat.side)
    seconds, busy = loop.time() - began, await trace.stop()
    await trace.start()
    await asyncio.sleep(seconds)
    idle = await trace.stop()
    await finish(seat)
    return {names: sum(busy.get(n, 0) - idle.get(n, 0) for n in names) / clicks for names in (SYNCS, FUTEX)}


async def finish(seat: Seat) -> None:
    """The rest of a request."""
    last = Act("submit", "Submit", clicks=True, changes=True)
    for act in (Act("click", "I understand", clicks=True, changes=True), Act("text", REASON), last):
        await seat.do(act)
        await quiet(seat.side)


async def run(scale: Scale, folder: Path) -> AsyncIterator[Figure | str]:
    """The clicks of some requests, on both sides by turns."""
    if shutil.which("strace") is None:
        yield LEFT_OUT
        return
    async with holdfast(folder / "ours") as ours, bare(folder / "bare") as peer:
        seats = Seat(ours, ours.person(0)), Seat(peer, peer.person(0))
        counts = [[await an_act(seat) for seat in seats] for _ in range(scale.traces)]
        for names, what, target in ((SYNCS, "disk syncs", Target(most=4)), (FUTEX, "futex calls", None)):
            found = (sample([pair[i][names] for pair in counts]) for i in (0, 1))
            yield Figure("syncs", f"{what} for one click", "", *found, target, BOUND[names])
