"""Erasure and retention.

An erasure destroys the person's key, and with it everything that it sealed; what the law wants kept gets a key of its own first.
Retention empties, and later removes, what is older than its form allows. The chain of an emptied or erased draft still verifies.
"""

from collections import Counter
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Row, Select, and_, bindparam, case, delete, func, insert, or_, select, update

from state.stores.errors import OnHold
from state.stores.evidence.custody import NOW, append, drop_chains, mark_again
from state.stores.evidence.links import digest, documents_of, moment, tombstone_facts
from state.stores.index import drop_index
from state.stores.proof import held_drafts, held_keys, held_records, on_hold, told_account
from state.stores.rights import NONE_KEPT, Erasure, KeptRecord, Terms, Tombstone, years_after
from state.stores.sql.tables import (
    conversations,
    documents,
    drafts,
    entries,
    events,
    inbox,
    leases,
    outbox,
    person_keys,
    posts,
    proposals,
    record_index,
    records,
    series,
    tombstones,
    tool_calls,
)
from state.stores.sql.transaction import PersonKey, Transaction
from state.stores.sql.types import clock

FREE = or_(leases.c.until.is_(None), leases.c.until < clock())
DIRECT = "D"
"""The first letter of the id of a channel in which only one person reads."""


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
    queued = ((drafts, "conversation"), (inbox, "conversation"), (outbox, "lane"))
    lanes = {
        lane
        for table, column in queued
        for lane in transaction.run(select(table.c[column]).where(table.c.sealed_by == owner.id).distinct()).scalars()
    }
    _destroy_key(transaction, owner.id)
    names = _part(transaction, owner.id)
    _forget_places(transaction, names)
    _forget_lanes(transaction, lanes - {""})
    theirs = record_index.c.owner == holder
    drop_index(transaction, theirs & record_index.c.number.not_in([one.number for one in kept]))
    # nobody can decide on what is kept, or close a breach in it
    transaction.run(update(record_index).where(theirs).values(post="", breaches=0))
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
    if body is None:
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
    transaction.run(update(person_keys).where(person_keys.c.id == key).values(DESTROYED))


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
    return list(transaction.run(parted).scalars())


def _forget_places(transaction: Transaction, names: list[str]) -> None:
    """Forget which conversations drafts were in, and where their cards are."""
    transaction.run(delete(conversations).where(conversations.c.draft.in_(names)))
    if names:
        transaction.run(delete(posts).where(posts.c.card.like(bindparam("of"))), [{"of": f"{n}-%"} for n in names])


def _forget_lanes(transaction: Transaction, lanes: set[str]) -> None:
    """Forget a person's direct channels, and free lanes without other people's rows; a holder that wakes up writes nothing."""
    plain = (transaction.vault.plain(lane).split(":") for lane in lanes)
    direct = {part for parts in plain for part in parts if part.startswith(DIRECT)}
    transaction.run(delete(posts).where(posts.c.channel.in_(direct)))
    shared = (leases.c.lane.in_(select(inbox.c.conversation)), leases.c.lane.in_(select(outbox.c.lane)))
    transaction.run(delete(leases).where(leases.c.lane.in_(lanes), FREE, ~or_(*shared)))


DESTROYED = {"person": None, "wrapped": None, "destroyed_at": clock(), "destroy_at": None}
AT_ONCE = 100
"""Drafts of one transaction, so that nobody waits long."""
NOTHING = b""
OF_DRAFTS = (tool_calls, documents, records, conversations, events)
"""Tables that name a draft, those that name others first."""


def claim_day(transaction: Transaction, what: str, day: int) -> bool:
    """Return True if this caller is the first to do something on a day (a proleptic ordinal) or any later one."""
    new = transaction.insert(series).values(prefix=f"day:{what}", last=day)
    later = new.on_conflict_do_update(index_elements=["prefix"], set_={"last": day}, where=series.c.last < day)
    return transaction.run(later.returning(series.c.last)).first() is not None


