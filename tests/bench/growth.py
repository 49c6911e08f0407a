"""Whether an act grows slower with what is stored, and with the length of its conversation."""

import asyncio
import shutil
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

from tests.bench.acts import Act, Seat, quiet, request
from tests.bench.figures import Figure, Target, sample
from tests.bench.inside import fill
from tests.bench.model import begin
from tests.bench.scale import Scale
from tests.bench.sides import holdfast

FLAT = Target(times=1.2)
BOUND = {
    "stored": "Every statement of a turn finds its rows by an index, and no list is read that grows with history.",
    "turn": "A draft keeps a window of its conversation and folds what is older; a turn reads the draft, not its events.",
}
KINDS = {"click": "click", "sentence": "typed sentence"}


async def stored(scale: Scale, folder: Path) -> AsyncIterator[Figure]:
    """The same requests on databases with ever more in them, act by act beside each other."""
    async with holdfast(folder / "seed") as seed:
        await begin(Seat(seed, seed.person(0)))
    places = [(n, folder / f"stored{n}") for n in scale.stored]
    for count, place in places:
        shutil.copytree(folder / "seed", place, ignore=shutil.ignore_patterns("valkey*", "*.log"))
        await asyncio.to_thread(fill, place / "holdfast.db", count)
    async with AsyncExitStack() as stack:
        seats = []
        for _, place in places:
            here = await stack.enter_async_context(holdfast(place))
            seats.append(Seat(here, here.person(1)))
        while len(seats[0].found.get("click", [])) < scale.window:
            for act in request(typed=False, corrected=True):
                await beside(seats, [act] * len(seats))
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
        for n in range(scale.window):
            await beside(seats, [correction(n + length - 1) for length in scale.turns])
        for figure in compared(seats, [f"from turn {n:,} on" for n in scale.turns], "turn"):
            yield figure


def correction(n: int) -> Act:
    """The n-th change of mind about the quantity."""
    return Act("sentence", f"actually make it {250 if n % 2 == 0 else 200} shares")


async def beside(seats: list[Seat], acts: list[Act]) -> None:
    """One act at each seat."""
    for seat, act in zip(seats, acts, strict=True):
        await seat.do(act)
        await quiet(seat.side)


def compared(seats: list[Seat], names: list[str], bound: str) -> list[Figure]:
    """Each seat beside the first."""
    found = []
    for kind, what in KINDS.items():
        if kind in seats[0].found:
            samples = [sample(seat.found[kind]) for seat in seats]
            for name, one in zip(names, samples, strict=True):
                peer = None if one is samples[0] else samples[0]
                target = FLAT if peer else None
                found.append(Figure("growth", f"{what}, {name}", "ms", one, peer, target, BOUND[bound], names[0]))
    return found


async def run(scale: Scale, folder: Path) -> AsyncIterator[Figure]:
    """Both."""
    async for figure in stored(scale, folder):
        yield figure
    async for figure in turns(scale, folder):
        yield figure
