"""Messages of people. Those of bots, edits, deletions and whatever else Slack calls a message are no answers."""

from collections.abc import Mapping
from typing import Any

from slack_bolt.async_app import AsyncApp

from bot.listeners.intake import Intake
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
    async def on_message(body: Mapping[str, Any], event: Mapping[str, Any]) -> None:
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


def files_of(event: Mapping[str, Any]) -> tuple[Sent, ...]:
    """The files that came with a message."""
    return tuple(sent_of(file) for file in (event.get("files") or ())[:MOST] if file.get("id"))


def team_of_event(body: Mapping[str, Any]) -> str:
    """The workspace of an event."""
    return str(body.get("team_id") or body["event"].get("team") or "")
