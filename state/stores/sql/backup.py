"""A backup: every row of every table as one moment saw it, in one file that either database can be restored from.

A ZIP file with a document of JSON lines a table, and a manifest: schema, counts, hashes, and a MAC under the installation's root. What
is personal is in it as it is in the tables, sealed under keys that the installation's key wrapped: that key is not in it.
"""

import base64
import hashlib
import json
import os
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from sqlalchemy import URL, Connection, MetaData, Table, inspect, select, text

from state.exact_json import loads
from state.stores.errors import NoBackup
from state.stores.sql.migrate import NEWEST, VERSIONS, stamp, upgrade, version
from state.stores.sql.postgresql import ALIVE
from state.stores.sql.sqlite import Presence
from state.stores.sql.tables import leases
from state.stores.sql.types import clock
from state.stores.vault import Vault

FORMAT: Final = 1
MANIFEST: Final = "manifest.json"
ROOT: Final = "root"
AT_ONCE: Final = 500
"""Rows that are in memory at a time."""


@dataclass(frozen=True)
class Part:
    """A table in a backup: how many rows, and the SHA-256 of its lines."""

    rows: int
    sha256: str


@dataclass(frozen=True)
class Manifest:
    """The contents of a backup. `schema` is the migration it was made at, `key` the id of the installation's key that opens it."""

    format: int
    schema: str
    made_at: str
    key: str
    tables: dict[str, Part]
    mac: str = ""

    @property
    def text(self) -> str:
        """The text that the MAC covers."""
        return json.dumps(asdict(self) | {"mac": ""}, sort_keys=True)

    @property
    def rows(self) -> int:
        """Rows of all tables."""
        return sum(part.rows for part in self.tables.values())


def write_backup(connection: Connection, vault: Vault, path: Path, now: datetime) -> Manifest:
    """Write everything that this snapshot sees; the file is there whole, readable by its owner alone, or not at all. Raises NoBackup."""
    schema = version(connection)
    if schema is None:
        raise NoBackup("There is nothing in this database yet.")
    try:
        handle, draft = tempfile.mkstemp(dir=path.parent, prefix=path.name)  # mkstemp makes it 0600
        try:
            with os.fdopen(handle, "w+b") as file:
                manifest = _written(connection, vault, file, schema, now)
                file.flush()
                os.fsync(file.fileno())
            Path(draft).replace(path)
        finally:
            Path(draft).unlink(missing_ok=True)
    except OSError as problem:  # else the database would be blamed
        raise NoBackup(f"{path} cannot be written ({problem.strerror}).") from None
    return manifest


def _written(connection: Connection, vault: Vault, file: Any, schema: str, now: datetime) -> Manifest:
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        parts = {table.name: _part(connection, table, archive) for table in tables_of(connection)}
        key = _root_in(vault, _special(connection)) or vault.key_id
        plain = Manifest(FORMAT, schema, now.astimezone(UTC).isoformat(), key, parts)
        manifest = Manifest(**{**vars(plain), "mac": vault.index(f"backup\n{plain.text}")})
        archive.writestr(MANIFEST, json.dumps(asdict(manifest), indent=1))
    return manifest


def tables_of(connection: Connection) -> list[Table]:
    """Return every table that is there, those that others refer to first."""
    metadata = MetaData()
    metadata.reflect(connection)
    return [table for table in metadata.sorted_tables if table.name != stamp.name]


def _part(connection: Connection, table: Table, archive: zipfile.ZipFile) -> Part:
    rows, seen = 0, hashlib.sha256()
    order = list(table.primary_key.columns)
    found = connection.execute(select(table).order_by(*order).execution_options(yield_per=AT_ONCE))
    with archive.open(f"{table.name}.jsonl", "w", force_zip64=True) as out:
        for row in found:
            line = json.dumps([_told(value) for value in row]).encode() + b"\n"
            seen.update(line)
            out.write(line)
            rows += 1
    columns = json.dumps([column.name for column in table.columns])
    archive.writestr(f"{table.name}.columns", columns)
    seen.update(columns.encode())
    return Part(rows, seen.hexdigest())


