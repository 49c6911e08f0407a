"""A tiny Bolt app that answers everything the page can do, and remembers what it heard."""

import re
from dataclasses import dataclass, field
from typing import Any

from background_loop import Background, Waited
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
    background: Background
    actions: list[Json] = field(default_factory=list)
    submissions: list[Json] = field(default_factory=list)
    closed: list[Json] = field(default_factory=list)
    events: list[Json] = field(default_factory=list)
    commands: list[Json] = field(default_factory=list)
    views: dict[str, Json] = field(default_factory=dict)
    answer: Json = field(default_factory=dict)

    def start(self) -> None:
        """Connect, and wait until the sandbox has the connection."""
        self._client = AsyncWebClient(self.sandbox.bot_token, base_url=self.sandbox.api_url)
        self.client = Waited(self._client, self.background)
        self.background.run(self._start())

    async def _start(self) -> None:
        app = AsyncApp(name="app", client=self._client)
        app.action(EVERYTHING)(self._acted)
        app.options(EVERYTHING)(self._asked)
        app.view(EVERYTHING)(self._submitted)
        app.view_closed(EVERYTHING)(self._closed)
        app.event(EVERYTHING)(self._happened)
        app.command(EVERYTHING)(self._commanded)
        self._handler = AsyncSocketModeHandler(app, self.sandbox.app_token)
        await self._handler.connect_async()
        await self.sandbox.until(lambda: self.sandbox.connected)

    def stop(self) -> None:
        """Disconnect."""
        self.background.run(self._handler.close_async())

    def person(self, name: str = "U0ALEX") -> Waited:
        """Somebody at the keyboard elsewhere."""
        return Waited(self.sandbox.person(name), self.background)

    def post(self, *blocks: Json, channel: str = "D0ALEX", text: str = "A card", **more: Any) -> str:
        """Post a message; gives its ts."""
        posted = self.client.chat_postMessage(channel=channel, text=text, blocks=list(blocks) or None, **more)
        return str(posted["ts"])

    def publish(self, *blocks: Json, person: str = "U0ALEX") -> None:
        """Publish somebody's home."""
        self.client.views_publish(user_id=person, view={"type": "home", "blocks": list(blocks)})

    async def _acted(self, ack: Any, body: Json) -> None:
        self.actions.append(body)
        await ack()
        action = body["actions"][0]["action_id"]
        if action in self.views:
            in_modal = body.get("view", {}).get("type") == "modal"
            opened = self._client.views_push if in_modal else self._client.views_open
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


@dataclass
class Inner:
    """What `/ui/inspect` tells in the place of a bot."""

    background: Background
    told: Json | None = None
    asked: list[tuple[str, str, str | None]] = field(default_factory=list)
    sandbox: Sandbox | None = None
    """The sandbox that asks."""

    async def __call__(self, person: str, channel: str, thread_ts: str | None) -> Json | None:
        """Answer the sandbox."""
        self.asked.append((person, channel, thread_ts))
        return self.told

    def tell(self, told: Json) -> None:
        """Let the page know that there is this to ask for."""
        self.told = told

        async def changed() -> None:
            assert self.sandbox is not None
            self.sandbox.slack.changes.publish("inspect")

        self.background.run(changed())
