"""True if an act grows slower with what is stored, and with the length of its conversation."""

import shutil
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import AsyncExitStack
from itertools import count
from pathlib import Path
from statistics import fmean

from tests.bench.acts import Act, Seat, by_turns, quiet, requests
from tests.bench.databases import LEFT_OUT, made, postgres
from tests.bench.figures import Figure, Scale, Target, sample, single
from tests.bench.inside import fill
from tests.bench.model import begin
from tests.bench.sides import holdfast

FLAT = Target(times=1.2)
BOUND = {
    "stored": "Every statement of a turn finds its rows by an index, and no list is read that grows with history.",
    "turn": "A draft keeps a window of its conversation and folds what is older; a turn reads the draft, not its events.",
}
KINDS = {"click": "click", "sentence": "typed sentence"}


async def stored(scale: Scale, folder: Path) -> AsyncIterator[Figure | str]:
    """The same requests on databases with ever more in them, act by act beside each other; on SQLite, then on PostgreSQL."""
    async with holdfast(folder / "seed") as seed:
        await begin(Seat(seed, seed.person(0)))
    files = {n: f"sqlite:///{_copy(folder, f'sqlite{n}')}/holdfast.db" for n in scale.stored}
    async for figure in filled("SQLite", folder, files, scale.window):
        yield figure
    with postgres() as server:
        if not server:
            yield LEFT_OUT
            return
        url = await made(server.get_uri(), "seed")
        async with holdfast(folder / "postgres", DATABASE_URL=url) as seed:
            await begin(Seat(seed, seed.person(0)))
        few, many = scale.stored[0], scale.stored[-1]
        copies = {n: await made(server.get_uri(), f"postgres{n}", "seed") for n in (few, many)}
        for n in copies:
            _copy(folder, f"postgresql{n}", "postgres")
        async for figure in filled("PostgreSQL", folder, copies, scale.window):
            yield figure


def _copy(folder: Path, name: str, of: str = "seed") -> Path:
    """What a bot keeps beside its database, and that too where it is a file."""
    return Path(shutil.copytree(folder / of, folder / name, ignore=shutil.ignore_patterns("valkey*", "*.log")))


async def filled(name: str, folder: Path, urls: Mapping[int, str], window: int) -> AsyncIterator[Figure]:
    """Requests on databases of one kind, each filled with so much."""
    async with AsyncExitStack() as stack:
        seats = []
        for n, url in urls.items():
            await fill(url, n)
            here = await stack.enter_async_context(holdfast(folder / f"{name.lower()}{n}", DATABASE_URL=url))
            seats.append(Seat(here, here.person(1)))
            await quiet(here)  # what is made ready beside the start is no act's
        playing = [(seat, requests(seat, corrected=True)) for seat in seats]
        await by_turns(playing, lambda: len(seats[0].found.get("click", ())) >= window)
        for figure in compared(seats, [f"{name} with {n:,} drafts and events stored" for n in urls], "stored"):
            yield figure


async def turns(scale: Scale, folder: Path) -> AsyncIterator[Figure]:
    """The same sentences at several lengths of a conversation, act by act beside each other."""
    async with holdfast(folder / "turns") as here:
        seats = [Seat(here, here.person(n)) for n in range(len(scale.turns))]
        for seat, length in zip(seats, scale.turns, strict=True):
            await begin(seat)
            for n in range(length - 1):
                await seat.do(correction(n))  # the next follows at once: what this one costs is not measured
            await quiet(here)
            seat.found.clear()
            seat.cpu.clear()
        playing = [(seat, corrections(length - 1)) for seat, length in zip(seats, scale.turns, strict=True)]
        await by_turns(playing, lambda: len(seats[0].found.get("sentence", ())) >= scale.window)
        for figure in compared(seats, [f"from turn {n:,} on" for n in scale.turns], "turn"):
            yield figure


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


async def run(scale: Scale, folder: Path) -> AsyncIterator[Figure | str]:
    """Both."""
    async for figure in stored(scale, folder):
        yield figure
    async for told in turns(scale, folder):
        yield told