def expire_rest(transaction: Transaction, now: datetime, data: datetime, audit: datetime) -> int:
    """Destroy keys of kept records whose day has come, and return how many.

    Empties rows of inbox and outbox that ended before `data`, and removes tombstones from before `audit`, questions of no form
    that nobody answered in time, and free lanes that no row is in: they are taken anew when one comes.
    """
    held = select(records.c.sealed_by).where(held_records())
    over = (person_keys.c.destroy_at <= now, person_keys.c.id.not_in(held))
    keys = list(transaction.run(select(person_keys.c.id).where(*over)).scalars())
    transaction.run(update(person_keys).where(person_keys.c.id.in_(keys)).values(DESTROYED))
    numbers = _emptied(transaction, records.c.sealed_by.in_(keys), {"kept_for": None})
    _end_queues(transaction, data)
    transaction.run(delete(proposals).where(proposals.c.form == "", proposals.c.expires_at <= clock()))
    used = (select(inbox.c.conversation), select(outbox.c.lane), select(conversations.c.conversation))
    transaction.run(delete(leases).where(FREE, *(leases.c.lane.not_in(lanes) for lanes in used)))
    stones = delete(tombstones).where(tombstones.c.at < audit).returning(tombstones.c.id)
    forgotten = sorted(transaction.run(stones).scalars())
    if keys or forgotten:
        dates = {"at": moment(now), "before": moment(audit)}
        append(transaction, "expired", {"keys": keys, "numbers": numbers, "tombstones": forgotten, **dates})
    return len(keys)


def empty_drafts(transaction: Transaction, terms: Terms) -> list[str]:
    """Empty some drafts whose words have stayed long enough, and return their ids.

    What was filed may stay with its record, unless that has a key of its own. Bodies of drafts, events and tool calls go, their
    digests stay; nothing leads to them any more.
    """
    full, filed = func.length(drafts.c.sealed) > 0, _filed(records.c.kept_for.is_(None))
    old = (drafts.c.form == terms.form, drafts.c.updated_at < terms.data, full, ~held_drafts())
    some = select(drafts.c.name).where(*old, *([drafts.c.name.not_in(filed)] if terms.whole else []))
    names = list(transaction.run(some.limit(AT_ONCE).with_for_update()).scalars())
    if not names:
        return []
    void = _void(transaction)
    for table in (events, tool_calls):
        identity = [column.name for column in table.primary_key]
        rows = transaction.run(select(table).where(table.c.draft.in_(names), _full(table))).all()
        one = update(table).where(*(table.c[name] == bindparam(f"of_{name}") for name in identity))
        emptied = [
            {"kept": digest(row.sealed)} | {f"of_{name}": row._mapping[name] for name in identity} for row in rows
        ]
        if emptied:
            transaction.run(one.values(sealed=NOTHING, sealed_by=void, digest=bindparam("kept")), emptied)
    gone = {"sealed": NOTHING, "sealed_by": void, "conversation": ""}
    transaction.run(update(drafts).where(drafts.c.name.in_(names)).values(gone))
    _forget_places(transaction, names)
    mark_again(transaction, names)
    append(transaction, "emptied", {"drafts": _lasts(transaction, names), "before": moment(terms.data)})
    return names


def remove_drafts(transaction: Transaction, terms: Terms) -> list[str]:
    """Remove some emptied drafts of which nothing has to be audited any more: no record of theirs holds anything. Return their ids."""
    old = (drafts.c.form == terms.form, drafts.c.updated_at < terms.audit, func.length(drafts.c.sealed) == 0)
    some = select(drafts.c.name).where(*old, drafts.c.name.not_in(_filed()), ~held_drafts())
    names = list(transaction.run(some.limit(AT_ONCE).with_for_update()).scalars())
    if not names:
        return []
    numbers = transaction.run(select(records.c.number).where(records.c.draft.in_(names))).scalars()
    body = {"drafts": _lasts(transaction, names), "numbers": sorted(numbers), "before": moment(terms.audit)}
    drop_index(transaction, record_index.c.draft.in_(names))
    for table in OF_DRAFTS:
        transaction.run(delete(table).where(table.c.draft.in_(names)))
    transaction.run(delete(drafts).where(drafts.c.name.in_(names)))
    drop_chains(transaction, [documents_of(name) for name in names])
    append(transaction, "removed", body)
    return names


def _filed(*which: ColumnElement[bool]) -> Select[Any]:
    """Select drafts whose record holds anything."""
    return select(records.c.draft).where(_full(records), *which)


