"""Migrations: run where a database is behind, and nothing else; from every one that there ever was, with what people had stored."""

import gzip
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import MetaData

from state.stores.opener import database_address, open_store
from state.stores.sql.engine import Database
from state.stores.sql.migrate import MIGRATIONS, make_ready, newest, upgrade
from state.stores.vault import read_key
from tests.stored.restored import HERE

KEY = read_key((HERE / "holdfast.key").read_text())
DRAFTS = "SELECT name FROM drafts ORDER BY id LIMIT 12"
SOME = {
    "drafts": f"name IN ({DRAFTS})",
    "events": f"draft IN ({DRAFTS})",
    "records": f"draft IN ({DRAFTS})",
    "tool_calls": f"draft IN ({DRAFTS})",
    "documents": f"draft IN ({DRAFTS})",
    "conversations": f"draft IN ({DRAFTS})",
    "inbox": "id < 50",
    "outbox": "id < 50",
}
"""Enough of the kept database to hold a row of every kind; whole is what is not named."""


def script() -> ScriptDirectory:
    """The migrations as Alembic finds them."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    return ScriptDirectory.from_config(config)


RELEASED = [one.revision for one in reversed(list(script().walk_revisions()))]


def test_the_newest_migration_is_known_without_alembic() -> None:
    """The highest file name is the one head that Alembic finds."""
    assert script().get_heads() == [newest()]


def stored(folder: Path) -> dict[str, list[dict[str, Any]]]:
    """Rows of the kept database, by table."""
    file = folder / "stored.db"
    file.write_bytes(gzip.decompress((HERE / "holdfast.db.gz").read_bytes()))
    with closing(sqlite3.connect(file)) as database:
        database.row_factory = sqlite3.Row
        names = [row[0] for row in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        wanted = [name for name in names if name != "alembic_version"]
        return {name: [dict(row) for row in database.execute(_some(name))] for name in wanted}


def _some(table: str) -> str:
    return f"SELECT * FROM {table} WHERE {SOME.get(table, '1')}"  # noqa: S608  names of tables from above


@pytest.mark.parametrize("since", RELEASED)
async def test_a_database_of_every_schema_comes_up_with_what_it_holds(since: str, tmp_path: Path) -> None:
    """Tables of that day, filled as they could be then, are brought to this version's by a start: every draft opens and verifies."""
    url, rows = f"sqlite:///{tmp_path}/holdfast.db", stored(tmp_path)
    database = Database(database_address(url))
    make_ready(database)
    await database.write(lambda connection: upgrade(connection, since))
    tables = await database.write(_reflected)
    with closing(sqlite3.connect(tmp_path / "holdfast.db")) as file, file:
        for name, there in tables.items():
            columns = sorted(there & set(rows[name][0])) if rows.get(name) else []
            if columns:
                marks = ", ".join(f":{column}" for column in columns)
                file.executemany(f"INSERT INTO {name} ({', '.join(columns)}) VALUES ({marks})", rows[name])  # noqa: S608
    await database.stop()
    store = open_store(url, KEY)
    await store.start()
    names = await store.drafts()
    assert len(names) == 12 and all([await store.draft(name) for name in names])
    assert (await store.audit()).faults == []
    await store.stop()


def _reflected(connection: Any) -> dict[str, set[str]]:
    found = MetaData()
    found.reflect(connection)
    return {table.name: {column.name for column in table.columns} for table in found.sorted_tables}
