"""The contract of leases: one holder a lane, tokens that grow, deadlines on the store's clock."""

import asyncio
from datetime import UTC, timedelta

import pytest

from state.stores.errors import LeaseLost
from state.stores.rows import DeliveryFailure, Done, Received
from state.stores.store import Store
from tests.stores.conftest import Ground
from tests.stores.helpers import LANE, TALK, post, put_out, said, step, taken, write


async def test_a_lane_has_one_holder(store: Store) -> None:
    """While a lease lives, nobody else gets the lane."""
    await taken(store)
    assert await store.take(TALK, 30) is None
    assert await store.take(LANE, 30) is not None


async def test_one_of_many_gets_the_lane(ground: Ground) -> None:
    """Of replicas that reach for a lane at the same time, exactly one gets it."""
    stores = [await ground.open() for _ in range(3)]
    leases = await asyncio.gather(*(store.take(TALK, 30) for store in stores * 4))
    assert len([lease for lease in leases if lease]) == 1


async def test_a_free_lane_has_a_higher_token(store: Store) -> None:
    """Each taking of a lane has a higher token than all before, after a release and after an expiry alike."""
    first = await taken(store)
    await store.release(first)
    second = await taken(store, seconds=-1)
    third = await taken(store)
    assert first.token < second.token < third.token


async def test_deadlines_are_on_the_stores_clock(store: Store) -> None:
    """A lease ends so many seconds after the store's own now, in UTC."""
    before = await store.now()
    lease = await taken(store, seconds=30)
    assert lease.until.tzinfo == before.tzinfo == UTC
    assert abs(lease.until - before - timedelta(seconds=30)) < timedelta(seconds=5)


async def test_renewal_prolongs(store: Store) -> None:
    """A renewed lease lives on, with its token and a later end."""
    lease = await taken(store, seconds=-1)
    (longer,) = await store.renew_all([lease], 30)
    assert (longer.token, longer.until > lease.until) == (lease.token, True)
    assert await store.take(TALK, 30) is None


async def test_renewal_of_a_lost_lease_is_refused(store: Store) -> None:
    """Who was overtaken or has released cannot renew."""
    lost = await taken(store, seconds=-1)
    mine = await taken(store)
    assert await store.renew_all([lost], 30) == []
    await store.release(mine)
    assert await store.renew_all([mine], 30) == []


async def test_release_of_a_lost_lease_changes_nothing(store: Store) -> None:
    """Who was overtaken cannot free the lane of the one who overtook."""
    lost = await taken(store, seconds=-1)
    await taken(store)
    await store.release(lost)
    assert await store.take(TALK, 30) is None


async def test_an_overtaken_holder_writes_nothing(store: Store) -> None:
    """Every write of a holder that was overtaken is LeaseLost, and leaves nothing behind."""
    await store.receive(said())
    await put_out(store, post())
    lost, lost_lane = await taken(store, TALK, -1), await taken(store, LANE, -1)
    await taken(store, TALK), await taken(store, LANE)
    incoming, outgoing = await store.next_incoming(TALK), await store.next_outgoing(LANE)
    assert incoming and outgoing
    draft, event = step(None)
    for attempt in (
        write(store, lost, draft=draft, events=[event], current="d1", done=incoming.id),
        store.fail_incoming(lost, incoming.id, None),
        store.finish(lost_lane, Done(outgoing.id, incoming=said("Ev2"))),
        store.set_back(lost_lane, outgoing.id, DeliveryFailure("dead")),
    ):
        with pytest.raises(LeaseLost):
            await attempt
    assert (await store.next_incoming(TALK), await store.next_outgoing(LANE)) == (incoming, outgoing)
    assert (await store.draft("d1"), await store.current(TALK), await store.dead()) == (None, None, [])


async def test_a_late_holder_who_was_not_overtaken_may_still_write(store: Store) -> None:
    """A lease that ran out unnoticed still fences: nobody else has written, so its work is not lost."""
    late = await taken(store, seconds=-1)
    draft, event = step(None)
    await write(store, late, draft=draft, events=[event])
    assert await store.draft("d1") is not None


async def test_who_waits_longest_is_taken_first_by_whichever_process(ground: Ground) -> None:
    """A process takes the conversations that nobody holds in the order in which they came, whoever received them, and no conversation twice."""
    mine, other = await ground.open(), await ground.open()
    for n in (3, 1, 2):
        await mine.receive(said(f"k{n}", f"W:D{n}:"))
    await taken(other, lane="W:D1:")
    first = await other.take_oldest(30)
    found = await asyncio.gather(mine.take_oldest(30), other.take_oldest(30), return_exceptions=True)
    lanes = [one.row.conversation for one in (first, *found) if isinstance(one, Received)]
    assert lanes == ["W:D3:", "W:D2:"]
    assert await mine.take_oldest(30) is None
