"""The three under measurement, each a bot in a process of its own with a Slack, a Messages API and people of its own; and what was filed."""

import asyncio
import json
import shutil
import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bot.sandbox.models.playback import MessagesServer
from bot.sandbox.models.scripts import Body, Play
from bot.sandbox.server import Sandbox
from state.stores.opener import open_store
from state.stores.vault import installation_key
from tests.bench.acts import Seat
from tests.bench.peers.person import Visit
from tests.bench.sides import HOLDFAST, PATIENCE, Side, end, environment, running

ROOT = Path(__file__).parents[3]
PYTHON = str(ROOT / ".venv-peers" / "bin" / "python")
"""Where the libraries are installed; `make bench BENCH=peers` does that."""
COMMANDS = {
    "Holdfast": HOLDFAST,
    "LangGraph": (PYTHON, "-m", "tests.bench.peers.on_langgraph"),
    "pydantic-ai": (PYTHON, "-m", "tests.bench.peers.on_pydantic_ai"),
}
PAUSE = 0.1
"""Seconds without a call, after which what follows an act is over."""


@dataclass
class Contender:
    """One of the three: `calls` counts model calls that are under way."""

    name: str
    var: Path
    sandbox: Sandbox
    server: MessagesServer
    play: Play
    calls: int = 0
    side: Side = field(init=False)
    _stack: AsyncExitStack = field(default_factory=AsyncExitStack)

    async def script(self, body: Body) -> Any:
        """Answer as the model does, and count the call as under way until then."""
        self.calls += 1
        try:
            answer = self.play(body)
            while hasattr(answer, "seconds"):
                await asyncio.sleep(answer.seconds)
                answer = answer.answer
            return answer
        finally:
            self.calls -= 1

    async def start(self) -> None:
        """Start the bot's process, once more after a kill."""
        more = {"ANTHROPIC_API_KEY": "sk-bench", "ANTHROPIC_BASE_URL": self.server.url, "HOLDFAST_PACE": "0"}
        env = environment(self.sandbox, self.var, more)
        made = running(COMMANDS[self.name], env, self.var / "log")
        process = await self._stack.enter_async_context(made)
        await self.sandbox.until(lambda: self.sandbox.connected, timeout=PATIENCE)
        self.side = Side(self.name, self.sandbox, process)

    async def kill(self) -> None:
        """End the process at once, and what it started."""
        self.side.process.kill()
        await end(self.side.process)
        await self.sandbox.until(lambda: not self.sandbox.connected, timeout=PATIENCE)

    async def stop(self) -> None:
        """End the process as people do."""
        await self._stack.aclose()

    def visit(self, n: int = 0) -> Visit:
        """Return the n-th person's visit."""
        return Visit(Seat(self.side, self.side.person(n)))

    async def quiet(self) -> None:
        """Wait until the bot neither calls nor computes, and no model call is under way."""
        newest = None
        while newest is not self.sandbox.sent[-1] or self.calls or self.side.computes() or self.sandbox.under_way:
            newest = self.sandbox.sent[-1]
            await asyncio.sleep(PAUSE)

    async def filed(self) -> dict[str, list[dict[str, Any]]]:
        """Return the values of each record by direct message, oldest first."""
        return await (records(self.var) if self.name == "Holdfast" else asyncio.to_thread(rows, self.var))


def rows(var: Path) -> dict[str, list[dict[str, Any]]]:
    """Return what a library's build filed."""
    found: dict[str, list[dict[str, Any]]] = {}
    with sqlite3.connect(var / "app.db") as database:
        for channel, body in database.execute("SELECT channel, body FROM records ORDER BY number"):
            found.setdefault(channel, []).append(json.loads(body))
    return found


async def records(var: Path) -> dict[str, list[dict[str, Any]]]:
    """Return what Holdfast filed."""
    store = open_store(f"sqlite:///{var}/holdfast.db", installation_key(var / "holdfast.key"))
    await store.start()
    found: dict[str, list[dict[str, Any]]] = {}
    try:
        for n in range(MOST_PEOPLE):
            kept = await store.records_of(f"T0HOLDFAST:U0CROWD{n}")
            found[f"D0CROWD{n}"] = [{k: v["data"] for k, v in r.body["values"].items()} for r in reversed(kept)]
    finally:
        await store.stop()
    return found


MOST_PEOPLE = 60


@asynccontextmanager
async def contender(name: str, folder: Path, play: Play) -> AsyncIterator[Contender]:
    """Yield one of the three on a folder of its own, with this model."""
    var = folder / name
    shutil.rmtree(var, ignore_errors=True)
    var.mkdir(parents=True)
    sandbox = Sandbox(ack_timeout=3.0, retry_delays=(0.0, 5.0), commands=("/holdfast", "/pa"))
    sandbox.knobs.tiers = 0
    made = Contender(name, var, sandbox, MessagesServer(play), play)
    made.server.script = made.script
    await sandbox.start()
    await made.server.start()
    try:
        await made.start()
        yield made
    finally:
        await made.stop()
        await made.server.stop()
        await sandbox.stop()


async def each(do: Callable[[str], Any]) -> dict[str, Any]:
    """Do it with all three at once, each for itself; return what came of it by name."""
    return dict(zip(COMMANDS, await asyncio.gather(*map(do, COMMANDS)), strict=True))
