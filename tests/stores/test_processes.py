"""Several processes over one database: killed, stopped and resumed, racing. What they leave behind is whole."""

import asyncio
import multiprocessing
import os
import signal
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerProcess

import asyncpg
import pytest

from bot.turns.leases import TURNS, Leases, Line, Pools
from state.stores.errors import LeaseLost
from state.stores.opener import open_store
from state.stores.rows import Received
from tests.chain import verify
from tests.patience import PATIENCE
from tests.stores.conftest import Ground
from tests.stores.helpers import KEY, TALK, said, step, submit, taken, turn, values, write
from tests.stores.replica import run
from tests.warm import Warm, context


class Replica(Warm):
    """A process, and the pipe to it."""

    def __init__(self, process: ForkServerProcess, pipe: Connection) -> None:
        super().__init__(process)
        self.pipe = pipe

    async def word(self) -> str:
        """Return the next word that it says."""
        return str(await asyncio.to_thread(self.pipe.recv))

    def go(self) -> None:
        """Tell it to go on."""
        self.pipe.send("")

    async def killed(self) -> None:
        """Kill it, and wait for its end."""
        self.kill()
        await self.wait()


Start = Callable[..., Awaitable[Replica]]
"""Starts a replica that does one act."""


@pytest.fixture
async def replica() -> AsyncIterator[Start]:
    """Starts replicas, as forks of a process that has imported what they need; none outlives the test."""
    started: list[Replica] = []

    async def start(*act: str) -> Replica:
        pipe, theirs = multiprocessing.Pipe()
        process = context().Process(target=run, args=(theirs, *act))
        await asyncio.to_thread(process.start)
        theirs.close()
        started.append(Replica(process, pipe))
        return started[-1]

    yield start
    for one in started:
        await one.killed()
        one.pipe.close()


async def test_what_was_acknowledged_survives_a_kill(shared: Ground, replica: Start) -> None:
    """An event that was received by a process which is killed at once is handled by the next one, once."""
    process = await replica("receive", shared.url)
    assert await process.word() == "True"
    await process.killed()
    store = await shared.open()
    assert (await store.sweep()).lanes == [TALK]
    row, lease = await store.next_incoming(TALK), await taken(store)
    assert row is not None and row.body == {"text": "200 shares"}
    await write(store, lease, done=row.id)
    assert not await store.receive(row)
    assert await store.next_incoming(TALK) is None


async def test_a_free_hand_takes_who_came_first_to_any_process(shared: Ground) -> None:
    """Conversations that wait are begun in the order in which they came, one for each free hand, by a process that received none of them."""
    mine, other, begun, pools = await shared.open(), await shared.open(), asyncio.Queue[str](), Pools({TURNS: 1})

    def begin(oldest: Received, _since: float) -> None:
        pools.enter(oldest.row.conversation)
        begun.put_nowait(oldest.row.conversation)

    line = Line(other, pools, begin)
    for n in (2, 1, 3):
        await mine.receive(said(f"k{n}", f"W:D{n}:"))
    line.open()
    line.grows()
    for n in (2, 1, 3):
        assert await begun.get() == f"W:D{n}:"
        assert line.long
        pools.leave(f"W:D{n}:")
        line.go_on()
    while line.long:  # noqa: ASYNC110  what it asks the database last
        await asyncio.sleep(0.02)
    await line.close()
    assert begun.empty()


async def test_a_stopped_and_resumed_holder_writes_nothing(shared: Ground, replica: Start) -> None:
    """A process that is stopped while it holds a lane, overtaken, and resumed, finds its lease lost."""
    store = await shared.open()
    process = await replica("turn", shared.url)
    assert await process.word() == "holding"
    os.kill(process.pid, signal.SIGSTOP)
    while (lease := await store.take(TALK, 30)) is None:  # noqa: ASYNC110 (a lease can only be asked for)
        await asyncio.sleep(0.02)
    draft, event = step(None, by="the one who came after")
    await write(store, lease, draft=draft, events=[event], current="d1")
    os.kill(process.pid, signal.SIGCONT)
    process.go()
    assert await process.word() == "lost"
    assert values(await store.draft("d1")) == {"by": "the one who came after"}
    assert (await verify(store, "d1")).broken == ""


