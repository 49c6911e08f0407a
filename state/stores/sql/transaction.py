"""One transaction of the SQL store, and the people's keys that it seals with. No key outlives it, so that an erasure counts
everywhere at once: who seals holds the key's row until the end, who reads gets the wrapped key with the row."""

from copy import copy
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, CursorResult, Executable, bindparam, select

from state.stores.sql.engine import Database
from state.stores.sql.tables import person_keys
from state.stores.vault import Vault

Values = dict[str, Any]

LIVING = (
    select(person_keys.c.id, person_keys.c.wrapped, person_keys.c.key_id)
    .where(person_keys.c.person == bindparam("holder"))
    .with_for_update(read=True)
)
"""A person's living key, locked against an erasure until the transaction ends."""


@dataclass(frozen=True)
class PersonKey:
    """A person's data key, and the row that it is wrapped in."""

    id: int
    key: bytes = field(repr=False)


class Transaction:
    """What a room writes with: statements, the vault, and the living key of each person whom it writes about."""

    def __init__(self, database: Database, vault: Vault, connection: Connection) -> None:
        self.vault, self.insert = vault, database.insert
        self.connection = connection
        self._keys: dict[str, PersonKey] = {}
        self._names: dict[str, str] = {}

    def run(self, statement: Executable, values: Values | list[Values] | None = None) -> CursorResult[Any]:
        """Execute a statement, once or for many rows. Those of every turn are built once and get their values here."""
        return self.connection.execute(statement, values)

    def under(self, vault: Vault) -> "Transaction":
        """The same transaction with another vault."""
        other = copy(self)
        other.vault = vault
        return other

    def name(self, text: str) -> str:
        """A conversation's or lane's name, encrypted."""
        if text not in self._names:
            self._names[text] = self.vault.name(text)
        return self._names[text]

    def key(self, person: str) -> PersonKey:
        """The person's key, made where there is none; an erasure waits until this transaction ends."""
        if person not in self._keys:
            self._keys[person] = self._find(person) or self._make(person)
        return self._keys[person]

    def _find(self, person: str) -> PersonKey | None:
        holder = self.vault.index(person)
        row = (self.run(LIVING, {"holder": holder})).first()
        return row and PersonKey(row.id, self.vault.unwrap(row.wrapped, holder, row.key_id))

    def _make(self, person: str) -> PersonKey:
        holder, key = self.vault.index(person), self.vault.make_key()
        new = {"person": holder, "key_id": self.vault.key_id, "wrapped": self.vault.wrap(key, holder)}
        self.run(self.insert(person_keys).on_conflict_do_nothing(index_elements=["person"]), new)
        return self._find(person) or self._make(person)
