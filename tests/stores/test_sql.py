"""What only the SQL store has: how it opens its databases, its migrations, its searches, and what it says when the database is away."""

import asyncio
import stat
import time
from contextlib import suppress
from datetime import datetime
from functools import partial
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, func, insert, select, text
from sqlalchemy.dialects.sqlite import dialect as sqlite_dialect

from state.stores.errors import LeaseLost, Unavailable
from state.stores.opener import database_address, open_store
from state.stores.queues import INBOX, OUTBOX, Queue, free_lanes, held
from state.stores.sql.engine import Database
from state.stores.sql.migrate import migrate
from state.stores.sql.sqlite import carried
from state.stores.sql.tables import metadata, series
from state.stores.sql.transaction import Transaction
from state.stores.sql.types import Utc
from state.stores.store import Store
from state.stores.vault import Vault
from tests.chain import verify
from tests.stores.conftest import Ground
from tests.stores.helpers import ALEX, KEY, TALK, said, step, taken, turn, values, write


async def test_sqlite_is_opened_for_keeps(sqlite: str) -> None:
    """Every connection has a write-ahead log, writes through to the disk, waits for others, and checks references."""
    database = Database(database_address(sqlite))
    names = ("journal_mode", "synchronous", "busy_timeout", "foreign_keys", "secure_delete")

    def pragmas(connection: Connection) -> list[object]:
        return [connection.exec_driver_sql(f"PRAGMA {name}").scalar_one() for name in names]

    found = [await way(pragmas) for way in (database.read, database.write)]
    await database.stop()
    assert found == [["wal", 2, 10_000, 1, 1]] * 2


async def test_sqlites_file_is_its_owners(sqlite: str, tmp_path: Path) -> None:
    """The file is made with its folders, and only its owner may read it."""
    store = open_store(sqlite.replace("holdfast.db", "a/b/holdfast.db"), KEY)
    await store.start()
    await store.stop()
    assert stat.S_IMODE((tmp_path / "a/b/holdfast.db").stat().st_mode) == 0o600


async def test_read_then_write_loses_nothing_on_sqlite(sqlite: str) -> None:
    """Eight transactions on engines of their own, each of which reads before it writes, all count."""
    databases = [Database(database_address(sqlite)) for _ in range(8)]
    await migrate(databases[0])
    await databases[0].write(lambda connection: connection.execute(insert(series).values(prefix="x", last=0)))

    def one(connection: Connection) -> None:
        last = connection.execute(select(series.c.last)).scalar_one()
        time.sleep(0.002)
        connection.execute(series.update().values(last=last + 1))

    await asyncio.gather(*(database.write(one) for database in databases))
    assert await databases[0].read(lambda connection: connection.execute(select(series.c.last)).scalar_one()) == 8
    for database in databases:
        await database.stop()


def _differences(connection: Connection) -> list[object]:
    return list(compare_metadata(MigrationContext.configure(connection), metadata))


async def test_the_migrations_make_the_tables_that_the_code_uses(shared: Ground) -> None:
    """After all migrations the database's tables, columns and indexes are those of `tables`."""
    await shared.open()
    database = Database(database_address(shared.url))
    assert await database.read(_differences) == []
    await database.stop()


@pytest.mark.parametrize("queue", [INBOX, OUTBOX])
async def test_looking_for_work_does_not_read_history(sqlite: str, queue: Queue) -> None:
    """What is open is found by the index of open rows, in which history does not stand."""
    database = Database(database_address(sqlite))
    await migrate(database)
    query = free_lanes(queue, 10).compile(dialect=sqlite_dialect(), compile_kwargs={"literal_binds": True})
    plan = await database.read(lambda connection: connection.execute(text(f"EXPLAIN QUERY PLAN {query}")).all())
    await database.stop()
    steps = [row.detail for row in plan if row.detail.startswith(("SCAN", "SEARCH"))]
    scans = [step for step in steps if step.startswith("SCAN") and "anon" not in step]
    assert [step.replace("COVERING ", "") for step in scans] == [f"SCAN {queue.name} USING INDEX {queue.name}_open"]


def test_a_time_without_its_zone_is_refused() -> None:
    """No naive datetime gets into the database."""
    with pytest.raises(ValueError, match="zone"):
        Utc().process_bind_param(datetime(2026, 11, 20), sqlite_dialect())  # noqa: DTZ001 (the point of the test)


async def test_a_database_that_is_away_is_unavailable(tmp_path: Path) -> None:
    """A PostgreSQL that does not answer, or a file that is no database, is told as unavailable, without its address."""
    (tmp_path / "noise.db").write_bytes(b"no database" * 500)
    for url in (f"postgresql://secret@/x?host={tmp_path}", f"sqlite:///{tmp_path}/noise.db"):
        store = open_store(url, KEY)
        with pytest.raises(Unavailable) as refused:
            await store.receive(said())
        assert str(refused.value) == "The database does not answer."
        await store.stop()


