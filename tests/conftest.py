"""Fixtures that more than one subject needs. They import what they need when they are asked for: a test of the core waits for no driver."""

import gc
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import hypothesis
import pytest

from tests import clocks, forks
from tests.thoroughness import SHORT
from tests.times import table

if TYPE_CHECKING:
    from tests.world import World

FOLDERS = "--folders"
SELDOM = (50_000, 20, 20)
"""Garbage is looked for seldom: all that is imported and collected stays to the end, and walking it takes a tenth of a run."""

gc.set_threshold(*SELDOM)
hypothesis.settings.load_profile(SHORT)


def pytest_configure(config: pytest.Config) -> None:
    """The clock and the forks that were asked for. Whoever configures no log gets lines without every frame's locals: they take a second each."""
    clocks.pytest_configure(config)
    config.addinivalue_line("markers", "behind(walk): the test's world is one in which this has been done")
    import structlog

    *processors, _ = structlog.get_config()["processors"]
    plain = structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)
    structlog.configure(processors=[*processors, plain])
    forks.pytest_configure(config)


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--folders` prints what each folder took, `--forks` runs in so many processes."""
    parser.addoption(FOLDERS, action="store_true", help="print the seconds of each folder at the end")
    forks.pytest_addoption(parser)


def pytest_report_header() -> str:
    """The clock."""
    return clocks.pytest_report_header()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """The table, where it was asked for."""
    if terminalreporter.config.getoption(FOLDERS):
        reports = (r for some in terminalreporter.stats.values() for r in some if isinstance(r, pytest.TestReport))
        for line in table(reports):
            terminalreporter.write_line(line)


def pytest_collection_finish() -> None:
    """What is there by now stays, and need not be walked again."""
    gc.freeze()


@pytest.fixture(scope="session")
def postgres_address(testrun_uid: str) -> Iterator[str]:
    """The address of the one PostgreSQL of this run."""
    from tests.databases import postgres_server

    with ExitStack() as stack:
        try:
            address = stack.enter_context(postgres_server(testrun_uid))
        except Exception as error:
            pytest.skip(f"PostgreSQL IS LEFT OUT: the embedded server does not run here ({type(error).__name__})")
        yield address


@pytest.fixture
def postgres(postgres_address: str) -> Iterator[str]:
    """The address of an empty PostgreSQL database of one's own."""
    from tests.databases import postgres_database

    with postgres_database(postgres_address) as address:
        yield address


@pytest.fixture(scope="session")
def walks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where this process keeps what walks left."""
    return tmp_path_factory.mktemp("walks")


@pytest.fixture
async def plain(tmp_path: Path, request: pytest.FixtureRequest) -> "AsyncIterator[World]":
    """A whole bot without a key: the rule-based reader reads. It keeps nothing."""
    from tests.whole.walks import placed

    async with placed(request, tmp_path) as made:
        yield made


@pytest.fixture
async def kept(tmp_path: Path) -> "AsyncIterator[World]":
    """The same with its database on disk and its Redis, as it is run."""
    from tests.world import world

    async with world(tmp_path, kept=True) as made:
        yield made
