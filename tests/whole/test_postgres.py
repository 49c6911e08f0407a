"""The same bot on PostgreSQL, with two replicas beside each other."""

import asyncio
from pathlib import Path

import asyncpg
import pytest
from sqlalchemy import make_url

from bot.local import pointed_at
from bot.root import build
from tests.whole.steps import FILED, file_request
from tests.world import settings, world


@pytest.fixture
def database(postgres: str) -> str:
    """A database of its own on the embedded server."""

    async def made() -> None:
        connection = await asyncpg.connect(postgres)
        await connection.execute("DROP DATABASE IF EXISTS whole")
        await connection.execute("CREATE DATABASE whole")
        await connection.close()

    with asyncio.Runner() as runner:
        runner.run(made())
    return make_url(postgres).set(database="whole").render_as_string(hide_password=False)


async def test_two_replicas_on_postgresql_file_one_right_record(database: str, tmp_path: Path) -> None:
    """Slack spreads events over two bots on one database; the conversation is handled by one at a time, and filed once."""
    async with world(tmp_path, database_url=database) as w:
        second = await build(pointed_at(settings(tmp_path, database_url=database), w.sandbox))
        await second.start()
        try:
            await w.sandbox.until(lambda: w.sandbox.connected == 2)
            w.others = (second,)
            await file_request(w)
            (record,) = await w.records()
            assert {n: v["data"] for n, v in record.body["values"].items()} == FILED
        finally:
            await second.stop()
