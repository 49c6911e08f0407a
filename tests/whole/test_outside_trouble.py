"""What the bot stands on goes wrong in the middle of a conversation: nothing that was said is lost, and nothing is done twice."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import asyncpg
from sqlalchemy import make_url

from state.stores.opener import memory_store
from state.stores.store import Store
from tests.whole.steps import tell
from tests.world import World, world

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
        await w.click("Use this")
        await w.say("my ISA at Hargreave")
        assert (await w.values())["quantity"] == 200
        assert await told(w) == [ASKED, "my ISA at Hargreave"]
