"""A share of the dialogues for each process, and the outcomes of all of them."""

import asyncio
import random
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

from tests.replay.actor import Actor
from tests.replay.core import core
from tests.replay.data import Dialogue, dialogues
from tests.replay.measures import Sum
from tests.replay.player import Seen, play
from tests.replay.whole import whole


@dataclass(frozen=True)
class Lot:
    """A share of the dialogues for one process."""

    rate: float
    seed: int
    whole: bool
    names: tuple[str, ...]


def pool(every: Iterable[Dialogue]) -> dict[str, list[str]]:
    """Every value that a form was ever submitted with, by field: what a model may invent from."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for part in (p for d in every for p in d.parts):
        for name, value in part.params.items():
            found[name].add(value)
    return {name: sorted(values) for name, values in found.items()}


async def play_lot(lot: Lot) -> tuple[list[Seen], int]:
    """Play a share; the outcomes, and how many faults were injected. The same lot gives the same outcomes."""
    every = {d.id: d for d in dialogues()}
    actor = Actor(lot.rate, random.Random(lot.seed), pool(every.values()))
    seen: list[Seen] = []
    with tempfile.TemporaryDirectory() as var:
        async with (whole if lot.whole else core)(Path(var), actor) as stage:
            for name in lot.names:
                seen += await play(stage, every[name])
    return seen, actor.injected


def played(lot: Lot) -> tuple[list[Seen], int]:
    """For a process of its own."""
    return asyncio.run(play_lot(lot))


def replay(rate: float, names: Sequence[str], seed: int, processes: int, *, through: bool) -> Sum:
    """All of them at one fault rate."""
    began = time.monotonic()
    lots = [Lot(rate, seed + i, through, tuple(names[i::processes])) for i in range(processes)]
    if processes == 1:
        results = [played(lots[0])]
    else:
        with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as executor:
            results = list(executor.map(played, lots))
    seen = [one for outcomes, _ in results for one in outcomes]
    return Sum(rate, seen, sum(n for _, n in results), time.monotonic() - began)