async def test_replicas_may_start_together_on_a_new_postgresql(postgres: str) -> None:
    """Several first starts at the same time on an empty PostgreSQL make one set of tables."""
    stores = [open_store(postgres, KEY) for _ in range(4)]
    await asyncio.gather(*(store.start() for store in stores))
    await turn(stores[0])
    for store in stores:
        await store.stop()


def slow(connection: Connection) -> None:
    """A while within a transaction, in which others get their turn."""
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql("SELECT pg_sleep(0.2)")
    else:
        time.sleep(0.2)


async def opened(database: Database) -> Vault:
    """What hashes and names as this database does."""
    vault = Vault(KEY)
    await Store(database, vault).open_root()
    return vault


async def test_nobody_overtakes_a_transaction(shared: Ground) -> None:
    """While a holder's transaction is under way its lane cannot be taken, not even after its lease ran out."""
    one, two = await shared.open(), await shared.open()
    await turn(one)
    late, database, ended = await taken(one, seconds=-1), Database(database_address(shared.url)), []

    vault = await opened(database)

    def holding(connection: Connection) -> None:
        held(Transaction(database, vault, connection), late)
        slow(connection)
        ended.append("held")

    writing = asyncio.create_task(database.write(holding))
    await asyncio.sleep(0.1)
    lease = await two.take(TALK, 30)
    ended.append("taken")
    await writing
    assert ended == ["held", "taken"]
    assert lease is not None and lease.token == late.token + 1
    await database.stop()


async def test_an_erasure_waits_for_what_is_being_sealed(shared: Ground) -> None:
    """A person's key is not destroyed while a transaction seals with it: what that wrote is erased with the rest."""
    store = await shared.open()
    await turn(store)
    database, ended = Database(database_address(shared.url)), []

    vault = await opened(database)

    def key(connection: Connection) -> int:
        return Transaction(database, vault, connection).key(ALEX).id

    def sealing(connection: Connection) -> int:
        found = key(connection)
        slow(connection)
        ended.append("sealed")
        return found

    writing = asyncio.create_task(database.write(sealing))
    await asyncio.sleep(0.1)
    assert await store.erase(ALEX)
    ended.append("erased")
    before = await writing
    assert ended == ["sealed", "erased"]
    assert await database.write(key) != before
    await database.stop()


async def test_database_work_is_carried_to_its_end() -> None:
    """Who is cancelled, even twice, while the database works learns of it only after that work has ended."""
    ended = []

    async def work() -> None:
        await asyncio.sleep(0.05)
        ended.append(True)

    task = asyncio.create_task(carried(work()))
    for _ in range(2):
        await asyncio.sleep(0.01)
        task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert ended == [True]


async def test_a_cancelled_turn_holds_up_nobody(shared: Ground) -> None:
    """Turns that are cancelled at any point write all or nothing, and the store goes on."""
    store = await shared.open()
    await turn(store)
    lease = await taken(store)

    async def one() -> None:
        draft, event = step(await store.draft("d1"), quantity=1)
        await write(store, lease, draft=draft, events=[event])

    for n in range(25):
        task = asyncio.create_task(one())
        await asyncio.sleep(n / 5000)
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
    await store.release(lease)
    await turn(store, quantity=2)
    assert (values(await store.draft("d1")), (await verify(store, "d1")).broken) == ({"quantity": 2}, "")


async def test_a_draft_needs_few_rows(shared: Ground) -> None:
    """A person has one key however many turns there were, beside the installation's root, and a draft one row."""
    store = await shared.open()
    for n in range(5):
        await turn(store, quantity=n)
    database = Database(database_address(shared.url))
    for name, many in (("person_keys", 2), ("drafts", 1), ("conversations", 1)):
        rows = select(func.count()).select_from(metadata.tables[name])
        assert await database.read(lambda connection, rows=rows: connection.execute(rows).scalar_one()) == many
    await database.stop()


async def test_what_comes_while_another_is_written_is_committed_together(tmp_path: Path) -> None:
    """Transactions that wait for the disk share one commit; one of them that fails takes nothing of the others with it."""
    database = Database(database_address(f"sqlite:///{tmp_path}/many.db"))
    traced: list[str] = []

    def begin(connection: Connection) -> None:
        connection.exec_driver_sql("CREATE TABLE notes (n INTEGER PRIMARY KEY)")
        connection.connection.driver_connection.set_trace_callback(traced.append)

    def note(n: int, connection: Connection) -> int:
        connection.exec_driver_sql("INSERT INTO notes VALUES (?)", (n,))
        if n == 3:
            raise LeaseLost("another has it")
        connection.exec_driver_sql("INSERT INTO notes VALUES (?)", (n + 100,))
        return n

    await database.write(begin)
    came = await asyncio.gather(*(database.write(partial(note, n)) for n in range(8)), return_exceptions=True)
    kept = await database.read(lambda connection: connection.exec_driver_sql("SELECT n FROM notes").scalars().all())
    await database.stop()
    assert [n if isinstance(n, int) else type(n) for n in came] == [0, 1, 2, LeaseLost, 4, 5, 6, 7]
    assert sorted(kept) == sorted([*(n for n in range(8) if n != 3), *(n + 100 for n in range(8) if n != 3)])
    assert traced.count("COMMIT") <= 2
