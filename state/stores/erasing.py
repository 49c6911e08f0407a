"""Erasure: the person's key is destroyed, and with it everything that it sealed; what the law wants kept gets a key of its own first."""

from collections import Counter
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import Row, bindparam, case, delete, func, insert, or_, select, update

from state.stores.errors import OnHold
from state.stores.evidence.custody import NOW, append, mark_again
from state.stores.evidence.links import digest, moment, tombstone_facts
from state.stores.index import drop_index
from state.stores.proof import held_records, on_hold, told_account
from state.stores.rights import NONE_KEPT, Erasure, KeptRecord, Tombstone, years_after
from state.stores.sql.tables import (
    conversations,
    documents,
    drafts,
    events,
    inbox,
    leases,
    outbox,
    person_keys,
    posts,
    proposals,
    record_index,
    records,
    tombstones,
    tool_calls,
)
from state.stores.sql.transaction import PersonKey, Transaction
from state.stores.sql.types import clock
from state.stores.vault import Erased

DIRECT = "D"
"""How the id of a channel begins in which only one person reads."""


def erase(
    transaction: Transaction, person: str, keep: Mapping[str, int] = NONE_KEPT
) -> tuple[Erasure, list[str]] | None:
    """Destroy what is known of a person for ever, and return the erasure with the ids of their drafts; None where nothing is known.

    Bodies of drafts, events, tool calls and records read as erased from now on, with their chain still verifying; open
    rows of inbox and outbox come to an end; the person's lists are empty. A person who comes back is a new one.

    `keep` gives the years for which records of a form ("form"), or of it in a state ("form/state"), must stay: those are sealed
    anew with their events and what was shown of them, under a key of their own, with a day on which that key is destroyed,
    before the person's key goes. They are still found as the person's. So are records on hold, whose key stays until that is
    lifted. Raises OnHold where the person is held: nothing goes.
    """
    holder = transaction.vault.index(person)
    columns = (person_keys.c.id, person_keys.c.wrapped, person_keys.c.key_id)
    locked = select(*columns).where(person_keys.c.person == holder).with_for_update()
    row = transaction.run(locked).first()  # writers about this person have ended, and no other begins
    if row is None:
        return None
    owner = PersonKey(row.id, transaction.vault.unwrap(row.wrapped, holder, row.key_id))
    if on_hold(transaction, person):
        raise OnHold("A legal hold keeps everything of this person.")
    now: datetime = transaction.run(NOW).scalar_one()
    kept = _keep(transaction, owner, person, keep, now)
    tombstone = _count(transaction, owner.id, kept, now)
    lanes = _lanes(transaction, owner.id)
    _destroy_key(transaction, owner.id)
    names = _part(transaction, owner.id)
    _forget_places(transaction, names, lanes)
    _unlist(transaction, person, kept)
    mark_again(transaction, names)
    _link(transaction, owner.id, names, tombstone, kept)
    return Erasure(tombstone, tuple(kept)), names


def all_tombstones(transaction: Transaction) -> list[Tombstone]:
    """Return what remains of all erasures, oldest first."""
    return [Tombstone(at=row.at, **row.told) for row in transaction.run(select(tombstones).order_by(tombstones.c.id))]


def _keep(
    transaction: Transaction, owner: PersonKey, person: str, keep: Mapping[str, int], now: datetime
) -> list[KeptRecord]:
    """Seal each record that the law or a hold keeps anew, under a key of its own that has an end; what neither keeps goes with the rest."""
    full = func.length(records.c.sealed) > 0
    theirs = select(records, held_records().label("held")).where(records.c.sealed_by == owner.id, full)
    rows = transaction.run(theirs.order_by(records.c.form, records.c.id)).all()
    kept = []
    for row in rows:
        years = keep.get(f"{row.form}/{row.state}", keep.get(row.form, 0))
        one = KeptRecord(row.number, row.form, years_after(row.filed_at, years), row.state, bool(row.held))
        if one.until > now or one.held:
            _seal_anew(transaction, owner, row, one.until, transaction.vault.index(person))
            kept.append(one)
    return kept


def _seal_anew(transaction: Transaction, owner: PersonKey, row: Row[Any], until: datetime, holder: str) -> None:
    vault, identity = transaction.vault, f"records:{row.number}"
    body = vault.open(owner.key, identity, row.sealed)
    if isinstance(body, Erased):
        return
    key, name = vault.make_key(), vault.index(f"record:{row.number}")
    new = insert(person_keys).values(person=name, key_id=vault.key_id, wrapped=vault.wrap(key, name), destroy_at=until)
    own = transaction.run(new.returning(person_keys.c.id)).scalar_one()
    whole = {**body, "account": told_account(transaction, row.draft)}
    changed = {"sealed_by": own, "sealed": vault.seal(key, identity, whole), "kept_for": holder}
    transaction.run(update(records).where(records.c.id == row.id).values(changed))


