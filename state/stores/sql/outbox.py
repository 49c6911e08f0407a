"""The outbox: work for the performer, lane by lane in order, and where the cards that it posted stand."""

from datetime import datetime
from functools import cache
from typing import Any

from sqlalchemy import Executable, select

from state.stores.protocol import InboxRow, Lease, OutboxRow, Posted
from state.stores.sql.engine import InsertInto
from state.stores.sql.inbox import put_in
from state.stores.sql.leases import held
from state.stores.sql.queues import OUTBOX, Queues, done
from state.stores.sql.sealed import opened
from state.stores.sql.tables import outbox, posts
from state.stores.sql.transaction import PersonKey, Transaction
from state.stores.vault import Erased, Vault


class Outbox(Queues):
    """Rows of a lane are performed one at a time, the oldest first."""

    async def lanes(self, limit: int = 100) -> list[str]:
        return await self._waiting(OUTBOX, limit)

    async def next_outgoing(self, lane: str) -> OutboxRow | None:
        row = await self._head(OUTBOX, lane)
        if row is None:
            return None
        body = opened(self._vault, row, f"outbox:{row.key}")
        said = {"key": "", "person": "", "body": {}} if isinstance(body, Erased) else body
        state = {"id": row.id, "attempts": row.attempts, "status": row.status, "due_at": row.due_at}
        return OutboxRow(**said, lane=lane, kind=row.kind, **state)

    async def finish(
        self, lease: Lease, row: int, posted: Posted | None = None, incoming: InboxRow | None = None
    ) -> None:
        async with self._writing() as transaction:
            await held(transaction, lease)
            await done(transaction, OUTBOX, lease, row)
            if posted:
                await _remember(transaction, posted)
            if incoming:
                await put_in(transaction, incoming)

    async def fail_outgoing(self, lease: Lease, row: int, delay: float | None, unclear: bool = False) -> None:
        await self._fail(OUTBOX, lease, row, delay, "unclear" if unclear else "new")

    async def posted(self, card: str) -> Posted | None:
        async with self._reading() as connection:
            row = (await connection.execute(select(posts).where(posts.c.card == card))).first()
        return None if row is None else Posted(row.card, row.channel, row.ts)


async def _remember(transaction: Transaction, posted: Posted) -> None:
    place = {"channel": posted.channel, "ts": posted.ts}
    new = transaction.insert(posts).values(card=posted.card, **place)
    await transaction.run(new.on_conflict_do_update(index_elements=["card"], set_=place))


async def put_out(transaction: Transaction, outgoing: list[OutboxRow], now: datetime) -> None:
    """Insert into the outbox, at one go; nothing happens for those whose key is known."""
    rows = [_row(transaction.vault, one, await transaction.key(one.person), now) for one in outgoing]
    if rows:
        await transaction.run(_new(transaction.insert), rows)


@cache
def _new(insert: InsertInto) -> Executable:
    return insert(outbox).on_conflict_do_nothing(index_elements=["key"])


def _row(vault: Vault, outgoing: OutboxRow, owner: PersonKey, now: datetime) -> dict[str, Any]:
    index = vault.index(outgoing.key)
    body = {"key": outgoing.key, "person": outgoing.person, "body": outgoing.body}
    return {
        "key": index,
        "lane": vault.name(outgoing.lane),
        "kind": outgoing.kind,
        "due_at": outgoing.due_at or now,
        "sealed_by": owner.id,
        "sealed": vault.seal(owner.key, f"outbox:{index}", body),
    }
