"""Breaches and notes that officers judge: a button of the card asks for words, and those become one event in the request's conversation."""

from collections.abc import Mapping
from typing import Any

from slack_bolt.async_app import AsyncAck, AsyncApp
from slack_sdk.web.async_client import AsyncWebClient

from blocks import ids
from blocks.judging import build_case_box, read_case_box
from bot.keys import place
from bot.listeners.actions import team_of
from bot.listeners.decisions import channel_of, gone
from bot.listeners.intake import Intake


def register(app: AsyncApp, intake: Intake) -> None:
    """Listen to judgements of cases."""

    @app.action(ids.CASE)
    async def on_case(
        ack: AsyncAck, body: Mapping[str, Any], action: Mapping[str, Any], client: AsyncWebClient
    ) -> None:
        press = ids.press_of(action)
        known = await intake.draft(press.draft, team_of(body)) if press else None
        if press is not None and known is not None and known[1].form in intake.workflows:
            view = build_case_box(intake.workflows[known[1].form].form, known[1], press, channel_of(body))
            await client.views_open(trigger_id=body["trigger_id"], view=view)
        else:
            await gone(intake, body, client)
        await ack()

    @app.view(ids.CASE_BOX)
    async def on_judged(ack: AsyncAck, body: Mapping[str, Any], view: Mapping[str, Any]) -> None:
        written = read_case_box(view)
        known = await intake.draft(written[0].draft, team_of(body)) if written else None
        if written is not None and known is not None:
            press, words = written
            given = {"case": press.field, "verdict": str(press.value or ""), "hash": press.hash, **words}
            there, key = place(known[0].conversation), f"{view['id']}:{view.get('hash')}"
            await intake.judged(there, str(body["user"]["id"]), key, given, press.draft)
        await ack()
