"""A world per test."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.world import World, world


@pytest.fixture
async def plain(tmp_path: Path) -> AsyncIterator[World]:
    """A bot without a key: the rule-based reader reads."""
    async with world(tmp_path) as made:
        yield made
