"""One commit receives, one is the turn, one finishes: what a process goes on with, it takes in the same transaction."""

import asyncio
from dataclasses import replace

import pytest

from state.stores.errors import LeaseLost
from state.stores.rows import DeliveryFailure, Done, Hold, Posted, TurnWrites
from state.stores.store import Store
from tests.stores.conftest import Ground
from tests.stores.helpers import ALEX, LANE, OTHER, TALK, post, put_out, said, step, taken, there, turn, write

pytestmark = pytest.mark.xdist_group("stores")

HOLD = Hold(30)
NOTHING = Hold(30, lambda _: False)


async def test_an_event_comes_with_its_free_conversation(store: Store) -> None:
    """Receiving an event takes its conversation where that is free, names the row to begin with, and the draft as it is."""
    before = await turn(store)
    received = await store.receive(said("Ev1"), HOLD)
    assert received is not None and received.taken is not None and received.current is not None
    assert received.taken.head == received.row.id
    assert (received.current.draft, received.current.revision) == ("d1", before.revision)
    assert await store.take(TALK, 30) is None
    await write(store, received.taken.lease, done=received.row.id)


async def test_an_event_names_its_own_draft(store: Store) -> None:
    """For an event that names a draft, that one is looked up and not the conversation's."""
    await turn(store, "d1", where=OTHER)
    await turn(store, "d2")
    received = await store.receive(said("Ev1", draft="d1"), HOLD)
    assert received is not None and received.current is not None and received.current.draft == "d1"


async def test_an_event_of_a_held_conversation_waits_for_its_holder(store: Store) -> None:
    """While another holds the conversation an event is stored alone; the holder is told of it when it would leave."""
    first = await store.receive(said("Ev1"), HOLD)
    second = await store.receive(said("Ev2"), HOLD)
    assert first is not None and first.taken is not None and second is not None and second.taken is None
    written = await store.write(first.taken.lease, TurnWrites(done=first.row.id), HOLD)
    assert written.following == second.row.id
    written = await store.write(first.taken.lease, TurnWrites(done=second.row.id), HOLD)
    assert written.following is None
    assert await store.take(TALK, 30) is not None


async def test_what_is_not_held_here_is_not_taken(store: Store) -> None:
    """Where the process has no room, nothing is taken, and others find the work."""
    received = await store.receive(said("Ev1"), NOTHING)
    assert received is not None and received.taken is None
    lease = await taken(store)
    written = await store.write(lease, TurnWrites(done=received.row.id, outgoing=[post("p1")]), NOTHING)
    assert (dict(written.lanes), written.following) == ({}, None)
    assert (await store.sweep()).lanes == [LANE]


async def test_an_older_event_comes_first(store: Store) -> None:
    """A conversation that was left with an open row begins with that one."""
    older = await store.receive(said("Ev1"))
    newer = await store.receive(said("Ev2"), HOLD)
    assert older is not None and newer is not None and newer.taken is not None
    assert newer.taken.head == older.row.id


async def test_a_turn_takes_the_lanes_of_its_rows(store: Store) -> None:
    """The commit that puts rows out gives them back with their ids, fresh, and takes their lanes; a later time is left alone."""
    lease = await taken(store)
    later = await store.now()
    rows = [post("p1"), post("p2"), post("p3", "facts:d1"), post("p4", "expire:x")]
    rows[3] = replace(rows[3], due_at=later)
    written = await store.write(lease, TurnWrites(outgoing=rows), HOLD)
    assert [row.key for row in written.outgoing] == ["p1", "p2", "p3", "p4"]
    assert all(row.fresh and row.id for row in written.outgoing)
    assert set(written.lanes) == {LANE, "facts:d1"}
    assert written.lanes[LANE].head == written.outgoing[0].id
    again = await store.next_outgoing(LANE)
    assert again is not None and (again.id, again.fresh) == (written.outgoing[0].id, False)


