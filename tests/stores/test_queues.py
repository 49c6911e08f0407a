"""The contract of both queues: a key is put in once, lanes are worked through in order, and every row comes to an end once."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import pytest

from state.stores.errors import LeaseLost
from state.stores.rows import DeliveryFailure, Done, InboxRow, Lease, OutboxRow, Posted
from state.stores.store import Store
from tests.stores.helpers import LANE, OTHER, TALK, post, put_out, said, taken, there, write

Row = InboxRow | OutboxRow


@dataclass(frozen=True)
class Side:
    """How one of the queues is filled and worked through: two of its lanes, and what is done to a row."""

    name: str
    lane: str
    other: str
    put: Callable[[Store, str, str], Awaitable[Any]]
    next: Callable[[Store, str], Awaitable[Row | None]]
    end: Callable[[Store, Lease, int], Awaitable[Any]]
    fail: Callable[[Store, Lease, int, float | None], Awaitable[Any]]


SIDES = (
    Side(
        "inbox", TALK, OTHER,
        lambda store, key, lane: store.receive(said(key, lane)),
        Store.next_incoming,
        lambda store, lease, row: write(store, lease, done=row),
        Store.fail_incoming,
    ),
    Side(
        "outbox", LANE, "other",
        lambda store, key, lane: put_out(store, post(key, lane)),
        Store.next_outgoing,
        lambda store, lease, row: store.finish(lease, Done(row, Posted("card1", "D0ALEX", "1.1"), said("Ev9"))),
        lambda store, lease, row, delay: store.set_back(
            lease, row, DeliveryFailure("dead", None) if delay is None else DeliveryFailure("new", delay, attempts=1)
        ),
    ),
)  # fmt: skip


async def lanes(store: Store, side: Side, limit: int = 100) -> list[str]:
    """Which of the queue's two lanes are left to do."""
    return [lane for lane in (await store.sweep(limit)).lanes if lane in (side.lane, side.other)]


both = pytest.mark.parametrize("side", SIDES, ids=[side.name for side in SIDES])


@both
async def test_rows_come_once_and_in_order(store: Store, side: Side) -> None:
    """A lane's rows come oldest first, each key once, also when it is put in again later; other lanes' rows do not come."""
    for key, lane in (("k1", side.lane), ("x1", side.other), ("k2", side.lane), ("k1", side.lane)):
        await side.put(store, key, lane)
    lease, seen = await taken(store, side.lane), list[str]()
    while (row := await side.next(store, side.lane)) is not None:
        seen.append(row.key)
        await side.end(store, lease, row.id)
    assert seen == ["k1", "k2"]
    await store.release(lease)
    await side.put(store, "k1", side.lane)
    assert await side.next(store, side.lane) is None


@both
async def test_lanes_with_due_rows_are_named(store: Store, side: Side) -> None:
    """Once each, the oldest row first, up to a limit; not while somebody holds them, while the row waits, or once it has ended."""
    for key, lane in (("x1", side.other), ("k1", side.lane), ("x2", side.other)):
        await side.put(store, key, lane)
    assert (await lanes(store, side), await lanes(store, side, 1)) == ([side.other, side.lane], [side.other])
    held = await taken(store, side.other)
    assert await lanes(store, side) == [side.lane]
    await store.release(held)
    await taken(store, side.other, -1)
    assert await lanes(store, side) == [side.other, side.lane]
    held = await taken(store, side.other)
    await side.fail(store, held, there(await side.next(store, side.other)).id, 3600)
    await store.release(held)
    assert (await side.next(store, side.other), await lanes(store, side)) == (None, [side.lane])
    held = await taken(store, side.lane)
    await side.end(store, held, there(await side.next(store, side.lane)).id)
    await store.release(held)
    assert side.lane not in await lanes(store, side)


@both
async def test_a_row_ends_once(store: Store, side: Side) -> None:
    """A row that has ended, is another lane's, or never was, is neither ended nor failed: what should follow does not follow again."""
    await side.put(store, "k1", side.lane)
    await side.put(store, "x1", side.other)
    lease, others = await taken(store, side.lane), there(await side.next(store, side.other))
    mine = there(await side.next(store, side.lane))
    await side.fail(store, lease, mine.id, None)
    for wrong in (mine.id, others.id, 999):
        for attempt in (side.end(store, lease, wrong), side.fail(store, lease, wrong, None)):
            with pytest.raises(LeaseLost):
                await attempt
    assert (await store.posted("card1"), await store.received("Ev9")) == (None, None)


@both
async def test_a_failed_row_comes_again(store: Store, side: Side) -> None:
    """It counts its attempts and is due at once after a delay of nothing."""
    await side.put(store, "k1", side.lane)
    lease, row = await taken(store, side.lane), there(await side.next(store, side.lane))
    await side.fail(store, lease, row.id, 0)
    again = there(await side.next(store, side.lane))
    assert (row.attempts, again.attempts, again.key) == (0, 1, "k1")


@both
async def test_a_dead_letter_is_listed_and_holds_back_nobody(store: Store, side: Side) -> None:
    """A row that is given up is listed, its key stays known, and the next one's turn has come."""
    await side.put(store, "k1", side.lane)
    await side.put(store, "k2", side.lane)
    lease, row = await taken(store, side.lane), there(await side.next(store, side.lane))
    await side.fail(store, lease, row.id, None)
    assert there(await side.next(store, side.lane)).key == "k2"
    assert await store.dead() == [(side.name, row.id, side.lane)]
