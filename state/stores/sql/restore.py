"""Restoring a backup: into an empty database, or, where that is told, in the place of what is there. All of it or nothing, in one transaction."""

from collections.abc import Callable
from pathlib import Path

from sqlalchemy import Connection, MetaData, inspect, select, text

from state.stores.errors import NoBackup
from state.stores.sql.backup import Manifest, put_in, tables_of
from state.stores.sql.migrate import MIGRATIONS, newest, upgrade
from state.stores.sql.tables import leases
from state.stores.sql.types import clock

Say = Callable[[str], object]


def restore(connection: Connection, path: Path, manifest: Manifest, say: Say, *, replace: bool) -> None:
    """Make the tables as they were, fill them, and bring them to this version. Raises NoBackup."""
    if manifest.schema not in known():
        raise NoBackup(
            f"{path} has tables of a later version of Holdfast ({manifest.schema}; this one has {newest()})."
        )
    _at_rest(connection)
    if holds_anything(connection) and not replace:
        raise NoBackup(
            "The database is not empty. Name an empty one in DATABASE_URL, or add --replace: what is there is then gone."
        )
    _emptied(connection)
    upgrade(connection, manifest.schema)
    put_in(connection, path, manifest, say)
    if manifest.schema != newest():
        say(f"Bringing the database from {manifest.schema} to {newest()} …")
        upgrade(connection)


def known() -> set[str]:
    """The migrations of this version; the first one's file has a longer name than it."""
    files = {file.stem for file in (MIGRATIONS / "versions").glob("0*.py")}
    return files | {stem[:4] for stem in files if stem.startswith("0001")}


def holds_anything(connection: Connection) -> bool:
    """Whether any table has a row."""
    return any(
        connection.execute(select(text("1")).select_from(table).limit(1)).first() for table in tables_of(connection)
    )


def _at_rest(connection: Connection) -> None:
    """Raises NoBackup while a bot works on this database: it would write into what it no longer knows."""
    if not inspect(connection).has_table(leases.name):
        return
    if connection.execute(select(leases.c.lane).where(leases.c.until > clock()).limit(1)).first():
        raise NoBackup("A bot is at work on this database, or was until a moment ago. Stop it, and restore again.")


def _emptied(connection: Connection) -> None:
    there = MetaData()
    there.reflect(connection)
    there.drop_all(connection)
