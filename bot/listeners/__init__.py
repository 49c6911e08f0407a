"""One file per Slack surface. A listener acknowledges, translates and delegates; nothing is decided here."""

from contextlib import suppress

import structlog
from slack_bolt.async_app import AsyncApp
from slack_bolt.response import BoltResponse
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from blocks.request import build_gone
from bot.listeners import actions, decisions, desk, home, messages, policy
from bot.listeners.decisions import channel_of
from bot.listeners.desk import show
from bot.listeners.intake import Intake, Payload, team_of
from bot.slack.requests import MISSHAPEN
from state.workflow.load import NotInstalled

log = structlog.get_logger("holdfast.slack")


def register(app: AsyncApp, intake: Intake) -> None:
    """Put every listener on the app: Bolt asks them in this order, so what comes most stands first."""
    for surface in (actions, messages, decisions, home, desk, policy):
        surface.register(app, intake)
    _register_failing(app, intake)


def _register_failing(app: AsyncApp, intake: Intake) -> None:
    """Answer for every listener that raises."""

    async def on_failed(error: Exception, body: Payload, client: AsyncWebClient) -> BoltResponse:
        if isinstance(error, NotInstalled):
            log.warning("form_not_installed", form=error.form)
            return await _away(intake, body, client)
        log.error("listener_failed", exc_info=error)
        return BoltResponse(status=400 if isinstance(error, MISSHAPEN) else 500, body="")

    app.error(on_failed)


async def _away(intake: Intake, body: Payload, client: AsyncWebClient) -> BoltResponse:
    """Return the form of what was clicked is not installed: nothing has changed, and whoever clicked reads that."""
    if body.get("type") == "block_suggestion":
        return BoltResponse(status=200, body={"options": []})
    user = str((body.get("user") or {}).get("id") or "")
    words = await intake.words_for(team_of(body), user) if user else None
    if words is None:
        return BoltResponse(status=200, body="")
    view, channel = build_gone(words, "", "form_away"), channel_of(body)
    if body.get("type") == "view_submission":
        return BoltResponse(status=200, body={"response_action": "update", "view": view})
    if channel:
        with suppress(SlackApiError):
            await client.chat_postEphemeral(channel=channel, user=user, text=words.say("form_away"))
    elif body.get("type") == "block_actions":
        await show(client, body, view)
    return BoltResponse(status=200, body="")
