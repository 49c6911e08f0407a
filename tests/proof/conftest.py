"""One request is filed, sent back for more, filed again, decided by two, and exported; its database is copied for each test that writes to it."""

import asyncio
import shutil
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

import pytest
import time_machine

from tests.command import holdfast
from tests.whole.officers import BETTER, ask, file_large, press
from tests.world import world

ANSWER = "Only my father’s former manager did, by telephone."
NUMBER = "PA-2026-000001"
FILED, READ = datetime(2026, 11, 20, 10, tzinfo=UTC), datetime(2026, 11, 23, 10, tzinfo=UTC)
"""When the request is filed and decided, and when each test begins to read it."""


async def _story(var: Path) -> None:
    async with world(var, kept=True) as w:
        await file_large(w)
        await press(w, "U0ROBIN", "Approve")
        await ask(w, "U0DANA", "justification")
        await w.say(BETTER)
        await w.say(ANSWER)
        await w.click("Submit")
        await press(w, "U0ROBIN", "Approve")
        await press(
            w,
            "U0DANA",
            "Decline…",
            reason="=cmd|' /C calc'!A0",
            note="Not this quarter, Zoë Łukasz 王.\n\x1b[31m\u202esecond line",
        )


@pytest.fixture(scope="session")
def decided(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An installation's folder; nobody changes it."""
    var = tmp_path_factory.mktemp("decided")
    with time_machine.travel(FILED), ThreadPoolExecutor(1) as aside:
        aside.submit(asyncio.run, _story(var)).result()
    return var


@pytest.fixture(autouse=True)
def _stated(decided: Path) -> Iterator[None]:
    """Read it three days later, whatever day the machine has."""
    with time_machine.travel(READ):
        yield


@pytest.fixture
def var(decided: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    return Path(shutil.copytree(decided, tmp_path / "var"))


@pytest.fixture(scope="session")
def exported(decided: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What an examiner is given: the record as CSV, as a PDF and as a ZIP, the public key, the heads."""
    var, folder = tmp_path_factory.mktemp("var") / "var", tmp_path_factory.mktemp("given")
    shutil.copytree(decided, var)
    for words in (
        ("--workflow", "pa_dealing", "--format", "csv", "--output", str(folder / "csv")),
        ("--record", NUMBER, "--format", "pdf", "--output", str(folder / "pdf")),
        ("--workflow", "pa_dealing", "--state", "declined", "--output", str(folder / "json.zip")),
        ("--format", "public-key", "--output", str(folder / "public.pem")),
    ):
        told = holdfast("export", *words, var=var)
        assert (told.returncode, told.stderr) == (0, "")
    shutil.copyfile(var / "heads.jsonl", folder / "heads.jsonl")
    shutil.copytree(var, folder / "var")
    return folder
