"""Whole conversations on a virtual clock, under faults that a seed draws; each must end as it does without any.

Run: python -m tests.chaos.simulation SEED …
"""

import asyncio
import logging
import os
import pickle
import random
import sys
import time
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import cache, partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import structlog

from tests.chaos.fabric import EPOCH, NONE, Faults, World, settings, template, workflows
from tests.chaos.invariants import broken_in
from tests.chaos.seats import PATIENCE, Script, Seat
from tests.chaos.trials import Trials
from tests.chaos.virtual import BEGINS, Loop, Stalled, run

KEPT = Path(__file__).with_name("seeds.toml")
SCRIPTS = tuple(
    Script(name)
    for name in (
        "gifts/plain", "loan/senza_reddito", "loan/redditi_misti", "loan/no_a_tutto", "loan/dopo_il_no",
        "pa_dealing/decided", "pa_dealing/withdrawn", "pa_dealing/misspelt_security", "pa_dealing/no_to_all", "pa_dealing/restricted",
        "pa_dealing/typed_one", "pa_dealing/derivative", "requirements/talkative_feature", "vehicle_case/unsupported",
    )
)  # fmt: skip
"""What seeds draw from; with another list each seed would draw something else."""
ALSO = tuple(
    Script(name)
    for name in (
        "expenses/plain_lines", "gifts/corrections", "gifts/two_languages", "loan/operatore", "requirements/bug_without_a_model",
        "vehicle_case/otro_con_palabras",
    )
)  # fmt: skip
"""What is played under one kill, or beside a process that stands still, as well."""


@dataclass(frozen=True)
class Outcome:
    """The result of a run: what broke, what each saw after each step, what was filed, the trace's digest, and the gates but those of reads."""

    broken: list[str]
    screens: tuple[list[list[str]], ...]
    records: list[Any]
    trace: str
    gates: list[str]
    seconds: float


def simulate(seed: int, scripts: Sequence[Script], faults: Faults, expected: Sequence[Any] = ()) -> Outcome:
    """Play scripts side by side."""

    async def played(loop: Loop) -> Outcome:
        world = World(loop, faults)
        seats = [Seat(world, n, script) for n, script in enumerate(scripts)]
        broken: list[str] = []
        try:
            for _ in range(faults.replicas):
                world.spawn(world.begin())
            each = await asyncio.gather(
                *(s.play(expected[n].screens[0] if expected else ()) for n, s in enumerate(seats)),
                return_exceptions=True,
            )
            for script, came in zip(scripts, each, strict=True):
                broken += came if isinstance(came, list) else [f"{script.name}: {came!r}"]
            rest = loop.now + PATIENCE
            while world.busy and loop.now < rest:  # noqa: ASYNC110  time is virtual
                await asyncio.sleep(1)
            broken += [f"{world.home.disk.open()} rows are open"] if world.busy else []
            broken += [f"refused by Slack: {one.problems}" for one in world.sandbox.refused]
            records = world.home.disk.raw.execute("SELECT form, state FROM records ORDER BY form, state").fetchall()
            records = [tuple(row) for row in records]
            broken += await broken_in(seats[0].bot.store, world.sandbox)
        finally:
            await world.close()
        return Outcome(
            broken, tuple(s.screens for s in seats), records, world.trace.hexdigest(), world.gates, loop.now - BEGINS
        )

    template(), workflows()
    return run(seed, EPOCH, played)


@cache
def faultless(script: Script, model: bool) -> Outcome:
    """Play a script alone, with nothing going wrong; forks of one process that has the settings play it once for all."""
    kept = settings().holdfast_var / f"{script.name.replace('/', '.')}.{model}"
    if kept.exists():
        return pickle.loads(kept.read_bytes())  # noqa: S301  our own
    out = simulate(0, (script,), replace(NONE, model=model))
    aside = kept.with_name(f"{kept.name}.{os.getpid()}")
    aside.write_bytes(pickle.dumps(out))
    aside.rename(kept)
    return out


