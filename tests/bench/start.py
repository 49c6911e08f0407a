"""Starting, resting, stopping: CPU of `check`, memory, idle CPU, Ctrl-C, and the second start."""

import asyncio
import os
import resource
import signal
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass
from pathlib import Path

import aiohttp

from tests.bench.figures import Figure, Sample, Scale, Target, sample
from tests.bench.sides import BARE, HOLDFAST, PATIENCE, bare, holdfast, memory_of, running
from tests.bench.sides import cpu_of as cpu_so_far

CLI = (sys.executable, "-m", "bot.cli")
BUSY = (sys.executable, "-c", "while True: pass")
RESTED = 2.0
"""Seconds after a start until it counts as resting."""
LOOK = 0.01
BOUND = {
    "check": "The imports that loading and checking five forms needs, and the checks.",
    "memory at rest": "Python, Bolt with aiohttp, SQLAlchemy, pydantic, the five forms; and the sandbox where it is in the same process.",
    "idle CPU": "Replicas wait for a signal; what remains are the sweep's safety net and Bolt's own pings.",
    "stop": "What is being handled is left to the next start; connections are closed.",
    "start": "Python's imports.",
    "line": "Python's imports, which come before a line can be printed.",
}


def cpu_of(*command: str, var: Path) -> float:
    """Seconds of CPU of a command from start to end."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    env = {**os.environ, "HOLDFAST_VAR": str(var)}
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=env)  # noqa: S603  our own commands
    now = resource.getrusage(resource.RUSAGE_CHILDREN)
    return now.ru_utime + now.ru_stime - used.ru_utime - used.ru_stime


async def checks(scale: Scale, folder: Path) -> AsyncIterator[Figure]:
    """`holdfast check` beside the imports of the peer."""
    ours, peer = [], []
    for _ in range(scale.starts):
        ours.append(await asyncio.to_thread(cpu_of, *CLI, "check", var=folder))
        peer.append(await asyncio.to_thread(cpu_of, *BARE, "--imports", var=folder))
    pair = sample(ours), sample(peer)
    yield Figure("start", "`holdfast check`: CPU", "s", *pair, Target(most=1.5), BOUND["check"], "imports of bare")


@dataclass(frozen=True)
class Rest:
    """A process at rest: megabytes, and per cent of a core."""

    memory: float
    idle: float


async def rest(pid: int, seconds: float) -> Rest:
    """What a session of processes takes while nothing happens."""
    await asyncio.sleep(min(RESTED, seconds))
    used, began = cpu_so_far(pid), time.monotonic()
    await asyncio.sleep(seconds)
    return Rest(memory_of(pid), (cpu_so_far(pid) - used) / (time.monotonic() - began) * 100)


async def alone(scale: Scale, folder: Path) -> AsyncIterator[Figure]:
    """The bot without a sandbox, beside the peer without one."""
    async with holdfast(folder / "ours") as ours, bare(folder / "bare") as peer:
        mine, theirs = await asyncio.gather(*(rest(s.process.pid, scale.idle_seconds) for s in (ours, peer)))
    for what, unit, get, most in KINDS:
        pair = sample([get(mine)]), sample([get(theirs)])
        yield Figure("start", f"bot alone, its Valkey included: {what}", unit, *pair, Target(most=most), BOUND[what])


Get = Callable[[Rest], float]
KINDS: tuple[tuple[str, str, Get, float], ...] = (
    ("memory at rest", "MB", lambda r: r.memory, 110),
    ("idle CPU", "% of a core", lambda r: r.idle, 0.5),
)


@dataclass(frozen=True)
class Life:
    """Seconds of one `holdfast run` on its own sandbox: to its first line, to the page with the bot connected, and from Ctrl-C to its end."""

    line: float
    page: float
    stop: float
    rest: Rest


async def life(folder: Path, idle: float) -> Life:
    """Start, open the page and its stream of events, rest, Ctrl-C."""
    port, log = free_port(), folder / "run.log"
    env = {k: v for k, v in os.environ.items() if not k.startswith(("SLACK_", "ANTHROPIC_", "HOLDFAST_"))}
    env |= {"HOLDFAST_VAR": str(folder / "var"), "HOLDFAST_PORT": str(port)}
    began = time.monotonic()
    async with running(HOLDFAST, env, log) as process, aiohttp.ClientSession() as browser:
        line = asyncio.create_task(until(lambda: log.stat().st_size > 0, began))
        page = await connected(browser, f"http://127.0.0.1:{port}/ui/state", began)
        stream = await browser.get(f"http://127.0.0.1:{port}/ui/events")
        resting = await rest(process.pid, idle) if idle else Rest(0, 0)
        first, began = await line, time.monotonic()
        os.killpg(process.pid, signal.SIGINT)
        await asyncio.wait_for(process.wait(), PATIENCE)
        stopped = time.monotonic() - began
        stream.close()
        return Life(first, page, stopped, resting)


async def until(true: Callable[[], bool], began: float) -> float:
    """Seconds from `began` until this is true."""
    while not true():  # noqa: ASYNC110  another process's file
        await asyncio.sleep(LOOK)
    return time.monotonic() - began


async def connected(browser: aiohttp.ClientSession, address: str, began: float) -> float:
    """Seconds from `began` until the page is served and the bot is there."""
    while True:
        with suppress(aiohttp.ClientError):
            async with browser.get(address) as answer:
                if (await answer.json())["connected"]:
                    return time.monotonic() - began
        await asyncio.sleep(LOOK)


def free_port() -> int:
    """A port that nobody has."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


async def bare_start(folder: Path) -> float:
    """Seconds until the peer is connected to a sandbox that runs already."""
    began = time.monotonic()
    async with bare(folder):
        return time.monotonic() - began


async def starts(scale: Scale, folder: Path, load: str) -> AsyncIterator[Figure]:
    """Second starts and stops, beside the peer's start."""
    lives, peers = [], []
    for n in range(scale.starts):
        lives.append(await life(folder, scale.idle_seconds if n == 0 and not load else 0))
        peers.append(await bare_start(folder / "bare"))
    if not load:
        for what, unit, get, most in KINDS:
            found = sample([get(lives[0].rest)])
            whole = f"`holdfast run` with its sandbox: {what}"
            yield Figure("start", whole, unit, found, target=Target(most=most), bound=BOUND[what])
    page, peer = sample([v.page for v in lives]), sample(peers)
    yield Figure(
        "start", f"start → page with the bot connected{load}", "s", page, peer, Target(times=2), BOUND["start"]
    )
    yield Figure(
        "start", f"start → first line{load}", "s", sample([v.line for v in lives]), None, Target(most=1), BOUND["line"]
    )
    stop: Sample = sample([v.stop for v in lives])
    yield Figure("start", f"Ctrl-C → prompt, a page open{load}", "s", stop, target=Target(most=1), bound=BOUND["stop"])


async def run(scale: Scale, folder: Path) -> AsyncIterator[Figure]:
    """All of it; starts once more beside two busy loops."""
    async for figure in checks(scale, folder):
        yield figure
    async for figure in alone(scale, folder):
        yield figure
    await life(folder, 0)  # the first start makes the database and the key
    async for figure in starts(scale, folder, ""):
        yield figure
    async with AsyncExitStack() as stack:
        for n in range(2):
            await stack.enter_async_context(running(BUSY, os.environ, folder / f"busy{n}.log"))
        async for figure in starts(scale, folder, ", beside two busy loops"):
            yield figure
