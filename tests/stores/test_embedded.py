"""The embedded Redis: started once, shared, started again where it was killed, and gone with the process that started it."""

import asyncio
import fcntl
import os
import signal
import socket
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from redis.exceptions import RedisError

from state.stores.embedded import WATCH, EmbeddedRedis, start_embedded
from tests.patience import PATIENCE

PARENT = """
import asyncio, pathlib, sys
from state.stores.embedded import start_embedded
async def main():
    embedded = await start_embedded(pathlib.Path(sys.argv[1]))
    print((await embedded.client.info("server"))["process_id"], flush=True)
    await asyncio.sleep(600)
asyncio.run(main())
"""


async def started(folder: Path) -> EmbeddedRedis:
    """A client of the server under this folder."""
    embedded = await start_embedded(folder)
    if embedded is None:
        pytest.skip("REDIS IS LEFT OUT: the embedded server does not run here")
    return embedded


async def pid_of(embedded: EmbeddedRedis) -> int:
    """The server's process id."""
    return int((await embedded.client.info("server"))["process_id"])


async def there_again(embedded: EmbeddedRedis) -> int:
    """The process id of the server that answers, waited for."""
    async with asyncio.timeout(PATIENCE):
        while True:
            with suppress(RedisError, OSError):
                return await pid_of(embedded)
            await asyncio.sleep(0.05)


async def gone(pid: int) -> bool:
    """Return True if the process ends within a moment."""
    for _ in range(1800):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        await asyncio.sleep(0.05)
    return False


async def test_those_who_start_at_the_same_time_share_one_server(tmp_path: Path) -> None:
    """Of several starts in one folder one makes the server, and all are connected to it."""

    async def one() -> tuple[EmbeddedRedis, int]:
        embedded = await started(tmp_path)
        return embedded, await pid_of(embedded)

    several = await asyncio.gather(*(one() for _ in range(4)))
    pids = {pid for _, pid in several}
    assert len(pids) == 1
    for embedded, _ in several:
        await embedded.stop()
    assert await gone(pids.pop())


async def test_a_server_ends_with_the_process_that_started_it(tmp_path: Path) -> None:
    """kill -9 of the bot leaves no server behind; whoever shared it has one again, and the next start makes its own."""
    root = Path(__file__).parents[2]
    parent = await asyncio.create_subprocess_exec(
        sys.executable, "-c", PARENT, str(tmp_path), stdout=asyncio.subprocess.PIPE, cwd=root
    )
    assert parent.stdout
    server = int(await parent.stdout.readline())
    sharing = await started(tmp_path)
    assert await pid_of(sharing) == server
    os.kill(parent.pid, signal.SIGKILL)
    await parent.wait()
    assert await gone(server)
    second = await there_again(sharing)
    assert second != server
    await sharing.stop()
    assert await gone(second)


async def test_a_killed_server_is_started_again(tmp_path: Path) -> None:
    """A server that was killed is there again for all who share it, without anybody's restart, and ends with them as the first would have."""
    first, second = await started(tmp_path), await started(tmp_path)
    killed = await pid_of(first)
    os.kill(killed, signal.SIGKILL)
    pids = {await there_again(first), await there_again(second)}
    assert len(pids) == 1 and killed not in pids
    for embedded in (second, first):
        await embedded.stop()
    assert await gone(pids.pop())


async def test_a_killed_server_is_found_dead_at_the_next_start(tmp_path: Path) -> None:
    """A server that was killed leaves its socket behind, and the next start makes a new one at once."""
    first = await started(tmp_path)
    os.kill(await pid_of(first), signal.SIGKILL)
    second = await started(tmp_path)
    assert await second.client.ping()
    for embedded in (second, first):
        await embedded.stop()


async def test_a_long_path_is_no_obstacle(tmp_path: Path) -> None:
    """A folder whose path is too long for a socket gets its server all the same."""
    embedded = await started(tmp_path / ("long" * 30))
    assert await embedded.client.ping()
    await embedded.stop()


async def test_nothing_listens_on_the_network(tmp_path: Path) -> None:
    """The server is reached through its socket only, by its owner alone, and keeps nothing on disk."""
    embedded = await started(tmp_path)
    settings = {
        name: (await embedded.client.config_get(name))[name]
        for name in ("port", "unixsocketperm", "save", "appendonly", "maxmemory-policy")
    }
    assert settings == {
        "port": "0", "unixsocketperm": "700", "save": "", "appendonly": "no", "maxmemory-policy": "allkeys-lru"
    }  # fmt: skip
    await embedded.stop()


async def test_a_server_that_cannot_start_is_done_without(tmp_path: Path) -> None:
    """Where the folder cannot be made there is no Redis, and nothing is raised."""
    (tmp_path / "file").write_text("in the way")
    assert await start_embedded(tmp_path / "file") is None


async def test_who_leaves_while_their_server_starts_again_stops_it(tmp_path: Path) -> None:
    """A start that is under way when its bot ends is waited for, so that no server is left behind."""
    leaving = await started(tmp_path)
    with (tmp_path / "valkey.lock").open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        os.kill(await pid_of(leaving), signal.SIGKILL)
        await asyncio.sleep(2 * WATCH)  # the watch has seen it, and waits for the lock
        stopping = asyncio.create_task(leaving.stop())
        await asyncio.sleep(0.2)
    await stopping
    await asyncio.sleep(WATCH)
    with socket.socket(socket.AF_UNIX) as probe, pytest.raises(OSError, match=r"refused|No such file"):
        probe.connect(str(tmp_path / "valkey.sock"))
