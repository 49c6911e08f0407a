"""Two bots on one database: what both are told at once is written once."""

import asyncio
import tomllib
from collections.abc import Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

from bot.root.assembly import build
from bot.sandbox.local import pointed_at
from bot.sandbox.models.answers import Answer, call, tools
from bot.sandbox.people import Person
from bot.sandbox.server import Sandbox
from state.stores.opener import open_store
from state.stores.store import Store
from state.stores.vault import installation_key
from tests.chain import verify
from tests.databases import put_tables
from tests.patience import PACE, PATIENCE
from tests.process import outside, process
from tests.whole.vehicle_steps import CLOSING, SEND, to_review
from tests.world import TEAM, World, settings, shown

THANKS = "Gracias por todo"
WELCOMES = {
    s for key, s in tomllib.loads(Path("blocks/phrases/es.toml").read_text("utf-8")).items() if key == "heard_thanks"
}


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty database."""
    if request.param == "sqlite":
        put_tables(tmp_path / "holdfast.db")
        return f"sqlite:///{tmp_path}/holdfast.db"
    return str(request.getfixturevalue("postgres"))


def finalises_on_thanks(request: dict[str, Any]) -> Answer:
    """A model that finalises twice in one reply whenever it is thanked."""
    newest = [m["content"] for m in request["messages"] if m["role"] == "user"][-1]
    thanked = isinstance(newest, str) and THANKS in newest
    if thanked:
        return tools(call("finalizar_expediente"), call("finalizar_expediente"))
    return tools(call("say", act="acknowledge", about="", readings=[]))


async def prepare(sandbox: Sandbox, var: Path, database: str) -> None:
    """A case up to its review card, with a bot that is gone afterwards."""
    sandbox.knobs.tiers = PACE
    bot = await build(pointed_at(settings(var, database_url=database), sandbox))
    await bot.start()
    try:
        await sandbox.until(lambda: sandbox.connected)
        await to_review(World(sandbox, bot, None, sandbox.person("U0ALEX")))
    finally:
        await bot.stop()
    await sandbox.until(lambda: not sandbox.connected)


def screen(alex: Person) -> str:
    """All that the bots say."""
    return "\n".join(shown(m) for m in alex.messages() if m.get("bot_id"))


async def see(sandbox: Sandbox, seen: Callable[[], bool]) -> None:
    """Wait for something on the screen, then a moment for what should not follow."""
    await sandbox.until(seen, timeout=PATIENCE)
    await asyncio.sleep(1)


async def test_two_processes_finalise_one_case_once(database: str, tmp_path: Path) -> None:
    """Two clicks on Submit reach two bots at once: one write. Thanks to both of them: no write, a natural answer."""
    async with outside(finalises_on_thanks, ack_timeout=PATIENCE) as (sandbox, server):
        alex = sandbox.person("U0ALEX")
        await prepare(sandbox, tmp_path, database)
        async with AsyncExitStack() as stack:
            for _ in range(2):
                await stack.enter_async_context(process(sandbox, server, tmp_path, DATABASE_URL=database))
            await sandbox.until(lambda: sandbox.connected == 2, timeout=PATIENCE)
            card = next(m for m in reversed(alex.messages()) if SEND in shown(m))
            await asyncio.gather(*(alex.click(SEND, card, stale=True) for _ in range(2)))
            await see(sandbox, lambda: CLOSING in screen(alex))
            assert screen(alex).count(CLOSING) == 1
            await asyncio.gather(alex.say(THANKS), alex.say(THANKS + "!"))
            await see(sandbox, lambda: any(said in screen(alex) for said in WELCOMES))
        assert "Expediente enviado" in screen(alex)
        await check(open_store(database, installation_key(tmp_path / "holdfast.key")))


async def check(store: Store) -> None:
    """One record, one move to "submitted", finalising calls that all came to nothing new, an unbroken chain."""
    await store.start()
    try:
        (record,) = await store.records_of(f"{TEAM}:U0ALEX")
        changes = [c for e in await store.events(record.draft) for c in e.changes]
        moves = [c["to"] for c in changes if c["kind"] == "StatusMoved"]
        calls = [(c.status, c.idempotent) for c in await store.tool_calls(record.draft) if c.finalizes]
        assert (record.state, moves) == ("pending_review", ["submitted"])
        assert set(calls) <= {("success", True), ("rejected", False)} and ("success", True) in calls
        assert not (await verify(store, record.draft)).broken and await store.dead() == []
    finally:
        await store.stop()
