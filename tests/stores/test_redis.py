"""Redis beside the store: whatever happens to it, drafts are right, nothing is raised, and nothing personal stands in it."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from redis.asyncio import Redis
from structlog.testing import capture_logs

from state.stores.cache import DraftCache, Kind, NoSignal, Signal
from state.stores.embedded import EmbeddedRedis, start_embedded
from state.stores.opener import open_redis, open_store
from state.stores.store import Store
from state.stores.vault import Vault
from tests.patience import PATIENCE
from tests.stores.helpers import ALEX, KEY, LANE, TALK, there, turn, values


@pytest.fixture
async def redis(tmp_path: Path) -> AsyncIterator[EmbeddedRedis]:
    """An embedded Redis of the test's own."""
    embedded = await start_embedded(tmp_path / "valkey")
    if embedded is None:
        pytest.skip("REDIS IS LEFT OUT: the embedded server does not run here")
    yield embedded
    await embedded.stop()


@pytest.fixture
async def cached(sqlite: str, redis: EmbeddedRedis) -> AsyncIterator[Store]:
    """A store with a cache before it."""
    async with open_store(sqlite, KEY, DraftCache(redis.client)) as store:
        yield store


async def pid_of(client: Redis) -> int:
    """The server's process id."""
    return int((await client.info("server"))["process_id"])


async def copy_in(redis: EmbeddedRedis) -> bytes:
    """The draft's entry, as it is in Redis."""
    content = await redis.client.get("holdfast:draft:d1")
    assert isinstance(content, bytes)
    return content


async def read(store: Store) -> dict[str, object]:
    """The conversation's draft as a turn reads it."""
    current = there(await store.current(TALK))
    return dict(values(await store.draft(current.draft, current)))


async def test_a_written_draft_is_in_the_cache(cached: Store, redis: EmbeddedRedis) -> None:
    """After a turn the draft is read from the cache: the copy there is what comes back, whole."""
    await turn(cached, quantity=200)
    current = there(await cached.current(TALK))
    content = there(await DraftCache(redis.client).get("d1", 1))
    assert await cached.draft("d1", current) == await cached.draft("d1")
    await redis.client.set("holdfast:draft:d1", b"1:" + content[:-1] + bytes([content[-1] ^ 1]))
    assert await read(cached) == {"quantity": 200}


async def test_the_cache_is_really_read(cached: Store, redis: EmbeddedRedis, sqlite: str) -> None:
    """A turn that reads a draft at the revision of the cache does not read its body from the database."""
    await turn(cached, quantity=200)
    mark = Vault(KEY)
    current = there(await cached.current(TALK))
    stored = there(await cached.draft("d1"))
    content = vars(stored) | {"updated_at": "2026-11-20T00:00:00+00:00", "status": "from the cache"}
    await DraftCache(redis.client).put("d1", 1, mark.seal(current.ticket, "cache:d1:1", content))
    fetched = await cached.draft("d1", current)
    assert fetched is not None and fetched.status == "from the cache"
    later = mark.seal(current.ticket, "cache:d1:1", content | {"an attribute of a later version": 1})
    await DraftCache(redis.client).put("d1", 1, later)
    assert await cached.draft("d1", current) == stored


async def test_an_older_copy_does_not_count(cached: Store, redis: EmbeddedRedis) -> None:
    """A copy of another revision is as good as none."""
    await turn(cached, quantity=1)
    old = await copy_in(redis)
    await turn(cached, quantity=2)
    await redis.client.set("holdfast:draft:d1", old)
    assert await read(cached) == {"quantity": 2}
    assert await DraftCache(redis.client).get("d1", 2) is not None


async def test_nothing_personal_stands_in_redis(cached: Store, redis: EmbeddedRedis) -> None:
    """Neither answers nor people are readable in any key or value of Redis."""
    await turn(cached, words="CANARY-VALUE")
    assert await redis.client.keys("*") == [b"holdfast:draft:d1"]
    everything = await copy_in(redis)
    for canary in (b"CANARY", b"U0ALEXREED", b"D0ALEX", b"it is so"):
        assert canary not in everything


async def test_an_erased_draft_is_not_read_from_the_cache(cached: Store, redis: EmbeddedRedis) -> None:
    """After an erasure the copy is dropped, and one that was kept elsewhere opens no more."""
    await turn(cached, quantity=200)
    copy = await copy_in(redis)
    await cached.erase(ALEX)
    assert await redis.client.get("holdfast:draft:d1") is None
    await redis.client.set("holdfast:draft:d1", copy)
    stored = await cached.draft("d1", await cached.current(TALK))
    assert stored is not None and stored.erased


async def test_a_flush_in_the_middle_loses_nothing(cached: Store, redis: EmbeddedRedis) -> None:
    """With Redis emptied between turns every turn still reads what the one before wrote."""
    for n in range(4):
        await turn(cached, last=n)
        await redis.client.flushall()
        assert await read(cached) == {"last": n}


