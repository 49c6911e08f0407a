"""Migrations: run where a database is behind, and nothing else; from every one that there ever was, with what people had stored."""

import gzip
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import create_engine

from state.stores.errors import StoreError
from state.stores.opener import open_store
from state.stores.sql.migrate import VERSIONS
from state.stores.sql.tables import metadata
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


RELEASED: dict[str, str] = {}
"""The statements that made each version of the tables from the one before, as Alembic executed them on SQLite at the time."""
for part in (HERE / "schemas.sql").read_text().split("-- ")[1:]:
    RELEASED.update([part.split("\n", 1)])


def test_every_version_that_was_released_is_known() -> None:
    """A database or a backup of each version is brought to the newest one."""
    assert (*RELEASED,) == VERSIONS


async def test_tables_of_a_later_version_are_left_alone(tmp_path: Path) -> None:
    """A bot that is older than its database does not start, says so, and changes nothing."""
    with closing(sqlite3.connect(tmp_path / "holdfast.db")) as file, file:
        file.executescript(RELEASED["0001"].replace("'0001'", "'9999_later'"))
        before = list(file.iterdump())
    with pytest.raises(StoreError, match="later version of Holdfast"):
        await open_store(f"sqlite:///{tmp_path}/holdfast.db", KEY).start()
    with closing(sqlite3.connect(tmp_path / "holdfast.db")) as file:
        assert list(file.iterdump()) == before


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
    with closing(sqlite3.connect(tmp_path / "holdfast.db")) as file, file:
        for version in list(RELEASED)[: list(RELEASED).index(since) + 1]:
            file.executescript(RELEASED[version])
        made = [row[0] for row in file.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        for name in made:
            there = {row[1] for row in file.execute(f"PRAGMA table_info({name})")}
            columns = sorted(there & set(rows[name][0])) if rows.get(name) else []
            if columns:
                marks = ", ".join(f":{column}" for column in columns)
                file.executemany(f"INSERT INTO {name} ({', '.join(columns)}) VALUES ({marks})", rows[name])  # noqa: S608
    async with open_store(url, KEY) as store:
        names = await store.drafts()
        assert len(names) == 12 and all([await store.draft(name) for name in names])
        assert (await store.audit()).faults == []
    with create_engine(url).connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
