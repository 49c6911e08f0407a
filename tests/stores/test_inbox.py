"""The contract of the inbox: stored before it is acknowledged, once, in order, and every row comes to an end."""

import asyncio
from typing import Any

import pytest

from state.stores.errors import LeaseLost
from state.stores.store import Store
from tests.stores.conftest import Ground
from tests.stores.helpers import ALEX, DANA, OTHER, TALK, said, taken, write


async def test_what_is_received_is_read_whole(store: Store) -> None:
    """An incoming event is read as it was received, with its time and a count of attempts."""
    before = await store.now()
    assert await store.receive(said("Ev1", text="200 Shell, 👍 and שלום", blocks=[{"n": 1.5}, None, True]))
    read = await store.next_incoming(TALK)
    assert read is not None
    assert (read.key, read.conversation, read.person) == ("Ev1", TALK, ALEX)
    assert read.body == {"text": "200 Shell, 👍 and שלום", "blocks": [{"n": 1.5}, None, True]}
    assert (read.attempts, before <= (read.received_at or before) <= await store.now()) == (0, True)


@pytest.mark.parametrize("text", ["\ud800", "a\x00b", "x" * 40_000, "'; DROP TABLE inbox; --"])
async def test_hostile_text_is_kept(store: Store, text: str) -> None:
    """Lone surrogates, NUL, very long text and SQL are kept as they came."""
    await store.receive(said(text=text))
    read = await store.next_incoming(TALK)
    assert read is not None and read.body == {"text": text}


async def test_a_known_key_is_received_once(store: Store) -> None:
    """The same key is received once, also while it is being handled, and after it was handled."""
    assert await store.receive(said("Ev1"))
    assert not await store.receive(said("Ev1", text="again"))
    lease = await taken(store)
    await write(store, lease, done=1 if (row := await store.next_incoming(TALK)) is None else row.id)
    assert not await store.receive(said("Ev1"))
    assert await store.next_incoming(TALK) is None


async def test_what_came_in_is_found_by_its_key(store: Store) -> None:
    """Before and after it was handled; a key that never came, and what an erased person said, give nothing."""
    await store.receive(said("Ev1", text="200 Tesco"))
    assert await store.received("Ev2") is None
    lease, row = await taken(store), await store.next_incoming(TALK)
    assert row is not None
    await write(store, lease, done=row.id)
    found = await store.received("Ev1")
    assert found is not None and (found.key, found.person, found.body) == ("Ev1", ALEX, {"text": "200 Tesco"})
    await store.erase(ALEX)
    assert await store.received("Ev1") is None


async def test_a_key_sent_many_times_at_once_is_received_once(ground: Ground) -> None:
    """Of many deliveries of one event at the same time, to several replicas, one is stored."""
    stores = [await ground.open() for _ in range(3)]
    received = await asyncio.gather(*(store.receive(said("Ev1")) for store in stores * 4))
    assert sum(one is not None for one in received) == 1


async def test_rows_are_handled_in_order(store: Store) -> None:
    """A conversation's rows come oldest first, and other conversations' rows do not come."""
    for key, where in (("Ev1", TALK), ("Ev2", OTHER), ("Ev3", TALK)):
        await store.receive(said(key, where))
    lease, seen = await taken(store), []
    while (row := await store.next_incoming(TALK)) is not None:
        seen.append(row.key)
        await write(store, lease, done=row.id)
    assert seen == ["Ev1", "Ev3"]


async def test_waiting_names_conversations_oldest_first(store: Store) -> None:
    """Conversations with open rows are named once each, in the order of their oldest row, up to a limit."""
    for key, where in (("Ev1", OTHER), ("Ev2", TALK), ("Ev3", OTHER)):
        await store.receive(said(key, where))
    assert await store.waiting() == [OTHER, TALK]
    assert await store.waiting(1) == [OTHER]


async def test_a_held_conversation_is_not_waiting(store: Store) -> None:
    """A conversation that somebody holds is not named; after a release or an expiry it is again."""
    await store.receive(said())
    lease = await taken(store)
    assert await store.waiting() == []
    await store.release(lease)
    assert await store.waiting() == [TALK]
    await taken(store, seconds=-1)
    assert await store.waiting() == [TALK]


async def test_a_handled_conversation_is_not_waiting(store: Store) -> None:
    """Once its last row is done a conversation is not named any more."""
    await store.receive(said())
    row, lease = await store.next_incoming(TALK), await taken(store)
    assert row is not None
    await write(store, lease, done=row.id)
    await store.release(lease)
    assert await store.waiting() == []


async def test_a_row_is_done_once(store: Store) -> None:
    """A row that is done, or of another conversation, cannot be done: nothing of such a turn is written."""
    await store.receive(said("Ev1"))
    await store.receive(said("Ev2", OTHER))
    lease, mine, others = await taken(store), await store.next_incoming(TALK), await store.next_incoming(OTHER)
    assert mine and others
    await write(store, lease, done=mine.id)
    for row in (mine.id, others.id, 999):
        with pytest.raises(LeaseLost):
            await write(store, lease, done=row)
        with pytest.raises(LeaseLost):
            await store.fail_incoming(lease, row, None)


async def test_a_failed_row_comes_again(store: Store) -> None:
    """A failed row counts its attempts and is due at once after a delay of nothing."""
    await store.receive(said())
    lease = await taken(store)
    for attempts in range(3):
        row = await store.next_incoming(TALK)
        assert row is not None and row.attempts == attempts
        await store.fail_incoming(lease, row.id, 0)


async def test_a_failed_row_holds_back_those_behind_it(store: Store) -> None:
    """While a failed row waits, its conversation rests: what was said later is not handled before it."""
    await store.receive(said("Ev1"))
    await store.receive(said("Ev2"))
    lease, row = await taken(store), await store.next_incoming(TALK)
    assert row is not None
    await store.fail_incoming(lease, row.id, 3600)
    await store.release(lease)
    assert (await store.next_incoming(TALK), await store.waiting()) == (None, [])


async def test_a_dead_letter_is_visible_and_holds_back_nobody(store: Store) -> None:
    """A row that is given up is listed as a dead letter, and the next one's turn has come."""
    await store.receive(said("Ev1"))
    await store.receive(said("Ev2"))
    lease, row = await taken(store), await store.next_incoming(TALK)
    assert row is not None
    await store.fail_incoming(lease, row.id, None)
    following = await store.next_incoming(TALK)
    assert following is not None and following.key == "Ev2"
    assert await store.dead() == [("inbox", row.id, TALK)]
    assert not await store.receive(said("Ev1", who=DANA))


async def test_bodies_are_copies(store: Store) -> None:
    """What a caller does to a body after handing it in, or after reading it, does not change what is stored."""
    body: dict[str, Any] = {"list": [1]}
    await store.receive(said(**body))
    body["list"].append(2)
    read = await store.next_incoming(TALK)
    assert read is not None
    read.body["list"].append(3)
    again = await store.next_incoming(TALK)
    assert again is not None and again.body == {"list": [1]}
