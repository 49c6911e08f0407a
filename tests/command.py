"""The commands as people type them, in this process: what a process of its own shows, the tests of crashes and starts show."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from typer.testing import CliRunner

from bot.cli import app
from bot.settings import Settings


@dataclass(frozen=True)
class Ran:
    """What a command wrote, and its exit code."""

    returncode: int
    stdout: str
    stderr: str


def holdfast(*words: str, var: Path, **env: str) -> Ran:
    """Run a command with its own `var` and nothing of this machine's environment; an event loop may run here."""
    nothing = {name.upper(): None for name in Settings.model_fields}
    given = {**nothing, "HOLDFAST_VAR": str(var), **env}
    with ThreadPoolExecutor(1) as aside:
        ran = aside.submit(CliRunner().invoke, app, list(words), env=given).result()
    if ran.exception and not isinstance(ran.exception, SystemExit):
        raise ran.exception
    return Ran(ran.exit_code, ran.stdout, ran.stderr)