def _told(value: Any) -> Any:
    """Return a value as JSON says it: bytes, times and documents with what they are."""
    if isinstance(value, bytes | memoryview):
        return {"bytes": base64.b64encode(bytes(value)).decode()}
    if isinstance(value, datetime):
        return {"at": (value if value.tzinfo else value.replace(tzinfo=UTC)).astimezone(UTC).isoformat()}
    return {"json": value} if isinstance(value, dict | list) else value


def read_manifest(path: Path) -> Manifest:
    """Return what a file says that it holds. Raises NoBackup where it is no backup, or one of a later version."""
    try:
        with zipfile.ZipFile(path) as archive:
            told = loads(archive.read(MANIFEST))
            twice = len(set(archive.namelist())) < len(archive.namelist())
        parts = {name: Part(**part) for name, part in told.pop("tables").items()}
        manifest = Manifest(**told, tables=parts)
    except OSError as problem:
        raise NoBackup(f"{path} cannot be read ({problem.strerror}).") from None
    except (zipfile.BadZipFile, KeyError, TypeError, ValueError) as problem:
        raise NoBackup(f"{path} is no backup of Holdfast's ({type(problem).__name__}).") from None
    if twice:
        raise NoBackup(f"{path} was changed after it was made: a file is in it twice.")
    if manifest.format > FORMAT:
        raise NoBackup(f"{path} was made by a later version of Holdfast. Restore it with that one.")
    return manifest


def check(path: Path, manifest: Manifest, vault: Vault) -> None:
    """Raises NoBackup where a row is not the one that was written, WrongKey where another installation's key is at hand."""
    with zipfile.ZipFile(path) as archive:
        for name, part in manifest.tables.items():
            lines, seen = 0, hashlib.sha256()
            for line in _lines(archive, name):
                seen.update(line)
                lines += 1
            seen.update(archive.read(f"{name}.columns"))
            if (lines, seen.hexdigest()) != (part.rows, part.sha256):
                raise NoBackup(f"{path} is damaged: {name} is not as it was written.")
        _root_in(vault, _special_in(archive))
    vault.check(manifest.key)
    if vault.index(f"backup\n{Manifest(**{**vars(manifest), 'mac': ''}).text}") != manifest.mac:
        raise NoBackup(f"{path} was changed after it was made, or belongs to another installation.")


AT_WORK = "A bot is at work on this database, or was until a moment ago. Stop every bot, and restore again."


def restore(
    connection: Connection, path: Path, manifest: Manifest, say: Callable[[str], object], *, replace: bool
) -> None:
    """Make the tables of this version and fill them: all of it or nothing. Columns that were added since stay empty. Raises NoBackup.

    The database must be empty, unless the backup is to `replace` what is there.
    """
    if manifest.schema not in VERSIONS:
        raise NoBackup(f"{path} has tables of a later version of Holdfast ({manifest.schema}; this one has {NEWEST}).")
    # a bot that works on this database, or lives on it, would write into what it no longer knows
    held = select(leases.c.lane).where(leases.c.until > clock()).limit(1)
    works = inspect(connection).has_table(leases.name) and connection.execute(held).first()
    if works or (connection.dialect.name == "postgresql" and connection.execute(ALIVE).first()):
        raise NoBackup(AT_WORK)
    if holds_anything(connection) and not replace:
        raise NoBackup(
            "The database is not empty. Name an empty one in DATABASE_URL, or add --replace: what is there is then gone."
        )
    there = MetaData()
    there.reflect(connection)
    there.drop_all(connection)
    upgrade(connection)
    put_in(connection, path, manifest, say)


