"""Real processes and what they stand on, each of which can be broken: replicas, a database, Valkey, Slack, a model, a sink."""

import asyncio
import io
import random
import signal
import subprocess
import sys
import tarfile
import time
from asyncio.subprocess import Process
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from redis.asyncio import Redis
from sqlalchemy import make_url

from bot.sandbox.models.answers import Answer, text
from bot.sandbox.models.playback import MessagesServer
from bot.sandbox.people import Person
from bot.sandbox.receiver import Receiver
from bot.sandbox.server import Sandbox
from bot.sandbox.workspace import Profile
from state.stores.embedded import start_embedded
from tests.chaos.haproxy import free_ports, haproxy
from tests.clocks import FAKED, library
from tests.databases import put_tables
from tests.patience import PACE, PATIENCE
from tests.process import environment
from tests.sinks.sinking import SECRET, webhook
from tests.warm import Warm, quiet

BEFORE = "609029c9e8ed8ca9f4bd0db6bee2e2ab0293621e"
"""The commit of the version before this one, 0.1.0. Whoever releases writes here what was released last."""
NO_BEFORE = "THE VERSION BEFORE IS LEFT OUT: this checkout has no history"
COMMIT, STARTED = b"COMMIT;", '"event": "started"'
STATES = ("auto_approved",)
CHECKED = 1.5
"""Seconds after which HAProxy has asked a new replica if it is there, and sends it clicks: docs/production has it ask every second."""


def code_before(folder: Path) -> Path | None:
    """Put the code of the version before into a folder; None where this checkout has no history."""
    archive = ["git", "archive", BEFORE, "bot", "blocks", "state", "prompts"]
    done = subprocess.run(archive, cwd=Path(__file__).parent.parent.parent, capture_output=True, check=False)  # noqa: S603
    if done.returncode:
        return None
    with tarfile.open(fileobj=io.BytesIO(done.stdout)) as files:
        files.extractall(folder, filter="data")
    return folder


class Proxy:
    """Between the replicas and PostgreSQL. `cut` is the chance that a COMMIT loses its connection, half of those before it arrives."""

    def __init__(self, socket: str, rng: random.Random) -> None:
        self._socket, self._rng = socket, rng
        self._open: set[asyncio.StreamWriter] = set()
        self.cut, self.port, self.count = 0.0, 0, 0

    async def start(self) -> None:
        """Listen on a free port."""
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]

    async def stop(self) -> None:
        """Listen no more, and cut what is open."""
        self._server.close()
        self.cut_all()

    def cut_all(self) -> None:
        """Cut every connection."""
        for writer in self._open:
            writer.transport.abort()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_unix_connection(self._socket)
        both = {writer, back}
        self._open |= both
        await asyncio.gather(self._pump(reader, back, writer), self._pump(there, writer), return_exceptions=True)
        self._open -= both

    async def _pump(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, asker: asyncio.StreamWriter | None = None
    ) -> None:
        try:
            while data := await reader.read(65536):
                if asker and COMMIT in data and self._rng.random() < self.cut:
                    self.count += 1
                    asker.transport.abort()
                    if self._rng.random() < 1 / 2:
                        writer.write(data)
                        await asyncio.sleep(0.005)  # PostgreSQL commits; its answer finds nobody
                    return
                writer.write(data)
                await writer.drain()
        finally:
            writer.close()


