"""Whole conversations on a virtual clock, under faults that a seed draws; each must end as it does without any.

Run: python -m tests.chaos.simulation SEED …
"""

import asyncio
import hashlib
import logging
import random
import re
import sys
import tempfile
import time
import tomllib
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import cache, partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import structlog

from bot.model.protocol import Model
from bot.root.installation import load_workflows
from bot.sandbox.delivery import Ack, Envelope
from bot.sandbox.local import make_sandbox, pointed_at
from bot.sandbox.people import Person
from bot.sandbox.scenarios.player import ACTS, Stage, words_of
from bot.sandbox.scenarios.transcript import Transcript
from bot.sandbox.server import Sandbox
from bot.sandbox.workspace import ActError, Profile
from bot.settings import Settings, load
from state.stores.errors import Unavailable
from state.stores.store import Store
from state.stores.vault import Vault
from state.workflow.load import Workflow
from state.workflow.scenario import PERSON, Scenario, Step, read_scenario
from tests.chaos.invariants import broken_in
from tests.chaos.replicas import Disk, Gate, Home, Replica, Ways
from tests.chaos.trials import Trials
from tests.chaos.virtual import BEGINS, Loop, run

EPOCH = datetime(2026, 11, 20, 9, tzinfo=UTC).timestamp()
KEY = bytes(range(32))
PLAYED = Path(__file__).with_name("simulation.toml")
PATIENCE, QUIET = 600.0, 8.0
"""Seconds that a step may take, and in which nothing more happens where all has come to rest."""
TO_READ = 2.5
DELAYS = (0.0, 60.0, 300.0)
"""Slack's own, before it delivers an event again."""
ACK = 3.0
VARYING = re.compile(r"\b[A-Z]{2,4}-\d{4}-\d{6}\b|\b\d{1,2}:\d{2}\b|<!date\^[^>]*>")
"""Numbers of records and times of day, which depend on who was first."""


@dataclass(frozen=True)
class Faults:
    """How likely each is at a gate or a delivery, and how many kills there are at most; delays are in seconds, up to."""

    replicas: int = 1
    kill: float = 0.0
    kills: int = 0
    stop: float = 0.0
    cut: float = 0.0
    slack: float = 0.0
    lost: float = 0.0
    doubled: float = 0.0
    delay: float = 0.0
    slow: float = 0.0
    jump: float = 0.0

    @classmethod
    def drawn(cls, rng: random.Random) -> "Faults":
        """Return some of all faults: with few kinds at once, each gets further."""

        def maybe(most: float) -> float:
            return rng.random() * most if rng.random() < 0.5 else 0.0

        return cls(
            rng.choice((1, 1, 2, 3)), maybe(0.03), rng.choice((0, 1, 2, 4)), maybe(0.01), maybe(0.03), maybe(0.1), maybe(0.2),
            maybe(0.3), maybe(1.0), maybe(0.3), maybe(1.5),
        )  # fmt: skip


NONE = Faults()


@dataclass(frozen=True)
class Script:
    """A conversation that is played, by name ("gifts/plain")."""

    name: str

    @property
    def workflow(self) -> Workflow:
        """Return the workflow that it is about."""
        return workflows()[self.name.partition("/")[0]]

    @property
    def scenario(self) -> Scenario:
        """Return its steps."""
        return _scenario(self.name)


@cache
def settings() -> Settings:
    """Settings that take nothing from this machine."""
    var = Path(tempfile.mkdtemp(prefix="holdfast-simulation-"))
    plain: dict[str, Any] = dict.fromkeys(("anthropic_api_key", "anthropic_base_url", "slack_bot_token", "slack_app_token"))
    return load(_env_file=None, holdfast_var=var, holdfast_workflows="", holdfast_pace=0, **plain)


@cache
def workflows() -> dict[str, Workflow]:
    """Return the shipped workflows."""
    return dict(load_workflows(settings()))


@cache
def _scenario(name: str) -> Scenario:
    folder, _, file = name.partition("/")
    return read_scenario(Path("bot/workflows") / folder / "scenarios" / f"{file}.toml", workflows()[folder].form)