def _count(transaction: Transaction, key: int, kept: list[KeptRecord], now: datetime) -> Tombstone:
    def by_form(table: Any) -> dict[str, int]:
        counted = select(table.c.form, func.count().label("n")).where(table.c.sealed_by == key).group_by(table.c.form)
        return {row.form: row.n for row in transaction.run(counted)}

    def count(table: Any) -> int:
        counted = select(func.count()).select_from(table).where(table.c.sealed_by == key)
        return int(transaction.run(counted).scalar_one())

    return Tombstone(
        now, by_form(drafts), by_form(records), count(events), count(tool_calls), dict(Counter(k.form for k in kept))
    )


def _link(transaction: Transaction, key: int, names: list[str], tombstone: Tombstone, kept: list[KeptRecord]) -> None:
    """Write the tombstone, and the link that says which bodies nobody can read any more."""
    told = {name: value for name, value in vars(tombstone).items() if name != "at"}
    stone = insert(tombstones).values(at=tombstone.at, told=told).returning(tombstones.c.id)
    number = transaction.run(stone).scalar_one()
    sealed = transaction.run(select(records).where(records.c.number.in_([one.number for one in kept]))).all()
    days = {one.number: moment(one.until) for one in kept}
    again = {row.number: [digest(row.sealed), row.sealed_by, days[row.number]] for row in sealed}
    body = {
        "key": key,
        "drafts": sorted(names),
        "kept": again,
        "tombstone": [number, tombstone_facts(tombstone.at, told)],
    }
    append(transaction, "erased", body, at=tombstone.at)


def _destroy_key(transaction: Transaction, key: int) -> None:
    """Destroy the key: from here on nothing opens what it sealed, and nothing says whose it was."""
    gone = {"person": None, "wrapped": None, "destroyed_at": clock()}
    transaction.run(update(person_keys).where(person_keys.c.id == key).values(gone))


def _lanes(transaction: Transaction, key: int) -> list[str]:
    """Return conversations and lanes of the person's rows, as they are stored."""
    found = (
        select(table.c[column]).where(table.c.sealed_by == key).distinct()
        for table, column in ((drafts, "conversation"), (inbox, "conversation"), (outbox, "lane"))
    )
    return [lane for one in found for lane in transaction.run(one).scalars() if lane]


def _part(transaction: Transaction, key: int) -> list[str]:
    """Take conversations and lanes from the person's rows, end those that are open, destroy documents. Return the drafts' ids."""
    transaction.run(delete(documents).where(documents.c.sealed_by == key))
    for table, lane in ((inbox, "conversation"), (outbox, "lane")):
        status = case((table.c.status.in_(("done", "superseded", "expired")), table.c.status), else_="erased")
        ended = {lane: "", "status": status, "ended_at": func.coalesce(table.c.ended_at, clock())}
        transaction.run(update(table).where(table.c.sealed_by == key).values(ended))
    shut = update(proposals).where(proposals.c.sealed_by == key, proposals.c.status == "open")
    transaction.run(shut.values(status="erased", ended_at=clock()))
    parted = update(drafts).where(drafts.c.sealed_by == key).values(conversation="").returning(drafts.c.name)
    names = list(transaction.run(parted).scalars())
    theirs = select(drafts.c.name).where(drafts.c.sealed_by == key)
    transaction.run(delete(conversations).where(conversations.c.draft.in_(theirs)))
    return names


def _unlist(transaction: Transaction, person: str, kept: list[KeptRecord]) -> None:
    """Drop the person's records from all lists and searches, but for those that are kept."""
    theirs = record_index.c.owner == transaction.vault.index(person)
    drop_index(transaction, theirs & record_index.c.number.not_in([one.number for one in kept]))


def _forget_places(transaction: Transaction, names: list[str], lanes: list[str]) -> None:
    """Forget where the person's cards are, and lanes that nobody holds and no other person's rows are in.

    A holder of such a lane that was stopped before, and wakes up, still writes nothing: its rows and its drafts are ended.
    """
    plain = (transaction.vault.plain(lane).split(":") for lane in lanes)
    direct = {part for parts in plain for part in parts if part.startswith(DIRECT)}
    transaction.run(delete(posts).where(posts.c.channel.in_(direct)))
    if names:
        transaction.run(delete(posts).where(posts.c.card.like(bindparam("of"))), [{"of": f"{n}-%"} for n in names])
    free = or_(leases.c.until.is_(None), leases.c.until < clock())
    shared = (leases.c.lane.in_(select(inbox.c.conversation)), leases.c.lane.in_(select(outbox.c.lane)))
    transaction.run(delete(leases).where(leases.c.lane.in_(lanes), free, ~or_(*shared)))
