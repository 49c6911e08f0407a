"""What somebody does who knows how links are made, may write everything, and has no key."""

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from state.stores.evidence.checkpoints import parsed, sealed_by
from state.stores.evidence.keys import EvidenceKey
from state.stores.evidence.links import CustodyLink, custody_hash, digest, link_hash
from state.stores.rows import Link
from tests.evidence.history import DATABASE

Row = dict[str, Any]


def rows_of(database: sqlite3.Connection, table: str, draft: str) -> list[Row]:
    """A draft's rows in their order."""
    database.row_factory = sqlite3.Row
    found = database.execute(f"SELECT * FROM {table} WHERE draft = ? ORDER BY n", (draft,))
    return [dict(row) for row in found]


def _link(row: Row) -> Link:
    at = datetime.fromisoformat(row["at"]).replace(tzinfo=UTC)
    plain = {
        name: row[name] for name in ("draft", "n", "kind", "revision", "form_version", "rules_version", "previous")
    }
    body = digest(row["sealed"]) if row["sealed"] else row["digest"]
    return Link(**plain, at=at, digest=body, beside=row["beside"], mac=row["mac"] or "")


def _rechain(database: sqlite3.Connection, draft: str, edit: Callable[[Row], Row]) -> None:
    head = ""
    for row in rows_of(database, "events", draft):
        changed = edit(row) | {"previous": head}
        head = link_hash(_link(changed))
        values = (changed["kind"], changed["mac"], changed["beside"], changed["previous"], head, draft, row["n"])
        database.execute("UPDATE events SET kind=?, mac=?, beside=?, previous=?, hash=? WHERE draft=? AND n=?", values)
    database.execute("UPDATE drafts SET head=? WHERE name=?", (head, draft))


def forged_chain(draft: str, **change: Any) -> Callable[[Path], None]:
    """The second event is edited, and every hash from there on recomputed."""

    def change_file(var: Path) -> None:
        with closing(sqlite3.connect(var / DATABASE)) as database, database:
            _rechain(database, draft, lambda row: row | change if row["n"] == 2 else row)

    return change_file


def without_macs(draft: str) -> Callable[[Path], None]:
    """Every MAC of a draft is taken away, and its hashes are those of the time before there were any."""

    def change_file(var: Path) -> None:
        with closing(sqlite3.connect(var / DATABASE)) as database, database:
            _rechain(database, draft, lambda row: row | {"mac": None})

    return change_file


def forged_custody(var: Path) -> None:
    """An erasure of somebody who is not erased is appended, with a MAC of another link."""
    with closing(sqlite3.connect(var / DATABASE)) as database, database:
        database.row_factory = sqlite3.Row
        row = dict(database.execute("SELECT * FROM custody WHERE chain='installation' ORDER BY n DESC").fetchone())
        told = {"key": 1, "drafts": ["d1"], "kept": {}, "tombstone": [1, "00"]}
        at = datetime.fromisoformat(row["at"]).replace(tzinfo=UTC)
        link = CustodyLink("installation", row["n"] + 1, "erased", json.dumps(told), at, row["hash"])
        values = (link.chain, link.n, link.kind, link.body, row["at"], link.previous, custody_hash(link), row["mac"])
        names = "chain, n, kind, body, at, previous, hash, mac"
        database.execute(f"INSERT INTO custody ({names}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)", values)


def forged_checkpoints(var: Path) -> None:
    """Every checkpoint is signed anew under another key, each following the one before."""
    key, previous = EvidenceKey("0123456789abcdef", bytes(32)), ""
    with closing(sqlite3.connect(var / DATABASE)) as database, database:
        for n, *stored in database.execute("SELECT n, text, hash, signature FROM checkpoints ORDER BY n").fetchall():
            made = sealed_by(key, replace(parsed(*stored), key=key.id, previous=previous))
            previous = made.hash
            values = (made.text, made.hash, made.signature, n)
            database.execute("UPDATE checkpoints SET text=?, hash=?, signature=? WHERE n=?", values)
