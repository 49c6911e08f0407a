"""A tiny Bolt app that answers everything the page can do, and remembers what it heard."""

import re
from dataclasses import dataclass, field
from typing import Any

from slack_bolt.adapter.socket_mode.async_handler import AsyncSocketModeHandler
from slack_bolt.async_app import AsyncApp
from slack_sdk.web.async_client import AsyncWebClient

from bot.sandbox.server import Sandbox

Json = dict[str, Any]
EVERYTHING = re.compile(".*", re.DOTALL)
BROKERS = ("Anchor Pension", "Harbour ISA", "Tideway Dealing")


@dataclass
class Showcase:
    """The app: `actions`, `submissions`, `closed`, `events` and `commands` hold the payloads, oldest first.

    `views` are opened by the buttons whose action id they are kept under; `answer` is given to the next submission.
    """

    sandbox: Sandbox
    actions: list[Json] = field(default_factory=list)
    submissions: list[Json] = field(default_factory=list)
    closed: list[Json] = field(default_factory=list)
    events: list[Json] = field(default_factory=list)
    commands: list[Json] = field(default_factory=list)
    views: dict[str, Json] = field(default_factory=dict)
    answer: Json = field(default_factory=dict)

    async def start(self) -> None:
        """Connect, and wait until the sandbox has the connection."""
        self.client = AsyncWebClient(self.sandbox.bot_token, base_url=self.sandbox.api_url)
        app = AsyncApp(name="app", client=self.client)
        app.action(EVERYTHING)(self._acted)
        app.options(EVERYTHING)(self._asked)
        app.view(EVERYTHING)(self._submitted)
        app.view_closed(EVERYTHING)(self._closed)
        app.event(EVERYTHING)(self._happened)
        app.command(EVERYTHING)(self._commanded)
        self._handler = AsyncSocketModeHandler(app, self.sandbox.app_token)
        await self._handler.connect_async()
        await self.sandbox.until(lambda: self.sandbox.connected)

    async def stop(self) -> None:
        """Disconnect."""
        await self._handler.close_async()

    async def post(self, *blocks: Json, channel: str = "D0ALEX", text: str = "A card", **more: Any) -> str:
        """Post a message; gives its ts."""
        posted = await self.client.chat_postMessage(channel=channel, text=text, blocks=list(blocks) or None, **more)
        return str(posted["ts"])

    async def publish(self, *blocks: Json, person: str = "U0ALEX") -> None:
        """Publish somebody's home."""
        await self.client.views_publish(user_id=person, view={"type": "home", "blocks": list(blocks)})

    async def _acted(self, ack: Any, body: Json) -> None:
        self.actions.append(body)
        await ack()
        action = body["actions"][0]["action_id"]
        if action in self.views:
            in_modal = body.get("view", {}).get("type") == "modal"
            opened = self.client.views_push if in_modal else self.client.views_open
            await opened(trigger_id=body["trigger_id"], view=self.views[action])

    async def _asked(self, ack: Any, body: Json) -> None:
        found = [name for name in BROKERS if body["value"].lower() in name.lower()]
        await ack(options=[{"text": {"type": "plain_text", "text": name}, "value": name} for name in found])

    async def _submitted(self, ack: Any, body: Json) -> None:
        self.submissions.append(body)
        await ack(**self.answer)

    async def _closed(self, ack: Any, body: Json) -> None:
        self.closed.append(body)
        await ack()

    async def _happened(self, body: Json) -> None:
        self.events.append(body["event"])

    async def _commanded(self, ack: Any, body: Json) -> None:
        self.commands.append(body)
        await ack(text=f"You asked for {body['text']}")
