"""Documents: content and names sealed under the person's key, each row with the day after which it goes."""

from typing import Any

from sqlalchemy import Row, bindparam, delete, select

from state.stores.errors import Tampered
from state.stores.evidence.custody import NOW, append
from state.stores.evidence.links import document_facts
from state.stores.evidence.links import documents_of as chain_of
from state.stores.proof import held_drafts
from state.stores.rows import StoredDocument
from state.stores.sql.tables import documents, drafts, person_keys
from state.stores.sql.transaction import Transaction, columns_of, with_key
from state.stores.sql.types import clock

LIVING = (
    select(drafts.c.id)
    .join(person_keys, drafts.c.sealed_by == person_keys.c.id)
    .where(drafts.c.name == bindparam("draft"), person_keys.c.person == bindparam("holder"))
    .with_for_update(read=True, of=person_keys)
)
"""The person's draft; their key is locked against an erasure until the transaction ends."""
ABOUT = with_key(documents, *(c for c in documents.c if c.name != "content")).where(documents.c.keep_until > clock())


def keep(transaction: Transaction, document: StoredDocument) -> None:
    """Store a document; one whose id is known is stored already, one whose draft was erased meanwhile is not wanted."""
    theirs = {"draft": document.draft, "holder": transaction.vault.index(document.person)}
    if transaction.run(LIVING, theirs).first() is None:
        return
    said = {"person": document.person, "name": document.name, "sha256": document.sha256}
    key, now = transaction.key(document.person).key, transaction.run(NOW).scalar_one()
    row = {
        "name": document.id,
        "draft": document.draft,
        "tenant": document.tenant,
        "type": document.type,
        "size": len(document.content),
        "received_at": now,
        "keep_until": document.keep_until,
        "content": transaction.vault.seal_bytes(key, f"contents:{document.id}", document.content),
        **transaction.sealed(document.person, f"documents:{document.id}", said),
    }
    new = transaction.insert(documents).values(row).on_conflict_do_nothing(index_elements=["name"])
    if transaction.run(new).rowcount == 1:
        kept = {"name": document.id, "facts": document_facts(row, row["content"])}
        append(transaction, "kept", kept, chain_of(document.draft), now)


def document(transaction: Transaction, name: str) -> StoredDocument | None:
    """Return a document whole; None once its time is over, or it was discarded or erased."""
    row = transaction.run(ABOUT.add_columns(documents.c.content).where(documents.c.name == name)).first()
    return _kept(transaction, row) if row else None


def documents_of(transaction: Transaction, person: str) -> list[StoredDocument]:
    """Return a person's documents without their content, oldest first."""
    mine = ABOUT.where(person_keys.c.person == transaction.vault.index(person)).order_by(documents.c.id)
    return [kept for row in transaction.run(mine) if (kept := _kept(transaction, row))]


def discard(transaction: Transaction, names: tuple[str, ...]) -> None:
    """Destroy documents."""
    gone = delete(documents).where(documents.c.name.in_(names)).returning(documents.c.draft, documents.c.name)
    for row in sorted(transaction.run(gone).all()):
        append(transaction, "discarded", {"name": row.name}, chain_of(row.draft))


def purge(transaction: Transaction) -> int:
    """Destroy the documents whose time is over, and return how many."""
    free = documents.c.draft.not_in(select(drafts.c.name).where(held_drafts()))
    return transaction.run(delete(documents).where(documents.c.keep_until <= clock(), free)).rowcount


def _kept(transaction: Transaction, row: Row[Any]) -> StoredDocument | None:
    """Return the document; None where its person's key is no more. Raises WrongKey, Tampered."""
    key, said = transaction.key_of(row), transaction.opened(row, f"documents:{row.name}")
    if key is None or said is None:
        return None
    sealed = row._mapping.get("content")
    content = transaction.vault.open_bytes(key, f"contents:{row.name}", sealed) if sealed is not None else b""
    if sealed is not None and len(content) != row.size:
        raise Tampered("A document is not the one that was stored.")
    about = columns_of(row, ("draft", "tenant", "type", "keep_until", "received_at", "size"))
    return StoredDocument(id=row.name, content=content, **about, **said)
