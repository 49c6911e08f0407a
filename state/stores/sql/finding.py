"""Reads the evidence as it is found in the database, in one snapshot, a page of drafts at a time."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import groupby
from typing import Any, TypeVar

from sqlalchemy import Connection, RowMapping, Table, and_, func, not_, select
from sqlalchemy.exc import StatementError

from state.stores.errors import Tampered, WrongKey
from state.stores.evidence.checkpoints import NOTHING, Checkpoint, parsed
from state.stores.evidence.found import Evidence, FoundCall, FoundDraft, FoundEvent, FoundRecord, Reads
from state.stores.evidence.links import (
    CustodyLink,
    Row,
    call_digest,
    digest,
    document_facts,
    draft_facts,
    moment,
    record_facts,
    tombstone_facts,
    version_facts,
)
from state.stores.evidence.protocol import MOST
from state.stores.sql.custody import kept_digest
from state.stores.sql.drafts import link_of
from state.stores.sql.ledger import series_of_entries
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
from state.stores.sql.types import clock
from state.stores.vault import LINKED, Erased, Vault

PAGE = 200
ROWS: Mapping[str, tuple[Any, ...]] = {
    events.name: (events.c.draft, events.c.n),
    tool_calls.name: (tool_calls.c.draft, tool_calls.c.n, tool_calls.c.place),
    records.name: (records.c.draft, records.c.number),
    documents.name: (documents.c.draft, documents.c.name),
}
"""Tables with rows of a draft, and their order."""
ABOUT = tuple(column for column in documents.c if column.name != "content")
KEY = (
    person_keys.c.id.label("key_row"), person_keys.c.person.label("holder"), person_keys.c.key_id, person_keys.c.wrapped,
    person_keys.c.destroy_at,
)  # fmt: skip
Found = dict[str, list[RowMapping]]


Read = TypeVar("Read")
UNREADABLE = (ValueError, TypeError, AttributeError, KeyError, StatementError)
"""What reading raises where SQLite holds a value of another kind than was written."""


def evidence(connection: Connection, vault: Vault, draft: str = "") -> Evidence:
    """All of it, or what concerns one draft. `drafts` is read while it is walked: within this connection's snapshot."""
    unreadable: list[str] = []

    def read(table: Table, work: Callable[[], Read], nothing: Read) -> Read:
        try:
            return work()
        except UNREADABLE:
            unreadable.append(table.name)
            return nothing

    return Evidence(
        at=connection.execute(select(clock())).scalar_one(),
        public=vault.keyring.public,
        checkpoints=read(checkpoints, lambda: stored_checkpoints(connection), []),
        custody=read(custody, lambda: _custody(connection), []),
        drafts=found_drafts(connection, vault, draft),
        tombstones=read(tombstones, lambda: _tombstones(connection), {}),
        destroyed=read(person_keys, lambda: _destroyed(connection, vault), frozenset()),
        strays=() if draft else _strays(connection),
        unreadable=unreadable,
        versions=() if draft else read(list_versions, lambda: _versions(connection), []),
        counters=None if draft else read(series, lambda: _counters(connection), None),
        entries={} if draft else read(entries, lambda: _entries(connection), {}),
    )


def found_drafts(connection: Connection, vault: Vault, only: str = "") -> Iterator[FoundDraft]:
    """Every draft with all that is of it, by name. One that cannot be read is told apart from its page."""
    after = ""
    while names := [only] if only and not after else _names(connection, after) if not only else []:
        try:
            yield from _found(connection, vault, names)
        except UNREADABLE:
            for name in names:
                yield _alone(connection, vault, name)
        after = names[-1]


def _names(connection: Connection, after: str) -> list[str]:
    page = select(drafts.c.name).where(drafts.c.name > after).order_by(drafts.c.name).limit(PAGE)
    return list(connection.execute(page).scalars())


