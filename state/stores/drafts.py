"""Drafts with their events and tool calls, and records, as they are read. A draft that `current` has just named may come from the cache."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Row, RowMapping, String, bindparam, func, or_, select, true

from state.stores.errors import Tampered
from state.stores.evidence.custody import kept_digest
from state.stores.rows import Body, Current, InboxRow, Link, Record, StoredDraft, StoredEvent, ToolLogEntry
from state.stores.sql.tables import conversations, drafts, events, person_keys, records, tool_calls
from state.stores.sql.transaction import Transaction, columns_of, with_key
from state.stores.vault import Vault

HERE = select(conversations.c.draft).where(conversations.c.conversation == bindparam("there")).scalar_subquery()
NAMED = with_key(drafts, drafts.c.name, drafts.c.revision, (drafts.c.name == HERE).label("here"))
NAMED = NAMED.where(drafts.c.name == bindparam("name"))
CURRENT = (
    with_key(drafts, drafts.c.name, drafts.c.revision, true().label("here"))
    .join(conversations, conversations.c.draft == drafts.c.name)
    .where(conversations.c.conversation == bindparam("name"))
)
ONE = with_key(drafts).where(drafts.c.name == bindparam("id"))
PLACE = with_key(drafts, drafts.c.conversation, drafts.c.form).where(drafts.c.name == bindparam("id"))
OFTEN = with_key(drafts, drafts.c.form).with_only_columns(drafts.c.form).group_by(drafts.c.form)
OFTEN = OFTEN.where(person_keys.c.person == bindparam("whose")).order_by(
    func.count().desc(), func.max(drafts.c.id).desc()
)
WHOSE = or_(person_keys.c.person == bindparam("whose"), records.c.kept_for == bindparam("whose"))
"""A person's records, also those that are kept after an erasure."""
OWN = with_key(records).where(WHOSE, records.c.form == func.coalesce(bindparam("form", type_=String), records.c.form))
OWN = OWN.order_by(records.c.id.desc()).limit(bindparam("most")).offset(bindparam("skip"))
LOGGED = ("draft", "tenant", "form", "turn", "step", "reader", "tool", "status", "reason", "idempotent", "finalizes")
FILED = ("number", "draft", "form", "tenant", "state", "hash", "filed_at")
GONE: Body = {"person": "", "body": {}, "erased": True}
"""The contents of a body whose key is destroyed."""
CHAINED = ("draft", "n", "kind", "revision", "form_version", "rules_version", "at", "previous", "hash")


def current(transaction: Transaction, conversation: str, draft: str = "") -> Current | None:
    """Return the draft that the conversation is about, or the one that is named, as the newest transaction left it."""
    there = transaction.name(conversation)
    row = transaction.run(*((NAMED, {"name": draft, "there": there}) if draft else (CURRENT, {"name": there}))).first()
    if row is None:
        return None
    key = transaction.key_of(row)
    return Current(row.name, row.revision, key is None, key, bool(row.here))


def pointed(transaction: Transaction, incoming: InboxRow) -> Current | None:
    """Return the draft that an event names, else the one that its conversation is about."""
    return current(transaction, incoming.conversation, str(incoming.body.get("draft") or ""))


def load(transaction: Transaction, name: str) -> tuple[StoredDraft | None, bytes | None]:
    """Return a draft by its id, and the data key that opens it."""
    row = transaction.run(ONE, {"id": name}).first()
    return (_stored(transaction, row), transaction.key_of(row)) if row else (None, None)


def whereabouts(transaction: Transaction, name: str) -> tuple[str, str] | None:
    """Return a draft's conversation and form by its id; None where there is none, or it was erased."""
    row = transaction.run(PLACE, {"id": name}).first()
    return (transaction.vault.plain(row.conversation), row.form) if row and row.wrapped else None


def names(transaction: Transaction, after: str = "", limit: int = 500) -> list[str]:
    """Return the ids of all drafts in their order, a page at a time."""
    page = select(drafts.c.name).where(drafts.c.name > after).order_by(drafts.c.name).limit(limit)
    return list(transaction.run(page).scalars())


def drafts_of(transaction: Transaction, person: str, limit: int = 20, status: str = "") -> list[StoredDraft]:
    """Return a person's drafts, the ones begun last first; those of one status where it is given."""
    mine = with_key(drafts).where(person_keys.c.person == transaction.vault.index(person))
    mine = mine.where(drafts.c.status == status) if status else mine
    rows = transaction.run(mine.order_by(drafts.c.id.desc()).limit(limit))
    return [_stored(transaction, row) for row in rows]


