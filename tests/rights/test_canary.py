"""A mark put wherever a person can put one is nowhere after their erasure."""

from pathlib import Path
from typing import Any

import pytest

from bot.sandbox.models.answers import Answer, call, tools
from state.stores.ledger import EntryWrite, OperationResult, Pending
from tests.chain import verify_all
from tests.documents.conftest import write_form
from tests.documents.files import pdf
from tests.rights.searching import found, in_files, in_redis
from tests.world import TEAM, World, world

CANARY = "canary7f3a9c"
PERSON = f"{TEAM}:U0ALEX"
MARKS = (CANARY, "U0ALEX", "Alex Reed")


def echoes(_: dict[str, Any]) -> Answer:
    """A model that puts the mark into a call, into the name of a tool, and into words."""
    named = call(f"set_{CANARY}", words=CANARY)
    return tools(call("set_reason", reason=f"for {CANARY}", words=CANARY), named, text=f"About {CANARY}.")


async def leave_marks(w: World) -> None:
    """The mark as a file's name and content, a message, an answer, an operation; a file of all data; one request given up, one filed."""
    await w.say("I need to send papers")
    await w.alex.upload(f"{CANARY}.pdf", pdf(CANARY, "Net salary"), "application/pdf")
    await w.settled()
    await w.say(f"something about {CANARY}")
    await w.say("start over")
    await w.click("Yes, start over")
    await w.say("my data")
    pending = Pending("q1", TEAM, PERSON, "expenses", {"item": CANARY})
    await w.bot.store.propose(pending, 600)
    entry = EntryWrite(TEAM, "expenses", await w.bot.store.last_entry(TEAM, "expenses") + 1, PERSON, {"item": CANARY})
    await w.bot.store.carry_out(OperationResult("q1", (entry,), {"said": CANARY}))


async def erase(w: World) -> None:
    """Ask for the erasure, and click."""
    await w.say("erase my data")
    await w.click("Yes, erase everything")
    await w.sandbox.until(lambda: "is erased" in w.last())
    await w.settled()


async def check(w: World, folder: Path) -> None:
    """Nothing is left, on disk, in Redis, or for whoever has the installation's key; the chain verifies; a tombstone stands."""
    made = w.bot.settings
    tables = await found(made, CANARY)
    assert {"documents", "events", "drafts", "tool_calls", "inbox", "outbox", "proposals", "entries"} <= tables
    await erase(w)
    channel = w.alex.dm
    assert await found(made, *MARKS, channel) == set()
    assert await in_redis(w, *MARKS, channel) == [] and in_files(folder, *MARKS) == []
    checked, broken = await verify_all(w.bot.store)
    assert checked >= 2 and broken == []
    (stone,) = await w.bot.store.tombstones()
    assert stone.drafts == {"papers": checked} and stone.events > 5


async def test_nothing_is_left_on_sqlite(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """On SQLite: not in the file, its log, the folder, Redis or the lines of the log, and unreadable with every key there is."""
    forms = str(write_form(tmp_path))
    async with world(tmp_path / "var", echoes, kept=True, holdfast_workflows=forms) as w:
        await leave_marks(w)
        await check(w, tmp_path / "var")
    written = capfd.readouterr()
    assert "erased" in written.out + written.err
    assert not [m for m in MARKS if m in written.out + written.err]


async def test_nothing_is_left_on_postgresql(postgres: str, tmp_path: Path) -> None:
    """On PostgreSQL the same."""
    forms = str(write_form(tmp_path))
    async with world(tmp_path / "var", echoes, holdfast_workflows=forms, database_url=postgres) as w:
        await leave_marks(w)
        await check(w, tmp_path / "var")


def test_the_search_finds_what_is_there(tmp_path: Path) -> None:
    """The search itself can fail: a mark in a file is found."""
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "b.db").write_bytes(b"\x00" + CANARY.encode())
    assert in_files(tmp_path, CANARY) == ["b.db"]
