"""What people say, in direct messages, threads and mentions, and events of channels and workspaces.

Messages of bots, edits, deletions and whatever else Slack calls a message are no answers."""

import re
from collections.abc import Awaitable, Callable

from slack_bolt.async_app import AsyncApp
from slack_bolt.context.async_context import AsyncBoltContext

from bot.listeners.intake import Intake, Payload
from bot.slack.downloads import sent_of
from bot.slack.places import Place
from state.draft.documents import Sent

ANSWERS = frozenset({None, "file_share", "thread_broadcast", "me_message"})
"""Subtypes in which a person says something."""
MOST = 20
"""Files of one message that are looked at."""


def register(app: AsyncApp, intake: Intake) -> None:
    """Listen to messages in direct messages, and in threads that a draft is about."""

    @app.event("message")
    async def on_message(body: Payload, event: Payload) -> None:
        if event.get("subtype") not in ANSWERS or event.get("bot_id") or not event.get("user"):
            return
        there = Place(team_of_event(body), str(event["channel"]), str(event.get("thread_ts") or ""))
        direct = event.get("channel_type") == "im" or there.direct
        if direct or (there.thread and await intake.holds(there)):
            text = str(event.get("text") or "")
            await intake.said(there, str(event["user"]), str(event["ts"]), text, files_of(event))

    @app.event("file_shared")
    async def on_file() -> None:
        """The message that shares a file tells of it as well, with the words beside it."""


def files_of(event: Payload) -> tuple[Sent, ...]:
    """The files that came with a message."""
    return tuple(sent_of(file) for file in (event.get("files") or ())[:MOST] if file.get("id"))


def team_of_event(body: Payload) -> str:
    """Return the workspace of an event."""
    return str(body.get("team_id") or body["event"].get("team") or "")


MENTION = re.compile(r"<@[A-Z0-9]+(?:\|[^>]*)?>")


def register_mentions(app: AsyncApp, intake: Intake) -> None:
    """Listen to mentions."""

    @app.event("app_mention")
    async def on_mention(body: Payload, event: Payload) -> None:
        if event.get("bot_id") or not event.get("user") or event.get("edited"):
            return
        thread = str(event.get("thread_ts") or event["ts"])
        there = Place(team_of_event(body), str(event["channel"]), thread)
        text = MENTION.sub(" ", str(event.get("text") or "")).strip()
        app = str(body.get("api_app_id") or "")
        await intake.said(there, str(event["user"]), str(event["ts"]), text, files_of(event), app=app)


def register_channels(app: AsyncApp, intake: Intake) -> None:
    """Listen to what may have mended a delivery."""

    @app.event("member_joined_channel")
    async def on_joined(event: Payload, context: AsyncBoltContext) -> None:
        if event.get("user") == context.bot_user_id:
            await intake.opened(str(event["channel"]))

    async def on_back(event: Payload) -> None:
        await intake.opened(str(event["channel"]))

    app.event("channel_unarchive")(on_back)
    app.event("group_unarchive")(on_back)


TakenBack = Callable[[str], Awaitable[None]]


def register_installation(app: AsyncApp, taken_back: TakenBack) -> None:
    """Both may come, in either order, and each of them twice."""

    @app.event("app_uninstalled")
    async def on_uninstalled(body: Payload) -> None:
        await taken_back(team_of_event(body))

    @app.event("tokens_revoked")
    async def on_revoked(body: Payload, event: Payload) -> None:
        if (event.get("tokens") or {}).get("bot"):
            await taken_back(team_of_event(body))
