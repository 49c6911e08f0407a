"""The unit of work: what one turn wants to write goes into one transaction, under a token that still holds."""

from dataclasses import replace
from datetime import datetime
from functools import cache
from typing import Any

from sqlalchemy import Executable, Row, bindparam, insert, select, update

from state.stores.chain import belong, follow, linked
from state.stores.evidence.links import DRAFT, draft_facts
from state.stores.protocol import Hold, Lease, StoredDraft, StoredEvent, TurnWrites, WasErased, Writes, Written
from state.stores.sql.beside import BesideEvents
from state.stores.sql.drafts import Drafts
from state.stores.sql.engine import InsertInto
from state.stores.sql.index import write_index
from state.stores.sql.leases import held
from state.stores.sql.outbox import put_out, sealed_rows
from state.stores.sql.queues import INBOX, done, left
from state.stores.sql.records import next_number
from state.stores.sql.tables import conversations, drafts, events
from state.stores.sql.transaction import PersonKey, Transaction
from state.stores.vault import Vault

KNOWN = drafts.c.name == bindparam("known")
LOCKED = select(drafts.c.revision, drafts.c.last, drafts.c.head, drafts.c.sealed_by).where(KNOWN).with_for_update()
SAVED = update(drafts).where(KNOWN)


class Units(Drafts):
    """Writes units of work, and puts the drafts that they saved into the cache."""

    async def write(self, lease: Lease, work: Writes, hold: Hold | None = None) -> Written:
        written, keys = await self._write(lambda transaction: _write(transaction, lease, work, hold))
        for stored, key in zip(written.drafts, keys, strict=True):
            await self._refresh(stored, key)
        return written


def _write(
    transaction: Transaction, lease: Lease, writes: Writes, hold: Hold | None
) -> tuple[Written, list[PersonKey]]:
    now = held(transaction, lease)
    work = writes if isinstance(writes, TurnWrites) else writes(lambda prefix: next_number(transaction, prefix))
    belong(work)
    if work.done is not None:
        done(transaction, INBOX, lease, work.done)
    sealed = sealed_rows(transaction, work.outgoing, now)
    beside = BesideEvents(transaction, work, now, sealed)
    saved = [_write_draft(transaction, draft, work.events, beside, now) for draft in work.drafts]
    if work.current is not None:
        _point(transaction, lease.lane, work.current)
    beside.write()
    write_index(transaction, work.indexed, work.amended)
    outgoing, lanes = put_out(transaction, work.outgoing, now, hold, sealed)
    following = left(transaction, INBOX, lease) if hold else None
    drafts = tuple(stored for stored, _ in saved)
    return Written(outgoing, drafts, lanes, following), [key for _, key in saved]


def _write_draft(
    transaction: Transaction, draft: StoredDraft, happened: list[StoredEvent], beside: BesideEvents, now: datetime
) -> tuple[StoredDraft, PersonKey]:
    owner, mine = transaction.key(draft.person), [event for event in happened if event.draft == draft.id]
    known = _locked(transaction, draft, owner)
    follow(known.revision if known else 0, mine, draft)
    last, head = (known.last, known.head) if known else (0, "")
    told = beside.text(draft.id, last + len(mine))
    rows = _chain(transaction.vault, owner, mine, last, head, now, told)
    stored = replace(draft, last=rows[-1]["n"], head=rows[-1]["hash"], updated_at=now)
    _save(transaction, stored, owner, new=known is None)
    transaction.run(insert(events), rows)
    return stored, owner


def _locked(transaction: Transaction, draft: StoredDraft, owner: PersonKey) -> Row[Any] | None:
    row = transaction.run(LOCKED, {"known": draft.id}).first()
    if row and row.sealed_by != owner.id:
        raise WasErased("The draft was erased, or is another person's.")
    return row


def _chain(
    vault: Vault, owner: PersonKey, happened: list[StoredEvent], last: int, head: str, now: datetime, beside: str
) -> list[dict[str, Any]]:
    """The rows of events; the newest one's link says what is written beside them."""
    rows: list[dict[str, Any]] = []
    for n, event in enumerate(happened, last + 1):
        said = {"body": event.body, "changes": event.changes}
        sealed = vault.seal_linked(owner.key, f"events:{event.draft}:{n}", said)
        link = linked(vault.evidence, event, n, head, now, sealed, beside if event is happened[-1] else "")
        columns = {name: value for name, value in vars(link).items() if name != "digest"}
        rows.append(columns | {"sealed_by": owner.id, "sealed": sealed})
        head = link.hash
    return rows


def _save(transaction: Transaction, stored: StoredDraft, owner: PersonKey, new: bool) -> None:
    body = {"person": stored.person, "body": stored.body}
    row = {
        "name": stored.id,
        "conversation": transaction.name(stored.conversation),
        "form": stored.form,
        "status": stored.status,
        "revision": stored.revision,
        "last": stored.last,
        "head": stored.head,
        "updated_at": stored.updated_at,
        "sealed_by": owner.id,
        "sealed": transaction.vault.seal(owner.key, f"drafts:{stored.id}:{stored.revision}", body),
    }
    row["mac"] = transaction.vault.evidence.mac(DRAFT, draft_facts(row, stored.conversation))
    if new:
        transaction.run(insert(drafts), row)
    else:
        transaction.run(SAVED, row | {"known": stored.id})


def _point(transaction: Transaction, conversation: str, draft: str) -> None:
    place = {"conversation": transaction.name(conversation), "draft": draft}
    transaction.run(_pointer(transaction.insert), place)


@cache
def _pointer(insert: InsertInto) -> Executable:
    new = insert(conversations)
    return new.on_conflict_do_update(index_elements=["conversation"], set_={"draft": new.excluded.draft})
