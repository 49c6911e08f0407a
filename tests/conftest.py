"""Fixtures that more than one subject needs."""

from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack
from pathlib import Path

import hypothesis
import pytest

from tests.databases import postgres_database, postgres_server
from tests.thoroughness import SHORT
from tests.world import World, world

hypothesis.settings.load_profile(SHORT)


@pytest.fixture(scope="session")
def postgres_address(testrun_uid: str) -> Iterator[str]:
    """The address of the one PostgreSQL of this run."""
    with ExitStack() as stack:
        try:
            address = stack.enter_context(postgres_server(testrun_uid))
        except Exception as error:
            pytest.skip(f"PostgreSQL IS LEFT OUT: the embedded server does not run here ({type(error).__name__})")
        yield address


@pytest.fixture
def postgres(postgres_address: str) -> Iterator[str]:
    """The address of an empty PostgreSQL database of one's own."""
    with postgres_database(postgres_address) as address:
        yield address


@pytest.fixture
async def plain(tmp_path: Path) -> AsyncIterator[World]:
    """A whole bot without a key: the rule-based reader reads. It keeps nothing."""
    async with world(tmp_path) as made:
        yield made


@pytest.fixture
async def kept(tmp_path: Path) -> AsyncIterator[World]:
    """The same with its database on disk and its Redis, as it is run."""
    async with world(tmp_path, kept=True) as made:
        yield made