async def test_only_who_is_alone_frees_what_a_killed_process_held(sqlite: str, replica: Start) -> None:
    """While anybody else has the file open, running or stopped, a lease is somebody's; once nobody has, the next start frees it at once."""
    process, other = await replica("hold", sqlite), open_store(sqlite, KEY)
    assert await process.word() == "holding"
    os.kill(process.pid, signal.SIGSTOP)
    await other.start()
    assert await other.take(TALK, 30) is None
    await other.stop()
    os.kill(process.pid, signal.SIGCONT)
    beside = await replica("receive", sqlite)
    assert await beside.word() == "True"
    await process.killed()
    await other.start()
    assert await other.take(TALK, 30) is None, "the one beside it might be who holds it"
    await other.stop()
    beside.go()
    await beside.wait()
    await other.start()
    assert await other.take(TALK, 30) is not None
    await other.stop()


async def test_two_living_processes_keep_their_leases(shared: Ground, replica: Start) -> None:
    """However often somebody starts beside it and looks who lives, a holder keeps its lane, running or stopped."""
    process = await replica("hold", shared.url)
    assert await process.word() == "holding"
    for number in (signal.SIGCONT, signal.SIGSTOP, signal.SIGSTOP):
        os.kill(process.pid, number)
        store = await shared.open()
        assert not await store.free_gone()
        assert await store.take(TALK, 30) is None
    await process.killed()


async def test_a_killed_replica_is_missed_by_those_that_live(clean_postgres: str, replica: Start) -> None:
    """On PostgreSQL a lease ends a second after its process, however long it would have run: time for what that sent last to arrive."""
    async with open_store(clean_postgres, KEY) as store:
        process = await replica("hold", clean_postgres)
        assert await process.word() == "holding"
        await process.killed()
        async with asyncio.timeout(PATIENCE):
            while await store.free_gone() == 0:  # noqa: ASYNC110 (it can only be asked for)
                await asyncio.sleep(0.01)
            assert await store.take(TALK, 30) is None
            while (lease := await store.take(TALK, 30)) is None:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        assert (lease.token, lease.holder) == (2, store.holder)


async def test_a_process_that_loses_its_connection_counts_on_no_lease(clean_postgres: str) -> None:
    """Whose connection is cut is gone for others; it sends nothing under what it held, until it has renewed that as one who lives again."""
    async with open_store(clean_postgres, KEY) as store, open_store(clean_postgres, KEY) as other:
        await store.free_gone()
        held, lease = Leases(store), await taken(store)
        held.add(lease, time.monotonic())
        held.sure(lease)
        await other.receive(said())
        admin = await asyncpg.connect(clean_postgres)
        await admin.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 2"
        )
        await admin.close()
        async with asyncio.timeout(PATIENCE):
            while await other.free_gone() == 0 or store.holder:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        with pytest.raises(LeaseLost):
            held.sure(lease)
        await store.free_gone()
        with pytest.raises(LeaseLost):
            held.sure(lease)
        await held.renew([held._held[lease.lane]])
        held.sure(lease)


async def test_a_number_of_a_killed_process_is_given_again(shared: Ground, replica: Start) -> None:
    """A process that is killed between taking a number and filing leaves no gap, and blocks nobody."""
    store = await shared.open()
    await turn(store)
    process = await replica("half", shared.url)
    assert await process.word() == "PA-2026-000001"
    await process.killed()
    assert await submit(store, await taken(store)) == "PA-2026-000001"


async def test_two_processes_file_each_draft_once(shared: Ground, replica: Start) -> None:
    """Of two processes that submit the same six drafts at the same time, each draft is filed by one, without gaps."""
    store = await shared.open()
    for n in range(6):
        await turn(store, f"d{n}", where=f"T0NORTH:D{n}:")
    processes = [await replica("submit", shared.url, name) for name in ("one", "two")]
    assert [await process.word() for process in processes] == ["ready", "ready"]
    for process in processes:
        process.go()
    words = [[await process.word() for _ in range(7)] for process in processes]
    assert sorted(words[0][:6] + words[1][:6]) == ["already"] * 6 + ["filed"] * 6
    numbers = [record.number for record in await store.records("pa_dealing")]
    assert numbers == [f"PA-2026-{n:06d}" for n in range(1, 7)]


async def test_processes_may_start_together_on_a_new_database(new_sqlite: str, replica: Start) -> None:
    """Several first starts at the same time make one set of tables, and all of them come up."""
    processes = [await replica("start", new_sqlite) for _ in range(3)]
    assert [await process.word() for process in processes] == ["started"] * 3
    assert [await process.wait() for process in processes] == [0] * 3
