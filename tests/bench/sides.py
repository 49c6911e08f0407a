"""The two sides of every comparison: a bot in a process of its own, measured by /proc, and its sandbox with people in this one."""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from bot.sandbox.people import Person
from bot.sandbox.server import Sandbox
from bot.sandbox.workspace import Profile

TICKS = os.sysconf("SC_CLK_TCK")
PAGE = os.sysconf("SC_PAGE_SIZE")
GRACE = 15.0
PARENT, SESSION, UTIME, STIME, CSTIME, RSS = 1, 3, 11, 12, 14, 21
"""Places in /proc/<pid>/stat after the name."""


@asynccontextmanager
async def running(
    command: tuple[str, ...], env: Mapping[str, str], log: Path
) -> AsyncIterator[asyncio.subprocess.Process]:
    """The command in a session of its own, until the block ends."""
    with log.open("wb") as out:
        process = await asyncio.create_subprocess_exec(
            *command, env=dict(env), stdin=asyncio.subprocess.DEVNULL, stdout=out, stderr=out, start_new_session=True
        )
    try:
        yield process
    finally:
        await end(process)


async def end(process: asyncio.subprocess.Process) -> None:
    """Ask to stop, then make it; nothing of its session stays."""
    if process.returncode is None:
        process.terminate()
        with suppress(TimeoutError):
            await asyncio.wait_for(process.wait(), GRACE)
    for pid in list(session(process.pid)):
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    await process.wait()


def stat(pid: int | str) -> list[str]:
    """The fields of /proc/<pid>/stat after the name; none where it is gone."""
    try:
        return Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()
    except OSError:
        return []


def ended(pid: int) -> bool:
    """Return True if a process is gone, or waits to be buried."""
    return (stat(pid) or ["Z"])[0] == "Z"


def computes(pid: int) -> bool:
    """Return True if any thread of a process is running, or waits for a core or the disk."""
    threads = Path(f"/proc/{pid}/task").iterdir()
    return any(fields[0] in "RD" for t in threads if (fields := stat(f"{pid}/task/{t.name}")))


def session(leader: int) -> Iterator[int]:
    """The processes of a session, its leader among them, and of sessions that the leader began: a bot's Valkey has one of its own."""
    for entry in Path("/proc").iterdir():
        fields = stat(entry.name) if entry.name.isdigit() else []
        begun = fields and (stat(fields[SESSION]) or ["", "0"])[PARENT]
        if fields and str(leader) in (fields[SESSION], begun):
            yield int(entry.name)


def cpu_of(leader: int) -> float:
    """Seconds of CPU of a session so far."""
    return sum(int(f[UTIME]) + int(f[STIME]) for pid in session(leader) if (f := stat(pid))) / TICKS


def cpu_below(parent: int) -> float:
    """Seconds of CPU of a process, of its children, and of those that have ended; 0 for none."""
    used = 0
    for entry in Path("/proc").iterdir() if parent else ():
        fields = stat(entry.name) if entry.name.isdigit() else []
        if fields and parent in (int(entry.name), int(fields[PARENT])):
            used += sum(map(int, fields[UTIME : CSTIME + 1]))
    return used / TICKS


def memory_of(leader: int) -> float:
    """Resident megabytes of a session."""
    return sum(int(f[RSS]) for pid in session(leader) if (f := stat(pid))) * PAGE / 1e6


PATIENCE = 120.0
"""Seconds for a start, or for an answer of a bot that is overrun."""
HOLDFAST = (sys.executable, "-m", "bot.cli", "run")
BARE = (sys.executable, "-m", "tests.bench.bare")


@dataclass
class Side:
    """A bot under measurement and its sandbox."""

    name: str
    sandbox: Sandbox
    process: asyncio.subprocess.Process
    replicas: tuple[asyncio.subprocess.Process, ...] = ()
    pause: float = 0.05
    """Seconds between acts, in which a bot finishes what follows its answer, so that it does not run beside the peer's."""

    @property
    def bare(self) -> bool:
        """Return True if this is the peer."""
        return self.name == "bare"

    def cpu(self) -> float:
        """Seconds of CPU that the bot and what it started have used."""
        return sum(cpu_of(p.pid) for p in (self.process, *self.replicas))

    def computes(self) -> bool:
        """Return True if a thread of the bot runs, or would if a core were free."""
        return any(computes(p.pid) for p in (self.process, *self.replicas))

    def person(self, n: int) -> Person:
        """The n-th person at the keyboard; who is not there joins."""
        who = f"U0CROWD{n}"
        if who not in self.sandbox.workspace.people:
            profile = Profile(who, f"person.{n}", f"Person {n}")
            self.sandbox.workspace.add_person(profile, f"D0CROWD{n}")
        return self.sandbox.person(who)


def environment(sandbox: Sandbox, var: Path, more: Mapping[str, str]) -> dict[str, str]:
    """What a bot gets; nothing of this machine's settings but its paths."""
    return {
        **{name: os.environ[name] for name in ("PATH", "PYTHONPATH", "HOME") if name in os.environ},
        "SLACK_BOT_TOKEN": sandbox.bot_token,
        "SLACK_APP_TOKEN": sandbox.app_token,
        "SLACK_API_URL": sandbox.api_url,
        "HOLDFAST_VAR": str(var),
        "HOLDFAST_PORT": "0",
        "BARE_DATABASE": str(var / "bare.db"),
        **more,
    }


@asynccontextmanager
async def side(
    name: str, command: tuple[str, ...], var: Path, replicas: int = 1, pace: int = 0, **more: str
) -> AsyncIterator[Side]:
    """A sandbox, and so many processes of this bot on it. Sockets wait long: a late ack is a figure, not an error.

    People act as fast as they are answered here, so Slack's rate limits are off, unless `pace` says how fast their minutes pass.
    """
    var.mkdir(parents=True, exist_ok=True)  # noqa: ASYNC240  a moment before anything is measured
    sandbox = Sandbox(ack_timeout=PATIENCE, retry_delays=(PATIENCE,), commands=("/holdfast", "/pa"))
    sandbox.knobs.tiers = pace
    more = {"HOLDFAST_PACE": str(pace), **more}
    await sandbox.start()
    async with AsyncExitStack() as stack:
        stack.push_async_callback(sandbox.stop)
        env, started = environment(sandbox, var, more), []
        for n in range(replicas):
            log = var / f"{name}{n}.log"
            started.append(await stack.enter_async_context(running(command, env, log)))
            await sandbox.until(lambda n=n: sandbox.connected > n or ended(started[n].pid), timeout=PATIENCE)
            if ended(started[n].pid):
                raise RuntimeError(f"{name} did not start: {log.read_text('utf-8')[-500:]}")
        yield Side(name, sandbox, started[0], tuple(started[1:]))


def holdfast(var: Path, replicas: int = 1, pace: int = 0, **more: str) -> AbstractAsyncContextManager[Side]:
    """Holdfast as people start it, without a model unless `more` names one."""
    return side("holdfast", HOLDFAST, var, replicas, pace, **more)


def bare(var: Path) -> AbstractAsyncContextManager[Side]:
    """The bare Bolt app."""
    return side("bare", BARE, var)