def _alone(connection: Connection, vault: Vault, name: str) -> FoundDraft:
    try:
        return _found(connection, vault, [name])[0]
    except UNREADABLE:
        return FoundDraft(name, 0, 0, "", "", "", emptied=False, key=0, reads="unreadable")


def _found(connection: Connection, vault: Vault, names: list[str]) -> list[FoundDraft]:
    mine = select(drafts, *KEY).outerjoin(person_keys, drafts.c.sealed_by == person_keys.c.id)
    page = connection.execute(mine.where(drafts.c.name.in_(names)).order_by(drafts.c.name)).mappings().all()
    rows = {table: _rows(connection, metadata, names) for table, metadata in TABLES.items()}
    files = {
        one["name"]: document_facts(one, _content(connection, one))
        for of in rows[documents.name].values()
        for one in of
    }
    shown = _shown(connection, [name for name in names if rows[records.name].get(name)])
    return [
        _draft(
            vault,
            row,
            {table: found.get(row["name"], []) for table, found in rows.items()},
            files,
            shown.get(row["name"], []),
        )
        for row in page
    ]


def _shown(connection: Connection, names: list[str]) -> dict[str, list[str]]:
    """What was shown of requests that were filed: of others it goes before its draft does, and nothing is looked for."""
    full = (outbox.c.draft.in_(names), func.length(outbox.c.sealed) > 0)
    found: dict[str, list[str]] = {}
    for row in connection.execute(select(outbox.c.draft, outbox.c.sealed).where(*full)) if names else ():
        found.setdefault(row.draft, []).append(digest(row.sealed))
    return found


def _content(connection: Connection, document: RowMapping) -> bytes:
    """A document's sealed content, one at a time: they may be large."""
    return bytes(connection.execute(select(documents.c.content).where(documents.c.id == document["id"])).scalar_one())


TABLES: Mapping[str, Table] = {table.name: table for table in (events, tool_calls, records, documents)}


def _rows(connection: Connection, table: Table, names: list[str]) -> Found:
    columns = ABOUT if table is documents else tuple(table.c)
    theirs = select(*columns).where(table.c.draft.in_(names)).order_by(*ROWS[table.name])
    if table is records:
        theirs = theirs.add_columns(*KEY).outerjoin(person_keys, records.c.sealed_by == person_keys.c.id)
    rows = connection.execute(theirs).mappings().all()
    return {draft: list(of) for draft, of in groupby(rows, lambda row: str(row["draft"]))}


def _draft(vault: Vault, row: RowMapping, rows: Found, files: Mapping[str, list[Any]], shown: list[str]) -> FoundDraft:
    reads = _reads(vault, row, f"drafts:{row['name']}:{row['revision']}")
    return FoundDraft(
        row["name"], row["revision"], row["last"], row["head"], row_digest(vault, row), row["mac"] or "",
        not row["sealed"], row["sealed_by"], reads,
        [_event(vault, one, row) for one in rows[events.name]],
        [_call(one) for one in rows[tool_calls.name]],
        [_record(vault, one) for one in rows[records.name]],
        {one["name"]: files[one["name"]] for one in rows[documents.name]},
        shown,
    )  # fmt: skip


def row_digest(vault: Vault, row: RowMapping) -> str:
    """The digest of a draft's row; of nothing where its conversation's name was changed."""
    try:
        return draft_facts(row, vault.plain(row["conversation"]))
    except Tampered:
        return ""


def _event(vault: Vault, row: RowMapping, draft: RowMapping) -> FoundEvent:
    stripped = not row["mac"] and _stripped(vault, row, draft)
    return FoundEvent(link_of(row), not row["sealed"], row["sealed_by"], stripped)


def _stripped(vault: Vault, row: RowMapping, draft: RowMapping) -> bool:
    """Whether an event without a MAC had one: its body says so, or does not open because that was changed."""
    if not row["sealed"] or draft["wrapped"] is None:
        return False
    return row["sealed"][:1] == LINKED or _reads(vault, {**draft, "sealed": row["sealed"]}, _identity(row)) == "no"


