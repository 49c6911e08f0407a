"""Where officers work, with many open requests: a page of the queue, and a search, each beside a bare indexed select of as many rows."""

import asyncio
import json
import sqlite3
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

from tests.bench.figures import Figure, Sample, Scale, Target, sample
from tests.bench.officers import Officer, open_requests

MOST = 200.0
"""Milliseconds in which a person takes an answer for one that came at once."""
BOUND = "A page is read from an index in its order; a dozen drafts are opened for it, and none besides."
FLOOR = "bare select"


async def run(scale: Scale, folder: Path) -> AsyncIterator[Figure | str]:
    """The queue's first page and one far behind, a search by a rare word and by one that all have, and the whole Home."""
    async with open_requests(folder, scale.waiting) as officer:
        many = f"{scale.waiting:,} open requests"
        floor = await _bare(folder / "holdfast.db", officer.sql, scale.looks)
        for what, act in _acts(officer, scale.waiting).items():
            ours, cpu = await _timed(act, scale.looks)
            yield Figure("queue", f"{what}, {many}", "ms", ours, floor, Target(most=MOST), BOUND, FLOOR)
            yield Figure("queue", f"CPU of {what}", "ms", cpu)


def _acts(officer: Officer, many: int) -> dict[str, Callable[[], Awaitable[Any]]]:
    return {
        "the queue's first page": lambda: officer.queue(0),
        "a page of the queue far behind": lambda: officer.queue(many - many // 10),
        "search by a rare word": lambda: officer.search("rarest"),
        "search by a word of every request": lambda: officer.search("plc"),
        "search by a person": lambda: officer.search("", "U0P00007"),
        "App Home as it is published": officer.home,
    }


async def _timed(act: Callable[[], Awaitable[Any]], looks: int) -> tuple[Sample, Sample]:
    """Milliseconds of each look, and of the processor, which other programs on the machine disturb less; a first one warms up."""
    await act()
    walls, processor = list[float](), list[float]()
    for _ in range(looks):
        begun, worked = time.perf_counter(), time.process_time()
        await act()
        walls.append(1000 * (time.perf_counter() - begun))
        processor.append(1000 * (time.process_time() - worked))
    return sample(walls), sample(processor)


async def _bare(database: Path, statement: str, looks: int) -> Sample:
    """The floor: as many rows as a page has, by an index, in a connection of their own."""

    def looked() -> list[float]:
        with sqlite3.connect(database) as connection:
            connection.execute(statement).fetchall()
            found = []
            for _ in range(looks):
                begun = time.perf_counter()
                json.dumps(connection.execute(statement).fetchall())
                found.append(1000 * (time.perf_counter() - begun))
            return found

    return sample(await asyncio.to_thread(looked))