def forms_used(transaction: Transaction, person: str) -> list[str]:
    """Return the forms that a person has begun, the most often begun first."""
    return list(transaction.run(OFTEN, {"whose": transaction.vault.index(person)}).scalars())


def drafts_named(transaction: Transaction, names: Sequence[str]) -> list[StoredDraft]:
    """Return some drafts, in this order; one that is not there is left out."""
    rows = transaction.run(with_key(drafts).where(drafts.c.name.in_(names))) if names else ()
    found = {row.name: _stored(transaction, row) for row in rows}
    return [found[name] for name in names if name in found]


def history(transaction: Transaction, draft: str) -> list[StoredEvent]:
    """Return all events of a draft, oldest first."""
    rows = transaction.run(with_key(events).where(events.c.draft == draft).order_by(events.c.n))
    return [_happened(transaction, row) for row in rows]


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
    mine = with_key(tool_calls).where(tool_calls.c.draft == draft).order_by(tool_calls.c.n, tool_calls.c.place)
    return [
        ToolLogEntry(
            **columns_of(row, (*LOGGED, "n", "place", "at")),
            **(transaction.opened(row, call_identity(row._mapping)) or GONE),
        )
        for row in transaction.run(mine)
    ]


def record(transaction: Transaction, number: str) -> Record | None:
    """Return the record of this number; None where there is none."""
    row = transaction.run(with_key(records).where(records.c.number == number)).first()
    return record_of(transaction, row) if row else None


def records_of(
    transaction: Transaction, person: str, form: str | None = None, limit: int = 200, skip: int = 0
) -> list[Record]:
    """Return a person's records, newest first, without the first `skip` of them."""
    values = {"whose": transaction.vault.index(person), "form": form, "most": limit, "skip": skip}
    return [record_of(transaction, row) for row in transaction.run(OWN, values)]


def count_records(transaction: Transaction, person: str) -> int:
    """Return how many records a person has."""
    mine = with_key(records).with_only_columns(func.count()).where(WHOSE)
    return int(transaction.run(mine, {"whose": transaction.vault.index(person)}).scalar_one())


def records_by_number(transaction: Transaction, form: str, after: str = "", limit: int = 500) -> list[Record]:
    """Return all records of a form by number, a page at a time."""
    page = with_key(records).where(records.c.form == form, records.c.number > after)
    rows = transaction.run(page.order_by(records.c.number).limit(limit))
    return [record_of(transaction, row) for row in rows]


def record_of(transaction: Transaction, row: Row[Any]) -> Record:
    """Return a record from its row."""
    said = transaction.opened(row, f"records:{row.number}")
    body = {name: said[name] for name in ("person", "body")} if said else GONE
    return Record(**columns_of(row, FILED), **body)


def packed(vault: Vault, stored: StoredDraft, key: bytes) -> bytes:
    """Return a draft sealed for the cache."""
    content = vars(stored) | {"updated_at": stored.updated_at and stored.updated_at.isoformat()}
    return vault.seal(key, f"cache:{stored.id}:{stored.revision}", content)


def unpacked(vault: Vault, current: Current, content: bytes) -> StoredDraft | None:
    """Return a draft from the cache; None for what is not ours, from before an erasure, or another version's."""
    try:
        body = vault.open(current.ticket, f"cache:{current.draft}:{current.revision}", content)
        return StoredDraft(**body | {"updated_at": datetime.fromisoformat(body["updated_at"])}) if body else None
    except (Tampered, TypeError):
        return None


def _stored(transaction: Transaction, row: Row[Any]) -> StoredDraft:
    body = transaction.opened(row, f"drafts:{row.name}:{row.revision}")
    told = columns_of(row, ("form", "status", "revision", "last", "head", "updated_at"))
    if body is None:
        return StoredDraft(id=row.name, **told, conversation="", **GONE)
    return StoredDraft(id=row.name, **told, conversation=transaction.vault.plain(row.conversation), **body)


def _happened(transaction: Transaction, row: Row[Any]) -> StoredEvent:
    body, chained = transaction.opened(row, f"events:{row.draft}:{row.n}"), columns_of(row, CHAINED)
    if body is None:
        return StoredEvent(**chained, body={}, changes=(), erased=True)
    return StoredEvent(**chained, body=body["body"], changes=tuple(body["changes"]))


def call_identity(row: Mapping[str, Any] | RowMapping) -> str:
    """Return the name under which a tool call's body is sealed."""
    return f"tool_calls:{row['draft']}:{row['n']}:{row['place']}"
