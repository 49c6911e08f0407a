"""Keys that the installation had before: what they made MACs of must be checked for as long as it stays."""

import base64

from sqlalchemy import Connection, select, update

from state.stores.evidence.keys import EvidenceKey
from state.stores.sql.tables import evidence_keys
from state.stores.sql.transaction import Transaction
from state.stores.vault import Vault


def former_keys(connection: Connection, vault: Vault) -> dict[str, EvidenceKey]:
    """They are kept wrapped under the key of today. Raises WrongKey, Tampered."""
    rows = connection.execute(select(evidence_keys)).all()
    return {row.id: EvidenceKey(row.id, _unwrapped(vault, row.id, row.wrapped, row.wrapped_by)) for row in rows}


def hand_over(transaction: Transaction, old: Vault) -> None:
    """Keep the key that is given up, and wrap those that were given up before anew: part of whatever changes the installation's key."""
    new = transaction.vault
    for row in transaction.run(select(evidence_keys)).all():
        again = _wrapped(new, row.id, _unwrapped(old, row.id, row.wrapped, row.wrapped_by))
        mine = update(evidence_keys).where(evidence_keys.c.id == row.id)
        transaction.run(mine.values(wrapped=again, wrapped_by=new.key_id))
    given_up = {"id": old.key_id, "wrapped": _wrapped(new, old.key_id, old.evidence.secret), "wrapped_by": new.key_id}
    transaction.run(transaction.insert(evidence_keys).values(given_up).on_conflict_do_nothing(index_elements=["id"]))


def _wrapped(vault: Vault, name: str, secret: bytes) -> str:
    return base64.b64encode(vault.wrap(secret, f"evidence:{name}")).decode()


def _unwrapped(vault: Vault, name: str, wrapped: str, by: str) -> bytes:
    return vault.unwrap(base64.b64decode(wrapped), f"evidence:{name}", by)
