"""One history is built, and copied for each test."""

import asyncio
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.evidence.history import make


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The history as it was made; nobody changes it."""
    var = tmp_path_factory.mktemp("history")
    with ThreadPoolExecutor(1) as aside:
        aside.submit(asyncio.run, make(var)).result()
    return var


@pytest.fixture
def var(built: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    return Path(shutil.copytree(built, tmp_path / "var"))
