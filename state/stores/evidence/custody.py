"""The chains that are no draft's events: what was there before, what was erased, emptied, removed, kept."""

from datetime import datetime
from typing import Any

from sqlalchemy import RowMapping, bindparam, delete, insert, select

from state.stores.evidence.links import DRAFT, INSTALLATION, CustodyLink, counter, custody_link, digest, draft_facts
from state.stores.sql.tables import custody, drafts, series
from state.stores.sql.transaction import Transaction, count_up
from state.stores.sql.types import clock

NOW = select(clock().label("now"))
LINKED = insert(custody)
NEWEST = (
    select(custody.c.n, custody.c.hash).where(custody.c.chain == bindparam("of")).order_by(custody.c.n.desc()).limit(1)
)


def append(
    transaction: Transaction, kind: str, body: Any, chain: str = INSTALLATION, at: datetime | None = None
) -> int:
    """Append a link and return its number. Others who append to this chain wait until the transaction ends, so it comes last in one."""
    count_up(transaction, counter(chain))
    newest = transaction.run(NEWEST, {"of": chain}).first()
    n, previous = (newest.n + 1, newest.hash) if newest else (1, "")
    at = at or transaction.run(NOW).scalar_one()
    link = custody_link(transaction.vault.evidence, chain, n, kind, body, at, previous)
    transaction.run(LINKED, vars(link))
    return n


def stored_link(row: RowMapping) -> CustodyLink:
    """Return a link from its row."""
    names = ("chain", "n", "kind", "body", "at", "previous", "hash", "mac")
    return CustodyLink(**{name: row[name] for name in names})


def drop_chains(transaction: Transaction, chains: list[str]) -> None:
    """Remove whole chains: those of documents, with the drafts that they belong to."""
    transaction.run(delete(custody).where(custody.c.chain.in_(chains)))
    transaction.run(delete(series).where(series.c.prefix.in_(map(counter, chains))))


def mac_of_draft(transaction: Transaction, row: Any) -> str:
    """Return the MAC of a draft's row as it is there; its conversation is covered by its plain name."""
    return transaction.vault.evidence.mac(DRAFT, draft_facts(row, transaction.vault.plain(row["conversation"])))


def mark_again(transaction: Transaction, names: list[str]) -> None:
    """Make the MACs of drafts anew, whose rows were emptied or parted from their person."""
    rows = transaction.run(select(drafts).where(drafts.c.name.in_(names))).mappings().all()
    macs = [{"of": row["name"], "made": mac_of_draft(transaction, row)} for row in rows]
    if macs:
        transaction.run(drafts.update().where(drafts.c.name == bindparam("of")).values(mac=bindparam("made")), macs)


def kept_digest(row: RowMapping) -> str:
    """Return the digest of a body: of what is there, or the one that was left when it was emptied."""
    return digest(row["sealed"]) if row["sealed"] else row["digest"] or ""