def drawn(seed: int) -> tuple[list[Script], Faults]:
    """Return what a seed plays: one to three conversations. Officers decide in one at most, and no two people say the same."""
    rng = random.Random(seed)
    picked: list[Script] = []
    for script in rng.sample(SCRIPTS, rng.choice((1, 1, 2, 3))):
        if not any(script.said & other.said for other in picked):
            picked.append(script)
    return picked, Faults.drawn(rng)


def play(seed: int, scripts: Sequence[Script], faults: Faults) -> Outcome:
    """Play scripts under faults. What breaks is also what ends otherwise than without them."""
    alone = [faultless(script, faults.model) for script in scripts]
    if faults.model and any(
        one.broken for one in alone
    ):  # where nobody reads words, some are put back that rules would take
        return play(seed, scripts, replace(faults, model=False))
    out = simulate(seed, scripts, faults, alone)
    wanted = sorted(record for one in alone for record in one.records)
    filed = [] if wanted == out.records else [f"filed: {out.records}, without faults: {wanted}"]
    return replace(out, broken=[broken for one in alone for broken in one.broken] + out.broken + filed)


def play_seed(seed: int) -> Outcome:
    """Play what a seed draws."""
    try:
        return play(seed, *drawn(seed))
    except Stalled as stalled:
        return Outcome([f"stalled: {stalled}"], (), [], "", [], 0.0)


def kept() -> list[int]:
    """Return the seeds that once found something."""
    return list(tomllib.loads(KEPT.read_text("utf-8"))["seeds"])


def known() -> dict[int, str]:
    """Return what is open, by the seed that shows it."""
    return {int(seed): why for seed, why in tomllib.loads(KEPT.read_text("utf-8"))["open"].items()}


def trials(share: float) -> Iterator[Trials]:
    """Play `share` of 10,000 seeds, and kill a process at `share` of all gates of some conversations."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    seeds = [*kept(), *range(round(10_000 * share))]
    yield _tried(
        "conversations under drawn faults", ((str(seed), partial(play_seed, seed)) for seed in seeds), len(seeds)
    )
    gates = [
        (script, at) for script in (*SCRIPTS, *ALSO) for at in range(1, len(faultless(script, model=False).gates) + 1)
    ]
    picked = random.Random(1).sample(gates, max(1, round(len(gates) * share)))
    for what, fault in AT_A_GATE.items():
        each = ((f"{s.name}, {what} at {at}", partial(play, 0, (s,), fault(at))) for s, at in picked)
        yield _tried(f"conversations with {what}, at every await", each, len(picked))


AT_A_GATE: Mapping[str, Callable[[int], Faults]] = {
    "one kill": lambda at: Faults(kill_at=at),
    "a process that stands still": lambda at: Faults(2, stop_at=at),
    "a process that stands still and is then killed": lambda at: Faults(2, stop_at=at, then="killed"),
}


def _broken(named: tuple[str, Callable[[], Outcome]]) -> tuple[str, list[str]]:
    name, played = named
    return name, played().broken


def _tried(what: str, each: Iterable[tuple[str, Callable[[], Outcome]]], n: int) -> Trials:
    began, broken = time.monotonic(), list[str]()
    with ProcessPoolExecutor(mp_context=get_context("fork")) as every:  # each world is one process's, and alone in it
        for name, found in every.map(_broken, each, chunksize=16):
            if found:
                broken.append(name)
                sys.stdout.write(f"simulation, {name}: {'; '.join(found)}\n")
                sys.stdout.flush()
    note = f"{len(SCRIPTS)} conversations, {len(ALSO)} more at their gates, in virtual time"
    reasons = {str(seed): why for seed, why in known().items()}
    # one that nobody can explain comes last and ends no sentence, so that the page asks for one
    told = dict.fromkeys(broken)  # a seed that is kept is drawn as well
    note += "".join(f"; {name}: {reasons[name]}" for name in told if name in reasons)
    note += "".join(f"; {name}" for name in told if name not in reasons)
    return Trials("simulation", what, n, len(broken), time.monotonic() - began, note)


if __name__ == "__main__":
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    for seed in map(int, sys.argv[1:]):
        sys.stdout.write("\n".join((f"{seed}: {drawn(seed)}", *play_seed(seed).broken, "")))
