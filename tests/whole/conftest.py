"""The whole bot that most conversations are played with."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from state.stores.opener import memory_store
from tests.whole.approved import Time
from tests.whole.walks import placed
from tests.world import World


@pytest.fixture
def clock() -> Time:
    """The store's clock, in the hands of a test that asks for it."""
    return Time()


@pytest.fixture
async def w(tmp_path: Path, request: pytest.FixtureRequest) -> AsyncIterator[World]:
    """A whole bot without a key, under `tmp_path`; with the forms of the module's `ONLY`, and with the test's `clock` where it has one."""
    options: dict[str, Any] = dict(getattr(request.module, "ONLY", {}))
    if "clock" in request.fixturenames:
        options["store"] = memory_store(request.getfixturevalue("clock"))
    async with placed(request, tmp_path, **options) as made:
        yield made
