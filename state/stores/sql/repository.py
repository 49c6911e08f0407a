"""What every room of the SQL store stands on: the database, the vault and the cache."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from sqlalchemy import Connection, Executable, Row

from state.stores.cache import Cache
from state.stores.sql.engine import Database
from state.stores.sql.transaction import Transaction, Values
from state.stores.vault import Vault

Result = TypeVar("Result")


class Repository:
    """One subject of the store; `SqlStore` is all of them together."""

    def __init__(self, database: Database, vault: Vault, cache: Cache) -> None:
        self._database = database
        self._vault = vault
        self._cache = cache

    async def _all(self, statement: Executable, values: Values | None = None) -> Sequence[Row[Any]]:
        """The rows of one statement."""
        return await self._database.read(lambda connection: connection.execute(statement, values).all())

    async def _first(self, statement: Executable, values: Values | None = None) -> Row[Any] | None:
        """The first row of one statement."""
        return await self._database.read(lambda connection: connection.execute(statement, values).first())

    async def _write(self, work: Callable[[Transaction], Result]) -> Result:
        """One transaction, run whole."""

        def whole(connection: Connection) -> Result:
            return work(Transaction(self._database, self._vault, connection))

        return await self._database.write(whole)
