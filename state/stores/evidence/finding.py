"""Reads the evidence as it is found in the database, in one snapshot, a page of drafts at a time."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import groupby
from typing import Any

from sqlalchemy import RowMapping, Table, func, not_, select
from sqlalchemy.exc import StatementError

from state.stores.drafts import link_of
from state.stores.errors import Tampered, WrongKey
from state.stores.evidence.checkpoints import NOTHING, Checkpoint, parsed
from state.stores.evidence.custody import kept_digest, stored_link
from state.stores.evidence.found import Evidence, FoundCall, FoundDraft, FoundEvent, FoundRecord, Reads
from state.stores.evidence.links import (
    call_digest,
    digest,
    document_facts,
    draft_facts,
    moment,
    record_facts,
    tombstone_facts,
    version_facts,
)
from state.stores.ledger import series_of_entries
from state.stores.sql.tables import (
    checkpoints,
    custody,
    documents,
    drafts,
    entries,
    events,
    list_versions,
    outbox,
    person_keys,
    records,
    series,
    tombstones,
    tool_calls,
)
from state.stores.sql.transaction import Transaction
from state.stores.sql.types import clock
from state.stores.vault import LINKED, Vault

PAGE = 200
MOST = 1_000_000
"""Checkpoints that are read at once."""
ROWS: Mapping[Table, tuple[Any, ...]] = {
    events: (events.c.draft, events.c.n),
    tool_calls: (tool_calls.c.draft, tool_calls.c.n, tool_calls.c.place),
    records: (records.c.draft, records.c.number),
    documents: (documents.c.draft, documents.c.name),
}
"""Tables with rows of a draft, and their order."""
ABOUT = tuple(column for column in documents.c if column.name != "content")
KEY = (
    person_keys.c.id.label("key_row"), person_keys.c.person.label("holder"), person_keys.c.key_id, person_keys.c.wrapped,
    person_keys.c.destroy_at,
)  # fmt: skip
Rows = dict[str, list[RowMapping]]
UNREADABLE = (ValueError, TypeError, AttributeError, KeyError, StatementError)
"""Errors of reading where SQLite holds a value of another kind than was written."""


def evidence(transaction: Transaction, draft: str = "") -> Evidence:
    """Return all evidence, or what concerns one draft. `drafts` is read while it is walked: within this connection's snapshot."""
    unreadable, run = list[str](), transaction.run

    def read(table: Table, work: Callable[[], Any], nothing: Any) -> Any:
        try:
            return work()
        except UNREADABLE:
            unreadable.append(table.name)
            return nothing

    links = select(custody).order_by(custody.c.chain, custody.c.n)
    stones = select(tombstones.c.id, tombstones.c.at, tombstones.c.told)
    versions, counters = select(list_versions), select(series.c.prefix, series.c.last)
    highest = select(entries.c.tenant, entries.c.form, func.max(entries.c.number))
    highest = highest.group_by(entries.c.tenant, entries.c.form)
    found = Evidence(
        at=run(select(clock())).scalar_one(),
        public=transaction.vault.keyring.public,
        checkpoints=read(checkpoints, lambda: stored_checkpoints(transaction), []),
        custody=read(custody, lambda: [stored_link(row) for row in run(links).mappings()], []),
        drafts=found_drafts(transaction, draft),
        tombstones=read(tombstones, lambda: {id_: tombstone_facts(at, told) for id_, at, told in run(stones)}, {}),
        destroyed=read(person_keys, lambda: _destroyed(transaction), frozenset()),
        unreadable=unreadable,
    )
    if draft:
        return found
    return replace(
        found,
        strays=_strays(transaction),
        versions=read(list_versions, lambda: [version_facts(row) for row in run(versions).mappings()], []),
        counters=read(series, lambda: {name: int(last) for name, last in run(counters)}, None),
        entries=read(entries, lambda: {series_of_entries(of, form): int(n) for of, form, n in run(highest)}, {}),
    )


def found_drafts(transaction: Transaction, only: str = "") -> Iterator[FoundDraft]:
    """Yield every draft with all that is of it, by name. One that cannot be read does not keep others of its page from being read."""
    page = select(drafts.c.name).order_by(drafts.c.name).limit(PAGE)
    names = [only] if only else list(transaction.run(page).scalars())
    while names:
        try:
            yield from _found(transaction, names)
        except UNREADABLE:
            for name in names:
                yield _alone(transaction, name)
        names = [] if only else list(transaction.run(page.where(drafts.c.name > names[-1])).scalars())


def _alone(transaction: Transaction, name: str) -> FoundDraft:
    try:
        return _found(transaction, [name])[0]
    except UNREADABLE:
        return FoundDraft(name, 0, 0, "", "", "", emptied=False, key=0, reads="unreadable")


def _found(transaction: Transaction, names: list[str]) -> list[FoundDraft]:
    """Return some drafts. Contents of documents are read one at a time: they may be large."""
    mine = select(drafts, *KEY).outerjoin(person_keys, drafts.c.sealed_by == person_keys.c.id)
    page = transaction.run(mine.where(drafts.c.name.in_(names)).order_by(drafts.c.name)).mappings().all()
    rows = {table.name: _rows(transaction, table, names) for table in ROWS}
    files = {}
    for one in (one for of in rows[documents.name].values() for one in of):
        content = transaction.run(select(documents.c.content).where(documents.c.id == one["id"])).scalar_one()
        files[one["name"]] = document_facts(one, bytes(content))
    shown = _shown(transaction, [name for name in names if rows[records.name].get(name)])
    found = []
    for row in page:
        theirs = {table: of.get(row["name"], []) for table, of in rows.items()}
        found.append(_draft(transaction.vault, row, theirs, files, shown.get(row["name"], [])))
    return found


