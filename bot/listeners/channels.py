"""Channels that take the bot's messages again: it was let in, or the channel was brought back."""

from collections.abc import Mapping
from typing import Any

from slack_bolt.async_app import AsyncApp
from slack_bolt.context.async_context import AsyncBoltContext

from bot.listeners.intake import Intake


def register(app: AsyncApp, intake: Intake) -> None:
    """Listen to what may have mended a delivery."""

    @app.event("member_joined_channel")
    async def on_joined(event: Mapping[str, Any], context: AsyncBoltContext) -> None:
        if event.get("user") == context.bot_user_id:
            await intake.opened(str(event["channel"]))

    @app.event("channel_unarchive")
    async def on_channel(event: Mapping[str, Any]) -> None:
        await intake.opened(str(event["channel"]))

    @app.event("group_unarchive")
    async def on_group(event: Mapping[str, Any]) -> None:
        await intake.opened(str(event["channel"]))
