"""Many people at once, each acting as soon as they are answered."""

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

from tests.bench.acts import Seat, mixed, quiet
from tests.bench.figures import Figure, Scale, Target, sample, single
from tests.bench.sides import Side, bare, holdfast

BOUND = {
    "rate": "One process, and Python runs on one core at a time: 150 acts a second are 6.7 ms of it an act. The driver takes part of the other core.",
    "read": "They ask for more acts than one process has CPU for, so they queue; what they wait is what an act costs, times those ahead.",
    "wait": "The people before one in the queue: so many, times the CPU of an act.",
    "cpu": "One and a half events an act, each judged and rendered with Slack's limits kept (5 ms); four transactions, 30 statements (3 ms); "
    "calls and events through the SDKs (3 ms); Redis (1 ms).",
    "spread": "Conversations are served in the order in which they ask.",
}


OTHERS = 1_000
"""Who reads is none of those who act at once."""


class Crowd:
    """People of one side, who read for so many seconds before each act; a round starts all of them where they stopped."""

    def __init__(self, side: Side, people: int, reads: float = 0.0) -> None:
        self.side, self.reads = side, reads
        self.seats = [Seat(side, side.person(n + OTHERS * bool(reads))) for n in range(people)]
        self._acts = [mixed(seat, n) for n, seat in enumerate(self.seats)]
        self.taken: list[float] = []
        self.spans: list[tuple[float, float, int]] = []
        """When each act began and was answered, and whose it was."""
        self.seconds = self.cpu = 0.0

    async def round(self, seconds: float) -> None:
        """Everybody acts for so long; what is begun is waited for."""
        used, began = self.side.cpu(), time.monotonic()
        acting = (self._act(n, began + seconds) for n in range(len(self.seats)))
        await asyncio.gather(*acting)
        self.seconds += time.monotonic() - began
        await quiet(self.side)
        self.cpu += self.side.cpu() - used

    async def _act(self, n: int, end: float) -> None:
        while time.monotonic() < end:
            await asyncio.sleep(self.reads * (1 + n / len(self.seats)) / 1.5)  # not all at the same moment
            act = await anext(self._acts[n])
            began = time.monotonic()
            self.taken.append(await self.seats[n].do(act))
            self.spans.append((began, time.monotonic(), n))

    @property
    def passed_over(self) -> int:
        """Count the acts during which somebody else began two and had both answered."""
        return sum(map(self._passed_over, self.spans))

    def _passed_over(self, waited: tuple[float, float, int]) -> bool:
        served = (n for began, ended, n in self.spans if waited[0] < began and ended < waited[1])
        return max(Counter(served).values(), default=0) > 1


async def run(scale: Scale, folder: Path) -> AsyncIterator[Figure]:
    """Rounds on both sides by turns."""
    async with holdfast(folder / "ours") as ours, bare(folder / "bare") as peer:
        mine, theirs = Crowd(ours, scale.crowd), Crowd(peer, scale.crowd)
        for _ in range(scale.rounds):
            for crowd in (mine, theirs):
                await crowd.round(scale.crowd_seconds)
        for figure in figures(mine, theirs):
            yield figure
        mine, theirs = Crowd(ours, scale.readers, reads=1.0), Crowd(peer, scale.readers, reads=1.0)
        for crowd in (mine, theirs):
            await crowd.round(scale.crowd_seconds)
        waits, what = (
            (sample(mine.taken), sample(theirs.taken)),
            f"{scale.readers} people who read for a second: act → answer",
        )
        yield Figure("crowd", what, "ms", *waits, Target(most=300), BOUND["read"])
        slowest = (single(w.p99) for w in waits)
        yield Figure("crowd", f"{what}, the 99th percentile", "ms", *slowest, Target(most=1000), BOUND["read"])


def figures(mine: Crowd, theirs: Crowd) -> Iterator[Figure]:
    """Acts a second, the wait, the CPU, and the longest wait."""
    who, both = f"{len(mine.seats)} people at once", (mine, theirs)
    waits = [sample(c.taken) for c in both]
    rate = (single(len(c.taken) / c.seconds) for c in both)
    yield Figure("crowd", f"{who}: acts a second", "/s", *rate, Target(least=150), BOUND["rate"])
    yield Figure("crowd", f"{who}: act → answer", "ms", *waits, bound=BOUND["wait"])
    used = (single(c.cpu / len(c.taken) * 1000) for c in both)
    yield Figure("crowd", f"{who}: CPU of the bot an act", "ms", *used, Target(most=10), BOUND["cpu"])
    spread = (single(w.most / w.p50) for w in waits)
    yield Figure("crowd", f"{who}: longest wait ÷ median", "×", *spread, Target(most=10), BOUND["spread"])
