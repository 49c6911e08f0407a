"""One file per Slack surface. A listener acknowledges, translates and delegates; nothing is decided here."""

from slack_bolt.async_app import AsyncApp

from bot.listeners import (
    actions,
    cases,
    channels,
    commands,
    decisions,
    desk,
    dossiers,
    failing,
    home,
    mentions,
    messages,
    options,
    policy,
    reports,
    rights,
    views,
)
from bot.listeners.intake import Intake

__all__ = ["Intake", "register"]

SURFACES = (
    messages, mentions, actions, decisions, dossiers, reports, cases, options, views, commands, rights, home, desk, channels, policy, failing,
)  # fmt: skip


def register(app: AsyncApp, intake: Intake) -> None:
    """Put every listener on the app."""
    for surface in SURFACES:
        surface.register(app, intake)