def holds_anything(connection: Connection) -> bool:
    """Return True if any table has a row."""
    return any(
        connection.execute(select(text("1")).select_from(table).limit(1)).first() for table in tables_of(connection)
    )


@contextmanager
def alone(url: URL) -> Iterator[None]:
    """Keep every other process out of a SQLite file meanwhile. Raises NoBackup where one has it open, however little it does."""
    presence = Presence(Path(str(url.database)))
    try:
        if not presence.enter() and presence.known:
            raise NoBackup(AT_WORK)
        yield
    finally:
        presence.leave()


def put_in(connection: Connection, path: Path, manifest: Manifest, say: Callable[[str], object]) -> None:
    """Fill the tables, which are there and empty, at the schema of the backup."""
    tables = {table.name: table for table in tables_of(connection)}
    ordered = [table for name, table in tables.items() if name in manifest.tables]
    with zipfile.ZipFile(path) as archive:
        for table in ordered:
            say(f"{table.name}: {manifest.tables[table.name].rows} rows")
            _fill(connection, table, archive)


def _fill(connection: Connection, table: Table, archive: zipfile.ZipFile) -> None:
    names = json.loads(archive.read(f"{table.name}.columns"))
    naive = connection.dialect.name == "sqlite"
    page: list[dict[str, Any]] = []
    for line in _lines(archive, table.name):
        values = (_value(told, naive=naive) for told in json.loads(line))
        page.append(dict(zip(names, values, strict=True)))
        if len(page) == AT_ONCE:
            connection.execute(table.insert(), page)
            page = []
    if page:
        connection.execute(table.insert(), page)
    if not naive and "id" in table.columns and table.columns["id"].type.python_type is int:
        last = f"SELECT setval(pg_get_serial_sequence('{table.name}', 'id'), (SELECT coalesce(max(id), 1) FROM {table.name}))"  # noqa: S608
        connection.exec_driver_sql(last)


def _value(told: Any, *, naive: bool) -> Any:
    match told:
        case {"bytes": text}:
            return base64.b64decode(text)
        case {"at": text}:
            at = datetime.fromisoformat(text)
            return at.replace(tzinfo=None) if naive else at
        case {"json": value}:
            return value
    return told


def _lines(archive: zipfile.ZipFile, table: str) -> Iterator[bytes]:
    try:
        with archive.open(f"{table}.jsonl") as lines:
            yield from lines
    except (KeyError, zipfile.BadZipFile, OSError) as problem:
        raise NoBackup(f"The backup is damaged: {table} cannot be read ({type(problem).__name__}).") from None


Special = dict[str, tuple[str, bytes]]
"""The keys that are nobody's: by name, who wrapped it, and the wrapped key."""


def _special(connection: Connection) -> Special:
    keys = next(table for table in tables_of(connection) if table.name == "person_keys")
    rows = connection.execute(select(keys).where(keys.c.person.in_((ROOT, "key:today", "key:former"))))
    return {row.person: (row.key_id, bytes(row.wrapped)) for row in rows}


def _special_in(archive: zipfile.ZipFile) -> Special:
    names = json.loads(archive.read("person_keys.columns"))
    found: Special = {}
    for line in _lines(archive, "person_keys"):
        row = dict(zip(names, json.loads(line), strict=True))
        if row["person"] in (ROOT, "key:today", "key:former"):
            found[row["person"]] = (row["key_id"], base64.b64decode(row["wrapped"]["bytes"]))
    return found


def _root_in(vault: Vault, special: Special) -> str:
    """Have the vault hash as the backup's database does; which key is today's there, "" where it is from before there was a root."""
    for name, (by, wrapped) in special.items():
        if name != ROOT and vault.holds(by):
            vault.add_key(vault.unwrap(wrapped, name, by))
    if ROOT not in special:
        return ""
    by, wrapped = special[ROOT]
    vault.root_in(vault.unwrap(wrapped, ROOT, by))
    return by
