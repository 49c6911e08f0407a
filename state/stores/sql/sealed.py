"""Reading sealed rows: each comes with the wrapped key that opens it, so that no key has to be kept."""

from typing import Any

from sqlalchemy import Row, Select, Table, select

from state.stores.protocol import Body
from state.stores.sql.tables import person_keys
from state.stores.sql.transaction import PersonKey
from state.stores.vault import Erased, Vault

HOLDER = (person_keys.c.person.label("holder"), person_keys.c.key_id, person_keys.c.wrapped)


def with_key(table: Table) -> Select[Any]:
    """A select of a table's rows, each with its wrapped key."""
    return select(table, *HOLDER).join_from(table, person_keys, table.c.sealed_by == person_keys.c.id)


def key_of(vault: Vault, row: Row[*tuple[Any, ...]]) -> PersonKey | None:
    """The key of a row; None where it was destroyed. Raises WrongKey, Tampered."""
    return None if row.wrapped is None else PersonKey(row.sealed_by, vault.unwrap(row.wrapped, row.holder, row.key_id))


def opened(vault: Vault, row: Row[Any], identity: str) -> Body | Erased:
    """What a row from `with_key` holds. Raises WrongKey, Tampered."""
    key = key_of(vault, row)
    return vault.open(key.key if key else None, identity, row.sealed)
