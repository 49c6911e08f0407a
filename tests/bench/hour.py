"""An hour of five hundred conversations: what the bot holds in memory, and how long an act takes, from its first hundred to its last.

What is left out of the hour are the pauses in which people read and think, and nothing else: as many talk at a time as would in the hour
(five hundred people, three minutes each, are twenty-five at once), each act is handled and painted as ever, and half of the people have a
model read what they type. What the bot remembers for some minutes it has less time to forget, so its memory is rather too large here.
What grows by the clock alone, with nobody there, is not seen; memory at rest is among the figures of the start.
"""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

from tests.bench.acts import Seat, quiet, request
from tests.bench.figures import Figure, Sample, Scale, Target, sample, single
from tests.bench.model import pointed, served, understanding
from tests.bench.sides import Side, holdfast, memory_of

AT_ONCE = 25
FLAT, STEADY = Target(times=1.05, plus=5), Target(times=1.2)
BOUND = {
    "memory": "Every cache has a limit: drafts, people, posts, rows on their way.",
    "cpu": "A turn reads the draft and rows found by an index.",
    "wait": "As the CPU of an act, which tells whether it is the bot; else the local Slack and the machine, which both have a part in it.",
}


async def conversation(side: Side, n: int) -> list[float]:
    """One person files one request; milliseconds of each act."""
    seat = Seat(side, side.person(n))
    return [await seat.do(act) async for act in request(seat, typed=n % 2 == 1)]


async def some(side: Side, first: int, count: int) -> tuple[Sample, Sample, Sample]:
    """So many conversations, some at once; megabytes of the bot afterwards, milliseconds of its CPU an act, and those of an act."""
    coming, used = iter(range(first, first + count)), side.cpu()
    waits: list[float] = []

    async def place() -> None:
        for n in coming:
            waits.extend(await conversation(side, n))

    await asyncio.gather(*(place() for _ in range(AT_ONCE)))
    await quiet(side)
    spent = (side.cpu() - used) * 1000 / len(waits)
    return single(memory_of(side.process.pid)), single(spent), sample(waits)


async def run(scale: Scale, folder: Path) -> AsyncIterator[Figure]:
    """The hour, in equal parts, each beside the first."""
    each, people = scale.hour
    first: tuple[Sample, Sample, Sample] | None = None
    async with served(understanding()) as server, holdfast(folder / "ours", **pointed(server)) as ours:
        for last in range(each, people + 1, each):
            memory, spent, waits = measured = await some(ours, last - each, each)
            rows = (
                (f"memory after {last:,} conversations", "MB", memory, FLAT, "memory"),
                (f"CPU of the bot an act, up to conversation {last:,}", "ms", spent, STEADY, "cpu"),
                (f"act → answer, up to conversation {last:,}", "ms", waits, STEADY, "wait"),
            )
            for place, (what, unit, found, target, bound) in enumerate(rows):
                beside = (first[place], target) if first else (None, None)
                yield Figure("hour", what, unit, found, *beside, BOUND[bound], f"the first {each}")
            first = first or measured
