"""What every room of the SQL store stands on: the database, the vault and the cache."""

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager

from sqlalchemy.ext.asyncio import AsyncConnection

from state.stores.cache import Cache
from state.stores.sql.engine import Database
from state.stores.sql.transaction import Transaction
from state.stores.vault import Vault


class Repository:
    """One subject of the store; `SqlStore` is all of them together."""

    def __init__(self, database: Database, vault: Vault, cache: Cache) -> None:
        self._database = database
        self._vault = vault
        self._cache = cache

    def _reading(self) -> AbstractAsyncContextManager[AsyncConnection]:
        return self._database.reading()

    @asynccontextmanager
    async def _writing(self) -> AsyncIterator[Transaction]:
        async with self._database.writing() as connection:
            yield Transaction(self._database, self._vault, connection)
