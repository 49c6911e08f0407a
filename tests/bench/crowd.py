"""Many people at once, each acting as soon as they are answered."""

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

from tests.bench.acts import Act, Seat, quiet
from tests.bench.figures import Figure, Target, sample, single
from tests.bench.requests import mixed
from tests.bench.scale import Scale
from tests.bench.sides import Side, bare, holdfast

BOUND = {
    "rate": "One process, one core: the CPU of an act. The driver with both sandboxes takes part of the other core.",
    "wait": "The people before one in the queue: so many, times the CPU of an act.",
    "cpu": "Judging, the blocks of two messages with Slack's limits kept, sealing, the rows of two transactions, two calls of the SDK.",
    "spread": "Conversations are served in the order in which they ask.",
}


class Crowd:
    """People of one side; a round starts all of them where they stopped."""

    def __init__(self, side: Side, people: int) -> None:
        self.side = side
        self.seats = [Seat(side, side.person(n)) for n in range(people)]
        self._acts = [mixed(seat, n) for n, seat in enumerate(self.seats)]
        self.taken: list[float] = []
        self.seconds = self.cpu = 0.0

    async def round(self, seconds: float) -> None:
        """Everybody acts for so long; what is begun is waited for."""
        used, began = self.side.cpu(), time.monotonic()
        acting = (self._act(s, a, began + seconds) for s, a in zip(self.seats, self._acts, strict=True))
        await asyncio.gather(*acting)
        self.seconds += time.monotonic() - began
        await quiet(self.side)
        self.cpu += self.side.cpu() - used

    async def _act(self, seat: Seat, acts: AsyncIterator[Act], end: float) -> None:
        while time.monotonic() < end:
            self.taken.append(await seat.do(await anext(acts)))


async def run(scale: Scale, folder: Path) -> AsyncIterator[Figure]:
    """Rounds on both sides by turns."""
    async with holdfast(folder / "ours") as ours, bare(folder / "bare") as peer:
        mine, theirs = Crowd(ours, scale.crowd), Crowd(peer, scale.crowd)
        for _ in range(scale.rounds):
            for crowd in (mine, theirs):
                await crowd.round(scale.crowd_seconds)
        for figure in figures(mine, theirs):
            yield figure


def figures(mine: Crowd, theirs: Crowd, part: str = "crowd", peer_is: str = "bare") -> Iterator[Figure]:
    """Acts a second, the wait, the CPU, and the longest wait."""
    who, both = f"{len(mine.seats)} people at once", (mine, theirs)
    waits = [sample(c.taken) for c in both]
    rate = (single(len(c.taken) / c.seconds) for c in both)
    yield Figure(part, f"{who}: acts a second", "/s", *rate, Target(least=0.4), BOUND["rate"], peer_is)
    yield Figure(part, f"{who}: act → answer", "ms", *waits, bound=BOUND["wait"], peer_is=peer_is)
    used = (single(c.cpu / len(c.taken) * 1000) for c in both)
    yield Figure(part, f"{who}: CPU of the bot an act", "ms", *used, Target(times=4), BOUND["cpu"], peer_is)
    spread = (single(w.most / w.p50) for w in waits)
    yield Figure(part, f"{who}: longest wait ÷ median", "×", *spread, Target(most=10), BOUND["spread"], peer_is)
