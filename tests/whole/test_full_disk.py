"""The disk takes nothing any more, under a bot in a process of its own: it says so, loses nothing that it acknowledged, and goes on by itself."""

import asyncio
import os
import resource
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from bot.sandbox.models.answers import Answer, tools
from bot.sandbox.models.playback import MessagesServer
from bot.sandbox.server import Sandbox
from state.stores.errors import Unavailable
from state.stores.opener import open_store
from state.stores.sql.engine import _named
from tests.databases import put_tables
from tests.patience import PATIENCE
from tests.process import process
from tests.stores.helpers import KEY
from tests.world import shown

CHANNEL = "C0COMPLIANCE"
FULL = "Nothing can be written: the disk of the database is full, or fails."
ROOT = Path(__file__).parents[2]


@contextmanager
def full(pid: int) -> Iterator[None]:
    """Let a process write into no file, as though the disk were full."""
    soft, hard = resource.prlimit(pid, resource.RLIMIT_FSIZE)
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (0, hard))
    try:
        yield
    finally:
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (soft, hard))


def nothing_written() -> None:
    """In a new process, before its program begins."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))


async def ready(port: int) -> tuple[int, list[str]]:
    """The status of /readyz, and its reasons."""
    async with aiohttp.ClientSession() as session, session.get(f"http://127.0.0.1:{port}/readyz") as answer:
        return answer.status, (await answer.json())["reasons"]


async def until_ready_is(port: int, status: int) -> None:
    """Wait until /readyz answers so."""
    async with asyncio.timeout(PATIENCE):
        while (await ready(port))[0] != status:  # noqa: ASYNC110 (it can only be asked)
            await asyncio.sleep(0.2)


async def status(var: Path) -> str:
    """What `holdfast status` prints in a process that can write nothing."""
    env = {"PATH": os.environ["PATH"], "HOLDFAST_VAR": str(var), "PYTHONDONTWRITEBYTECODE": "1"}
    ran = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bot.cli", "status", cwd=ROOT, env=env, preexec_fn=nothing_written,
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
    )  # fmt: skip
    return (await ran.communicate())[0].decode()


async def test_a_full_disk_is_said_and_lived_through(tmp_path: Path, unused_tcp_port: int) -> None:
    """Readiness, status and the operators' channel say what to do; what came meanwhile is asked for again; with room, all goes on."""

    def model(_: dict[str, Any]) -> Answer:
        return tools()

    sandbox, server = (
        Sandbox(ack_timeout=2.0, retry_delays=(0.2, 1.0, 2.0, 4.0, *(4.0 for _ in range(40)))),
        MessagesServer(model),
    )
    await sandbox.start()
    await server.start()

    def said(words: str) -> bool:
        return any(words in shown(m) for m in sandbox.person("U0DANA").messages(CHANNEL))

    def answers() -> list[Any]:
        return [m for m in sandbox.person("U0ALEX").messages() if m.get("bot_id")]

    try:
        alex, more = (
            sandbox.person("U0ALEX"),
            {"HOLDFAST_PORT": str(unused_tcp_port), "HOLDFAST_CHANNEL_OPERATORS": CHANNEL},
        )
        async with process(sandbox, server, tmp_path, tmp_path / "log", **more) as bot:
            await alex.say("I would like to trade a security")
            await sandbox.until(answers, timeout=PATIENCE)
            before = len(answers())
            with full(bot.pid):
                await alex.say("Tesco")  # Slack sends it again until it is taken
                await until_ready_is(unused_tcp_port, 503)
                assert any(FULL in reason for reason in (await ready(unused_tcp_port))[1])
                await sandbox.until(lambda: said("the disk of the database is full"), timeout=PATIENCE)
                told = await status(tmp_path)
                assert FULL in told and "Traceback" not in told
                assert bot.returncode is None
            await sandbox.until(lambda: said("The database can be written again"), timeout=PATIENCE)
            await sandbox.until(lambda: len(answers()) > before, timeout=PATIENCE)
            await until_ready_is(unused_tcp_port, 200)
    finally:
        await server.stop()
        await sandbox.stop()


async def test_status_where_nobody_runs_and_nothing_can_be_written(tmp_path: Path) -> None:
    """Without a bot that has the database open, the command says the same in a sentence."""
    put_tables(tmp_path / "holdfast.db")
    (tmp_path / "holdfast.key").write_text("A" * 43)
    told = await status(tmp_path)
    assert "Nothing can be written" in told and "Traceback" not in told


@pytest.mark.parametrize(
    ("statement", "why"), [("PRAGMA query_only = 1", "read_only"), ("PRAGMA max_page_count = 1", "full")]
)
async def test_why_nothing_can_be_written_is_told(tmp_path: Path, statement: str, why: str) -> None:
    """SQLite's own limits stand for a full disk and for a file that may only be read: the next write that is taken ends it."""
    put_tables(tmp_path / "holdfast.db")
    store = open_store(f"sqlite:///{tmp_path / 'holdfast.db'}", KEY)
    await store.start()
    try:
        database = store._database  # type: ignore[attr-defined]  # the connection that writes: what limits it is its own
        await database.write(lambda connection: None)
        await database._driver._threads["writer"].read(lambda connection: connection.exec_driver_sql(statement))
        with pytest.raises(Unavailable) as raised:
            for n in range(5000):
                await store.spend(f"2026-01-{n}", 1)
        assert raised.value.why == why == store.refused and "Nothing can be written" in str(raised.value)
    finally:
        await store.stop()
    again = open_store(f"sqlite:///{tmp_path / 'holdfast.db'}", KEY)
    await again.start()
    assert await again.spend("2026-02-01", 1) == 1 and again.refused == ""
    await again.stop()


@pytest.mark.parametrize(
    ("error", "why"),
    [(OSError(28, "No space left"), "full"), (OSError(30, "Read-only"), "read_only"), (OSError(111, "refused"), ""), (sqlite3.Error(), "")],
)  # fmt: skip
def test_a_systems_error_says_why(error: Exception, why: str) -> None:
    """What the disk says is told apart from a database that merely does not answer."""
    with pytest.raises(Unavailable) as raised, _named():
        raise error
    assert raised.value.why == why
