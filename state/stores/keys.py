"""The installation's key, and changing it while bots run. What a key wrapped is found by its id; both keys open while the change lasts.

The root is stored wrapped; while the key is changed, so is each of both keys under the other: whoever has either gets both. So bots go
on, whichever they were started with, and a change that was broken off is gone on with. In the end both of these go. They are among
the keys of people, under names that no hash of a person is. What former keys made MACs of must be checked for as long as it stays.
"""

import base64
from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, Row, bindparam, delete, inspect, or_, select, update

from state.stores.evidence.keys import EvidenceKey
from state.stores.sql.tables import evidence_keys, person_keys
from state.stores.sql.transaction import Transaction
from state.stores.vault import Vault

ROOT, TODAY, FORMER = "root", "key:today", "key:former"
LINKS = person_keys.c.person.in_((TODAY, FORMER))
FOUND = select(person_keys.c.person, person_keys.c.key_id, person_keys.c.wrapped).where(
    or_(*(person_keys.c.person == name for name in (ROOT, TODAY, FORMER)))  # a list would be compiled each time
)
WRAPPED = select(person_keys.c.id, person_keys.c.person, person_keys.c.key_id, person_keys.c.wrapped).where(
    person_keys.c.key_id != bindparam("today"),
    person_keys.c.wrapped.is_not(None),
    person_keys.c.person.not_in((TODAY, FORMER)),
)
AGAIN = update(person_keys).where(person_keys.c.id == bindparam("of")).values(
    key_id=bindparam("by"), wrapped=bindparam("anew")
)  # fmt: skip


def stored_keys(transaction: Transaction) -> dict[str, Row[Any]]:
    """Return the rows of the root and, while the key is changed, of both keys, by name."""
    return {row.person: row for row in transaction.run(FOUND, {})}


def sealed_under(connection: Connection) -> list[str]:
    """Return the ids of the keys that open what is sealed here; none where nothing is."""
    if not inspect(connection).has_table(person_keys.name):
        return []
    wrapping = select(person_keys.c.key_id).where(person_keys.c.wrapped.is_not(None)).distinct()
    return list(connection.execute(wrapping).scalars())


def begin_root(transaction: Transaction) -> None:
    """Store a root. A database that was begun before there was one goes on with its key as one; a new one gets its own. Raises WrongKey."""
    vault = transaction.vault
    newest = transaction.run(select(person_keys.c.key_id).order_by(person_keys.c.id.desc()).limit(1)).scalar()
    if newest:
        vault.check(newest)
    _put(transaction, vault, ROOT, vault.today.key if newest else Vault.make_key())


def add_keys(vault: Vault, found: Mapping[str, Row[Any]]) -> bool:
    """Open with every stored key that one at hand leads to, and wrap with the root's; True where that is another than before. Raises WrongKey."""
    root = found[ROOT]
    if root.key_id == vault.key_id and (len(found) == 1 or vault.holds_two):
        return False
    before = vault.key_id
    for name, row in found.items():
        if name != ROOT and vault.holds(row.key_id):
            vault.add_key(vault.unwrap(row.wrapped, name, row.key_id))
    vault.turn_to(root.key_id)
    return before != vault.key_id


def change_key(transaction: Transaction, new: bytes) -> None:
    """Begin to wrap with a new key (32 bytes): from the commit on. Nothing where a change is under way: that one is to be finished first."""
    vault = transaction.vault
    if transaction.run(select(person_keys.c.id).where(LINKS).with_for_update()).first():
        return
    root = transaction.run(FOUND.where(person_keys.c.person == ROOT).with_for_update()).one()
    secret, old, young = vault.unwrap(root.wrapped, ROOT, root.key_id), Vault(vault.today.key), Vault(new)
    _put(transaction, old, TODAY, new)
    _put(transaction, young, FORMER, old.today.key)
    anew = {"key_id": young.key_id, "wrapped": young.wrap(secret, ROOT)}
    transaction.run(update(person_keys).where(person_keys.c.person == ROOT).values(anew))
    for row in transaction.run(select(evidence_keys)).all():
        again = {"wrapped": _wrapped(young, row.id, _unwrapped(old, row)), "wrapped_by": young.key_id}
        transaction.run(update(evidence_keys).where(evidence_keys.c.id == row.id).values(again))
    given_up = {"wrapped": _wrapped(young, old.key_id, old.evidence.secret), "wrapped_by": young.key_id}
    kept = transaction.insert(evidence_keys).values(id=old.key_id, **given_up)
    transaction.run(kept.on_conflict_do_nothing(index_elements=["id"]))


def changing(transaction: Transaction) -> bool:
    """Return True if a change is under way: both keys open."""
    return transaction.run(select(person_keys.c.id).where(LINKS).limit(1)).first() is not None


def wrap_again(transaction: Transaction, limit: int = 500) -> int:
    """Wrap so many keys anew that an older key wrapped, and return how many there were. 0: none is left.

    They are locked, so that an erasure waits, or is waited for.
    """
    vault = transaction.vault
    older = WRAPPED.order_by(person_keys.c.id).limit(limit).with_for_update()
    again = []
    for row in transaction.run(older, {"today": vault.key_id}).all():
        name = row.person or ""
        anew = vault.wrap(vault.unwrap(row.wrapped, name, row.key_id), name)
        again.append({"of": row.id, "by": vault.key_id, "anew": anew})
    if again:
        transaction.run(AGAIN, again)
    return len(again)


def end_change(transaction: Transaction) -> bool:
    """Let the older key go: from now on it opens nothing. False where something is wrapped under it still."""
    older = evidence_keys.c.wrapped_by != transaction.vault.key_id
    left = transaction.run(WRAPPED.limit(1), {"today": transaction.vault.key_id}).first()
    if left or transaction.run(select(evidence_keys.c.id).where(older).limit(1)).first():
        return False
    transaction.run(delete(person_keys).where(LINKS))
    return True


def former_keys(transaction: Transaction) -> dict[str, EvidenceKey]:
    """Return the keys that the installation had before, which are kept wrapped under the key of today. Raises WrongKey, Tampered."""
    rows = transaction.run(select(evidence_keys)).all()
    return {row.id: EvidenceKey(row.id, _unwrapped(transaction.vault, row)) for row in rows}


def _put(transaction: Transaction, vault: Vault, name: str, key: bytes) -> None:
    row = {"person": name, "key_id": vault.key_id, "wrapped": vault.wrap(key, name)}
    transaction.run(transaction.insert(person_keys).on_conflict_do_nothing(index_elements=["person"]), row)


def _wrapped(vault: Vault, name: str, secret: bytes) -> str:
    return base64.b64encode(vault.wrap(secret, f"evidence:{name}")).decode()


def _unwrapped(vault: Vault, row: Row[Any]) -> bytes:
    return vault.unwrap(base64.b64decode(row.wrapped), f"evidence:{row.id}", row.wrapped_by)
