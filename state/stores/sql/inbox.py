"""The inbox: what came in, stored before it is acknowledged, handled in order, once."""

from functools import cache

from sqlalchemy import Executable

from state.stores.protocol import InboxRow, Lease
from state.stores.sql.engine import InsertInto
from state.stores.sql.queues import INBOX, Queues
from state.stores.sql.sealed import opened
from state.stores.sql.tables import inbox
from state.stores.sql.transaction import Transaction
from state.stores.vault import Erased


class Inbox(Queues):
    """Rows of a conversation are handled one at a time, the oldest first."""

    async def receive(self, incoming: InboxRow) -> bool:
        async with self._writing() as transaction:
            return await put_in(transaction, incoming)

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

    async def fail_incoming(self, lease: Lease, row: int, delay: float | None) -> None:
        await self._fail(INBOX, lease, row, delay, "new")


async def put_in(transaction: Transaction, incoming: InboxRow) -> bool:
    """Insert into the inbox; False where the key is known."""
    vault, owner = transaction.vault, await transaction.key(incoming.person)
    index = vault.index(incoming.key)
    body = {"key": incoming.key, "person": incoming.person, "body": incoming.body}
    row = {
        "key": index,
        "conversation": vault.name(incoming.conversation),
        "sealed_by": owner.id,
        "sealed": vault.seal(owner.key, f"inbox:{index}", body),
    }
    return (await transaction.run(_new(transaction.insert), row)).first() is not None


@cache
def _new(insert: InsertInto) -> Executable:
    return insert(inbox).on_conflict_do_nothing(index_elements=["key"]).returning(inbox.c.id)
