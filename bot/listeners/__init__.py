"""One file per Slack surface. A listener acknowledges, translates and delegates; nothing is decided here."""

from slack_bolt.async_app import AsyncApp

from bot.listeners import (
    actions,
    channels,
    commands,
    decisions,
    desk,
    dossiers,
    home,
    mentions,
    messages,
    options,
    policy,
    rights,
    views,
)
from bot.listeners.intake import Intake

__all__ = ["Intake", "register"]


def register(app: AsyncApp, intake: Intake) -> None:
    """Put every listener on the app."""
    every = (
        messages, mentions, actions, decisions, dossiers, options, views, commands, rights, home, desk, channels, policy,
    )  # fmt: skip
    for surface in every:
        surface.register(app, intake)
