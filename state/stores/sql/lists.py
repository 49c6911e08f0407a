"""Versions of lists in SQL; what the methods promise is written in `state.stores.lists`.

The content is sealed under a key of the workspace's own; the link that says so covers what is sealed.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import delete, func, select

from state.stores.evidence.links import version_facts
from state.stores.lists import ListKey, ListVersion, Overtaken
from state.stores.rows import Body, OutboxRow
from state.stores.sql.custody import NOW, append
from state.stores.sql.outbox import put_out
from state.stores.sql.repository import Repository
from state.stores.sql.sealed import HOLDER
from state.stores.sql.tables import list_uploads, list_versions, person_keys
from state.stores.sql.transaction import Transaction
from state.stores.sql.types import clock, later
from state.stores.vault import Erased

OF = list_versions.c
UPLOADS = "list uploads"
"""Under whose key uploads are sealed while they wait."""


class SqlLists(Repository):
    """Reads and writes versions and uploads."""

    async def list_versions(self, key: ListKey) -> list[ListVersion]:
        columns = (OF.number, OF.effective, OF.uploaded_at)
        rows = await self._all(select(*columns).where(*_of(key)).order_by(OF.number))
        return [ListVersion(row.number, row.effective, row.uploaded_at) for row in rows]

    async def list_content(self, key: ListKey, number: int) -> Body | None:
        wanted = select(OF.content, *HOLDER).join_from(list_versions, person_keys, OF.key == person_keys.c.id)
        return self._opened(await self._first(wanted.where(*_of(key), OF.number == number)), _identity(key, number))

    async def keep_upload(self, name: str, body: Body, seconds: float) -> None:
        def write(transaction: Transaction) -> None:
            transaction.run(delete(list_uploads).where(list_uploads.c.until < clock()))
            key = transaction.key(UPLOADS)
            content = transaction.vault.seal(key.key, f"list_uploads:{name}", body)
            values = {"name": name, "until": later(round(seconds, 3)), "key": key.id, "content": content}
            transaction.run(transaction.insert(list_uploads).values(**values))

        await self._write(write)

    async def upload(self, name: str) -> Body | None:
        wanted = select(list_uploads.c.content, *HOLDER).join_from(
            list_uploads, person_keys, list_uploads.c.key == person_keys.c.id
        )
        alive = (list_uploads.c.name == name, list_uploads.c.until >= clock())
        return self._opened(await self._first(wanted.where(*alive)), f"list_uploads:{name}")

    async def publish(
        self, name: str, key: ListKey, after: int, effective: datetime, body: Body, outgoing: Sequence[OutboxRow] = ()
    ) -> ListVersion:
        def write(transaction: Transaction) -> ListVersion:
            now = transaction.run(NOW).scalar_one()
            taken = delete(list_uploads).where(list_uploads.c.name == name, list_uploads.c.until >= now)
            newest = transaction.run(select(func.max(OF.number)).where(*_of(key))).scalar_one() or 0
            if transaction.run(taken).rowcount != 1 or newest != after:
                raise Overtaken
            version = ListVersion(after + 1, max(now, effective), now)
            row = _sealed(transaction, key, version, body)
            new = transaction.insert(list_versions).values(**row)
            if transaction.run(new.on_conflict_do_nothing()).rowcount != 1:
                raise Overtaken
            put_out(transaction, list(outgoing), now, None)
            append(transaction, "version", version_facts(row), at=now)
            return version

        return await self._write(write)

    def _opened(self, row: Any, identity: str) -> Body | None:
        if row is None:
            return None
        body = self._vault.open(self._vault.unwrap(row.wrapped, row.holder, row.key_id), identity, row.content)
        return None if isinstance(body, Erased) else body


def _of(key: ListKey) -> tuple[Any, ...]:
    return OF.tenant == key.tenant, OF.form == key.form, OF.list == key.list


def _identity(key: ListKey, number: int) -> str:
    return f"list_versions:{key.tenant}:{key.form}:{key.list}:{number}"


def _sealed(transaction: Transaction, key: ListKey, version: ListVersion, body: Body) -> dict[str, Any]:
    owner = transaction.key(f"lists:{key.tenant}")
    content = transaction.vault.seal(owner.key, _identity(key, version.number), body)
    return {**vars(key), **vars(version), "key": owner.id, "content": content}
