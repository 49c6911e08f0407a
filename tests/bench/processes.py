"""Processes: started in a session of their own, measured by /proc, ended with all that they started."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")
PAGE = os.sysconf("SC_PAGE_SIZE")
GRACE = 15.0
SESSION, UTIME, STIME, RSS = 3, 11, 12, 21
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


def computes(pid: int) -> bool:
    """Whether any thread of a process is running or waits for a core."""
    threads = Path(f"/proc/{pid}/task").iterdir()
    return any(fields[0] == "R" for t in threads if (fields := stat(f"{pid}/task/{t.name}")))


def session(leader: int) -> Iterator[int]:
    """The processes of a session, its leader among them."""
    for entry in Path("/proc").iterdir():
        fields = stat(entry.name) if entry.name.isdigit() else []
        if fields and int(fields[SESSION]) == leader:
            yield int(entry.name)


def cpu(leader: int) -> float:
    """Seconds of CPU of a session so far."""
    return sum(int(f[UTIME]) + int(f[STIME]) for pid in session(leader) if (f := stat(pid))) / TICKS


def memory(leader: int) -> float:
    """Resident megabytes of a session."""
    return sum(int(f[RSS]) for pid in session(leader) if (f := stat(pid))) * PAGE / 1e6
