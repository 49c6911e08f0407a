"""The dialogues in lots that processes share, and the outcomes of all of them."""

import asyncio
import random
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from multiprocessing import get_context
from pathlib import Path

from bot.operations import logs
from tests.replay.actor import Actor
from tests.replay.core import core
from tests.replay.data import Dialogue, dialogues
from tests.replay.player import Seen, play
from tests.replay.report import Setting, Sum
from tests.replay.whole import whole

SHARES = 4
"""Lots of a setting: the same seed gives the same figures, however many processes play them."""


@dataclass(frozen=True)
class Lot:
    """A share of the dialogues in one setting."""

    setting: Setting
    seed: int
    whole: bool
    names: tuple[str, ...]


@dataclass(frozen=True)
class Outcome:
    """What was seen of a lot, and how long it took."""

    setting: Setting
    seen: list[Seen]
    seconds: float


@cache
def every_dialogue() -> dict[str, Dialogue]:
    """All of them by their ids, read once in a process."""
    return {d.id: d for d in dialogues()}


def pool(every: Iterable[Dialogue]) -> dict[str, list[str]]:
    """Every value that a form was ever submitted with, by field: what a model may invent from."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for part in (p for d in every for p in d.parts):
        for name, value in part.params.items():
            found[name].add(value)
    return {name: sorted(values) for name, values in found.items()}


async def play_lot(lot: Lot) -> list[Seen]:
    """Play a share."""
    every, setting = every_dialogue(), lot.setting
    actor = Actor(setting.rate or 0.0, random.Random(lot.seed), pool(every.values()))
    seen: list[Seen] = []
    with tempfile.TemporaryDirectory() as var:
        place = whole if lot.whole else core
        async with place(Path(var), actor, model=setting.rate is not None) as stage:
            for name in lot.names:
                seen += await play(stage, every[name], setting.care)
    return seen


def played(lot: Lot) -> Outcome:
    """For a process of its own."""
    logs.configure("CRITICAL")
    began = time.process_time()
    seen = asyncio.run(play_lot(lot))
    return Outcome(lot.setting, seen, time.process_time() - began)


def replay(
    settings: Sequence[Setting], names: Sequence[str], seed: int, processes: int, *, through: bool
) -> Iterator[Sum]:
    """All of them in one setting after another, each as soon as it is done."""
    lots = [Lot(s, seed + i, through, tuple(names[i::SHARES])) for s in settings for i in range(SHARES)]
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as executor:
        for setting, outcomes in groupby(executor.map(played, lots), key=lambda outcome: outcome.setting):
            done = list(outcomes)
            yield Sum(setting, [one for o in done for one in o.seen], sum(o.seconds for o in done))
