"""Whoever audits or decides asks for a record's dossier: a button, on the modal that says where its answers come from or in a list."""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from slack_bolt.async_app import AsyncAck, AsyncApp
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from blocks import ids
from blocks.opened import build_origins
from blocks.page import Page
from bot.keys import Place
from bot.listeners.actions import direct_channel, team_of
from bot.listeners.desk import opening
from bot.listeners.intake import Intake


def register(app: AsyncApp, intake: Intake) -> None:
    """Listen to the button."""

    @app.action(ids.DOSSIER)
    async def on_dossier(
        ack: AsyncAck, body: Mapping[str, Any], action: Mapping[str, Any], client: AsyncWebClient
    ) -> None:
        """It comes into their direct message; who may have it is looked up when it is made."""
        team, user, number = team_of(body), str(body["user"]["id"]), str(action.get("value") or "")
        there = Place(team, await direct_channel(client, user))
        click = {"act": "dossier", "field": intake.language, "card": number}
        await intake.clicked(there, user, f"{action.get('action_ts')}:{number}", click)
        await _asked(intake, body, client, team, number)
        await ack()


async def _asked(intake: Intake, body: Mapping[str, Any], client: AsyncWebClient, team: str, number: str) -> None:
    """Their modal says that it is on its way."""
    view, record = body.get("view") or {}, (await opening(intake, body, number)).record
    known = await intake.draft(record.draft, team) if record and view.get("callback_id") == ids.ORIGINS else None
    if known is not None:
        house = intake.workflows[known[1].form].form
        shown = build_origins(Page(house, known[1], known[1].began[:10]), asked=True)
        with suppress(SlackApiError):  # it was closed meanwhile: the file comes all the same
            await client.views_update(view_id=view["id"], view=shown)