@cache
def template() -> bytes:
    """Return a database with this version's tables, begun by an installation with this key."""

    async def made(_: Loop) -> bytes:
        async def free(_what: str) -> str:
            return ""

        disk = Disk(b"", lambda: datetime.fromtimestamp(EPOCH, UTC))
        await Store(Ways(disk, free), Vault(KEY)).start()
        return bytes(disk.raw.serialize())

    return run(0, EPOCH, made)


class World:
    """People, a Slack, and as many replicas as the faults want, some of which are dead."""

    def __init__(self, loop: Loop, faults: Faults, scripts: Sequence[Script]) -> None:
        self.loop, self.faults, self.rng, self.scripts = loop, faults, random.Random(loop.rng.random()), scripts
        self.over, self.ahead, self.kills = False, 0.0, 0
        self.trace = hashlib.sha256()
        self.steps = 0
        self.sandbox: Sandbox = make_sandbox(settings(), clock=lambda: EPOCH + loop.now - BEGINS, retry_delays=DELAYS)
        self.sandbox.slack.url = "http://slack.invalid"
        self.sandbox.slack.delivery.address = self  # type: ignore[assignment]  # it is asked to `send` and nothing else
        disk = Disk(template(), lambda: datetime.fromtimestamp(EPOCH + loop.now - BEGINS + self.ahead, UTC))
        models = {"absent": None}
        here = pointed_at(settings(), self.sandbox)
        self.home = Home(disk, KEY, self.sandbox, here, workflows(), models["absent"])
        self.alive: dict[int, Replica] = {}
        self.held: dict[int, float] = {}
        self.begun, self.ready = 0, set[int]()
        self.tasks: set[asyncio.Task[Any]] = set()

    # Processes

    async def begin(self) -> None:
        """Start one more process, and again where its start fails."""
        self.begun += 1
        number = self.begun
        self.alive[number] = replica = Replica(self.home, partial(self._gate, number))
        try:
            await replica.start()
            self.ready.add(number)
        except Unavailable:
            del self.alive[number]
            await self._again(1.0)

    async def _gate(self, number: int, what: str) -> str:
        faults, rng = self.faults, self.rng
        self.note(number, what)
        if self.over:
            raise asyncio.CancelledError
        if number in self.alive and rng.random() < faults.kill and self.kills < faults.kills:
            self._kill(number)
        if number in self.alive and rng.random() < faults.stop:
            self.held[number] = self.loop.now + rng.random() * 20
        if not what.startswith("call") and (left := self.held.get(number, 0.0) - self.loop.now) > 0:
            await asyncio.sleep(left)
        elif rng.random() < faults.slow:
            await asyncio.sleep(rng.random() * faults.delay)
        if number not in self.alive:
            await self.loop.create_future()
        return self._fault(what)

    def _fault(self, what: str) -> str:
        kind, _, method = what.partition(" ")
        if kind in ("write", "written") and self.rng.random() < self.faults.cut:
            return "cut"
        if kind in ("call", "answered") and not method.startswith("user") and self.rng.random() < self.faults.slack:
            return self.rng.choice(("limited", "broken", "cut"))
        return ""

    def _kill(self, number: int) -> None:
        self.kills += 1
        self.note(number, "killed")
        del self.alive[number]
        self.ready.discard(number)
        self._spawn(self._again(self.rng.random() * 8))

    async def _again(self, after: float) -> None:
        await asyncio.sleep(after)
        await self.begin()

    # Slack's side

    async def send(self, envelope: Envelope) -> Ack | None:
        """Deliver to a process that is there: late, twice, or not at all."""
        faults, rng = self.faults, self.rng
        if envelope.type == "events_api" and rng.random() < faults.doubled:
            self._spawn(self._deliver(envelope, rng.random() * 5))
        if envelope.attempt < len(DELAYS) - 1 and rng.random() < faults.lost:
            await asyncio.sleep(ACK)
            return None
        ack = await self._deliver(envelope, rng.random() * faults.delay)
        return None if envelope.attempt < len(DELAYS) - 1 and rng.random() < faults.lost else ack

    async def _deliver(self, envelope: Envelope, after: float) -> Ack | None:
        await asyncio.sleep(after)
        while not self.ready:
            await asyncio.sleep(0.1)
        number = self.rng.choice(sorted(self.ready))
        self.note(number, f"deliver {envelope.type}")
        task = self._spawn(self.alive[number].handle(envelope))
        await asyncio.wait({task}, timeout=ACK)
        return task.result() if task.done() and not task.cancelled() and task.exception() is None else None

    def note(self, number: int, what: str) -> None:
        """Write down what happens: the same seed gives the same."""
        self.steps += 1
        self.trace.update(f"{self.loop.now:.6f} {number} {what}\n".encode())

    def _spawn(self, work: Any) -> asyncio.Task[Any]:
        task = asyncio.get_running_loop().create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)
        return task

    @property
    def busy(self) -> bool:
        """True while somebody may still hear of something."""
        return bool(self.home.disk.open() or self.sandbox.under_way or not self.ready)

    async def close(self) -> None:
        """End all that runs."""
        self.over = True
        await self.sandbox.slack.delivery.stop()
        mine = asyncio.current_task()
        while left := [task for task in asyncio.all_tasks() if task is not mine]:
            for task in left:
                task.cancel()
            await asyncio.wait(left, timeout=1)


