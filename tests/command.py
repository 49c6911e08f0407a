"""The commands as people type them, in this process: what a process of its own shows, the tests of crashes and starts show."""

import logging
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import structlog
from typer.testing import CliRunner

from bot.cli import app
from bot.operations.logs import QUIET
from bot.settings import Settings


@dataclass(frozen=True)
class Ran:
    """What a command wrote, and its exit code."""

    returncode: int
    stdout: str
    stderr: str


@contextmanager
def _logs_of_its_own() -> Iterator[None]:
    """A command sets up the process's logs for its own end of the terminal, which is closed when it ends."""
    structured, root = structlog.get_config(), logging.getLogger()
    handlers, level = root.handlers[:], root.level
    libraries = {name: logging.getLogger(name).level for name in QUIET}
    try:
        yield
    finally:
        structlog.configure(**structured)
        root.handlers[:] = handlers
        root.setLevel(level)
        for name, was in libraries.items():
            logging.getLogger(name).setLevel(was)


def holdfast(*words: str, var: Path, typed: str = "", **env: str) -> Ran:
    """Run a command with its own `var`, what is typed, and nothing of this machine's environment; an event loop may run here."""
    nothing = {name.upper(): None for name in Settings.model_fields}
    given = {**nothing, "HOLDFAST_VAR": str(var), **env}
    with _logs_of_its_own(), ThreadPoolExecutor(1) as aside:
        ran = aside.submit(CliRunner().invoke, app, list(words), input=typed, env=given).result()
    if ran.exception and not isinstance(ran.exception, SystemExit):
        raise ran.exception
    return Ran(ran.exit_code, ran.stdout, ran.stderr)