async def test_rows_of_a_lane_end_together_or_not_at_all(store: Store) -> None:
    """Several rows are finished with their posts and their events in one transaction; one wrong row, and none is."""
    await put_out(store, post("p1"), post("p2"), post("p3", "other"))
    lease, first = await taken(store, LANE), await store.next_outgoing(LANE)
    other = await store.next_outgoing("other")
    assert first is not None and other is not None
    second = first.id + 1
    done = Done(first.id, Posted("c1", "D0ALEX", "1.1"))
    with pytest.raises(LeaseLost):
        await store.finish(lease, done, Done(other.id), hold=HOLD)
    assert (await store.posted("c1"), await store.next_outgoing(LANE)) == (None, first)
    finished = await store.finish(lease, done, Done(second, incoming=said("reply")), hold=HOLD)
    assert finished.following is None and len(finished.received) == 1
    taken_too = finished.received[0].taken
    assert taken_too is not None and taken_too.lease.lane == TALK
    assert (await store.posted("c1"), await store.next_outgoing(LANE)) == (Posted("c1", "D0ALEX", "1.1"), None)
    assert await store.take(LANE, 30) is not None


async def test_a_lane_with_more_to_do_is_not_left(store: Store) -> None:
    """Who finishes a row is told the next one and keeps the lane; who leaves a lane is told what came meanwhile."""
    await put_out(store, post("p1"), post("p2"))
    lease, row = await taken(store, LANE), there(await store.next_outgoing(LANE))
    finished = await store.finish(lease, Done(row.id), hold=HOLD)
    assert finished.following == row.id + 1
    assert await store.leave(lease) == row.id + 1
    await store.finish(lease, Done(row.id + 1))
    assert await store.leave(lease) is None
    with pytest.raises(LeaseLost):
        await store.leave(lease)


async def test_leases_are_renewed_together(store: Store) -> None:
    """Of many leases those that are still held go on, and those that were lost are left out."""
    mine, lost = await taken(store, "lane a"), await taken(store, "lane b", -1)
    await taken(store, "lane b")
    renewed = await store.renew_all([mine, lost], 3600)
    assert [lease.lane for lease in renewed] == ["lane a"] and renewed[0].until > mine.until


async def test_the_sweep_knows_when_to_look_again(store: Store) -> None:
    """The next look is at the time of a row that waits, or at the end of a lease with open rows, whichever is first."""
    assert (await store.sweep()).wait is None
    await put_out(store, post("p1"))
    assert (await store.sweep()).wait is None
    lease, row = await taken(store, LANE, 60), await store.next_outgoing(LANE)
    assert row is not None and 50 < ((await store.sweep()).wait or 0) <= 60
    await store.set_back(lease, row.id, DeliveryFailure("new", 20))
    assert 0 < ((await store.sweep()).wait or 0) <= 20


async def test_nobody_waits_for_ever_between_leaving_and_receiving(ground: Ground) -> None:
    """However receivers and a holder who leaves meet, every event is either taken by its receiver or found by the holder."""
    one, two = await ground.open(), await ground.open()
    handled = 0

    async def work(store: Store, key: str) -> int:
        received = there(await store.receive(said(key), HOLD))
        if received.taken is None:
            return 0
        count, following = 0, received.taken.head
        while following is not None:
            count += 1
            following = (await store.write(received.taken.lease, TurnWrites(done=following), HOLD)).following
        return count

    for n in range(10):
        handled += sum(await asyncio.gather(*(work(s, f"Ev{n}{i}") for i, s in enumerate((one, two, one, two)))))
    assert handled == 40
    assert (await one.sweep()).lanes == []


async def test_a_row_from_memory_carries_its_draft_and_one_read_back_does_not(store: Store) -> None:
    """What is handed over in memory is fresh and has the decoded draft; what recovery reads may have been performed before."""
    lease = await taken(store)
    draft, event = step(None)
    row = post("p1", who=ALEX)
    with_draft = replace(row, draft=draft)
    written = await store.write(lease, TurnWrites(draft=draft, events=[event], outgoing=[with_draft]), HOLD)
    assert (written.outgoing[0].draft, written.outgoing[0].fresh) == (draft, True)
    back = await store.next_outgoing(LANE)
    assert back is not None and (back.draft, back.fresh) == (None, False)
