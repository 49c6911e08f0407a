"""What a command imports: a second of start and 40 MB are paid by those alone who use what they bring."""

import json
import os
import subprocess
import sys
from pathlib import Path

from bot.root.installation import make_store
from tests.world import settings

HEAVY = ("anthropic", "alembic", "PIL", "slack_bolt", "icalendar", "holidays", "pypdfium2", "fpdf", "asyncpg")

EVERY_COMMAND = """
import contextlib, io, json, sys
from bot.cli import app

def imported():
    return [name for name in json.loads(sys.argv[1]) if name in sys.modules]

def runs(*words):
    with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
        app(list(words))
    return imported()

found = {
    "token": runs("token", "--tenant", "T1", "--user", "U1"),
    "export": runs("export", "--workflow", "loan"),
    "verify": runs("verify"),
    "report": runs("report"),
    "erase": runs("erase", "--team", "T1", "--user", "U1", "--yes"),
}
import bot.commands.serve
found["run"] = imported()
found["check"] = [name for name in runs("check") if name not in found["run"]]
print(json.dumps(found))
"""


async def test_commands_import_what_they_need_alone(tmp_path: Path) -> None:
    """No command that looks at records or forms imports a model, migrations, charts or Slack; `check` imports calendars, `run` Slack's SDK."""
    store = make_store(settings(tmp_path))
    await store.start()
    await store.stop()
    env = {"PATH": os.environ["PATH"], "PYTHONPATH": os.pathsep.join(sys.path), "HOLDFAST_VAR": str(tmp_path)}
    command = [sys.executable, "-c", EVERY_COMMAND, json.dumps(HEAVY)]
    done = subprocess.run(command, env=env, cwd=tmp_path, capture_output=True, text=True, timeout=100, check=False)  # noqa: S603, ASYNC221  our own
    assert done.returncode == 0, done.stderr
    commands = ("check", "token", "export", "verify", "report", "erase")
    expected = {**{name: [] for name in commands}, "check": ["holidays"], "run": ["slack_bolt"]}
    assert json.loads(done.stdout) == expected
