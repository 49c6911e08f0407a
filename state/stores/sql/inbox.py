"""The inbox: what came in, stored before it is acknowledged, handled in order, once."""

from dataclasses import replace
from functools import cache

from sqlalchemy import Executable

from state.stores.protocol import Hold, InboxRow, Lease, Received, Taken
from state.stores.sql.drafts import pointed
from state.stores.sql.engine import InsertInto
from state.stores.sql.leases import take
from state.stores.sql.queues import INBOX, Queues, head
from state.stores.sql.sealed import opened, with_key
from state.stores.sql.tables import inbox
from state.stores.sql.transaction import Transaction
from state.stores.vault import Erased


class Inbox(Queues):
    """Rows of a conversation are handled one at a time, the oldest first."""

    async def receive(self, incoming: InboxRow, hold: Hold | None = None) -> Received | None:
        return await self._write(lambda transaction: put_in(transaction, incoming, hold))

    async def waiting(self, limit: int = 100) -> list[str]:
        return await self._waiting(INBOX, limit)

    async def next_incoming(self, conversation: str) -> InboxRow | None:
        row = await self._head(INBOX, conversation)
        if row is None:
            return None
        body = opened(self._vault, row, f"inbox:{row.key}")
        said = {"key": "", "person": "", "body": {}} if isinstance(body, Erased) else body
        return InboxRow(
            **said, conversation=conversation, received_at=row.received_at, attempts=row.attempts, id=row.id
        )

    async def received(self, key: str) -> InboxRow | None:
        row = await self._first(with_key(inbox).where(inbox.c.key == self._vault.index(key)))
        body = opened(self._vault, row, f"inbox:{row.key}") if row and row.sealed else None
        if row is None or not isinstance(body, dict):
            return None
        return InboxRow(**body, conversation="", received_at=row.received_at, id=row.id)

    async def fail_incoming(self, lease: Lease, row: int, delay: float | None, reason: str = "") -> None:
        await self._fail(INBOX, lease, row, delay, "new", reason)


def put_in(transaction: Transaction, incoming: InboxRow, hold: Hold | None) -> Received | None:
    """Insert into the inbox, and take the conversation where it is free and wanted; None where the key is known."""
    vault, owner = transaction.vault, transaction.key(incoming.person)
    index = vault.index(incoming.key)
    body = {"key": incoming.key, "person": incoming.person, "body": incoming.body}
    row = {
        "key": index,
        "conversation": vault.name(incoming.conversation),
        "sealed_by": owner.id,
        "sealed": vault.seal(owner.key, f"inbox:{index}", body),
    }
    new = transaction.run(_new(transaction.insert), row).first()
    if new is None:
        return None
    stored = replace(incoming, id=new.id, received_at=new.received_at, attempts=0)
    return _taken(transaction, stored, hold) if hold and hold.here(incoming.conversation) else Received(stored)


def _taken(transaction: Transaction, stored: InboxRow, hold: Hold) -> Received:
    """Free or not, the lease's row is locked from here on: its holder sees the new row before leaving."""
    lease = take(transaction, stored.conversation, hold.seconds)
    if lease is None:
        return Received(stored)
    taken = Taken(lease, head(transaction, INBOX, stored.conversation))
    return Received(stored, taken, pointed(transaction, stored))


@cache
def _new(insert: InsertInto) -> Executable:
    new = insert(inbox).on_conflict_do_nothing(index_elements=["key"])
    return new.returning(inbox.c.id, inbox.c.received_at)
