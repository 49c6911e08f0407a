"""Conversations outlive the sandbox: a new one on the same file shows what stood there, and goes on."""

import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from sandbox_types import Seen
from slack_bolt.adapter.socket_mode.async_handler import AsyncSocketModeHandler
from slack_bolt.async_app import AsyncApp
from slack_screens import actions, button
from slack_sdk.web.async_client import AsyncWebClient

from bot.sandbox import workspace
from bot.sandbox.server import Sandbox
from bot.sandbox.workspace import Json


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """Where the conversations are kept."""
    return tmp_path / "var" / "sandbox.db"


@pytest.fixture
def said() -> list[str]:
    """What was said at the terminal."""
    return []


@asynccontextmanager
async def running(kept: Path, said: list[str] | None = None) -> AsyncIterator[tuple[Sandbox, AsyncWebClient]]:
    """A sandbox on this file, and the SDK's client for it."""
    sandbox = Sandbox(keep=kept, say=(said if said is not None else []).append)
    await sandbox.start()
    try:
        yield sandbox, AsyncWebClient(sandbox.bot_token, base_url=sandbox.api_url, retry_handlers=[])
    finally:
        await sandbox.stop()


def shown(sandbox: Sandbox, channel: str = "D0ALEX") -> list[Json]:
    """The messages of a conversation."""
    return sandbox.person("U0ALEX").messages(channel)


async def test_everything_on_the_screen_is_there_again(kept: Path) -> None:
    """Messages, changed ones, threads, metadata, files, homes and suggestions come back as they were; what was deleted does not."""
    async with running(kept) as (sandbox, client):
        alex = sandbox.person("U0ALEX")
        ts = await alex.say("buy 200 Tesco")
        card = await client.chat_postMessage(
            channel="D0ALEX", text="q", metadata={"event_type": "c", "event_payload": {}}
        )
        await client.chat_postMessage(channel="C0GENERAL", thread_ts=str(card["ts"]), text="<!here> look")
        await client.chat_update(channel="D0ALEX", ts=str(card["ts"]), text="new", blocks=actions(button("go", "Go")))
        gone = await client.chat_postMessage(channel="D0ALEX", text="gone")
        await client.chat_delete(channel="D0ALEX", ts=str(gone["ts"]))
        await client.chat_postMessage(channel="D0ALEX", thread_ts=ts, text="a reply")
        await alex.upload("slip.pdf", b"%PDF-", "application/pdf")
        await client.files_upload_v2(filename="month.png", content=b"\x89PNG", channel="D0ALEX")
        await client.views_publish(user_id="U0ALEX", view={"type": "home", "blocks": [{"type": "divider"}]})
        await client.assistant_threads_setSuggestedPrompts(
            channel_id="D0ALEX", thread_ts=str(ts), prompts=[{"title": "Go on", "message": "go on"}]
        )
        before = {name: shown(sandbox, name) for name in ("D0ALEX", "C0GENERAL")}
        world = sandbox.workspace
    async with running(kept) as (again, _):
        assert {name: shown(again, name) for name in before} == before
        assert len(before["D0ALEX"]) == 5
        assert again.workspace.files == world.files
        assert again.workspace.homes == world.homes
        assert again.workspace.prompts == world.prompts


async def test_a_conversation_goes_on(kept: Path, seen: Seen) -> None:
    """A button of an earlier run is clicked and its message replaced; what is said now stands after what was said then."""
    async with running(kept) as (_, client):
        await client.chat_postMessage(channel="D0ALEX", text="q", blocks=actions(button("go", "Go")))
    async with running(kept) as (sandbox, client):
        app = AsyncApp(name="app", client=client)

        @app.action("go")
        async def note(ack: Callable[[], object], body: Json, respond: Callable[..., object]) -> None:
            await ack()  # type: ignore[misc]  # Bolt's utilities are untyped
            seen.append(body)
            await respond(text="Done", replace_original=True)  # type: ignore[misc]  # nor is this one

        handler = AsyncSocketModeHandler(app, sandbox.app_token)
        await handler.connect_async()
        await sandbox.until(lambda: sandbox.connected)
        await sandbox.person("U0ALEX").click("Go")
        await sandbox.until(lambda: shown(sandbox)[0]["text"] == "Done")
        await sandbox.person("U0ALEX").say("thanks")
        await handler.close_async()
        assert [message["text"] for message in shown(sandbox)] == ["Done", "thanks"]
        assert shown(sandbox)[0]["ts"] < shown(sandbox)[1]["ts"]


