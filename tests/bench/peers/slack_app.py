"""What both builds share: a Bolt app over Socket Mode, event ids kept in SQLite, a lock a conversation, cards, and the records filed."""

import asyncio
import json
import logging
import os
import re
import signal
from collections import defaultdict
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import aiosqlite
from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler
from slack_bolt.async_app import AsyncApp
from slack_sdk.web.async_client import AsyncWebClient

from tests.bench.peers.form import FIELDS, missing, question, shown

SORRY = "Sorry, something went wrong at my end. Please answer the question below, or say it again."
TABLES = """CREATE TABLE IF NOT EXISTS seen (id TEXT PRIMARY KEY);
CREATE TABLE IF NOT EXISTS cards (channel TEXT PRIMARY KEY, ts TEXT, field TEXT, words TEXT);
CREATE TABLE IF NOT EXISTS records (number INTEGER PRIMARY KEY, channel TEXT, thread TEXT UNIQUE, body TEXT);"""


@dataclass
class Draft:
    """What a conversation has so far. `clicked` values are locked; `found` are the securities to choose from."""

    values: dict[str, Any] = field(default_factory=dict)
    clicked: dict[str, bool] = field(default_factory=dict)
    found: list[str] = field(default_factory=list)
    asked: str = ""
    """The question that was open when the person acted."""

    @property
    def open(self) -> str:
        """Return the next field to ask for, empty where nothing is missing."""
        return next(iter(missing(self.values)), "")


File = Callable[[str, dict[str, Any]], Awaitable[str]]
"""Files a thread's values once, and returns the record's number."""


class Agent(Protocol):
    """What a library builds: `said` and `submitted` return what to tell the person."""

    async def said(self, thread: str, words: str) -> str: ...
    async def clicked(self, thread: str, name: str, value: object) -> None: ...
    async def submitted(self, thread: str) -> str: ...
    async def draft(self, thread: str) -> Draft: ...
    async def unfinished(self) -> dict[str, str]: ...


def button(label: str, value: object, name: str = "answer") -> dict[str, Any]:
    """Return a button that carries a field and its value."""
    words = {"type": "plain_text", "text": label[:75]}
    return {"type": "button", "action_id": f"{name}.{label[:40]}", "value": json.dumps(value), "text": words}


def section(words: str) -> dict[str, Any]:
    """Return a paragraph."""
    return {"type": "section", "text": {"type": "mrkdwn", "text": words[:3000]}}


def card(draft: Draft, thread: str) -> tuple[str, list[dict[str, Any]]]:
    """Return the open question or the review, with its buttons."""
    name = draft.open
    if not name:
        lines = [f"*{FIELDS[n]['label']}*: {shown(n, v)}" for n, v in draft.values.items()]
        words = "Please check your request, then submit it.\n" + "\n".join(lines)
        return words, [button("Submit", thread, "submit")]
    words = question(name, draft.values)
    kind = FIELDS[name]["kind"]
    if name == "security" and draft.found:
        names = "\n".join(shown("security", isin) for isin in draft.found)
        labels = ["Use this"] if len(draft.found) == 1 else [shown("security", isin) for isin in draft.found]
        return f"Is this the security?\n{names}", [
            button(label, [name, isin]) for label, isin in zip(labels, draft.found, strict=True)
        ]
    if kind == "yes_no":
        return words, [button(label, [name, label == "Yes"]) for label in ("Yes", "No")]
    if kind == "acknowledgement":
        return f"{words}\n{FIELDS[name]['declares']['yes']}", [button("I understand", [name, True])]
    return words, [button(c["label"], [name, c["value"]]) for c in FIELDS[name].get("choices", ())]