class Seat(Stage):
    """Somebody who plays a script in the world, at their own pace, and looks at the screen after each act."""

    def __init__(self, world: World, n: int, script: Script) -> None:
        people, name = world.sandbox.workspace, f"U0SEAT{n}"
        people.add_person(Profile(name, f"seat.{n}", f"Sam Seat{n}", locale=script.scenario.language or "en-GB"), f"D0SEAT{n}")
        self.me, self.world, self.script, self.n = world.sandbox.person(name).hasty(), world, script, n
        store = Store(Ways(world.home.disk, partial(_free, world)), Vault(KEY))
        super().__init__(world.sandbox, SimpleNamespace(store=store), script.workflow, None, None, None)  # type: ignore[arg-type]
        self.screens: list[list[str]] = []  # type: ignore[assignment]

    @property
    def person(self) -> Person:
        """Whoever has the seat, and no other."""
        return self.me

    def officer(self, step: Step) -> Person:
        """Whoever holds the role, who reads before they act."""
        return super().officer(step).hasty()

    def screen(self) -> list[str]:
        """Return what the bot says on their screen."""
        shown = (m for m in self.me.messages() if m.get("bot_id"))
        return [VARYING.sub("…", words_of(m.get("blocks") or m.get("text"))) for m in shown]

    async def play(self, expected: Sequence[Sequence[str]]) -> list[str]:
        """Take every step. Return what came out otherwise than `expected`; without that, learn what comes out."""
        for n, step in enumerate(self.script.scenario.steps):
            await asyncio.sleep(TO_READ + self.world.rng.random() * 4 * bool(expected))
            await self._act(step, expected[n] if expected else None)
            if wrong := await self._see(expected[n] if expected else None):
                return [f"{self.script.name}, step {n + 1}: {wrong}"]
            self.screens.append(self.screen())  # type: ignore[arg-type]
        return []

    async def _act(self, step: Step, wanted: Sequence[str] | None) -> None:
        """Act; where Slack says that the app did not take it, look, and act again where nothing has come of it."""
        for _ in range(20):
            with suppress(ActError):
                return await ACTS[step.act](self, step)
            await asyncio.sleep(8)
            if wanted is not None and self.screen() == wanted:
                return None
        raise LookupError("nobody takes a click")

    async def _see(self, wanted: Sequence[str] | None) -> str:
        """Wait for what is expected, or until nothing more happens."""
        until, quiet = self.world.loop.now + PATIENCE, 0
        while self.world.loop.now < until and quiet < QUIET:
            if wanted is not None and self.screen() == wanted:
                return ""
            coming = self.sandbox.slack.changes.next()
            quiet = 0 if self.world.busy else quiet + 1
            with suppress(TimeoutError):
                await asyncio.wait_for(coming.wait(), 1)
        if wanted is None:
            return ""
        return differs(wanted, self.screen())