async def test_a_kill_in_the_middle_loses_nothing(cached: Store, redis: EmbeddedRedis) -> None:
    """With Redis killed between turns every turn goes on, and the log says so once."""
    await turn(cached, quantity=1)
    with capture_logs() as logs:
        os.kill(await pid_of(redis.client), signal.SIGKILL)
        for n in range(2, 5):
            await turn(cached, quantity=n)
            assert await read(cached) == {"quantity": n}
    assert [entry["event"] for entry in logs] == ["redis is away"]


async def test_a_redis_that_hangs_delays_little(cached: Store, redis: EmbeddedRedis) -> None:
    """A Redis that does not answer is given up after a moment, and left alone for a while."""
    await turn(cached, quantity=1)
    server, before = await pid_of(redis.client), await redis.client.info("stats")
    os.kill(server, signal.SIGSTOP)
    try:
        cache = DraftCache(redis.client)
        with capture_logs() as logs:
            for _ in range(100):
                assert await cache.get("d1", 1) is None
                await cache.put("d1", 1, b"x")
    finally:
        os.kill(server, signal.SIGCONT)
    assert [entry["event"] for entry in logs] == ["redis is away"]
    tried = await redis.client.info("stats")
    assert tried["total_connections_received"] - before["total_connections_received"] < 50


async def test_the_cache_comes_back(redis: EmbeddedRedis, tmp_path: Path) -> None:
    """After Redis was killed and started again the same client caches again, and the log says so."""
    cache = DraftCache(redis.client)
    await cache.put("d1", 1, b"content")
    os.kill(await pid_of(redis.client), signal.SIGKILL)
    with capture_logs() as logs:
        assert await cache.get("d1", 1) is None
        again = there(await start_embedded(tmp_path / "valkey"))
        async with asyncio.timeout(PATIENCE):
            while await cache.get("d1", 1) != b"content":
                await cache.put("d1", 1, b"content")
                await asyncio.sleep(0.05)
    assert [entry["event"] for entry in logs] == ["redis is away", "redis is back"]
    await again.stop()


async def test_without_redis_nothing_is_heard() -> None:
    """The stand-in for Redis does nothing and raises nothing."""
    quiet = NoSignal()
    await quiet.start()
    await quiet.wake("lane", LANE)
    await quiet.stop()


class Ear:
    """Collects what a replica hears."""

    def __init__(self, redis: Redis, vault: Vault) -> None:
        self.words: asyncio.Queue[tuple[Kind, str]] = asyncio.Queue()
        self.signal = Signal(redis, vault, lambda kind, name: self.words.put_nowait((kind, name)))

    async def ready(self) -> None:
        """Hear from here on."""
        await self.signal.start()
        async with asyncio.timeout(PATIENCE):
            await self.signal.listening.wait()


async def test_replicas_wake_each_other(redis: EmbeddedRedis) -> None:
    """What one replica says is heard by the others with its kind and name; strangers' words are not."""
    ears = [Ear(redis.client, Vault(KEY)) for _ in range(2)]
    for ear in ears:
        await ear.ready()
    await Signal(redis.client, Vault(Vault.make_key()), print).wake("lane", "another installation's")
    await redis.client.publish("holdfast:wake", b"lane:\xff")
    await ears[0].signal.wake("conversation", TALK)
    await ears[0].signal.wake("lane", LANE)
    for ear in ears:
        async with asyncio.timeout(PATIENCE):
            assert [await ear.words.get(), await ear.words.get()] == [("conversation", TALK), ("lane", LANE)]
        await ear.signal.stop()


async def test_a_replica_hears_again_after_an_outage(redis: EmbeddedRedis, tmp_path: Path) -> None:
    """After Redis was killed and started again a replica hears again, and saying something meanwhile raises nothing."""
    ear = Ear(redis.client, Vault(KEY))
    await ear.ready()
    os.kill(await pid_of(redis.client), signal.SIGKILL)
    await ear.signal.wake("lane", "lost")
    again = there(await start_embedded(tmp_path / "valkey"))
    async with asyncio.timeout(PATIENCE):
        while ear.words.empty():
            await ear.signal.wake("lane", LANE)
            await asyncio.sleep(0.05)
    assert await ear.words.get() == ("lane", LANE)
    await ear.signal.stop()
    await again.stop()


async def test_a_signal_starts_and_stops_without_redis(tmp_path: Path) -> None:
    """With no Redis at its address a signal starts, says things, and stops in peace."""
    client = open_redis(f"unix://{tmp_path}/nobody.sock")
    ear = Ear(client, Vault(KEY))
    await ear.signal.start()
    await ear.signal.wake("lane", LANE)
    await asyncio.sleep(0.05)
    await ear.signal.stop()
    assert ear.words.empty()
    await client.aclose()
