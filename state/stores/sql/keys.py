"""The installation's key in SQL: the root, wrapped; and, while the key is changed, each of both keys wrapped under the other.

They stand among the keys of people, under names that no hash of a person is.
"""

from typing import Any

from sqlalchemy import Row, Select, bindparam, delete, select, update

from state.stores.rotation import Names
from state.stores.sql.former_keys import former_keys, hand_over
from state.stores.sql.repository import Repository
from state.stores.sql.tables import evidence_keys, person_keys
from state.stores.sql.transaction import Transaction
from state.stores.vault import Vault

ROOT, TODAY, FORMER = "root", "key:today", "key:former"
LINKS = person_keys.c.person.in_((TODAY, FORMER))
FOUND = select(person_keys.c.person, person_keys.c.key_id, person_keys.c.wrapped).where(
    person_keys.c.person.in_((ROOT, TODAY, FORMER))
)
NEWEST = select(person_keys.c.key_id).order_by(person_keys.c.id.desc()).limit(1)
WRAPPED = select(person_keys.c.id, person_keys.c.person, person_keys.c.key_id, person_keys.c.wrapped).where(
    person_keys.c.key_id != bindparam("today"),
    person_keys.c.wrapped.is_not(None),
    person_keys.c.person.not_in((TODAY, FORMER)),
)
AGAIN = update(person_keys).where(person_keys.c.id == bindparam("of")).values(
    key_id=bindparam("by"), wrapped=bindparam("anew")
)  # fmt: skip


class Keys(Repository):
    """Takes keys up, and changes them."""

    @property
    def names(self) -> Names:
        return self._vault

    @property
    def key_id(self) -> str:
        return self._vault.key_id

    async def take_up_keys(self) -> None:
        found = await self._all(FOUND)
        root = next((row for row in found if row.person == ROOT), None)
        if root is None:
            return await self._begin_root()
        if root.key_id == self._vault.key_id and (len(found) == 1 or self._vault.holds_two):
            return None
        before = self._vault.key_id
        _take_up(self._vault, found)
        self._vault.turn_to(root.key_id)
        if before != self._vault.key_id:
            self._vault.former = await self._database.read(lambda connection: former_keys(connection, self._vault))
        return None

    async def open_root(self) -> None:
        """Hash and name as this database does. Raises WrongKey, Tampered."""
        await self.take_up_keys()
        root = await self._first(FOUND.where(person_keys.c.person == ROOT))
        assert root is not None  # noqa: S101  it was made, or was there
        self._vault.root_in(self._vault.unwrap(root.wrapped, ROOT, root.key_id))

    async def change_key(self, new: bytes) -> None:
        await self._write(lambda transaction: _change(transaction, new))

    async def changing(self) -> bool:
        return await self._first(select(person_keys.c.id).where(LINKS).limit(1)) is not None

    async def key_of_today(self) -> bytes:
        return self._vault.today.key

    async def wrap_again(self, limit: int = 500) -> int:
        return await self._write(lambda transaction: _wrap_again(transaction, limit))

    async def end_change(self) -> bool:
        ended = await self._write(_end)
        if ended:
            self._vault.only_today()
            await self._database.forget()
        return ended

    async def _begin_root(self) -> None:
        """A database that was begun before there was a root goes on with its key as one; a new one gets its own."""
        newest = await self._first(NEWEST)
        if newest:
            self._vault.check(newest.key_id)
        root = self._vault.today.key if newest else Vault.make_key()
        await self._write(lambda transaction: _put(transaction, transaction.vault, ROOT, root))


def _take_up(vault: Vault, found: Any) -> None:
    """Every key that one at hand leads to."""
    for row in found:
        if row.person != ROOT and vault.holds(row.key_id):
            vault.take_up(vault.unwrap(row.wrapped, row.person, row.key_id))


def _put(transaction: Transaction, vault: Vault, name: str, key: bytes) -> None:
    row = {"person": name, "key_id": vault.key_id, "wrapped": vault.wrap(key, name)}
    transaction.run(transaction.insert(person_keys).on_conflict_do_nothing(index_elements=["person"]), row)


def _change(transaction: Transaction, new: bytes) -> None:
    """The moment of the change: from its commit on, what is new is wrapped under the new key."""
    vault = transaction.vault
    if transaction.run(select(person_keys.c.id).where(LINKS).with_for_update()).first():
        return
    root = transaction.run(FOUND.where(person_keys.c.person == ROOT).with_for_update()).one()
    secret, old = vault.unwrap(root.wrapped, ROOT, root.key_id), Vault(vault.today.key)
    young = Vault(new)
    _put(transaction, old, TODAY, new)
    _put(transaction, young, FORMER, old.today.key)
    anew = {"by": young.key_id, "anew": young.wrap(secret, ROOT), "name": ROOT}
    mine = update(person_keys).where(person_keys.c.person == bindparam("name"))
    transaction.run(mine.values(key_id=bindparam("by"), wrapped=bindparam("anew")), anew)
    hand_over(transaction.under(young), old)


def _wrap_again(transaction: Transaction, limit: int) -> int:
    vault = transaction.vault
    rows = transaction.run(_older(limit), {"today": vault.key_id}).all()
    again = [
        {"of": row.id, "by": vault.key_id, "anew": vault.wrap(_opened(vault, row), row.person or "")} for row in rows
    ]
    if again:
        transaction.run(AGAIN, again)
    return len(again)


def _older(limit: int) -> Select[Any]:
    """Locked, so that an erasure waits, or is waited for."""
    return WRAPPED.order_by(person_keys.c.id).limit(limit).with_for_update()


def _opened(vault: Vault, row: Row[Any]) -> bytes:
    return vault.unwrap(row.wrapped, row.person or "", row.key_id)


def _end(transaction: Transaction) -> bool:
    older = evidence_keys.c.wrapped_by != transaction.vault.key_id
    left = transaction.run(WRAPPED.limit(1), {"today": transaction.vault.key_id}).first()
    if left or transaction.run(select(evidence_keys.c.id).where(older).limit(1)).first():
        return False
    transaction.run(delete(person_keys).where(LINKS))
    return True
