"""Another replica, in a process of its own, for tests that stop and kill it."""

import asyncio
import warnings
from functools import partial
from multiprocessing.connection import Connection
from typing import Any

from state.stores.errors import AlreadyFiled, LeaseLost, Unavailable
from state.stores.opener import open_store
from state.stores.rows import Number, TurnWrites
from state.stores.store import Store
from tests.stores.helpers import KEY, TALK, filed, said, step, taken, write

Test = Connection
"""Where the words go to the test, and its own come from."""


async def told(test: Test) -> None:
    """Wait for the test's word."""
    await asyncio.to_thread(test.recv)


async def start(store: Store, test: Test) -> None:
    """Start on a database that may be new."""
    test.send("started")


async def receive(store: Store, test: Test) -> None:
    """Store an event, and say so as an acknowledgement would."""
    test.send(str(await store.receive(said("Ev1", text="200 shares")) is not None))
    await told(test)


async def turn(store: Store, test: Test) -> None:
    """Take the lane, read, and write when told to."""
    lease, row = await taken(store, seconds=0.3), await store.next_incoming(TALK)
    draft, event = step(None, by="the one who was stopped")
    test.send("holding")
    await told(test)
    try:
        await write(store, lease, draft=draft, events=[event], current="d1", done=row and row.id)
    except LeaseLost:
        test.send("lost")


async def hold(store: Store, test: Test) -> None:
    """Take the lane for as long as nobody waits, with an event in it."""
    await store.free_gone()
    await store.receive(said("Ev0"))
    await taken(store, seconds=600)
    test.send("holding")
    await told(test)


async def half(store: Store, test: Test) -> None:
    """Take a number, and wait inside the transaction."""

    def work(number: Number) -> TurnWrites:
        test.send(number("PA-2026"))
        test.recv()
        return TurnWrites()

    await store.write(await taken(store, "lane of the dead"), work)


def _filing(draft: str, number: Number) -> TurnWrites:
    return TurnWrites(records=[filed(number("PA-2026"), draft)])


async def submit(store: Store, test: Test, lane: str) -> None:
    """File six drafts that another process files at the same time."""
    lease = await taken(store, f"lane {lane}")
    test.send("ready")
    await told(test)
    for n in range(6):
        try:
            await store.write(lease, partial(_filing, f"d{n}"))
            test.send("filed")
        except AlreadyFiled:
            test.send("already")
        except Unavailable:
            test.send("unavailable")
    test.send("end")


async def _do(test: Test, act: str, url: str, *more: str) -> None:
    acts: dict[str, Any] = {act.__name__: act for act in (start, receive, turn, hold, half, submit)}
    async with open_store(url, KEY) as store:
        await acts[act](store, test, *more)


def run(test: Test, *act: str) -> None:
    """In the new process: do one act on the store at an address."""
    warnings.simplefilter("error")
    asyncio.run(_do(test, *act))
