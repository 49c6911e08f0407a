"""Documents: content and names sealed under the person's key, each row with the day after which it goes."""

from typing import Any

from sqlalchemy import Row, bindparam, delete, select

from state.stores.evidence.links import document_facts, documents_of
from state.stores.protocol import StoredDocument, Tampered
from state.stores.sql.custody import NOW, append
from state.stores.sql.proof import held_drafts
from state.stores.sql.repository import Repository
from state.stores.sql.sealed import HOLDER, key_of
from state.stores.sql.tables import documents, drafts, person_keys
from state.stores.sql.transaction import Transaction
from state.stores.sql.types import clock
from state.stores.vault import Erased, Vault

LIVING = (
    select(drafts.c.id)
    .join(person_keys, drafts.c.sealed_by == person_keys.c.id)
    .where(drafts.c.name == bindparam("draft"), person_keys.c.person == bindparam("holder"))
    .with_for_update(read=True, of=person_keys)
)
"""The person's draft; their key is locked against an erasure until the transaction ends."""
ABOUT = [c for c in documents.c if c.name != "content"]


class Documents(Repository):
    """Keeps files, gives them back, and destroys them."""

    async def keep(self, document: StoredDocument) -> None:
        def write(transaction: Transaction) -> None:
            theirs = {"draft": document.draft, "holder": transaction.vault.index(document.person)}
            if transaction.run(LIVING, theirs).first() is None:
                return
            owner = transaction.key(document.person)
            said = {"person": document.person, "name": document.name, "sha256": document.sha256}
            now = transaction.run(NOW).scalar_one()
            row = {
                "name": document.id,
                "draft": document.draft,
                "tenant": document.tenant,
                "type": document.type,
                "size": len(document.content),
                "received_at": now,
                "keep_until": document.keep_until,
                "sealed_by": owner.id,
                "sealed": transaction.vault.seal(owner.key, f"documents:{document.id}", said),
                "content": transaction.vault.seal_bytes(owner.key, f"contents:{document.id}", document.content),
            }
            new = transaction.insert(documents).values(row).on_conflict_do_nothing(index_elements=["name"])
            if transaction.run(new).rowcount == 1:
                kept = {"name": document.id, "facts": document_facts(row, row["content"])}
                append(transaction, "kept", kept, documents_of(document.draft), now)

        await self._write(write)

    async def document(self, name: str) -> StoredDocument | None:
        whole = _with_key(*ABOUT, documents.c.content).where(documents.c.name == name, documents.c.keep_until > clock())
        row = await self._first(whole)
        return _kept(self._vault, row) if row else None

    async def documents_of(self, person: str) -> list[StoredDocument]:
        mine = _with_key(*ABOUT).where(
            person_keys.c.person == self._vault.index(person), documents.c.keep_until > clock()
        )
        rows = await self._all(mine.order_by(documents.c.id))
        return [kept for row in rows if (kept := _kept(self._vault, row))]

    async def discard(self, names: tuple[str, ...]) -> None:
        gone = delete(documents).where(documents.c.name.in_(names)).returning(documents.c.draft, documents.c.name)

        def write(transaction: Transaction) -> None:
            for row in sorted(transaction.run(gone).all()):
                append(transaction, "discarded", {"name": row.name}, documents_of(row.draft))

        await self._write(write)

    async def purge(self) -> int:
        free = documents.c.draft.not_in(select(drafts.c.name).where(held_drafts()))
        over = delete(documents).where(documents.c.keep_until <= clock(), free)
        return await self._write(lambda transaction: transaction.run(over).rowcount)


def _with_key(*columns: Any) -> Any:
    return select(*columns, *HOLDER).join_from(documents, person_keys, documents.c.sealed_by == person_keys.c.id)


def _kept(vault: Vault, row: Row[Any]) -> StoredDocument | None:
    """The document; None where its person's key is no more. Raises WrongKey, Tampered."""
    key = key_of(vault, row)
    said = vault.open(key.key if key else None, f"documents:{row.name}", row.sealed)
    if key is None or isinstance(said, Erased):
        return None
    sealed = row._mapping.get("content")
    content = vault.open_bytes(key.key, f"contents:{row.name}", sealed) if sealed is not None else b""
    if sealed is not None and len(content) != row.size:
        raise Tampered("A document is not the one that was stored.")
    about = {n: row._mapping[n] for n in ("draft", "tenant", "type", "keep_until", "received_at", "size")}
    return StoredDocument(id=row.name, content=content, **about, **said)
