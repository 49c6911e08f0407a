"""The evidence in SQL: checkpoints, the audit, and the first links, over what was there before there were any."""

from contextlib import suppress
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, bindparam, insert, select, update

from state.stores.errors import StoreError, Unavailable
from state.stores.evidence.audit import audit
from state.stores.evidence.checkpoints import NOTHING, Checkpoint, Head, Restored, parsed, sealed_by
from state.stores.evidence.export import written
from state.stores.evidence.found import FoundDraft, Report
from state.stores.evidence.links import INSTALLATION, digest_of, tombstone_facts
from state.stores.evidence.protocol import MOST
from state.stores.sql.custody import NOW, append
from state.stores.sql.finding import as_stored, evidence, found_drafts, stored_checkpoints
from state.stores.sql.former_keys import former_keys
from state.stores.sql.repository import Repository
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
NEWEST = select(checkpoints).order_by(checkpoints.c.n.desc()).limit(1)


class EvidenceStore(Repository):
    """Signs heads, audits, and keys what came before."""

    @property
    def public_keys(self) -> dict[str, str]:
        return self._vault.keyring.public

    @property
    def place(self) -> str:
        return self._database.place

    async def checkpoint(self, restored: Restored | None = None) -> Checkpoint | None:
        if restored is None and not await self._database.read(_anything_due):
            return None
        try:
            return await self._write(lambda transaction: _checkpoint(transaction, restored, self.place))
        except Unavailable:
            raise
        except StoreError:  # another replica has written this number: what is due, it signs, or the next one does
            return None

    async def checkpoints(self, after: int = 0, limit: int = MOST) -> list[Checkpoint]:
        return await self._database.read(lambda connection: stored_checkpoints(connection, after, limit))

    async def newest_checkpoint(self) -> Checkpoint | None:
        row = await self._first(NEWEST)
        return as_stored(row) if row else None

    async def audit(self, draft: str = "") -> Report:
        def work(connection: Connection) -> Report:
            return audit(evidence(connection, self._vault, draft), self._vault.keyring, draft)

        return await self._database.snapshot(work)

    async def exported(self) -> str:
        def work(connection: Connection) -> str:
            return written(evidence(connection, self._vault), self._vault.evidence, self._vault.keyring)

        return await self._database.snapshot(work)

    async def begin_evidence(self) -> None:
        """Where links have MACs for the first time: what was there before is covered by links of its own."""
        self._vault.former = await self._database.read(lambda connection: former_keys(connection, self._vault))
        anything = await self._first(select(drafts.c.id).limit(1))
        if anything and await self._first(BEGUN) is None and await self._first(NEWEST) is None:
            with suppress(_Begun):
                await self._write(_begin)


def _anything_due(connection: Connection) -> bool:
    """Asked first, so that an idle bot writes nothing."""
    return any(connection.execute(select(table).where(due).limit(1)).first() for table, due in DUE)


class _Begun(Exception):
    """Another replica was faster."""


def _checkpoint(transaction: Transaction, restored: Restored | None, place: str) -> Checkpoint | None:
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
    transaction.run(insert(checkpoints), {name: getattr(made, name) for name in ("n", "text", "hash", "signature")})
    return made


def _due(transaction: Transaction) -> tuple[dict[str, Head], int, int]:
    """The heads that no checkpoint has signed yet, which count as signed from now on; how many chains and links that are more."""
    grown, linked = transaction.run(DUE_DRAFTS).all(), transaction.run(DUE_LINKS).all()
    if grown:
        transaction.run(SIGNED, [{"of": row.name, "until": row.last} for row in grown])
    if linked:
        transaction.run(SIGNED_LINK, [{"of": row.chain, "at_n": row.n} for row in linked])
    heads: dict[str, Head] = {row.name: (row.last, row.head) for row in grown}
    heads |= {row.chain: (row.n, row.hash) for row in linked}
    chains = sum(row.signed == 0 for row in grown) + sum(row.n == 1 for row in linked)
    return heads, chains, sum(row.last - row.signed for row in grown) + len(linked)


def _begin(transaction: Transaction) -> None:
    """Links over everything from before links had MACs: drafts page by page, then tombstones and keys that are destroyed."""
    connection, vault = transaction.connection, transaction.vault
    stones = {str(row.id): tombstone_facts(row.at, row.told) for row in transaction.run(select(tombstones))}
    gone = select(person_keys.c.id).where(person_keys.c.wrapped.is_(None), person_keys.c.person.is_(None))
    counted = {row.prefix: row.last for row in transaction.run(select(series))}
    body = {"tombstones": stones, "keys": sorted(transaction.run(gone).scalars()), "series": counted}
    if append(transaction, "begun", body) > 1:
        raise _Begun
    page: dict[str, Any] = {}
    for found in found_drafts(connection, vault):
        if found.events and not found.events[0].link.mac:
            page[found.name] = _as_found(found)
        if len(page) == ADOPTED_AT_ONCE:
            append(transaction, "adopted", {"drafts": page})
            page = {}
    if page:
        append(transaction, "adopted", {"drafts": page})


def _as_found(found: FoundDraft) -> dict[str, Any]:
    return {
        "last": found.last,
        "head": found.head,
        "row": found.row,
        "emptied": found.emptied,
        "calls": digest_of([call.digest for call in found.calls]),
        "records": {record.number: [record.version, *record.facts] for record in found.records},
        "emptied_records": [record.number for record in found.records if record.emptied],
        "documents": found.documents,
    }
