"""Another replica, in a process of its own, for tests that stop and kill it: `python -m tests.stores.replica ACT URL`."""

import asyncio
import sys
from functools import partial

from state.stores.errors import AlreadyFiled, LeaseLost, Unavailable
from state.stores.opener import open_store
from state.stores.rows import Number, TurnWrites
from state.stores.store import Store
from tests.stores.helpers import KEY, TALK, filed, said, step, taken, write


def tell(word: str) -> None:
    """One word to the test."""
    sys.stdout.write(word + "\n")
    sys.stdout.flush()


async def told() -> None:
    """Wait for the test's word."""
    await asyncio.to_thread(sys.stdin.readline)


async def start(store: Store) -> None:
    """Start on a database that may be new."""
    tell("started")


async def receive(store: Store) -> None:
    """Store an event, and say so as an acknowledgement would."""
    tell(str(await store.receive(said("Ev1", text="200 shares")) is not None))
    await told()


async def turn(store: Store) -> None:
    """Take the lane, read, and write when told to."""
    lease, row = await taken(store, seconds=0.3), await store.next_incoming(TALK)
    draft, event = step(None, by="the one who was stopped")
    tell("holding")
    await told()
    try:
        await write(store, lease, draft=draft, events=[event], current="d1", done=row and row.id)
    except LeaseLost:
        tell("lost")


async def hold(store: Store) -> None:
    """Take the lane for as long as nobody waits, with an event in it."""
    await store.free_gone()
    await store.receive(said("Ev0"))
    await taken(store, seconds=600)
    tell("holding")
    await told()


async def half(store: Store) -> None:
    """Take a number, and wait inside the transaction."""

    def work(number: Number) -> TurnWrites:
        tell(number("PA-2026"))
        sys.stdin.readline()
        return TurnWrites()

    await store.write(await taken(store, "lane of the dead"), work)


def _filing(draft: str, number: Number) -> TurnWrites:
    return TurnWrites(records=[filed(number("PA-2026"), draft)])


async def submit(store: Store) -> None:
    """File six drafts that another process files at the same time."""
    lease = await taken(store, f"lane {sys.argv[3]}")
    tell("ready")
    await told()
    for n in range(6):
        try:
            await store.write(lease, partial(_filing, f"d{n}"))
            tell("filed")
        except AlreadyFiled:
            tell("already")
        except Unavailable:
            tell("unavailable")
    tell("end")


async def main() -> None:
    """Do one act."""
    acts = {act.__name__: act for act in (start, receive, turn, hold, half, submit)}
    async with open_store(sys.argv[2], KEY) as store:
        await acts[sys.argv[1]](store)


if __name__ == "__main__":
    asyncio.run(main())
