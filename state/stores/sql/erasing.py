"""Erasure: the person's key is destroyed, and with it everything that it sealed; what the law wants kept gets a key of its own first."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import Row, bindparam, case, delete, func, insert, or_, select, update

from state.stores.errors import OnHold
from state.stores.evidence.links import digest, moment, tombstone_facts
from state.stores.rights import NONE_KEPT, Erasure, KeptRecord, Tombstone, years_after
from state.stores.sql.custody import append, mark_again
from state.stores.sql.index import drop_index
from state.stores.sql.proof import held_people, held_records, told_account
from state.stores.sql.repository import Repository
from state.stores.sql.tables import (
    conversations,
    documents,
    drafts,
    events,
    holds,
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


class Erasing(Repository):
    """Destroys what is known of a person, in one transaction."""

    async def erase(self, person: str, keep: Mapping[str, int] = NONE_KEPT) -> Erasure | None:
        def write(transaction: Transaction) -> tuple[Erasure, list[str]] | None:
            owner = _owner(transaction, person)
            if owner is None:
                return None
            if transaction.run(held_people().where(holds.c.name == transaction.vault.index(person))).first():
                raise OnHold("A legal hold keeps everything of this person.")
            now: datetime = transaction.run(select(clock())).scalar_one()
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

        written = await self._write(write)
        if written is None:
            return None
        for name in written[1]:
            await self._cache.drop(name)
        await self._database.forget()
        return written[0]

    async def tombstones(self) -> list[Tombstone]:
        rows = await self._all(select(tombstones).order_by(tombstones.c.id))
        return [Tombstone(at=row.at, **row.told) for row in rows]


def _owner(transaction: Transaction, person: str) -> PersonKey | None:
    """The person's living key, locked: writers about this person have ended, and no other begins."""
    holder = transaction.vault.index(person)
    columns = (person_keys.c.id, person_keys.c.wrapped, person_keys.c.key_id)
    row = transaction.run(select(*columns).where(person_keys.c.person == holder).with_for_update()).first()
    return row and PersonKey(row.id, transaction.vault.unwrap(row.wrapped, holder, row.key_id))


def _keep(
    transaction: Transaction, owner: PersonKey, person: str, keep: Mapping[str, int], now: datetime
) -> list[KeptRecord]:
    """Seal each record that the law or a hold keeps anew, under a key of its own that has an end; what neither keeps goes with the rest."""
    full = func.length(records.c.sealed) > 0
    theirs = select(records, held_records().label("held")).where(records.c.sealed_by == owner.id, full)
    rows = transaction.run(theirs.order_by(records.c.form, records.c.id)).all()
    kept = [KeptRecord(r.number, r.form, _until(r, keep), r.state, bool(r.held)) for r in rows]
    stay = [(row, one) for row, one in zip(rows, kept, strict=True) if one.until > now or one.held]
    for row, one in stay:
        _seal_anew(transaction, owner, row, one.until, transaction.vault.index(person))
    return [one for _, one in stay]


def _until(row: Row[Any], keep: Mapping[str, int]) -> datetime:
    """Until when the law wants a record kept: from its filing where it does not."""
    at: datetime = row.filed_at
    return years_after(at, keep.get(f"{row.form}/{row.state}", keep.get(row.form, 0)))


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

    return Tombstone(now, by_form(drafts), by_form(records), count(events), count(tool_calls), _by_form(kept))


def _by_form(kept: Iterable[KeptRecord]) -> dict[str, int]:
    forms = [one.form for one in kept]
    return {form: forms.count(form) for form in dict.fromkeys(forms)}


def _told(tombstone: Tombstone) -> dict[str, Any]:
    return {name: value for name, value in vars(tombstone).items() if name != "at"}


def _link(transaction: Transaction, key: int, names: list[str], tombstone: Tombstone, kept: list[KeptRecord]) -> None:
    """The tombstone, and the link that says which bodies nobody can read any more."""
    told = _told(tombstone)
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
    """From here on nothing opens what the key sealed, and nothing says whose it was."""
    gone = {"person": None, "wrapped": None, "destroyed_at": clock()}
    transaction.run(update(person_keys).where(person_keys.c.id == key).values(gone))


def _lanes(transaction: Transaction, key: int) -> list[str]:
    """Conversations and lanes of the person's rows, as they are stored."""
    found = (
        select(table.c[column]).where(table.c.sealed_by == key).distinct()
        for table, column in ((drafts, "conversation"), (inbox, "conversation"), (outbox, "lane"))
    )
    return [lane for one in found for lane in transaction.run(one).scalars() if lane]


def _part(transaction: Transaction, key: int) -> list[str]:
    """Take conversations and lanes from the person's rows, end those that are open, destroy documents. Returns the drafts' ids."""
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
    """No list or search finds the person's records any more, but for those that are kept."""
    theirs = record_index.c.owner == transaction.vault.index(person)
    drop_index(transaction, theirs & record_index.c.number.not_in([one.number for one in kept]))


def _forget_places(transaction: Transaction, names: list[str], lanes: list[str]) -> None:
    """Where the person's cards stood, and lanes that nobody holds and no other person's rows are in.

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
