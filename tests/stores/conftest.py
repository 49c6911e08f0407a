"""The ground that the stores stand on: memory, an SQLite file, an embedded PostgreSQL. Every `open` is another replica over the same data."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import asyncpg
import pytest

from state.stores.cache import Cache
from state.stores.opener import memory_store, open_store
from state.stores.protocol import Store
from tests.stores.helpers import KEY

TABLES = (
    "tombstones, documents, proposals, entries, tool_calls, conversations, events, records, posts, outbox, inbox, leases, "
    "series, spending, "
    "drafts, person_keys"
)


class Ground:
    """Opens stores over one set of data, and closes them at the end. `url` is empty in memory."""

    def __init__(self, url: str, stack: AsyncExitStack) -> None:
        self.url = url
        self._stack = stack
        self._memory = memory_store()

    async def open(self, cache: Cache | None = None) -> Store:
        """One more replica, started."""
        store = open_store(self.url, KEY, cache) if self.url else self._memory
        await store.start()
        self._stack.push_async_callback(store.stop)
        return store


@pytest.fixture
def clean_postgres(postgres: str) -> str:
    """The same PostgreSQL, migrated and empty."""
    with asyncio.Runner() as runner:
        runner.run(_empty(postgres))
    return postgres


async def _empty(url: str) -> None:
    store = open_store(url, KEY)
    await store.start()
    await store.stop()
    connection = await asyncpg.connect(url)
    await connection.execute(f"TRUNCATE {TABLES}")
    await connection.close()


@pytest.fixture
def sqlite(tmp_path: Path) -> str:
    """The address of a new SQLite file."""
    return f"sqlite:///{tmp_path}/holdfast.db"


@pytest.fixture(params=["memory", "sqlite", "clean_postgres"])
def url(request: pytest.FixtureRequest) -> str:
    """The address of each kind of store in turn; empty in memory."""
    return "" if request.param == "memory" else str(request.getfixturevalue(request.param))


@pytest.fixture(params=["sqlite", "clean_postgres"])
def shared_url(request: pytest.FixtureRequest) -> str:
    """The address of each kind of store that several processes may share."""
    return str(request.getfixturevalue(request.param))


@pytest.fixture
async def ground(url: str) -> AsyncIterator[Ground]:
    """The ground of each kind of store."""
    async with AsyncExitStack() as stack:
        yield Ground(url, stack)


@pytest.fixture
async def shared(shared_url: str) -> AsyncIterator[Ground]:
    """The ground of each kind of store that several processes may share."""
    async with AsyncExitStack() as stack:
        yield Ground(shared_url, stack)


@pytest.fixture
async def store(ground: Ground) -> Store:
    """A store of each kind."""
    return await ground.open()