def _shown(transaction: Transaction, names: list[str]) -> dict[str, list[str]]:
    """Return what was shown of requests that were filed: of others it goes before its draft does, and nothing is looked for."""
    full = (outbox.c.draft.in_(names), func.length(outbox.c.sealed) > 0)
    found: dict[str, list[str]] = {}
    for row in transaction.run(select(outbox.c.draft, outbox.c.sealed).where(*full)) if names else ():
        found.setdefault(row.draft, []).append(digest(row.sealed))
    return found


def _rows(transaction: Transaction, table: Table, names: list[str]) -> Rows:
    columns = ABOUT if table is documents else tuple(table.c)
    theirs = select(*columns).where(table.c.draft.in_(names)).order_by(*ROWS[table])
    if table is records:
        theirs = theirs.add_columns(*KEY).outerjoin(person_keys, records.c.sealed_by == person_keys.c.id)
    rows = transaction.run(theirs).mappings().all()
    return {draft: list(of) for draft, of in groupby(rows, lambda row: str(row["draft"]))}


def _draft(vault: Vault, row: RowMapping, rows: Rows, files: Mapping[str, list[Any]], shown: list[str]) -> FoundDraft:
    reads = _reads(vault, row, f"drafts:{row['name']}:{row['revision']}")
    return FoundDraft(
        row["name"], row["revision"], row["last"], row["head"], row_digest(vault, row), row["mac"] or "",
        not row["sealed"], row["sealed_by"], reads,
        [_event(vault, one, row) for one in rows[events.name]],
        [
            FoundCall(c["n"], c["place"], call_digest(c, kept_digest(c)), not c["sealed"], c["sealed_by"])
            for c in rows[tool_calls.name]
        ],
        [_record(vault, one) for one in rows[records.name]],
        {one["name"]: files[one["name"]] for one in rows[documents.name]},
        shown,
    )  # fmt: skip


def row_digest(vault: Vault, row: RowMapping) -> str:
    """Return the digest of a draft's row; nothing where its conversation's name was changed."""
    try:
        return draft_facts(row, vault.plain(row["conversation"]))
    except Tampered:
        return ""


def _event(vault: Vault, row: RowMapping, draft: RowMapping) -> FoundEvent:
    stripped = not row["mac"] and _stripped(vault, row, draft)
    return FoundEvent(link_of(row), not row["sealed"], row["sealed_by"], stripped)


def _stripped(vault: Vault, row: RowMapping, draft: RowMapping) -> bool:
    """Return True if an event without a MAC had one: its body says so, or does not open because that was changed."""
    if not row["sealed"] or draft["wrapped"] is None:
        return False
    identity = f"events:{row['draft']}:{row['n']}"
    return row["sealed"][:1] == LINKED or _reads(vault, {**draft, "sealed": row["sealed"]}, identity) == "no"


def _record(vault: Vault, row: Any) -> FoundRecord:
    """Return a record, which must be found as its person's: by their own key, or by the mark of whom it is kept for."""
    mark = row["kept_for"] or row["holder"]
    reads = _reads(vault, row, f"records:{row['number']}", lambda body: mark == vault.index(body["person"]))
    facts, until = record_facts(row, kept_digest(row)), moment(row["destroy_at"])
    return FoundRecord(row["number"], facts, row["version"], not row["sealed"], row["sealed_by"], reads, until)


def _reads(vault: Vault, row: Any, identity: str, fits: Callable[[Any], bool] = lambda _: True) -> Reads:
    if row["key_row"] is None:
        return "missing"
    if row["wrapped"] is None:
        return "destroyed"
    if not row["sealed"]:
        return "yes"
    try:
        key = vault.unwrap(row["wrapped"], row["holder"] or "", row["key_id"])
        body = vault.open(key, identity, row["sealed"])
    except (Tampered, WrongKey):
        return "no"
    return "yes" if body is not None and fits(body) else "no"


def stored_checkpoints(transaction: Transaction, after: int = 0, limit: int = MOST) -> list[Checkpoint]:
    """Return the checkpoints after this one, oldest first. One that was changed to what is none comes without content, which its hash tells."""
    later = select(checkpoints).where(checkpoints.c.n > after).order_by(checkpoints.c.n).limit(limit)
    return [as_stored(row) for row in transaction.run(later)]


def as_stored(row: Any) -> Checkpoint:
    """Return a checkpoint from its row."""
    try:
        return parsed(row.text, row.hash, row.signature)
    except UNREADABLE:
        return replace(NOTHING, n=row.n, hash=row.hash, signature=row.signature)


def _destroyed(transaction: Transaction) -> frozenset[int]:
    """Return the keys of people and of kept records that are no more; the one that never was does not count."""
    nobody = transaction.vault.index("nobody")
    gone = select(person_keys.c.id, person_keys.c.person).where(person_keys.c.wrapped.is_(None))
    return frozenset(row.id for row in transaction.run(gone) if row.person != nobody)


def _strays(transaction: Transaction) -> list[tuple[str, str]]:
    known = select(drafts.c.name)
    found = []
    for table in ROWS:
        lost = select(table.c.draft).where(not_(table.c.draft.in_(known))).distinct()
        found += [(table.name, draft) for draft in transaction.run(lost).scalars()]
    return found
