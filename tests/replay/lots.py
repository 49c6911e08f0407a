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

from bot import logs
from tests.replay.actor import Actor
from tests.replay.core import core
from tests.replay.data import Dialogue, dialogues
from tests.replay.measures import Setting, Sum
from tests.replay.player import Seen, play
from tests.replay.whole import whole


@dataclass(frozen=True)
class Lot:
    """A share of the dialogues for one process."""

    setting: Setting
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


async def play_lot(lot: Lot) -> list[Seen]:
    """Play a share. The same lot gives the same outcomes."""
    every = {d.id: d for d in dialogues()}
    setting = lot.setting
    actor = Actor(setting.rate or 0.0, random.Random(lot.seed), pool(every.values()))
    seen: list[Seen] = []
    with tempfile.TemporaryDirectory() as var:
        place = whole if lot.whole else core
        async with place(Path(var), actor, model=setting.rate is not None) as stage:
            for name in lot.names:
                seen += await play(stage, every[name], setting.care)
    return seen


def played(lot: Lot) -> list[Seen]:
    """For a process of its own."""
    logs.configure("CRITICAL")
    return asyncio.run(play_lot(lot))


def replay(setting: Setting, names: Sequence[str], seed: int, processes: int, *, through: bool) -> Sum:
    """All of them in one setting."""
    began = time.monotonic()
    lots = [Lot(setting, seed + i, through, tuple(names[i::processes])) for i in range(processes)]
    if processes == 1:
        results = [played(lots[0])]
    else:
        with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as executor:
            results = list(executor.map(played, lots))
    return Sum(setting, [one for outcomes in results for one in outcomes], time.monotonic() - began)
