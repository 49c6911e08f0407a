"""A mention opens a thread on its message, or, for forms that are nobody else's business, points into the direct message."""

import re
from collections.abc import Mapping
from typing import Any

from slack_bolt.async_app import AsyncApp

from bot.listeners.intake import Intake
from bot.listeners.messages import files_of, team_of_event
from bot.slack.places import Place

MENTION = re.compile(r"<@[A-Z0-9]+(?:\|[^>]*)?>")


def register(app: AsyncApp, intake: Intake) -> None:
    """Listen to mentions."""

    @app.event("app_mention")
    async def on_mention(body: Mapping[str, Any], event: Mapping[str, Any]) -> None:
        if event.get("bot_id") or not event.get("user") or event.get("edited"):
            return
        thread = str(event.get("thread_ts") or event["ts"])
        there = Place(team_of_event(body), str(event["channel"]), thread)
        text = MENTION.sub(" ", str(event.get("text") or "")).strip()
        app = str(body.get("api_app_id") or "")
        await intake.said(there, str(event["user"]), str(event["ts"]), text, files_of(event), app=app)
