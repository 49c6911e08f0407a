"""The inbox: what came in, stored before it is acknowledged, handled in order, once."""

from dataclasses import replace
from functools import cache

from sqlalchemy import Executable

from state.stores.drafts import pointed
from state.stores.queues import INBOX, alter, head, held, lanes_due, oldest, take, when
from state.stores.rows import Hold, InboxRow, Lease, Received, Taken
from state.stores.sql.engine import InsertInto
from state.stores.sql.tables import inbox
from state.stores.sql.transaction import Transaction, with_key


def waiting(transaction: Transaction, limit: int = 100) -> list[str]:
    """Return the conversations whose oldest unhandled row is due and that nobody holds a live lease on, oldest first."""
    return lanes_due(transaction, INBOX, limit)


def next_incoming(transaction: Transaction, conversation: str) -> InboxRow | None:
    """Return the conversation's oldest unhandled row, if it is due: a row that failed holds back those behind it."""
    row = oldest(transaction, INBOX, conversation)
    if row is None:
        return None
    said = transaction.opened(row, f"inbox:{row.key}") or {"key": "", "person": "", "body": {}}
    return InboxRow(**said, conversation=conversation, received_at=row.received_at, attempts=row.attempts, id=row.id)


def received(transaction: Transaction, key: str) -> InboxRow | None:
    """Return what came in under this key, handled or not; None where nothing did, or it is emptied or erased by now."""
    row = transaction.run(with_key(inbox).where(inbox.c.key == transaction.vault.index(key))).first()
    body = transaction.opened(row, f"inbox:{row.key}") if row and row.sealed else None
    if row is None or body is None:
        return None
    return InboxRow(**body, conversation="", received_at=row.received_at, id=row.id)


def fail_incoming(transaction: Transaction, lease: Lease, row: int, delay: float | None, reason: str = "") -> None:
    """Count an attempt and try again after `delay` seconds; with None it becomes a dead letter, for this reason. Raises LeaseLost."""
    held(transaction, lease)
    failed = {"attempts": inbox.c.attempts + 1, "status": "dead" if delay is None else "new", "reason": reason or None}
    alter(transaction, INBOX, lease, row, failed | when(delay))


def receive(transaction: Transaction, incoming: InboxRow, hold: Hold | None = None) -> Received | None:
    """Store an event before it is acknowledged; None for a known key.

    Its conversation is taken where that is free and held here. Free or not, the lease's row is locked from here on: its holder
    sees the new row before leaving.
    """
    vault = transaction.vault
    index = vault.index(incoming.key)
    body = {"key": incoming.key, "person": incoming.person, "body": incoming.body}
    row = {"key": index, "conversation": vault.name(incoming.conversation)}
    new = transaction.run(
        _new(transaction.insert), row | transaction.sealed(incoming.person, f"inbox:{index}", body)
    ).first()
    if new is None:
        return None
    stored = replace(incoming, id=new.id, received_at=new.received_at, attempts=0)
    lease = take(transaction, stored.conversation, hold.seconds) if hold and hold.here(stored.conversation) else None
    if lease is None:
        return Received(stored)
    taken = Taken(lease, head(transaction, INBOX, stored.conversation))
    return Received(stored, taken, pointed(transaction, stored))


@cache
def _new(insert: InsertInto) -> Executable:
    new = insert(inbox).on_conflict_do_nothing(index_elements=["key"])
    return new.returning(inbox.c.id, inbox.c.received_at)
