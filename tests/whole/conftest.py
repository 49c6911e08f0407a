"""The whole bot that most conversations are played with."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from state.stores.opener import memory_store
from tests.whole.approved import Time
from tests.whole.walks import behind
from tests.world import World, world


def pytest_configure(config: pytest.Config) -> None:
    """What a test says of where its world `w` stands."""
    config.addinivalue_line("markers", "behind(walk): the world `w` is one in which this has been done")


@pytest.fixture
def clock() -> Time:
    """The store's clock, in the hands of a test that asks for it."""
    return Time()


@pytest.fixture(scope="session")
def walks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where this process keeps what walks left."""
    return tmp_path_factory.mktemp("walks")


@pytest.fixture
async def w(tmp_path: Path, walks: Path, request: pytest.FixtureRequest) -> AsyncIterator[World]:
    """A whole bot without a key, under `tmp_path`; with the forms of the module's `ONLY`, and with the test's `clock` where it has one."""
    options: dict[str, Any] = dict(getattr(request.module, "ONLY", {}))
    if "clock" in request.fixturenames:
        options["store"] = memory_store(request.getfixturevalue("clock"))
    mark = request.node.get_closest_marker("behind")
    walk = mark.kwargs["walk"] if mark else None
    async with behind(walk, tmp_path, walks, **options) if walk else world(tmp_path, options=options) as made:
        yield made
