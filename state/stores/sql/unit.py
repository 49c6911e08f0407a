"""The unit of work: what one turn wants to write goes into one transaction, under a token that still holds."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlalchemy import Row, bindparam, insert, select, update

from state.stores.chain import belong, follow, linked
from state.stores.protocol import (
    Lease,
    StoredDraft,
    StoredEvent,
    TurnWrites,
    WasErased,
)
from state.stores.sql.calls import put_calls
from state.stores.sql.drafts import Drafts
from state.stores.sql.leases import held
from state.stores.sql.outbox import put_out
from state.stores.sql.queues import INBOX, done
from state.stores.sql.records import amend, file, next_number
from state.stores.sql.tables import conversations, drafts, events
from state.stores.sql.transaction import PersonKey, Transaction
from state.stores.vault import Vault

KNOWN = drafts.c.name == bindparam("known")
LOCKED = select(drafts.c.revision, drafts.c.last, drafts.c.head, drafts.c.sealed_by).where(KNOWN).with_for_update()
SAVED = update(drafts).where(KNOWN)


class Units(Drafts):
    """Opens units of work, and puts the drafts that they wrote into the cache."""

    @asynccontextmanager
    async def unit(self, lease: Lease) -> AsyncIterator["SqlUnit"]:
        async with AsyncExitStack() as stack:
            unit = SqlUnit(lease, stack, self)
            yield unit
            written = await unit.write()
        for stored, key in written:
            await self._refresh(stored, key)


class SqlUnit:
    """The transaction begins with the first number that is asked for, else on leaving: until then nothing is locked."""

    def __init__(self, lease: Lease, stack: AsyncExitStack, units: Units) -> None:
        self.work = TurnWrites()
        self._lease, self._stack, self._units = lease, stack, units
        self._begun: tuple[Transaction, datetime] | None = None

    async def number(self, prefix: str) -> str:
        transaction, _ = await self._transaction()
        return await next_number(transaction, prefix)

    async def write(self) -> list[tuple[StoredDraft, PersonKey]]:
        """Write all of the work; returns the drafts as they stand in the database, once it commits."""
        transaction, now = await self._transaction()
        work = self.work
        belong(work)
        if work.done is not None:
            await done(transaction, INBOX, self._lease, work.done)
        written = [await _write_draft(transaction, draft, work.events, now) for draft in work.drafts]
        await put_calls(transaction, work.calls, {stored.id: stored.last for stored, _ in written}, now)
        if work.current is not None:
            await _point(transaction, self._lease.lane, work.current)
        for record in work.records:
            await file(transaction, record)
        for number, state in work.amended.items():
            await amend(transaction, number, state)
        await put_out(transaction, work.outgoing, now)
        return written

    async def _transaction(self) -> tuple[Transaction, datetime]:
        if self._begun is None:
            transaction = await self._stack.enter_async_context(self._units._writing())
            self._begun = transaction, await held(transaction, self._lease)
        return self._begun


async def _write_draft(
    transaction: Transaction, draft: StoredDraft, happened: list[StoredEvent], now: datetime
) -> tuple[StoredDraft, PersonKey]:
    owner, mine = await transaction.key(draft.person), [event for event in happened if event.draft == draft.id]
    known = await _locked(transaction, draft, owner)
    follow(known.revision if known else 0, mine, draft)
    last, head = (known.last, known.head) if known else (0, "")
    rows = _chain(transaction.vault, owner, mine, last, head, now)
    stored = replace(draft, last=rows[-1]["n"], head=rows[-1]["hash"], updated_at=now)
    await _save(transaction, stored, owner, new=known is None)
    await transaction.run(insert(events), rows)
    return stored, owner


async def _locked(transaction: Transaction, draft: StoredDraft, owner: PersonKey) -> Row[Any] | None:
    row = (await transaction.run(LOCKED, {"known": draft.id})).first()
    if row and row.sealed_by != owner.id:
        raise WasErased("The draft was erased, or is another person's.")
    return row


def _chain(
    vault: Vault, owner: PersonKey, happened: list[StoredEvent], last: int, head: str, now: datetime
) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    for n, event in enumerate(happened, last + 1):
        sealed = vault.seal(owner.key, f"events:{event.draft}:{n}", {"body": event.body, "changes": event.changes})
        link = linked(event, n, head, now, sealed)
        columns = {name: value for name, value in vars(link).items() if name != "digest"}
        rows.append(columns | {"sealed_by": owner.id, "sealed": sealed})
        head = link.hash
    return rows


async def _save(transaction: Transaction, stored: StoredDraft, owner: PersonKey, new: bool) -> None:
    body = {"person": stored.person, "body": stored.body}
    row = {
        "conversation": transaction.vault.name(stored.conversation),
        "form": stored.form,
        "status": stored.status,
        "revision": stored.revision,
        "last": stored.last,
        "head": stored.head,
        "updated_at": stored.updated_at,
        "sealed_by": owner.id,
        "sealed": transaction.vault.seal(owner.key, f"drafts:{stored.id}:{stored.revision}", body),
    }
    if new:
        await transaction.run(insert(drafts), row | {"name": stored.id})
    else:
        await transaction.run(SAVED, row | {"known": stored.id})


async def _point(transaction: Transaction, conversation: str, draft: str) -> None:
    new = transaction.insert(conversations).values(conversation=transaction.vault.name(conversation), draft=draft)
    await transaction.run(new.on_conflict_do_update(index_elements=["conversation"], set_={"draft": draft}))
