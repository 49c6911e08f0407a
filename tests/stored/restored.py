"""The kept database and the Slack that belongs to it, each test its own copy, brought to the present day."""

import gzip
import json
import shutil
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bot.root.assembly import build
from bot.sandbox.local import make_sandbox, pointed_at
from bot.sandbox.workspace import Message, Profile, StoredFile, View, Workspace
from tests.world import World, settings

HERE = Path(__file__).parent
SLACK: dict[str, Any] = json.loads(gzip.decompress((HERE / "slack.json.gz").read_bytes()))
"""What Slack held when the database was filled: people by situation, messages, modals, home views, files."""
PEOPLE: dict[str, dict[str, str]] = SLACK["people"]
FILLED = datetime.fromisoformat(SLACK["at"])
AGEING = {
    "inbox": ("received_at", "due_at", "ended_at"), "outbox": ("due_at", "ended_at"), "drafts": ("updated_at",),
    "records": ("filed_at",), "proposals": ("made_at", "expires_at", "ended_at"), "entries": ("made_at", "changed_at"),
    "documents": ("received_at", "keep_until"), "person_keys": ("destroy_at",), "tombstones": ("at",),
}  # fmt: skip
"""Columns that deadlines are counted from. None is covered by the chain of events."""


def copied(var: Path) -> Path:
    """A copy of the database with its key under `var`, as though it had been filled just now: nothing expires as years pass."""
    var.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(HERE / "holdfast.key", var / "holdfast.key")
    (var / "holdfast.db").write_bytes(gzip.decompress((HERE / "holdfast.db.gz").read_bytes()))
    age = f"{(datetime.now(UTC) - FILLED).total_seconds():+.0f} seconds"
    with closing(sqlite3.connect(var / "holdfast.db")) as database, database:
        for table, columns in AGEING.items():
            moved = ", ".join(f"{c} = strftime('%Y-%m-%d %H:%M:%f000', {c}, :age)" for c in columns)
            database.execute(f"UPDATE {table} SET {moved}", {"age": age})  # noqa: S608  names from the table above
    return var


def put_back(workspace: Workspace) -> None:
    """Fill a fresh workspace with what Slack held."""
    for person in PEOPLE.values():
        workspace.add_person(Profile(person["id"], person["name"], person["real_name"]), person["dm"])
    for name, messages in SLACK["channels"].items():
        for message in messages:
            workspace.channels[name].keep(Message(name, dict(message["body"]), message["metadata"]))
    workspace.modals |= {who: [View(who, body) for body in stack] for who, stack in SLACK["modals"].items()}
    workspace.homes |= {who: View(who, body) for who, body in SLACK["homes"].items()}
    for file in SLACK["files"]:
        workspace.keep_file(StoredFile(**{**file, "content": file["content"].encode("latin-1")}))


@asynccontextmanager
async def stored_world(var: Path) -> AsyncIterator[World]:
    """A bot of today on the kept database, with people, messages and buttons as they were; what waited is worked off."""
    plain = settings(copied(var))
    sandbox = make_sandbox(plain)
    put_back(sandbox.workspace)
    await sandbox.start()
    bot = await build(pointed_at(plain, sandbox))
    try:
        await bot.start()
        await sandbox.until(lambda: sandbox.connected)
        world = World(sandbox, bot, None, sandbox.person("U0ALEX"))
        await world.settled()
        yield world
        assert sandbox.refused == []
    finally:
        await bot.stop()
        await sandbox.stop()


def person_of(world: World, situation: str) -> World:
    """The same world with the person of a situation at the keyboard: `pa_dealing/review_waits`."""
    return World(world.sandbox, world.bot, world.model, world.sandbox.person(PEOPLE[situation]["id"]))
