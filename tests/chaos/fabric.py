"""A Slack and replicas of the bot on a virtual clock, and the faults between them."""

import asyncio
import hashlib
import random
import tempfile
from collections.abc import Coroutine
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache, partial
from pathlib import Path
from typing import Any, Literal

from bot.root.installation import load_workflows
from bot.sandbox.delivery import Ack, Envelope
from bot.sandbox.local import make_sandbox, pointed_at
from bot.sandbox.models.scripts import THANK_YOU
from bot.sandbox.scenarios.staging import ScriptedModel
from bot.sandbox.server import Sandbox
from bot.settings import Settings, load
from state.stores.errors import Unavailable
from state.stores.store import Store
from state.stores.vault import Vault
from state.workflow.load import Workflow
from tests.chaos.replicas import Disk, Home, Replica, Ways
from tests.chaos.virtual import BEGINS, Loop, run

EPOCH = datetime(2026, 11, 20, 9, tzinfo=UTC).timestamp()
KEY = bytes(range(32))
DELAYS = (0.0, 60.0, 300.0)
"""Slack's own, before it delivers an event again."""
ACK, JUMPS = 3.0, 0.005
"""Seconds that Slack waits for an ack; and how often a clock is set, where it is."""
STANDS = 15.0
"""Seconds for which a process stands still, where it is to; its leases last six."""
GOES_ON = 5.0
"""Seconds in which it then ends, or puts right, what it was at."""
STARTS = 0.1
"""Seconds after which it is looked again for a process that takes what Slack delivers."""


@dataclass(frozen=True)
class Faults:
    """How likely each is at a gate or a delivery, and how many kills there are at most; delays are in seconds, at most."""

    replicas: int = 1
    model: bool = False
    """True where a model is asked, which is polite and no more: its answer depends on nothing."""
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
    """Seconds, at most, by which the database's clock is set forward or back now and then."""
    kill_at: int = 0
    """The gate at which a process is killed, counted from 1; reads are not counted, after which nothing is lost."""
    stop_at: int = 0
    """The gate at which a process stands still for longer than its leases last."""
    then: Literal["", "cut", "killed"] = ""
    """What becomes of a process that stood still, at its first commit."""

    @classmethod
    def drawn(cls, rng: random.Random) -> "Faults":
        """Return some of all faults: with few kinds at once, each gets further."""

        def maybe(most: float) -> float:
            return rng.random() * most if rng.random() < 0.5 else 0.0

        return cls(
            rng.choice((1, 1, 2, 3)), rng.random() < 0.3, maybe(0.03), rng.choice((0, 1, 2, 4)), maybe(0.01), maybe(0.03), maybe(0.1), maybe(0.2),
            maybe(0.3), maybe(1.0), maybe(0.3), maybe(1.5),
        )  # fmt: skip


NONE = Faults()


@cache
def settings() -> Settings:
    """Settings that take nothing from this machine."""
    var = Path(tempfile.mkdtemp(prefix="holdfast-simulation-"))
    plain: dict[str, Any] = dict.fromkeys(
        ("anthropic_api_key", "anthropic_base_url", "slack_bot_token", "slack_app_token")
    )
    return load(_env_file=None, holdfast_var=var, holdfast_workflows="", holdfast_pace=0, **plain)


@cache
def workflows() -> dict[str, Workflow]:
    """Return the shipped workflows."""
    return dict(load_workflows(settings()))


@cache
def template() -> bytes:
    """Return a database with this version's tables, begun by an installation with this key."""

    async def begun(_: Loop) -> bytes:
        disk = Disk(b"", lambda: datetime.fromtimestamp(EPOCH, UTC))
        await Store(Ways(disk, free), Vault(KEY)).start()
        made = bytes(disk.raw.serialize())
        disk.close()
        return made

    return run(0, EPOCH, begun)


async def free(_what: str) -> str:
    """Be a gate at which nothing ever happens."""
    return ""


