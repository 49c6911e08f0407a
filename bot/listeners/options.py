"""Menus too long for one message: Slack asks for their options while the person types."""

from collections.abc import Mapping
from typing import Any

from slack_bolt.async_app import AsyncAck, AsyncApp

from blocks import ids
from blocks.inputs import build_options
from bot.listeners.actions import team_of
from bot.listeners.intake import Intake

NONE: dict[str, Any] = {"options": []}


def register(app: AsyncApp, intake: Intake) -> None:
    """Listen to menus being searched."""

    @app.options(ids.FOUND)
    async def on_search(ack: AsyncAck, body: Mapping[str, Any]) -> None:
        """Answered from the draft, at once; another person's menu is empty."""
        press = ids.read_press(body.get("block_id"))
        known = await intake.draft(press.draft, team_of(body)) if press else None
        if press is None or known is None or known[1].owner != body["user"]["id"]:
            await ack(**NONE)
            return
        form, today = intake.workflows[known[1].form].form_of(known[1]), await intake.today(known[1])
        await ack(**build_options(form, known[1], press, str(body.get("value") or ""), today))