def _lasts(transaction: Transaction, names: list[str]) -> dict[str, int]:
    """Return how many events each draft has."""
    found = transaction.run(select(drafts.c.name, drafts.c.last).where(drafts.c.name.in_(names)))
    return {row.name: row.last for row in found}


def empty_records(transaction: Transaction, terms: Terms) -> int:
    """Empty records whose time is over, and rows that operations wrote, and return how many. Kept records have a key that goes by itself."""
    classes = [(records.c.state == state, before) for state, before in terms.states.items()]
    before = case(*classes, else_=terms.records) if classes else terms.records
    due = and_(records.c.form == terms.form, records.c.filed_at < before, _full(records), ~held_records())
    told = [*transaction.run(select(records.c.number, records.c.state).where(due, records.c.kept_for.is_(None)))]
    _emptied(transaction, records.c.number.in_([row.number for row in told]), {"sealed_by": _void(transaction)})
    old = (entries.c.form == terms.form, entries.c.changed_at < terms.records, entries.c.sealed_by.not_in(held_keys()))
    rows = transaction.run(delete(entries).where(*old))
    ended = or_(proposals.c.status != "open", proposals.c.expires_at <= clock())
    transaction.run(delete(proposals).where(proposals.c.form == terms.form, proposals.c.made_at < terms.data, ended))
    classed: dict[datetime, list[str]] = {}
    for number, state in sorted(told):
        classed.setdefault(terms.states.get(state, terms.records), []).append(number)
    for class_, numbers in classed.items():  # a link for each says what it rests on
        append(transaction, "emptied", {"numbers": numbers, "before": moment(class_)})
    return len(told) + rows.rowcount


def _emptied(transaction: Transaction, which: ColumnElement[bool], also: dict[str, Any]) -> list[str]:
    """Drop the bodies of records, and keep their digests; their numbers."""
    rows = transaction.run(select(records.c.number, records.c.sealed).where(which, _full(records))).all()
    one = update(records).where(records.c.number == bindparam("of"))
    if rows:
        emptying = select(records.c.number).where(which, _full(records))
        drop_index(transaction, record_index.c.number.in_(emptying))
        emptied = [{"of": row.number, "kept": digest(row.sealed)} for row in rows]
        transaction.run(one.values(sealed=NOTHING, digest=bindparam("kept"), **also), emptied)
    return sorted(row.number for row in rows)


def _end_queues(transaction: Transaction, data: datetime) -> None:
    """Empty rows that were done or expired. Their keys stay, so that a repetition is still recognised."""
    void = _void(transaction)
    for table, lane in ((inbox, "conversation"), (outbox, "lane")):
        given_up = case((table.c.status.in_(("blocked", "dead")), "expired"), else_=table.c.status)
        over = and_(table.c.ended_at < data, _full(table), table.c.sealed_by.not_in(held_keys()))
        over = and_(over, _shows_no_record()) if table is outbox else over
        transaction.run(
            update(table).where(over).values({"sealed": NOTHING, "sealed_by": void, lane: "", "status": given_up})
        )
    held = and_(outbox.c.status == "blocked", outbox.c.ended_at.is_(None), outbox.c.wanted_at < data)
    gone = {"sealed": NOTHING, "sealed_by": void, "lane": "", "status": "expired", "ended_at": clock()}
    transaction.run(update(outbox).where(held).values(gone))


def _shows_no_record() -> ColumnElement[bool]:
    """Tell rows that may go: what was shown of a request that was filed stays for as long as its record does."""
    kept = _filed(records.c.kept_for.is_(None))
    held = select(records.c.draft).where(held_records())
    return or_(outbox.c.draft.is_(None), and_(outbox.c.draft.not_in(kept), outbox.c.draft.not_in(held)))


def _full(table: Any) -> ColumnElement[bool]:
    return ~(func.length(table.c.sealed) == 0)


def _void(transaction: Transaction) -> int:
    """Return the row of a key that never was: what hangs on it reads as erased."""
    name = transaction.vault.index("nobody")
    new = {"person": name, "key_id": transaction.vault.key_id, "destroyed_at": clock()}
    transaction.run(transaction.insert(person_keys).values(new).on_conflict_do_nothing(index_elements=["person"]))
    return int(transaction.run(select(person_keys.c.id).where(person_keys.c.person == name)).scalar_one())