class Shell:
    """Slack on one side, the agent on the other."""

    def __init__(self, client: AsyncWebClient, database: aiosqlite.Connection) -> None:
        self.app = AsyncApp(name="app", client=client)
        self._client, self._database = client, database
        self._locks: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self.agent: Agent
        self.app.event("message")(self._said)
        self.app.action(re.compile("^answer"))(self._clicked)
        self.app.action(re.compile("^submit"))(self._submitted)

    async def _new(self, key: str) -> bool:
        done = await self._database.execute("INSERT OR IGNORE INTO seen VALUES (?)", (key,))
        await self._database.commit()
        return done.rowcount > 0

    async def _said(self, event: dict[str, Any], body: dict[str, Any]) -> None:
        if "bot_id" in event or "subtype" in event or not await self._new(body["event_id"]):
            return
        await self._turn(event["channel"], lambda thread: self.agent.said(thread, event["text"]))

    async def _clicked(self, ack: Any, body: dict[str, Any], action: dict[str, Any]) -> None:
        await ack()
        name, value = json.loads(action["value"])

        async def take(thread: str) -> str | None:
            if (await self.agent.draft(thread)).open != name:
                return None
            await self.agent.clicked(thread, name, value)
            return ""

        if await self._new(f"{body['message']['ts']}.{action['action_id']}.{action['action_ts']}"):
            await self._turn(body["channel"]["id"], take)

    async def _submitted(self, ack: Any, body: dict[str, Any], action: dict[str, Any]) -> None:
        await ack()
        meant = json.loads(action["value"])

        async def submit(thread: str) -> str | None:
            return await self.agent.submitted(thread) if thread == meant else None

        if await self._new(f"{body['message']['ts']}.{action['action_id']}.{action['action_ts']}"):
            await self._turn(body["channel"]["id"], submit)

    async def _turn(self, channel: str, act: Callable[[str], Awaitable[str | None]]) -> None:
        """Act on the conversation's draft, and show what came of it; None is a click on what is past."""
        async with self._locks[channel]:
            thread = await self.thread(channel)
            try:
                reply = await act(thread)
            except Exception:
                logging.exception("the agent failed")
                reply = SORRY
            if reply is not None:
                await self.show(channel, thread, reply)

    async def thread(self, channel: str) -> str:
        """Return the conversation's current draft: a new one after each record."""
        async with self._database.execute("SELECT count(*) FROM records WHERE channel = ?", (channel,)) as found:
            (count,) = await found.fetchone() or (0,)
        return f"{channel}:{count}"

    async def show(self, channel: str, thread: str, reply: str) -> None:
        """Post the reply and the next question, and close the answered card. The same question is not posted twice."""
        reply = reply.strip()
        if await self.thread(channel) != thread:
            await self._post(channel, reply, [section(reply)])
            return await self._close(channel, "", Draft(), "")
        draft = await self.agent.draft(thread)
        words, buttons = card(draft, thread)
        async with self._database.execute("SELECT words FROM cards WHERE channel = ?", (channel,)) as found:
            before = await found.fetchone()
        if reply and before and before[0] == words:
            await self._post(channel, reply, [section(reply)])
            return None
        blocks = [*([section(reply)] if reply else []), section(words)]
        blocks += [{"type": "actions", "elements": buttons}] if buttons else []
        return await self._close(channel, await self._post(channel, words, blocks), draft, words)

    async def _post(self, channel: str, text: str, blocks: list[dict[str, Any]]) -> str:
        posted = await self._client.chat_postMessage(channel=channel, text=text[:3000], blocks=blocks)
        return str(posted["ts"])

    async def _close(self, channel: str, ts: str, draft: Draft, words: str) -> None:
        """Take the buttons off the card that was open, and remember the new one."""
        async with self._database.execute("SELECT ts, field FROM cards WHERE channel = ?", (channel,)) as found:
            before = await found.fetchone()
        await self._database.execute("REPLACE INTO cards VALUES (?, ?, ?, ?)", (channel, ts, draft.open, words))
        await self._database.commit()
        if before and before[0]:
            name = before[1]
            said = f": {shown(name, draft.values[name])}" if name in draft.values else ""
            done = f"✓ {FIELDS[name]['label']}{said}" if name else "✓ Reviewed"
            await self._client.chat_update(channel=channel, ts=before[0], text=done, blocks=[section(done)])

    async def file(self, thread: str, values: dict[str, Any]) -> str:
        """File once a thread."""
        given = (thread.partition(":")[0], thread, json.dumps(values))
        await self._database.execute("INSERT OR IGNORE INTO records (channel, thread, body) VALUES (?, ?, ?)", given)
        await self._database.commit()
        async with self._database.execute("SELECT number FROM records WHERE thread = ?", (thread,)) as found:
            (number,) = await found.fetchone() or (0,)
        return f"PA-{number:04d}"

    async def resume(self) -> None:
        """Go on with what a killed process had begun, as far as the library kept it."""
        for thread, reply in (await self.agent.unfinished()).items():
            await self.show(thread.partition(":")[0], thread, reply)


async def serve(build: Callable[[Path, File], AbstractAsyncContextManager[Agent]]) -> None:
    """Run the app until a signal ends it."""
    folder = Path(os.environ["HOLDFAST_VAR"])
    async with aiosqlite.connect(folder / "app.db") as database:
        for line in ("PRAGMA journal_mode=WAL", "PRAGMA synchronous=FULL", *TABLES.split(";")):
            await database.execute(line)
        await database.commit()
        client = AsyncWebClient(os.environ["SLACK_BOT_TOKEN"], base_url=os.environ["SLACK_API_URL"])
        shell = Shell(client, database)
        async with build(folder, shell.file) as shell.agent:
            await shell.resume()
            handler = AsyncSocketModeHandler(shell.app, os.environ["SLACK_APP_TOKEN"])
            stopped = asyncio.Event()
            for number in (signal.SIGINT, signal.SIGTERM):
                asyncio.get_running_loop().add_signal_handler(number, stopped.set)
            await handler.connect_async()
            await stopped.wait()
            await handler.close_async()
