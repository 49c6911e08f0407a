"""Listens to the installation's own slash commands (bot/slack/slash.py): one's data, its erasure, help, a person, a start."""

from collections.abc import Mapping
from typing import Any

from slack_bolt.async_app import AsyncAck, AsyncApp
from slack_sdk.web.async_client import AsyncWebClient

from bot.listeners.commands import answered, direct_place
from bot.listeners.intake import Intake
from bot.slack.slash import COMMANDS as COMMANDS  # noqa: PLC0414  others import it from here
from state.engine.events import Act

ABOUT_A_DRAFT = ("help", "person")


def register(app: AsyncApp, intake: Intake) -> None:
    """Listen to the commands that no form has taken."""
    taken = {w.form.command for w in intake.workflows.values()}
    for command, (act, language) in COMMANDS.items():
        if command not in taken:
            app.command(command)(_listener(intake, act, language))


def _listener(intake: Intake, act: Act, language: str) -> Any:
    async def on_command(ack: AsyncAck, command: Mapping[str, Any], client: AsyncWebClient) -> None:
        there, user = await direct_place(command, client), str(command["user_id"])
        known = act not in ABOUT_A_DRAFT or await intake.holds(there)
        click = {"act": act if known else "begin", "field": language if known else ""}
        await intake.clicked(there, user, str(command["trigger_id"]), click)
        words = await intake.words_for(there.team, user)
        await ack(answered(command, there, language or words.language))

    return on_command
