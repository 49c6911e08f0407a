"""One file per Slack surface. A listener acknowledges, translates and delegates; nothing is decided here."""

from slack_bolt.async_app import AsyncApp

from bot.listeners import (
    actions,
    channels,
    commands,
    decisions,
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
    for surface in (
        messages,
        mentions,
        actions,
        decisions,
        dossiers,
        options,
        views,
        commands,
        rights,
        home,
        channels,
        policy,
    ):
        surface.register(app, intake)