async def test_a_clock_that_stands_still_repeats_no_timestamp(kept: Path) -> None:
    """A new message never takes the place of one of an earlier run."""
    for _ in range(2):
        sandbox = Sandbox(keep=kept, clock=lambda: 1_700_000_000.0)
        await sandbox.start()
        await sandbox.person("U0ALEX").say("hello")
        await sandbox.stop()
    assert len({message["ts"] for message in shown(sandbox)}) == 2


async def test_what_was_said_is_on_disk_before_the_sandbox_stops(kept: Path) -> None:
    """A copy of the files taken in the middle, as a kill leaves them, holds every message said until then."""
    async with running(kept) as (sandbox, _):
        await sandbox.person("U0ALEX").say("hello")
        copied = kept.parent.parent / "copied"
        copied.mkdir()
        for file in kept.parent.iterdir():
            (copied / file.name).write_bytes(file.read_bytes())
    async with running(copied / kept.name) as (again, _):
        assert [message["text"] for message in shown(again)] == ["hello"]


async def test_a_long_conversation_keeps_its_newest_part(kept: Path) -> None:
    """What the workspace forgets is forgotten on disk too: the newest 2,000 messages of a conversation stay."""
    async with running(kept) as (sandbox, _):
        for number in range(workspace.MESSAGES_PER_CHANNEL + 5):
            await sandbox.person("U0ALEX").say(str(number))
    with sqlite3.connect(kept) as db:
        assert db.execute("select count(*) from messages").fetchone() == (workspace.MESSAGES_PER_CHANNEL,)
    async with running(kept) as (again, _):
        assert shown(again)[0]["text"] == "5"


async def test_old_files_go_from_the_disk(kept: Path) -> None:
    """The newest 200 files stay."""
    async with running(kept) as (sandbox, _):
        for number in range(workspace.FILES_KEPT + 3):
            await sandbox.person("U0ALEX").upload(f"{number}.txt", b"x")
    with sqlite3.connect(kept) as db:
        assert db.execute("select count(*) from files").fetchone() == (workspace.FILES_KEPT,)


def scribbled(path: Path) -> None:
    """A file that is no database."""
    path.write_bytes(b"not a database at all" * 500)


def cut(path: Path) -> None:
    """A database whose end is missing."""
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2])


def emptied(path: Path) -> None:
    """A database of this version without its tables."""
    with sqlite3.connect(path) as db:
        db.execute("drop table messages")


def of_another_version(path: Path) -> None:
    """A database that a later version wrote."""
    with sqlite3.connect(path) as db:
        db.execute("pragma user_version = 99")


def muddled(path: Path) -> None:
    """A row that is not as it was written."""
    with sqlite3.connect(path) as db:
        db.execute("update messages set about = '[]'")


@pytest.mark.parametrize("damage", [scribbled, cut, emptied, of_another_version, muddled])
async def test_a_file_that_cannot_be_read_is_set_aside(
    damage: Callable[[Path], None], kept: Path, said: list[str]
) -> None:
    """A damaged file stays under another name, one sentence says so, and the sandbox begins anew and keeps again."""
    async with running(kept) as (sandbox, _):
        await sandbox.person("U0ALEX").say("hello")
    damage(kept)
    async with running(kept, said) as (sandbox, _):
        assert shown(sandbox) == []
        await sandbox.person("U0ALEX").say("again")
    assert len(said) == 1
    assert f"{kept} cannot be read" in said[0]
    assert (kept.parent / "sandbox.db.damaged-1").exists()
    async with running(kept) as (sandbox, _):
        assert [message["text"] for message in shown(sandbox)] == ["again"]


async def test_a_place_that_cannot_be_written_is_said_and_lived_with(tmp_path: Path, said: list[str]) -> None:
    """Where no file can be made the sandbox says so in a sentence and works without."""
    (tmp_path / "var").write_text("a file where the folder should be")
    async with running(tmp_path / "var" / "sandbox.db", said) as (sandbox, _):
        await sandbox.person("U0ALEX").say("hello")
        assert [message["text"] for message in shown(sandbox)] == ["hello"]
    assert [("cannot be kept" in sentence) for sentence in said] == [True]


async def test_only_its_owner_reads_the_file(kept: Path) -> None:
    """Conversations are personal: the file is its owner's alone."""
    async with running(kept) as (sandbox, _):
        await sandbox.person("U0ALEX").say("hello")
        assert {file.stat().st_mode & 0o077 for file in kept.parent.iterdir()} == {0}


def entries(folder: Path) -> list[Path]:
    """What is in a folder."""
    return list(folder.iterdir())


async def test_without_a_file_nothing_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is kept unless a file is named."""
    monkeypatch.chdir(tmp_path)
    sandbox = Sandbox()
    await sandbox.start()
    await sandbox.person("U0ALEX").say("hello")
    await sandbox.stop()
    assert entries(tmp_path) == []
