"""The peer: an async Bolt app that answers a click or a message with one SQLite commit and the same two Slack calls.

Run: python -m tests.bench.bare (SLACK_BOT_TOKEN, SLACK_APP_TOKEN, SLACK_API_URL, BARE_DATABASE in the environment)
"""

import asyncio
import json
import os
import re
import signal
import sys
from typing import Any

import aiosqlite
import uvloop
from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler
from slack_bolt.async_app import AsyncApp
from slack_sdk.web.async_client import AsyncWebClient

QUESTION = "Is this a derivative?"


def question() -> list[dict[str, Any]]:
    """A question with two buttons."""
    buttons = [
        {"type": "button", "action_id": name.lower(), "value": name, "text": {"type": "plain_text", "text": name}}
        for name in ("Yes", "No")
    ]
    words = {"type": "section", "text": {"type": "mrkdwn", "text": QUESTION}}
    return [words, {"type": "actions", "block_id": "ask", "elements": buttons}]


class Bare:
    """The app and its one connection; `newest` is the open question of each conversation."""

    def __init__(self, client: AsyncWebClient, database: aiosqlite.Connection) -> None:
        self.app = AsyncApp(name="app", client=client)
        self._client, self._database = client, database
        self._newest: dict[str, str] = {}
        self.app.action(re.compile(".*"))(self._clicked)
        self.app.event("message")(self._said)

    async def _clicked(self, ack: Any, body: dict[str, Any]) -> None:
        await ack()
        await self._turn(body["channel"]["id"], body)

    async def _said(self, event: dict[str, Any]) -> None:
        if "bot_id" not in event and "subtype" not in event:
            await self._turn(event["channel"], event)

    async def _turn(self, channel: str, body: dict[str, Any]) -> None:
        """One commit, then the next question, then the answered card."""
        await self._database.execute("INSERT INTO acts (body) VALUES (?)", (json.dumps(body),))
        await self._database.commit()
        answered = self._newest.get(channel)
        posted = await self._client.chat_postMessage(channel=channel, text=QUESTION, blocks=question())
        self._newest[channel] = str(posted["ts"])
        if answered:
            done = [{"type": "section", "text": {"type": "mrkdwn", "text": "✓ Derivative: No"}}]
            await self._client.chat_update(channel=channel, ts=answered, text="✓ Derivative: No", blocks=done)


async def serve() -> None:
    """Until a signal ends it."""
    async with aiosqlite.connect(os.environ["BARE_DATABASE"]) as database:
        for line in ("PRAGMA journal_mode=WAL", "PRAGMA synchronous=FULL"):
            await database.execute(line)
        await database.execute("CREATE TABLE IF NOT EXISTS acts (id INTEGER PRIMARY KEY, body TEXT)")
        await database.commit()
        client = AsyncWebClient(os.environ["SLACK_BOT_TOKEN"], base_url=os.environ["SLACK_API_URL"])
        handler = AsyncSocketModeHandler(Bare(client, database).app, os.environ["SLACK_APP_TOKEN"])
        stopped = asyncio.Event()
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, stopped.set)
        await handler.connect_async()
        await stopped.wait()
        await handler.close_async()


if __name__ == "__main__":
    if "--imports" not in sys.argv:
        uvloop.run(serve())
