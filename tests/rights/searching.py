"""Looks for a mark wherever something could be left of it: raw files, what living keys still open, encrypted names, Redis."""

from collections.abc import AsyncIterator
from pathlib import Path

from sqlalchemy import String, select

from bot.root.installation import make_key
from bot.settings import Settings
from state.stores.errors import Tampered
from state.stores.opener import database_address
from state.stores.rights import LEFT_OUT, SEALED
from state.stores.sql.engine import Database
from state.stores.sql.tables import metadata, person_keys
from state.stores.sql.transaction import HOLDER
from state.stores.store import Store
from state.stores.vault import Vault
from tests.world import World


def in_files(folder: Path, *marks: str) -> list[str]:
    """Files below a folder whose bytes hold one of the marks."""
    hits = []
    for path in folder.rglob("*"):
        if path.is_file() and any(mark.encode() in path.read_bytes() for mark in marks):
            hits.append(path.name)
    return hits


async def in_redis(world: World, *marks: str) -> list[str]:
    """Keys of Redis that hold one of the marks, in name or value."""
    redis = world.bot.redis
    assert redis is not None
    return [
        key.decode() async for key in redis.scan_iter() if any(m.encode() in key + await redis.get(key) for m in marks)
    ]


async def readable(settings: Settings) -> AsyncIterator[tuple[str, str]]:
    """Table and text of everything that the installation's key can still read in the database, plain columns included."""
    vault, database = Vault(make_key(settings)), Database(database_address(settings.database))
    await Store(database, vault).open_root()
    for name, table in metadata.tables.items():
        columns = [*table.c, *(HOLDER if name in SEALED else ())]
        rows = select(*columns)
        if name in SEALED:
            rows = rows.join_from(table, person_keys, table.c.sealed_by == person_keys.c.id)
        for row in await database.read(lambda connection, rows=rows: connection.execute(rows).all()):
            texts = (row._mapping[c.name] for c in table.c if isinstance(c.type, String))
            yield name, " ".join(_named(vault, text or "") for text in texts)
            key = vault.unwrap(row.wrapped, row.holder, row.key_id) if name in SEALED and row.wrapped else None
            for column, of in SEALED.get(name, {}).items():
                if key and row._mapping[column]:
                    yield name, str(vault.open(key, of(row), row._mapping[column]))
            for column in LEFT_OUT.get(name, ()):
                if key:
                    yield name, str(vault.open_bytes(key, f"contents:{row.name}", row._mapping[column]))
    await database.stop()


def _named(vault: Vault, text: str) -> str:
    """A plain column, and what it says where it is an encrypted name."""
    try:
        return f"{text} {vault.plain(text)}"
    except Tampered:
        return text


async def found(settings: Settings, *marks: str) -> set[str]:
    """Tables in which something readable holds one of the marks."""
    return {table async for table, text in readable(settings) if any(mark in text for mark in marks)}
