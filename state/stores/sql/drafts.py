"""Drafts and the chain of their events. A draft that `current` has just named may come from the cache; all else is the database's."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Row, RowMapping, Select, bindparam, select

from state.stores.cache import NoCache
from state.stores.protocol import Current, InboxRow, Link, StoredDraft, StoredEvent, Tampered
from state.stores.sql.custody import kept_digest
from state.stores.sql.repository import Repository
from state.stores.sql.sealed import HOLDER, key_of, opened, with_key
from state.stores.sql.tables import conversations, drafts, events, person_keys
from state.stores.sql.transaction import PersonKey, Transaction, Values
from state.stores.vault import Erased, Vault

ONE = with_key(drafts).where(drafts.c.name == bindparam("id"))
CURRENT = (
    select(drafts.c.name, drafts.c.revision, drafts.c.sealed_by, *HOLDER)
    .join_from(conversations, drafts, conversations.c.draft == drafts.c.name)
    .join(person_keys, drafts.c.sealed_by == person_keys.c.id)
    .where(conversations.c.conversation == bindparam("name"))
)
NAMED = (
    select(drafts.c.name, drafts.c.revision, drafts.c.sealed_by, *HOLDER)
    .join_from(drafts, person_keys, drafts.c.sealed_by == person_keys.c.id)
    .where(drafts.c.name == bindparam("name"))
)

CHAINED = ("draft", "n", "kind", "revision", "form_version", "rules_version", "at", "previous", "hash")


class Drafts(Repository):
    """Reads drafts; `SqlUnit` writes them."""

    async def current(self, conversation: str, draft: str = "") -> Current | None:
        row = await self._first(*_pointing(self._vault.name(conversation), draft))
        return row and _current(self._vault, row)

    async def draft(self, name: str, current: Current | None = None) -> StoredDraft | None:
        if current and current.draft == name and (cached := await self._cached(current)):
            return cached
        row = await self._first(ONE, {"id": name})
        if row is None:
            return None
        stored, key = _stored(self._vault, row), key_of(self._vault, row)
        if current and key:
            await self._refresh(stored, key)
        return stored

    async def drafts(self, after: str = "", limit: int = 500) -> list[str]:
        page = select(drafts.c.name).where(drafts.c.name > after).order_by(drafts.c.name).limit(limit)
        return [row.name for row in await self._all(page)]

    async def drafts_of(self, person: str, limit: int = 20, status: str = "") -> list[StoredDraft]:
        mine = with_key(drafts).where(person_keys.c.person == self._vault.index(person))
        mine = mine.where(drafts.c.status == status) if status else mine
        rows = await self._all(mine.order_by(drafts.c.id.desc()).limit(limit))
        return [_stored(self._vault, row) for row in rows]

    async def drafts_named(self, names: Sequence[str]) -> list[StoredDraft]:
        rows = await self._all(with_key(drafts).where(drafts.c.name.in_(names))) if names else []
        found = {row.name: _stored(self._vault, row) for row in rows}
        return [found[name] for name in names if name in found]

    async def events(self, draft: str) -> list[StoredEvent]:
        rows = await self._all(with_key(events).where(events.c.draft == draft).order_by(events.c.n))
        return [_happened(self._vault, row) for row in rows]

    async def links(self, draft: str) -> list[Link]:
        rows = await self._all(select(events).where(events.c.draft == draft).order_by(events.c.n))
        return [link_of(row._mapping) for row in rows]

    async def _cached(self, current: Current) -> StoredDraft | None:
        content = await self._cache.get(current.draft, current.revision) if current.ticket else None
        return _unpacked(self._vault, current, content) if content else None

    async def _refresh(self, stored: StoredDraft, key: PersonKey) -> None:
        if isinstance(self._cache, NoCache):
            return
        content = vars(stored) | {"updated_at": stored.updated_at and stored.updated_at.isoformat()}
        sealed = self._vault.seal(key.key, f"cache:{stored.id}:{stored.revision}", content)
        await self._cache.put(stored.id, stored.revision, sealed)


def pointed(transaction: Transaction, incoming: InboxRow) -> Current | None:
    """The draft that an event names, else the one that its conversation is about."""
    draft = str(incoming.body.get("draft") or "")
    there = transaction.name(incoming.conversation)
    row = transaction.run(*_pointing(there, draft)).first()
    return row and _current(transaction.vault, row)


def link_of(row: RowMapping) -> Link:
    """An event's link. Only where its body is gone counts the digest that was left in its place."""
    told = {name: row[name] for name in CHAINED}
    return Link(**told, digest=kept_digest(row), beside=row["beside"], mac=row["mac"] or "")


def _pointing(conversation: str, draft: str) -> tuple[Select[Any], Values]:
    return (NAMED, {"name": draft}) if draft else (CURRENT, {"name": conversation})


def _current(vault: Vault, row: Row[Any]) -> Current:
    key = key_of(vault, row)
    return Current(row.name, row.revision, key is None, key)


def _unpacked(vault: Vault, current: Current, content: bytes) -> StoredDraft | None:
    try:
        body = vault.open(current.ticket.key, f"cache:{current.draft}:{current.revision}", content)
        return (
            None
            if isinstance(body, Erased)
            else StoredDraft(**body | {"updated_at": datetime.fromisoformat(body["updated_at"])})
        )
    except (Tampered, TypeError):  # not ours, from before an erasure, or another version's: as good as none
        return None


def _stored(vault: Vault, row: Row[Any]) -> StoredDraft:
    body = opened(vault, row, f"drafts:{row.name}:{row.revision}")
    place = {"id": row.name, "form": row.form, "status": row.status, "revision": row.revision}
    chain = {"last": row.last, "head": row.head, "updated_at": row.updated_at}
    if isinstance(body, Erased):
        return StoredDraft(**place, **chain, person="", conversation="", body={}, erased=True)
    return StoredDraft(**place, **chain, **body, conversation=vault.plain(row.conversation))


def _chained(row: Row[Any]) -> dict[str, Any]:
    return {name: row._mapping[name] for name in CHAINED}


def _happened(vault: Vault, row: Row[Any]) -> StoredEvent:
    body = opened(vault, row, f"events:{row.draft}:{row.n}")
    if isinstance(body, Erased):
        return StoredEvent(**_chained(row), body={}, changes=(), erased=True)
    return StoredEvent(**_chained(row), body=body["body"], changes=tuple(body["changes"]))
