"""The contract of the inbox: stored before it is acknowledged, once, in order, and every row comes to an end."""

import asyncio
from datetime import timedelta
from typing import Any

import pytest

from state.stores.store import Store
from tests.stores.conftest import Ground
from tests.stores.helpers import ALEX, TALK, post, said, taken, there, write


async def test_what_is_received_is_read_whole(store: Store) -> None:
    """An incoming event is read as it was received, with its time and a count of attempts."""
    assert await store.receive(said("Ev1", text="200 Shell, 👍 and שלום", blocks=[{"n": 1.5}, None, True]))
    read = there(await store.next_incoming(TALK))
    assert (read.key, read.conversation, read.person) == ("Ev1", TALK, ALEX)
    assert read.body == {"text": "200 Shell, 👍 and שלום", "blocks": [{"n": 1.5}, None, True]}
    age = await store.now() - there(read.received_at)
    assert (read.attempts, timedelta(0) <= age < timedelta(minutes=1)) == (0, True)


@pytest.mark.parametrize("text", ["\ud800", "a\x00b", "x" * 40_000, "'; DROP TABLE inbox; --"])
async def test_hostile_text_is_kept(store: Store, text: str) -> None:
    """Lone surrogates, NUL, very long text and SQL are kept as they came."""
    await store.receive(said(text=text))
    read = await store.next_incoming(TALK)
    assert read is not None and read.body == {"text": text}


async def test_what_came_in_is_found_by_its_key(store: Store) -> None:
    """Before and after it was handled; a key that never came, and what an erased person said, give nothing."""
    await store.receive(said("Ev1", text="200 Tesco"))
    assert await store.received("Ev2") is None
    lease, row = await taken(store), there(await store.next_incoming(TALK))
    await write(store, lease, done=row.id)
    found = await store.received("Ev1")
    assert found is not None and (found.key, found.person, found.body) == ("Ev1", ALEX, {"text": "200 Tesco"})
    await store.erase(ALEX)
    assert await store.received("Ev1") is None


async def test_what_came_right_before_is_found_as_long_as_it_was_answered_so(store: Store) -> None:
    """The newest first, up to one that has no answer of this kind; nothing of another conversation, or of an erased person."""
    lease = await taken(store)
    for n in range(4):
        await store.receive(said(f"Ev{n}", text=str(n)))
        row = there(await store.next_incoming(TALK))
        await write(store, lease, done=row.id, outgoing=[post(f"Ev{n}/choice")] if n != 1 else [])
    assert [one.key for one in await store.answered_before(TALK, row.id, ["/choice"])] == ["Ev2"]
    assert [one.key for one in await store.answered_before(TALK, row.id + 1, ["/choice"])] == ["Ev3", "Ev2"]
    assert await store.answered_before("T1/C9/", row.id, ["/choice"]) == []
    await store.erase(ALEX)
    assert await store.answered_before(TALK, row.id, ["/choice"]) == []


async def test_a_key_sent_many_times_at_once_is_received_once(ground: Ground) -> None:
    """Of many deliveries of one event at the same time, to several replicas, one is stored."""
    stores = [await ground.open() for _ in range(3)]
    received = await asyncio.gather(*(store.receive(said("Ev1")) for store in stores * 4))
    assert sum(one is not None for one in received) == 1


async def test_bodies_are_copies(store: Store) -> None:
    """What a caller does to a body after handing it in, or after reading it, does not change what is stored."""
    body: dict[str, Any] = {"list": [1]}
    await store.receive(said(**body))
    body["list"].append(2)
    read = there(await store.next_incoming(TALK))
    read.body["list"].append(3)
    again = await store.next_incoming(TALK)
    assert again is not None and again.body == {"list": [1]}
