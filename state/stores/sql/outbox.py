"""The outbox: work for the performer, lane by lane in order, and where the cards that it posted stand."""

from dataclasses import replace
from datetime import datetime
from functools import cache
from typing import Any

from sqlalchemy import Executable, Select, Update, bindparam, select, update

from state.stores.protocol import Done, Finished, Hold, Lease, OutboxRow, Posted, Received, Setback, Taken
from state.stores.sql.engine import InsertInto
from state.stores.sql.inbox import put_in
from state.stores.sql.leases import held, take
from state.stores.sql.queues import OUTBOX, Queues, alter, done, head, left, when
from state.stores.sql.sealed import opened
from state.stores.sql.tables import OPEN_OUTBOX, outbox, posts
from state.stores.sql.transaction import PersonKey, Transaction
from state.stores.sql.types import clock
from state.stores.vault import Erased, Vault

POSTED = select(posts).where(posts.c.card == bindparam("of"))
TAKEN = update(posts).where(posts.c.card == bindparam("of")).values(gone=True)


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
        told = {"reason": row.reason or "", "sent": 1 if row.sent is None else row.sent, "wanted_at": row.wanted_at}
        return OutboxRow(**said, lane=lane, kind=row.kind, **state, **told)

    async def finish(self, lease: Lease, *done: Done, hold: Hold | None = None) -> Finished:
        return await self._write(lambda transaction: _finish(transaction, lease, done, hold))

    async def fail_outgoing(self, lease: Lease, row: int, delay: float | None, unclear: bool = False) -> None:
        await self._fail(OUTBOX, lease, row, delay, "unclear" if unclear else "new", "")

    async def set_back(self, lease: Lease, row: int, setback: Setback) -> Received | None:
        values = {"status": setback.status, "reason": setback.reason or None} | when(setback.delay)
        counted = {"attempts": setback.attempts, "sent": setback.sent}
        values |= {name: value for name, value in counted.items() if value is not None}

        def write(transaction: Transaction) -> Received | None:
            received = put_in(transaction, setback.incoming, None) if setback.incoming else None
            now = held(transaction, lease)
            alter(transaction, OUTBOX, lease, row, values)
            put_out(transaction, list(setback.outgoing), now, None)
            return received

        return await self._write(write)

    async def begin_sending(self, lease: Lease, row: int, sent: int) -> None:
        def write(transaction: Transaction) -> None:
            held(transaction, lease)
            alter(transaction, OUTBOX, lease, row, {"sent": sent})

        await self._write(write)

    async def behind(self, lane: str, row: int) -> bool:
        return await self._first(_older(), {"in": self._vault.name(lane), "row": row}) is not None

    async def posted(self, card: str) -> Posted | None:
        row = await self._first(POSTED, {"of": card})
        return None if row is None else Posted(row.card, row.channel, row.ts, row.shown or "", gone=bool(row.gone))


def _finish(transaction: Transaction, lease: Lease, rows: tuple[Done, ...], hold: Hold | None) -> Finished:
    """The events first: a conversation's lease is locked before a lane's."""
    received = [put_in(transaction, one.incoming, hold) for one in rows if one.incoming]
    held(transaction, lease)
    for one in rows:
        done(transaction, OUTBOX, lease, one.row, one.status)
        if one.posted:
            _remember(transaction, one.posted)
    following = left(transaction, OUTBOX, lease) if hold else None
    return Finished(tuple(one for one in received if one), following)


def _remember(transaction: Transaction, posted: Posted) -> None:
    place = {"card": posted.card, "channel": posted.channel, "ts": posted.ts, "shown": posted.shown or None}
    transaction.run(_remembered(transaction.insert), place)
    if posted.over:
        transaction.run(TAKEN, {"of": posted.over})


@cache
def _remembered(insert: InsertInto) -> Executable:
    new = insert(posts)
    place = {"channel": new.excluded.channel, "ts": new.excluded.ts, "shown": new.excluded.shown}
    return new.on_conflict_do_update(index_elements=["card"], set_=place)


def sealed_rows(transaction: Transaction, outgoing: list[OutboxRow], now: datetime) -> list[dict[str, Any]]:
    """Rows as they will stand in the outbox: links cover what is shown by them before they are inserted."""
    return [_row(transaction.vault, one, transaction.key(one.person), now) for one in outgoing]


def put_out(
    transaction: Transaction,
    outgoing: list[OutboxRow],
    now: datetime,
    hold: Hold | None,
    sealed: list[dict[str, Any]] | None = None,
) -> tuple[tuple[OutboxRow, ...], dict[str, Taken]]:
    """Insert into the outbox, at one go; nothing happens for those whose key is known. Gives the new rows, and lanes taken for them."""
    rows = sealed if sealed is not None else sealed_rows(transaction, outgoing, now)
    if not rows:
        return (), {}
    for lane in dict.fromkeys(one.over for one in outgoing if one.over):
        transaction.run(_superseded(), {"in": transaction.name(lane)})
    ids = {row.key: row.id for row in transaction.run(_new(transaction.insert), rows)}
    put = [
        replace(o, id=ids[r["key"]], fresh=True, wanted_at=r["wanted_at"])
        for o, r in zip(outgoing, rows, strict=True)
        if r["key"] in ids
    ]
    lanes = sorted({one.lane for one in put if one.due_at is None}) if hold else ()
    return tuple(put), {lane: taken for lane in lanes if hold and (taken := _taken(transaction, lane, hold))}


def _taken(transaction: Transaction, lane: str, hold: Hold) -> Taken | None:
    lease = take(transaction, lane, hold.seconds) if hold.here(lane) else None
    return Taken(lease, head(transaction, OUTBOX, lane)) if lease else None


@cache
def _older() -> Select[Any]:
    mine = (outbox.c.lane == bindparam("in"), outbox.c.id < bindparam("row"), OPEN_OUTBOX)
    return select(outbox.c.id).where(*mine).limit(1)


@cache
def _superseded() -> Update:
    ended = update(outbox).where(outbox.c.lane == bindparam("in"), OPEN_OUTBOX)
    return ended.values(status="superseded", ended_at=clock())


@cache
def _new(insert: InsertInto) -> Executable:
    return insert(outbox).on_conflict_do_nothing(index_elements=["key"]).returning(outbox.c.id, outbox.c.key)


def _row(vault: Vault, outgoing: OutboxRow, owner: PersonKey, now: datetime) -> dict[str, Any]:
    index = vault.index(outgoing.key)
    body = {"key": outgoing.key, "person": outgoing.person, "body": outgoing.body}
    return {
        "key": index,
        "lane": vault.name(outgoing.lane),
        "kind": outgoing.kind,
        "pool": outgoing.lane.partition(":")[0],
        "due_at": outgoing.due_at or now,
        "wanted_at": outgoing.due_at or now,
        "draft": outgoing.of or None,
        "sealed_by": owner.id,
        "sealed": vault.seal(owner.key, f"outbox:{index}", body),
    }