@dataclass
class Cluster:
    """What a fault may lay hands on. `says` is what the model answers; `bots` are the replicas, None in the place of one that is gone."""

    sandbox: Sandbox
    model: MessagesServer
    receiver: Receiver
    var: Path
    rng: random.Random
    database: str
    seen: str = ""
    """The database's address for replicas: through the proxy where there is one."""
    proxy: Proxy | None = None
    redis: Redis | None = None
    says: Callable[[], Answer] = field(default=lambda: text("Thank you."))
    bots: list[Warm | Process | None] = field(default_factory=list)
    again: set[str] = field(default_factory=set)
    """Who clicked once more: one answer, which comes after both clicks, is enough for them."""
    up: set[int] = field(default_factory=set)
    starting: set[asyncio.Task[None]] = field(default_factory=set)
    kills: int = 0
    ports: tuple[int, ...] = ()
    """In HTTP mode, behind a proxy: the port of each replica."""
    disk: Path | None = None
    """A small disk of its own on which the database lies, where one could be made."""
    _people: int = 0
    _lost: float = 0.0
    _dark: float = 0.0

    @property
    def key(self) -> Path:
        """The file of the installation's key."""
        return self.var / "holdfast.key"

    def clock(self) -> float:
        """Return the seconds for which a replica was there to answer."""
        return (self._dark or time.monotonic()) - self._lost

    def person(self) -> Person:
        """Somebody who has never said anything joins."""
        self._people += 1
        who = f"U0FILER{self._people}"
        self.sandbox.workspace.add_person(
            Profile(who, f"filer.{self._people}", f"Filer {self._people}"), f"D0FILER{self._people}"
        )
        return self.sandbox.person(who)

    async def start(self, place: int, offset: int | None = None, code: Path | None = None) -> None:
        """Start a replica in this place, with a clock that is so many seconds off or another version's code, and wait until it listens."""
        env = environment(self.sandbox, self.model, self.var) | {"DATABASE_URL": self.seen}
        if self.ports:
            del env["SLACK_APP_TOKEN"]
            env |= {"SLACK_SIGNING_SECRET": self.sandbox.signing_secret, "HOLDFAST_PORT": str(self.ports[place])}
        if self.redis is not None:
            env["REDIS_URL"] = f"unix://{self.redis.connection_pool.connection_kwargs['path']}"
        log = self.var / f"replica{place}.log"
        log.write_bytes(b"")
        if offset is None and code is None:
            self.bots[place] = await quiet(["run"], env, log)
        else:
            if offset is not None:
                env |= FAKED | {"FAKETIME": f"{offset:+d}", "LD_PRELOAD": library()}
            with log.open("wb") as out:
                self.bots[place] = await asyncio.create_subprocess_exec(
                    sys.executable, "-m", "bot.cli", "run",
                    env=env, cwd=code, stdout=out, stderr=out, start_new_session=True,
                )  # fmt: skip
        await self.sandbox.until(lambda: STARTED in log.read_text("utf-8"), timeout=PATIENCE)
        if self.ports:
            await asyncio.sleep(CHECKED)
        self.up.add(place)
        if self._dark:
            self._lost, self._dark = self._lost + time.monotonic() - self._dark, 0.0

    def restart(self, place: int) -> None:
        """Start a replica in this place, and do not wait for it."""
        self.starting.add(asyncio.create_task(self.start(place)))

    async def whole(self) -> None:
        """Wait for what is being started, and start what is not there."""
        await asyncio.gather(*self.starting)
        self.starting.clear()
        for place in set(range(len(self.bots))) - self.up:
            await self.start(place)

    async def kill(self, place: int) -> None:
        """Kill the replica in this place, and leave it dead."""
        bot, self.bots[place] = self.bots[place], None
        if bot is not None:
            with suppress(ProcessLookupError):
                bot.kill()
            await bot.wait()
            self.kills += 1
        self.up.discard(place)
        if not self.up:
            self._dark = self._dark or time.monotonic()

    async def end(self, place: int) -> int:
        """Ask the replica in this place to stop, as systemd does, and wait for it. Return its exit status."""
        bot = self.bots[place]
        assert bot is not None
        bot.send_signal(signal.SIGTERM)
        self.up.discard(place)
        return await bot.wait()

    async def stopped(self, place: int, seconds: float) -> None:
        """Stop the replica in this place for so long, and let it go on."""
        bot = self.bots[place]
        if bot is not None:
            bot.send_signal(signal.SIGSTOP)
            await asyncio.sleep(seconds)
            bot.send_signal(signal.SIGCONT)


@asynccontextmanager
async def cluster(
    var: Path, replicas: int, seed: int, postgres: str = "", *, old: tuple[Path, int] | None = None, http: bool = False
) -> AsyncIterator[Cluster]:
    """So many replicas: on SQLite with the Redis that comes with it, or on a database of this PostgreSQL, behind a proxy, with a Valkey.

    `http`: Slack reaches them through HAProxy, configured as docs/production says. `old`: the code of another version, and how many run it.
    Slack asks again sooner than the real one, and its minutes pass faster.
    """
    rng = random.Random(seed)
    made: list[Cluster] = []
    sandbox = Sandbox(ack_timeout=3.0 if http else 1.0, retry_delays=(0.2,) * 100)
    sandbox.knobs.tiers = PACE
    async with AsyncExitStack() as stack:
        model, receiver = MessagesServer(lambda _: made[0].says()), Receiver()
        for part in (sandbox, model, receiver):
            await part.start()
            stack.push_async_callback(part.stop)
        (var / "archive.secret").write_bytes(SECRET)
        (var / "sinks.toml").write_text(webhook(receiver.url, states=list(STATES)))
        address = postgres or f"sqlite:///{var}/holdfast.db"
        c = Cluster(sandbox, model, receiver, var, rng, address, address)
        made.append(c)
        if postgres:
            await _between(c, stack)
        else:
            put_tables(var / "holdfast.db")
        c.bots = [None] * replicas
        stack.push_async_callback(_end, c)
        if http:
            c.ports = free_ports(replicas)
        for place in range(replicas):
            await c.start(place, code=old[0] if old and place < old[1] else None)
        if http:
            await sandbox.deliver_to(await stack.enter_async_context(haproxy(var, c.ports)))
        yield c


async def _between(c: Cluster, stack: AsyncExitStack) -> None:
    """Put a proxy before PostgreSQL, and start a Valkey that outlives the replicas."""
    url = make_url(c.database)
    c.proxy = Proxy(f"{url.query['host']}/.s.PGSQL.{url.port or 5432}", c.rng)
    await c.proxy.start()
    stack.push_async_callback(c.proxy.stop)
    c.seen = f"postgresql://postgres@127.0.0.1:{c.proxy.port}/{url.database}"
    valkey = await start_embedded(c.var / "valkey")
    assert valkey is not None
    stack.push_async_callback(valkey.stop)
    c.redis = valkey.client


async def _end(c: Cluster) -> None:
    for place in range(len(c.bots)):
        await c.kill(place)
