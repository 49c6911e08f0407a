"""Drafts, their events and tool calls. A draft that `current` has just named may come from the cache; all else is the database's."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Row, RowMapping, bindparam, select

from state.stores.errors import Tampered
from state.stores.evidence.custody import kept_digest
from state.stores.rows import Current, InboxRow, Link, StoredDraft, StoredEvent, ToolLogEntry
from state.stores.sql.tables import conversations, drafts, events, person_keys, tool_calls
from state.stores.sql.transaction import Transaction, Values, key_of, opened, with_key
from state.stores.vault import Erased, Vault

NAMED = with_key(drafts, drafts.c.name, drafts.c.revision).where(drafts.c.name == bindparam("name"))
CURRENT = (
    with_key(drafts, drafts.c.name, drafts.c.revision)
    .join(conversations, conversations.c.draft == drafts.c.name)
    .where(conversations.c.conversation == bindparam("name"))
)
ONE = with_key(drafts).where(drafts.c.name == bindparam("id"))
LOGGED = ("draft", "tenant", "form", "turn", "step", "reader", "tool", "status", "reason", "idempotent", "finalizes")
CHAINED = ("draft", "n", "kind", "revision", "form_version", "rules_version", "at", "previous", "hash")


def current(transaction: Transaction, conversation: str, draft: str = "") -> Current | None:
    """Return the draft that the conversation is about, or the one that is named, as the newest transaction left it."""
    statement, values = (NAMED, {"name": draft}) if draft else (CURRENT, {"name": transaction.name(conversation)})
    row = transaction.run(statement, values).first()
    if row is None:
        return None
    key = key_of(transaction.vault, row)
    return Current(row.name, row.revision, key is None, key)


def pointed(transaction: Transaction, incoming: InboxRow) -> Current | None:
    """Return the draft that an event names, else the one that its conversation is about."""
    return current(transaction, incoming.conversation, str(incoming.body.get("draft") or ""))


def load(transaction: Transaction, name: str) -> tuple[StoredDraft | None, bytes | None]:
    """Return a draft by its id, and the data key that opens it."""
    row = transaction.run(ONE, {"id": name}).first()
    return (_stored(transaction.vault, row), key_of(transaction.vault, row)) if row else (None, None)


def names(transaction: Transaction, after: str = "", limit: int = 500) -> list[str]:
    """Return the ids of all drafts in their order, a page at a time."""
    page = select(drafts.c.name).where(drafts.c.name > after).order_by(drafts.c.name).limit(limit)
    return list(transaction.run(page).scalars())


def drafts_of(transaction: Transaction, person: str, limit: int = 20, status: str = "") -> list[StoredDraft]:
    """Return a person's drafts, the ones begun last first; those of one status where it is given."""
    mine = with_key(drafts).where(person_keys.c.person == transaction.vault.index(person))
    mine = mine.where(drafts.c.status == status) if status else mine
    rows = transaction.run(mine.order_by(drafts.c.id.desc()).limit(limit))
    return [_stored(transaction.vault, row) for row in rows]


def drafts_named(transaction: Transaction, names: Sequence[str]) -> list[StoredDraft]:
    """Return some drafts, in this order; one that is not there is left out."""
    rows = transaction.run(with_key(drafts).where(drafts.c.name.in_(names))) if names else ()
    found = {row.name: _stored(transaction.vault, row) for row in rows}
    return [found[name] for name in names if name in found]


def history(transaction: Transaction, draft: str) -> list[StoredEvent]:
    """Return all events of a draft, oldest first."""
    rows = transaction.run(with_key(events).where(events.c.draft == draft).order_by(events.c.n))
    return [_happened(transaction.vault, row) for row in rows]


def links(transaction: Transaction, draft: str) -> list[Link]:
    """Return the chain of a draft's events, oldest first, readable after an erasure too."""
    rows = transaction.run(select(events).where(events.c.draft == draft).order_by(events.c.n))
    return [link_of(row) for row in rows.mappings()]


def link_of(row: RowMapping) -> Link:
    """Return an event's link. Only where its body is gone counts the digest that was left in its place."""
    told = {name: row[name] for name in CHAINED}
    return Link(**told, digest=kept_digest(row), beside=row["beside"], mac=row["mac"] or "")


def tool_calls_of(transaction: Transaction, draft: str) -> list[ToolLogEntry]:
    """Return all logged tool calls of a draft, oldest first."""
    calls = []
    mine = with_key(tool_calls).where(tool_calls.c.draft == draft).order_by(tool_calls.c.n, tool_calls.c.place)
    for row in transaction.run(mine):
        body = opened(transaction.vault, row, _call_identity(dict(row._mapping)))
        said = {"person": "", "body": {}, "erased": True} if isinstance(body, Erased) else body
        calls.append(ToolLogEntry(**{name: row._mapping[name] for name in (*LOGGED, "n", "place", "at")}, **said))
    return calls


def call_rows(
    transaction: Transaction, calls: Sequence[tuple[int, ToolLogEntry]], n: int, now: datetime
) -> list[Values]:
    """Return the rows of calls (with the place of each in the turn) beside the event of this number."""
    rows = []
    for place, call in calls:
        owner, body = transaction.key(call.person), {"person": call.person, "body": call.body}
        row = {name: getattr(call, name) for name in LOGGED} | {"n": n, "place": place, "at": now}
        rows.append(
            row | {"sealed_by": owner.id, "sealed": transaction.vault.seal(owner.key, _call_identity(row), body)}
        )
    return rows


def packed(vault: Vault, stored: StoredDraft, key: bytes) -> bytes:
    """Return a draft sealed for the cache."""
    content = vars(stored) | {"updated_at": stored.updated_at and stored.updated_at.isoformat()}
    return vault.seal(key, f"cache:{stored.id}:{stored.revision}", content)


def unpacked(vault: Vault, current: Current, content: bytes) -> StoredDraft | None:
    """Return a draft from the cache; None for what is not ours, from before an erasure, or another version's."""
    try:
        body = vault.open(current.ticket, f"cache:{current.draft}:{current.revision}", content)
        if isinstance(body, Erased):
            return None
        return StoredDraft(**body | {"updated_at": datetime.fromisoformat(body["updated_at"])})
    except (Tampered, TypeError):
        return None


def _stored(vault: Vault, row: Row[Any]) -> StoredDraft:
    body = opened(vault, row, f"drafts:{row.name}:{row.revision}")
    place = {"id": row.name, "form": row.form, "status": row.status, "revision": row.revision}
    chain = {"last": row.last, "head": row.head, "updated_at": row.updated_at}
    if isinstance(body, Erased):
        return StoredDraft(**place, **chain, person="", conversation="", body={}, erased=True)
    return StoredDraft(**place, **chain, **body, conversation=vault.plain(row.conversation))


def _happened(vault: Vault, row: Row[Any]) -> StoredEvent:
    body = opened(vault, row, f"events:{row.draft}:{row.n}")
    chained = {name: row._mapping[name] for name in CHAINED}
    if isinstance(body, Erased):
        return StoredEvent(**chained, body={}, changes=(), erased=True)
    return StoredEvent(**chained, body=body["body"], changes=tuple(body["changes"]))


def _call_identity(row: Values) -> str:
    return f"tool_calls:{row['draft']}:{row['n']}:{row['place']}"