class World:
    """People, a Slack, and as many replicas as the faults want, some of which are dead."""

    def __init__(self, loop: Loop, faults: Faults) -> None:
        self.loop, self.faults, self.rng = loop, faults, random.Random(loop.rng.random())
        self.over, self.ahead, self.kills = False, 0.0, 0
        self.trace = hashlib.sha256()
        self.gates: list[str] = []
        self.sandbox: Sandbox = make_sandbox(
            settings(), workflows=workflows(), clock=lambda: EPOCH + loop.now - BEGINS, retry_delays=DELAYS
        )
        self.sandbox.slack.url = "http://slack.invalid"
        self.sandbox.slack.delivery.address = self
        disk = Disk(template(), lambda: datetime.fromtimestamp(EPOCH + loop.now - BEGINS + self.ahead, UTC))
        here = pointed_at(settings(), self.sandbox, workflows())
        self.home = Home(
            disk, KEY, self.sandbox, here, workflows(), ScriptedModel(lambda _: THANK_YOU) if faults.model else None
        )
        self.all: list[Replica] = []
        self.alive: dict[int, Replica] = {}
        self.held: dict[int, float] = {}
        self.stood = set[int]()
        self.begun, self.ready = 0, set[int]()
        self.tasks: set[asyncio.Task[Any]] = set()

    # Processes

    async def begin(self) -> None:
        """Start one more process, and again where its start fails."""
        self.begun += 1
        number = self.begun
        self.alive[number] = replica = Replica(self.home, partial(self._gate, number))
        self.all.append(replica)
        try:
            await replica.start()
            self.ready.add(number)
        except Unavailable:
            del self.alive[number]
            await self._again(1.0)

    async def _gate(self, number: int, what: str) -> str:
        faults, rng = self.faults, self.rng
        if self.over:
            raise asyncio.CancelledError
        self.note(number, what)
        if what != "read":
            self.gates.append(what)
        at = len(self.gates) if what != "read" else -1
        ends = faults.then == "killed" and what == "write" and number in self.stood
        if number in self.alive and (self._unlucky or at == faults.kill_at or ends):
            self._kill(number)
        if at == faults.stop_at:
            self.held[number] = self.loop.now + STANDS
        if faults.jump and rng.random() < JUMPS:
            self.ahead += (rng.random() - 0.5) * 2 * faults.jump
        if number in self.alive and rng.random() < faults.stop:
            self.held[number] = self.loop.now + rng.random() * 20
        if (left := self.held.get(number, 0.0) - self.loop.now) > 0:
            await asyncio.sleep(left)
            self.stood.add(number)
        elif rng.random() < faults.slow:
            await asyncio.sleep(rng.random() * faults.delay)
        if number not in self.alive:
            await self.loop.create_future()
        return self._fault(number, what)

    @property
    def _unlucky(self) -> bool:
        return self.kills < self.faults.kills and self.rng.random() < self.faults.kill

    def _fault(self, number: int, what: str) -> str:
        kind, _, method = what.partition(" ")
        if self.faults.then == "cut" and kind == "write" and number in self.stood:
            self.stood.discard(number)
            return "cut"
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
        self.spawn(self._again(self.rng.random() * 8))

    async def _again(self, after: float) -> None:
        await asyncio.sleep(after)
        await self.begin()

    # Slack's side

    async def send(self, envelope: Envelope) -> Ack | None:
        """Deliver to a process that is there: late, twice, or not at all."""
        faults, rng = self.faults, self.rng
        if envelope.type == "events_api" and rng.random() < faults.doubled:
            self.spawn(self._deliver(envelope, rng.random() * 5))
        if envelope.attempt < len(DELAYS) - 1 and rng.random() < faults.lost:
            await asyncio.sleep(ACK)
            return None
        ack = await self._deliver(envelope, rng.random() * faults.delay)
        return None if envelope.attempt < len(DELAYS) - 1 and rng.random() < faults.lost else ack

    async def _deliver(self, envelope: Envelope, after: float) -> Ack | None:
        await asyncio.sleep(after)
        while not self.ready:  # noqa: ASYNC110  time is virtual: looking costs nobody any
            await asyncio.sleep(STARTS)
        number = self.rng.choice(sorted(self.ready))
        self.note(number, f"deliver {envelope.type}")
        task = self.spawn(self.alive[number].handle(envelope))
        await asyncio.wait({task}, timeout=ACK)
        return task.result() if task.done() and not task.cancelled() and task.exception() is None else None

    def note(self, number: int, what: str) -> None:
        """Write down what happens: the same seed gives the same."""
        self.trace.update(f"{self.loop.now:.6f} {number} {what}\n".encode())

    def spawn(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        """Have something done beside all else."""
        task = asyncio.get_running_loop().create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)
        return task

    @property
    def busy(self) -> bool:
        """True while somebody may still hear of something, also from a process that stands still with what Slack no longer waits for."""
        held = any(until + GOES_ON > self.loop.now for number, until in self.held.items() if number in self.alive)
        return bool(held or self.home.disk.open() or self.sandbox.under_way or not self.ready)

    async def close(self) -> None:
        """End all that runs."""
        self.over = True
        await self.sandbox.slack.delivery.stop()
        mine = asyncio.current_task()
        while left := [task for task in asyncio.all_tasks() if task is not mine]:
            for task in left:
                task.cancel()
            await asyncio.wait(left, timeout=1)
        for replica in self.all:
            await replica.close()
        self.home.disk.close()
