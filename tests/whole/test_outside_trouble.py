"""What the bot stands on goes wrong, a full disk among it: nothing that was said is lost, nothing is done twice, and people are told."""

import asyncio
import os
import resource
import sqlite3
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import aiohttp
import asyncpg
import pytest
from sqlalchemy import make_url

from bot.sandbox.models.answers import tools
from state.stores.errors import Unavailable
from state.stores.opener import memory_store, open_store
from state.stores.sql.engine import _named
from state.stores.store import Store
from tests.databases import put_tables
from tests.patience import PATIENCE
from tests.process import outside, process
from tests.stores.helpers import KEY
from tests.whole.steps import play, tell
from tests.world import World, shown, world

ASKED = "I'd like to buy 200 Tesco shares"
HASTY = {"ack_timeout": 2.0, "retry_delays": (0.2, 1.0, 2.0, 4.0, 8.0)}
"""A Slack that waits and comes again sooner than the real one."""


async def told(w: World) -> list[str]:
    """The person's words as the draft's events hold them."""
    events = await w.bot.store.events((await w.draft()).id)
    return [str(e.body["text"]) for e in events if e.kind == "MessageReceived"]


async def goes_on(w: World, broken: Callable[[], Awaitable[None]], mended: Callable[[], Awaitable[None]]) -> None:
    """Begin; say something while it is broken, and mend it; then the words are read, once, and the conversation goes on."""
    await tell(w, ASKED)
    await w.click("Use this")
    before = await told(w)
    await broken()
    await w.alex.say("my ISA at Hargreave")
    await asyncio.sleep(0.5)
    await mended()

    async def read() -> bool:
        return len(await told(w)) > len(before)

    await w.sandbox.until(read, timeout=60)
    await w.settled()
    assert await told(w) == [*before, "my ISA at Hargreave"]
    draft = await w.draft()
    assert draft.values["quantity"].data == 200
    assert await w.bot.store.dead() == []


async def test_a_disk_that_is_full(tmp_path: Path) -> None:
    """Slack is not told that we have what we could not store, so it comes again; once there is room it is read, and read once."""
    async with world(tmp_path, kept=True, options=HASTY) as w:
        store = w.bot.store
        assert isinstance(store, Store)

        async def pages(most: int) -> None:
            await store._database.write(lambda c: c.exec_driver_sql(f"PRAGMA max_page_count={most}").close())

        await goes_on(w, lambda: pages(1), lambda: pages(1_073_741_823))


async def test_a_click_outlives_a_moment_without_a_database(tmp_path: Path) -> None:
    """Slack brings no click again: what cannot be stored at once is stored at the second try, while Slack still waits."""
    async with world(tmp_path, kept=True, options=HASTY) as w:
        await tell(w, ASKED)
        store = w.bot.store
        assert isinstance(store, Store)
        writer = store._database._driver._threads["writer"]
        await writer.read(lambda connection: connection.exec_driver_sql("PRAGMA query_only = 1"))
        clicked = asyncio.create_task(w.alex.click("Use this"))
        await w.sandbox.until(lambda: store.refused)
        await writer.read(lambda connection: connection.exec_driver_sql("PRAGMA query_only = 0"))
        await clicked
        await w.settled()
        assert (await w.values())["security"] == "GB00BLGZ9862"


async def test_a_postgresql_that_is_gone_and_comes_back(postgres: str, tmp_path: Path) -> None:
    """Every connection is cut and none is let in for a while; then the same bot goes on, without a restart."""
    url = make_url(postgres)
    admin = await asyncpg.connect(url.set(database="postgres").render_as_string(hide_password=False))
    name = url.database

    async def gone() -> None:
        await admin.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false")
        await admin.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1", name)

    async def back() -> None:
        await admin.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true")

    try:
        async with world(tmp_path, database_url=postgres, options=HASTY) as w:
            await goes_on(w, gone, back)
    finally:
        await admin.close()


async def test_a_clock_that_jumps(tmp_path: Path) -> None:
    """The machine's clock goes a day ahead, and back: leases, waiting rows and the order of events are none the worse."""
    ahead = timedelta()

    def clock() -> datetime:
        return datetime.now(UTC) + ahead

    async with world(tmp_path, options={"store": memory_store(clock)}) as w:
        await tell(w, ASKED)
        for jump in (timedelta(days=1), timedelta(), timedelta(days=-1), timedelta()):
            ahead = jump
            before = len(await told(w))
            await w.say("hello?")
            assert len(await told(w)) == before + 1
        await w.click("Use this")
        assert (await w.values())["quantity"] == 200


@asynccontextmanager
async def garbage() -> AsyncIterator[str]:
    """The address of something that answers every Redis command, and nothing sensible."""
    answers = iter(
        [
            b"$-7\r\n",
            b"+OK\r\n+OK\r\n+OK\r\n",
            b"\x00\xff\xfe",
            b"*3\r\n:1\r\n",
            b"$5\r\nab\r\n",
            b"HTTP/1.1 400\r\n\r\n",
        ]
        * 500
    )

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while await reader.read(4096):
            writer.write(next(answers, b"-ERR\r\n"))
            await writer.drain()
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    try:
        yield f"redis://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    finally:
        server.close()


async def test_a_redis_that_answers_garbage(tmp_path: Path) -> None:
    """Whatever a broken cache says is no draft: the truth is read from SQL, and the person notices nothing."""
    async with garbage() as address, world(tmp_path, kept=True, redis_url=address) as w:
        await tell(w, ASKED)
        await play(w, "[Use this]", "my ISA at Hargreave")
        assert (await w.values())["quantity"] == 200
        assert await told(w) == [ASKED, "my ISA at Hargreave"]


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

    again = (0.2, 1.0, 2.0, *(4.0 for _ in range(41)))
    async with outside(lambda _: tools(), ack_timeout=2.0, retry_delays=again) as (sandbox, server):
        alex, dana = sandbox.person("U0ALEX"), sandbox.person("U0DANA")

        def said(words: str) -> bool:
            return any(words in shown(m) for m in dana.messages(CHANNEL))

        def answers() -> list[Any]:
            return [m for m in alex.messages() if m.get("bot_id")]

        more = {"HOLDFAST_PORT": str(unused_tcp_port), "HOLDFAST_CHANNEL_OPERATORS": CHANNEL}
        async with process(sandbox, server, tmp_path, tmp_path / "log", **more) as bot:
            await alex.say("I would like to trade a security")
            await sandbox.until(answers, timeout=PATIENCE)
            before = len(answers())
            with full(bot.pid):
                await alex.say("Tesco")  # Slack sends it again until it is taken
                await until_ready_is(unused_tcp_port, 503)
                assert any(FULL in reason for reason in (await ready(unused_tcp_port))[1])
                await sandbox.until(lambda: said("the database's disk is full"), timeout=PATIENCE)
                told = await status(tmp_path)
                assert FULL in told and "Traceback" not in told
                assert bot.returncode is None
            await sandbox.until(lambda: said("I can write to the database again"), timeout=PATIENCE)
            await sandbox.until(lambda: len(answers()) > before, timeout=PATIENCE)
            await until_ready_is(unused_tcp_port, 200)


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
