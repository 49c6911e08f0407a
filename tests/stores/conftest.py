"""The ground that the stores stand on: memory, an SQLite file, an embedded PostgreSQL. Every `open` is another replica over the same data."""

from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from state.stores.cache import DraftCache
from state.stores.opener import memory_store, open_store
from state.stores.sql.tables import metadata
from state.stores.store import Store
from tests.databases import command, postgres_database, put_tables
from tests.stores.helpers import KEY


class Ground:
    """Opens stores over one set of data, and closes them at the end. `url` is empty in memory."""

    def __init__(self, url: str, stack: AsyncExitStack) -> None:
        self.url = url
        self._stack = stack
        self._memory = memory_store()

    async def open(self, cache: DraftCache | None = None) -> Store:
        """One more replica, started."""
        store = open_store(self.url, KEY, cache) if self.url else self._memory
        await store.start()
        self._stack.push_async_callback(store.stop)
        return store


@pytest.fixture(scope="session")
def tables(postgres_address: str) -> Iterator[str]:
    """The address of a PostgreSQL database with its tables, for the tests of one process."""
    with postgres_database(postgres_address, tables=True) as address:
        yield address


@pytest.fixture
def clean_postgres(tables: str) -> str:
    """The same, empty."""
    every = [str(table.delete()) for table in metadata.tables.values()]
    command(tables, "; ".join(("SET session_replication_role = replica", *every)))
    return tables


@pytest.fixture
def new_sqlite(tmp_path: Path) -> str:
    """The address of an SQLite file that nobody has made yet."""
    return f"sqlite:///{tmp_path}/holdfast.db"


@pytest.fixture
def sqlite(new_sqlite: str, tmp_path: Path) -> str:
    """The address of an SQLite file with its tables."""
    put_tables(tmp_path / "holdfast.db")
    return new_sqlite


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
