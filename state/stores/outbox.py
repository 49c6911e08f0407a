"""The outbox: work for the performer, lane by lane in order, and where the cards are that it posted."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from functools import cache

from sqlalchemy import Executable, bindparam, select, update

from state.stores.evidence.custody import NOW
from state.stores.queues import OUTBOX, alter, done, head, held, left, oldest, receive, take, when
from state.stores.rows import DeliveryFailure, Done, Finished, Hold, Lease, OutboxRow, Posted, Received, Taken
from state.stores.sql.engine import InsertInto
from state.stores.sql.tables import OPEN_OUTBOX, outbox, posts
from state.stores.sql.transaction import Transaction, Values
from state.stores.sql.types import clock

POSTED = select(posts).where(posts.c.card == bindparam("of"))
TAKEN = update(posts).where(posts.c.card == bindparam("of")).values(gone=True)
OLDER = (
    select(outbox.c.id).where(outbox.c.lane == bindparam("in"), outbox.c.id < bindparam("row"), OPEN_OUTBOX).limit(1)
)
SUPERSEDED = (
    update(outbox).where(outbox.c.lane == bindparam("in"), OPEN_OUTBOX).values(status="superseded", ended_at=clock())
)


def next_outgoing(transaction: Transaction, lane: str) -> OutboxRow | None:
    """Return the oldest open row of the lane, if it is due."""
    row = oldest(transaction, OUTBOX, lane)
    if row is None:
        return None
    said = transaction.opened(row, f"outbox:{row.key}") or {"key": "", "person": "", "body": {}}
    state = {"id": row.id, "attempts": row.attempts, "status": row.status, "due_at": row.due_at}
    told = {"reason": row.reason or "", "sent": 1 if row.sent is None else row.sent, "wanted_at": row.wanted_at}
    return OutboxRow(**said, lane=lane, kind=row.kind, of=row.draft or "", **state, **told)


def finish(transaction: Transaction, lease: Lease, *rows: Done, hold: Hold | None = None) -> Finished:
    """Mark outbox rows done; in the same transaction remember where cards are, and put events into the inbox.

    The events first: a conversation's lease is locked before a lane's. Raises LeaseLost when the lane has another holder by now,
    or a row is no open one of the lane. With `hold`, conversations of the events are taken where they are free, and the lane is left.
    """
    received = [receive(transaction, one.incoming, hold) for one in rows if one.incoming]
    put_out(transaction, [one.later for one in rows if one.later], held(transaction, lease))
    for one in rows:
        done(transaction, OUTBOX, lease, one.row, one.status)
        if card := one.posted:
            place = {"card": card.card, "channel": card.channel, "ts": card.ts, "shown": card.shown or None}
            transaction.put(posts, "card", place)
            if card.over:
                transaction.run(TAKEN, {"of": card.over})
    following = left(transaction, OUTBOX, lease) if hold else None
    return Finished(tuple(one for one in received if one), following)


def set_back(transaction: Transaction, lease: Lease, row: int, setback: DeliveryFailure) -> Received | None:
    """Give a row that could not be performed its new state, put out what follows, and return the event that was put in. Raises LeaseLost."""
    values = {"status": setback.status, "reason": setback.reason or None} | when(setback.delay)
    counted = {"attempts": setback.attempts, "sent": setback.sent}
    values |= {name: value for name, value in counted.items() if value is not None}
    received = receive(transaction, setback.incoming) if setback.incoming else None
    now = held(transaction, lease)
    alter(transaction, OUTBOX, lease, row, values)
    put_out(transaction, setback.outgoing, now)
    return received


def begin_sending(transaction: Transaction, lease: Lease, row: int, sent: int) -> None:
    """Note, before it is sent, that a row may have been sent so often. Raises LeaseLost."""
    held(transaction, lease)
    alter(transaction, OUTBOX, lease, row, {"sent": sent})


def reconcile(transaction: Transaction, *rows: OutboxRow) -> None:
    """Put out rows that put right what was sent too late, behind what is in their lanes: whoever sent it has no lease any more."""
    put_out(transaction, rows, transaction.run(NOW).scalar_one())


def behind(transaction: Transaction, lane: str, row: int) -> bool:
    """Return True if an outbox row that is older than this one is still open in the lane."""
    return transaction.run(OLDER, {"in": transaction.name(lane), "row": row}).first() is not None


def posted(transaction: Transaction, card: str) -> Posted | None:
    """Return where a card's message is in Slack; None where it is not known."""
    row = transaction.run(POSTED, {"of": card}).first()
    return Posted(row.card, row.channel, row.ts, row.shown or "", gone=bool(row.gone)) if row else None


def card_at(transaction: Transaction, channel: str, ts: str) -> str:
    """Return the card whose message this is in Slack; empty where it is none."""
    at = select(posts.c.card).where(posts.c.channel == channel, posts.c.ts == ts).limit(1)
    return str(transaction.run(at).scalar() or "")


def sealed_rows(transaction: Transaction, outgoing: Sequence[OutboxRow], now: datetime) -> list[Values]:
    """Return rows as they are inserted into the outbox: links cover what is shown by them before that."""
    rows = []
    for one in outgoing:
        index, body = transaction.vault.index(one.key), {"key": one.key, "person": one.person, "body": one.body}
        row = {
            "key": index,
            "lane": transaction.name(one.lane),
            "kind": one.kind,
            "pool": one.lane.partition(":")[0],
            "due_at": one.due_at or now,
            "wanted_at": one.due_at or now,
            "draft": one.of or None,
        }
        rows.append(row | transaction.sealed(one.person, f"outbox:{index}", body))
    return rows


def put_out(
    transaction: Transaction,
    outgoing: Sequence[OutboxRow],
    now: datetime,
    hold: Hold | None = None,
    sealed: list[Values] | None = None,
) -> tuple[tuple[OutboxRow, ...], dict[str, Taken]]:
    """Insert into the outbox, at one go; nothing happens for those whose key is known. Return the new rows, and lanes taken for them."""
    rows = sealed if sealed is not None else sealed_rows(transaction, outgoing, now)
    if not rows:
        return (), {}
    for lane in dict.fromkeys(one.over for one in outgoing if one.over):
        transaction.run(SUPERSEDED, {"in": transaction.name(lane)})
    ids = {row.key: row.id for row in transaction.run(_new(transaction.insert), rows)}
    put = [
        replace(o, id=ids[r["key"]], fresh=True, wanted_at=r["wanted_at"])
        for o, r in zip(outgoing, rows, strict=True)
        if r["key"] in ids
    ]
    taken: dict[str, Taken] = {}
    for lane in sorted({one.lane for one in put if one.due_at is None}) if hold else ():
        if hold and hold.here(lane) and (lease := take(transaction, lane, hold.seconds)):
            taken[lane] = Taken(lease, head(transaction, OUTBOX, lane))
    return tuple(put), taken


@cache
def _new(insert: InsertInto) -> Executable:
    return insert(outbox).on_conflict_do_nothing(index_elements=["key"]).returning(outbox.c.id, outbox.c.key)