def _identity(event: RowMapping) -> str:
    return f"events:{event['draft']}:{event['n']}"


def _call(row: Any) -> FoundCall:
    return FoundCall(row["n"], row["place"], call_digest(row, kept_digest(row)), not row["sealed"], row["sealed_by"])


def _record(vault: Vault, row: Any) -> FoundRecord:
    reads = _reads(vault, row, f"records:{row['number']}", _whose(vault, row))
    facts, until = record_facts(row, kept_digest(row)), moment(row["destroy_at"])
    return FoundRecord(row["number"], facts, row["version"], not row["sealed"], row["sealed_by"], reads, until)


def _whose(vault: Vault, row: RowMapping) -> Callable[[Any], bool]:
    """Whether a record is found as its person's: by their own key, or by the mark of whom it is kept for."""
    mark = row["kept_for"] or row["holder"]
    return lambda body: mark == vault.index(body["person"])


def _reads(vault: Vault, row: Row, identity: str, fits: Callable[[Any], bool] = lambda _: True) -> Reads:
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
    return "yes" if not isinstance(body, Erased) and fits(body) else "no"


def _custody(connection: Connection) -> list[CustodyLink]:
    rows = connection.execute(select(custody).order_by(custody.c.chain, custody.c.n)).mappings()
    names = ("chain", "n", "kind", "body", "at", "previous", "hash", "mac")
    return [CustodyLink(**{name: row[name] for name in names}) for row in rows]


def _versions(connection: Connection) -> list[dict[str, Any]]:
    return [version_facts(row) for row in connection.execute(select(list_versions)).mappings()]


def _counters(connection: Connection) -> dict[str, int] | None:
    return {row.prefix: int(row.last) for row in connection.execute(select(series))}


def _entries(connection: Connection) -> dict[str, int]:
    highest = select(entries.c.tenant, entries.c.form, func.max(entries.c.number).label("last"))
    rows = connection.execute(highest.group_by(entries.c.tenant, entries.c.form))
    return {series_of_entries(row.tenant, row.form): int(row.last) for row in rows}


def stored_checkpoints(connection: Connection, after: int = 0, limit: int = MOST) -> list[Checkpoint]:
    """The checkpoints after this one. One that was changed to what is none comes without content, which its hash tells."""
    later = select(checkpoints).where(checkpoints.c.n > after).order_by(checkpoints.c.n).limit(limit)
    return [as_stored(row) for row in connection.execute(later)]


def as_stored(row: Any) -> Checkpoint:
    """A checkpoint from its row."""
    try:
        return parsed(row.text, row.hash, row.signature)
    except UNREADABLE:
        return replace(NOTHING, n=row.n, hash=row.hash, signature=row.signature)


def _tombstones(connection: Connection) -> dict[int, str]:
    return {row.id: tombstone_facts(row.at, row.told) for row in connection.execute(select(tombstones))}


def _destroyed(connection: Connection, vault: Vault) -> frozenset[int]:
    """Keys of people and of kept records that are no more; the one that never was does not count."""
    void = and_(person_keys.c.person.is_not(None), person_keys.c.person == vault.index("nobody"))
    gone = select(person_keys.c.id, person_keys.c.person).where(person_keys.c.wrapped.is_(None))
    nobody = connection.execute(select(person_keys.c.id).where(void)).scalar()
    return frozenset(row.id for row in connection.execute(gone) if row.id != nobody)


def _strays(connection: Connection) -> list[tuple[str, str]]:
    known = select(drafts.c.name)
    found = []
    for name, table in TABLES.items():
        lost = select(table.c.draft).where(not_(table.c.draft.in_(known))).distinct()
        found += [(name, draft) for draft in connection.execute(lost).scalars()]
    return found