def differs(wanted: Sequence[str], seen: Sequence[str]) -> str:
    """Return the first difference of two screens in a line."""
    if wanted == seen:
        return ""
    at = next((i for i, (a, b) in enumerate(zip(wanted, seen, strict=False)) if a != b), min(len(wanted), len(seen)))
    told = [repr("\n".join(side[at : at + 1])) for side in (wanted, seen)]
    return f"message {at + 1} of {len(wanted)} should be {told[0]} and is {told[1]} ({len(seen)} messages)"


async def _free(_world: World, _what: str) -> str:
    return ""


@dataclass(frozen=True)
class Outcome:
    """What a run came to: what broke, what each saw after each step, what was filed, and the trace's digest."""

    broken: list[str]
    screens: tuple[list[list[str]], ...]
    records: list[Any]
    trace: str
    steps: int
    seconds: float


def simulate(seed: int, scripts: Sequence[Script], faults: Faults, expected: Sequence[Any] = ()) -> Outcome:
    """Play scripts side by side."""

    async def played(loop: Loop) -> Outcome:
        world = World(loop, faults, scripts)
        seats = [Seat(world, n, script) for n, script in enumerate(scripts)]
        broken: list[str] = []
        try:
            for _ in range(faults.replicas):
                world._spawn(world.begin())
            each = await asyncio.gather(*(s.play(expected[n].screens[0] if expected else ()) for n, s in enumerate(seats)), return_exceptions=True)
            for script, came in zip(scripts, each, strict=True):
                broken += came if isinstance(came, list) else [f"{script.name}: {came!r}"]
            rest = loop.now + PATIENCE
            while world.busy and loop.now < rest:
                await asyncio.sleep(1)
            broken += [f"{world.home.disk.open()} rows are open"] if world.busy else []
            broken += [f"refused by Slack: {one.problems}" for one in world.sandbox.refused]
            records = world.home.disk.raw.execute("SELECT form, state FROM records ORDER BY form, state").fetchall()
            records = [tuple(row) for row in records]
            broken += await broken_in(seats[0].bot.store, world.sandbox)
        finally:
            await world.close()
        return Outcome(broken, tuple(s.screens for s in seats), records, world.trace.hexdigest(), world.steps, loop.now - BEGINS)  # type: ignore[misc]

    template(), workflows()
    return run(seed, EPOCH, played)


@cache
def faultless(name: str) -> Outcome:
    """Play a script alone, with nothing going wrong."""
    return simulate(0, (Script(name),), NONE)


SCRIPTS = tuple(
    Script(name)
    for name in (
        "gifts/plain", "gifts/messy_in_a_rush", "loan/senza_reddito", "loan/codice_sbagliato", "loan/redditi_misti", "loan/no_a_tutto",
        "loan/dopo_il_no", "pa_dealing/decided", "pa_dealing/withdrawn", "pa_dealing/same_again", "pa_dealing/no_to_all",
        "pa_dealing/restricted", "pa_dealing/typed_one", "pa_dealing/derivative", "requirements/talkative_feature", "vehicle_case/unsupported",
    )
)


def drawn(seed: int) -> tuple[list[Script], Faults]:
    """Return what a seed plays: one to three conversations, in one of which at most officers decide."""
    rng = random.Random(seed)
    picked = rng.sample(SCRIPTS, rng.choice((1, 1, 2, 3)))
    officers = [s for s in picked if any(step.by != PERSON for step in s.scenario.steps)]
    return [s for s in picked if s not in officers[1:]], Faults.drawn(rng)


def play(seed: int) -> Outcome:
    """Play a seed. What breaks is also what ends otherwise than without faults."""
    scripts, faults = drawn(seed)
    alone = [faultless(script.name) for script in scripts]
    out = simulate(seed, scripts, faults, alone)
    wanted = sorted(record for one in alone for record in one.records)
    return out if wanted == out.records else replace(out, broken=[*out.broken, f"filed: {out.records}, without faults: {wanted}"])


if __name__ == "__main__":
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    for seed in range(int(sys.argv[1]), int(sys.argv[2])):
        began = time.process_time()
        out = play(seed)
        names, faults = drawn(seed)
        print(seed, [n.name for n in names], out.trace[:8], out.steps, f"{out.seconds:.0f}", f"{time.process_time() - began:.2f} s", *(faults, *out.broken) if out.broken else (), sep="  ", flush=True)
