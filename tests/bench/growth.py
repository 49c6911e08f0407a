"""True if an act grows slower with what is stored, and with the length of its conversation."""

import asyncio
import shutil
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from itertools import count
from pathlib import Path
from statistics import fmean

from tests.bench.acts import Act, Seat, by_turns, quiet, requests
from tests.bench.figures import Figure, Scale, Target, sample, single
from tests.bench.inside import fill
from tests.bench.model import begin
from tests.bench.sides import holdfast, memory_of

FLAT = Target(times=1.2)
BOUND = {
    "stored": "Every statement of a turn finds its rows by an index, and no list is read that grows with history.",
    "memory": "Every cache has a limit: drafts, people, posts, rows on their way.",
    "turn": "A draft keeps a window of its conversation and folds what is older; a turn reads the draft, not its events.",
}
KINDS = {"click": "click", "sentence": "typed sentence"}


async def stored(scale: Scale, folder: Path) -> AsyncIterator[Figure]:
    """The same requests on databases with ever more in them, act by act beside each other."""
    async with holdfast(folder / "seed") as seed:
        await begin(Seat(seed, seed.person(0)))
    places = [(n, folder / f"stored{n}") for n in scale.stored]
    for many, place in places:
        shutil.copytree(folder / "seed", place, ignore=shutil.ignore_patterns("valkey*", "*.log"))
        await asyncio.to_thread(fill, place / "holdfast.db", many)
    async with AsyncExitStack() as stack:
        seats = []
        for _, place in places:
            here = await stack.enter_async_context(holdfast(place))
            seats.append(Seat(here, here.person(1)))
        playing = [(seat, requests(seat, corrected=True)) for seat in seats]
        await by_turns(playing, lambda: len(seats[0].found.get("click", ())) >= scale.window)
        for figure in compared(seats, [f"{n:,} drafts and events stored" for n in scale.stored], "stored"):
            yield figure


async def turns(scale: Scale, folder: Path) -> AsyncIterator[Figure]:
    """The same sentences at several lengths of a conversation, act by act beside each other."""
    async with holdfast(folder / "turns") as here:
        seats = [Seat(here, here.person(n)) for n in range(len(scale.turns))]
        for seat, length in zip(seats, scale.turns, strict=True):
            await begin(seat)
            for n in range(length - 1):
                await seat.do(correction(n))
            await quiet(here)
            seat.found.clear()
            seat.cpu.clear()
        playing = [(seat, corrections(length - 1)) for seat, length in zip(seats, scale.turns, strict=True)]
        await by_turns(playing, lambda: len(seats[0].found.get("sentence", ())) >= scale.window)
        for figure in compared(seats, [f"from turn {n:,} on" for n in scale.turns], "turn"):
            yield figure


async def memory(scale: Scale, folder: Path) -> AsyncIterator[Figure]:
    """What the bot holds after many messages, beside what it held after the first of them: one conversation, and ever new people."""
    few, many = scale.messages
    async with holdfast(folder / "memory") as here:
        seat, after = Seat(here, here.person(0)), list[float]()
        await begin(seat)
        for n in range(many):
            await seat.do(correction(n))
            if n % 10 == 0:
                await here.person(1 + n).say("hello")
            if n + 1 in (few, many):
                await quiet(here)
                after.append(memory_of(here.process.pid))
    was, now = map(single, after)
    what, peer = f"memory after {many:,} messages", f"after {few:,}"
    yield Figure("growth", what, "MB", now, was, Target(times=1.1, plus=10), BOUND["memory"], peer)


def correction(n: int) -> Act:
    """The n-th change of mind about the quantity."""
    return Act("sentence", f"actually make it {250 if n % 2 == 0 else 200} shares")


async def corrections(first: int) -> AsyncIterator[Act]:
    """One change of mind after the other."""
    for n in count(first):
        yield correction(n)


def compared(seats: list[Seat], names: list[str], bound: str) -> Iterator[Figure]:
    """Each seat beside the first: its acts, and the CPU that they took, which other programs on the machine disturb less."""
    measured = {what: [sample(s.found[kind]) for s in seats] for kind, what in KINDS.items() if kind in seats[0].found}
    measured["CPU an act"] = [single(fmean(seat.cpu)) for seat in seats]
    for what, samples in measured.items():
        for name, one in zip(names, samples, strict=True):
            peer = None if one is samples[0] else samples[0]
            target = FLAT if peer else None
            yield Figure("growth", f"{what}, {name}", "ms", one, peer, target, BOUND[bound], names[0])


async def run(scale: Scale, folder: Path) -> AsyncIterator[Figure]:
    """All three."""
    async for figure in stored(scale, folder):
        yield figure
    async for figure in turns(scale, folder):
        yield figure
    async for figure in memory(scale, folder):
        yield figure
