"""The same bot on PostgreSQL, with two replicas beside each other."""

from pathlib import Path

from bot.root.assembly import build
from bot.sandbox.local import pointed_at
from tests.whole.steps import FILED, file_request
from tests.world import settings, world


async def test_two_replicas_on_postgresql_file_one_right_record(postgres: str, tmp_path: Path) -> None:
    """Slack spreads events over two bots on one database; the conversation is handled by one at a time, and filed once."""
    async with world(tmp_path, database_url=postgres) as w:
        second = await build(pointed_at(settings(tmp_path, database_url=postgres), w.sandbox))
        await second.start()
        try:
            await w.sandbox.until(lambda: w.sandbox.connected == 2)
            w.others = (second,)
            await file_request(w)
            (record,) = await w.records()
            assert {n: v["data"] for n, v in record.body["values"].items()} == FILED
        finally:
            await second.stop()
