"""A world on the kept database."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from tests.stored.restored import stored_world
from tests.world import World


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def stored(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[World]:
    """One world for all tests of a file: each has a person of its own in it."""
    async with stored_world(tmp_path_factory.mktemp("stored")) as world:
        yield world
