"""The evidence in SQL: checkpoints, the audit, and the first links, over what was there before there were any."""

from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, insert, select, update

from state.stores.evidence.audit import audit, written
from state.stores.evidence.checkpoints import NOTHING, Checkpoint, Head, Restored, parsed, sealed_by
from state.stores.evidence.custody import NOW, append
from state.stores.evidence.finding import as_stored, evidence, found_drafts
from state.stores.evidence.found import Report
from state.stores.evidence.links import INSTALLATION, digest_of, tombstone_facts
from state.stores.sql.tables import (
    CUSTODY_DUE,
    DRAFTS_DUE,
    checkpoints,
    custody,
    drafts,
    person_keys,
    series,
    tombstones,
)
from state.stores.sql.transaction import Transaction

AT_ONCE = 2_000
"""Heads of one checkpoint."""
ADOPTED_AT_ONCE = 200
"""Drafts of one link of adoption."""
DUE = ((drafts.c.name, DRAFTS_DUE), (custody.c.chain, CUSTODY_DUE))
DUE_DRAFTS = (
    select(drafts.c.name, drafts.c.last, drafts.c.head, drafts.c.signed)
    .where(DRAFTS_DUE).order_by(drafts.c.name).limit(AT_ONCE).with_for_update(skip_locked=True)
)  # fmt: skip
DUE_LINKS = (
    select(custody.c.chain, custody.c.n, custody.c.hash)
    .where(CUSTODY_DUE).order_by(custody.c.chain, custody.c.n).limit(AT_ONCE).with_for_update(skip_locked=True)
)  # fmt: skip
SIGNED = update(drafts).where(drafts.c.name == bindparam("of")).values(signed=bindparam("until"))
SIGNED_LINK = (
    update(custody).where(custody.c.chain == bindparam("of"), custody.c.n == bindparam("at_n")).values(due=None)
)
BEGUN = select(custody.c.n).where(custody.c.chain == INSTALLATION).limit(1)
HEADS = insert(checkpoints)
NEWEST = select(checkpoints).order_by(checkpoints.c.n.desc()).limit(1)


def anything_due(transaction: Transaction) -> bool:
    """Return True if a head changed since the newest checkpoint. Asked first, so that an idle bot writes nothing."""
    return any(transaction.run(select(column).where(due).limit(1)).first() for column, due in DUE)


def newest_checkpoint(transaction: Transaction) -> Checkpoint | None:
    """Return the newest checkpoint; None before the first."""
    row = transaction.run(NEWEST).first()
    return as_stored(row) if row else None


def found_faults(transaction: Transaction, draft: str = "") -> Report:
    """Check everything, or one draft: every link, row and body, also after erasures."""
    return audit(evidence(transaction, draft), transaction.vault.keyring, draft)


def exported(transaction: Transaction) -> str:
    """Return the evidence as a file that is verified with the public key alone; what an audit finds meanwhile is part of it."""
    return written(evidence(transaction), transaction.vault.evidence, transaction.vault.keyring)


def checkpoint(transaction: Transaction, restored: Restored | None, place: str) -> Checkpoint | None:
    """Sign the heads that changed since the newest checkpoint; None where none did.

    With `restored`, say that a backup was put back, and go on behind the newest checkpoint that is known of.
    """
    row = transaction.run(NEWEST).first()
    if row is None and transaction.run(BEGUN).first() is None and transaction.run(DUE_DRAFTS).first():
        append(transaction, "begun", {"tombstones": {}, "keys": []})
    heads, chains, links = _due(transaction)
    if not heads and restored is None:
        return None
    newest = parsed(row.text, row.hash, row.signature) if row else NOTHING
    at: datetime = transaction.run(NOW).scalar_one()
    n = restored.over + 1 if restored else newest.n + 1
    counts = newest.chains + chains, newest.links + links
    key = transaction.vault.evidence
    made = sealed_by(key, Checkpoint(n, at, newest.hash, heads, *counts, key.id, restored, place=place))
    transaction.run(HEADS, {name: getattr(made, name) for name in ("n", "text", "hash", "signature")})
    return made


def _due(transaction: Transaction) -> tuple[dict[str, Head], int, int]:
    """Return the heads that no checkpoint has signed yet, which count as signed from now on; how many chains and links that are more."""
    grown, linked = transaction.run(DUE_DRAFTS).all(), transaction.run(DUE_LINKS).all()
    if grown:
        transaction.run(SIGNED, [{"of": row.name, "until": row.last} for row in grown])
    if linked:
        transaction.run(SIGNED_LINK, [{"of": row.chain, "at_n": row.n} for row in linked])
    heads: dict[str, Head] = {row.name: (row.last, row.head) for row in grown}
    heads |= {row.chain: (row.n, row.hash) for row in linked}
    chains = sum(row.signed == 0 for row in grown) + sum(row.n == 1 for row in linked)
    return heads, chains, sum(row.last - row.signed for row in grown) + len(linked)


class Begun(Exception):
    """Another replica was faster."""


def not_begun(transaction: Transaction) -> bool:
    """Return True if there is anything here from before links had MACs, and no link covers it."""
    anything = transaction.run(select(drafts.c.id).limit(1)).first()
    return bool(anything) and not transaction.run(BEGUN).first() and not transaction.run(NEWEST).first()


def begin(transaction: Transaction) -> None:
    """Append links over all that was there before links had MACs: tombstones and destroyed keys, then drafts page by page. Raises Begun."""
    stones = {str(row.id): tombstone_facts(row.at, row.told) for row in transaction.run(select(tombstones))}
    gone = select(person_keys.c.id).where(person_keys.c.wrapped.is_(None), person_keys.c.person.is_(None))
    counted = {row.prefix: row.last for row in transaction.run(select(series))}
    body = {"tombstones": stones, "keys": sorted(transaction.run(gone).scalars()), "series": counted}
    if append(transaction, "begun", body) > 1:
        raise Begun
    page: dict[str, Any] = {}
    for found in found_drafts(transaction):
        if found.events and not found.events[0].link.mac:
            page[found.name] = {
                "last": found.last,
                "head": found.head,
                "row": found.row,
                "emptied": found.emptied,
                "calls": digest_of([call.digest for call in found.calls]),
                "records": {record.number: [record.version, *record.facts] for record in found.records},
                "emptied_records": [record.number for record in found.records if record.emptied],
                "documents": found.documents,
            }
        if len(page) == ADOPTED_AT_ONCE:
            append(transaction, "adopted", {"drafts": page})
            page = {}
    if page:
        append(transaction, "adopted", {"drafts": page})
