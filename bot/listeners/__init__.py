"""One file per Slack surface. A listener acknowledges, translates and delegates; nothing is decided here."""

from slack_bolt.async_app import AsyncApp

from bot.listeners import actions, commands, decisions, desk, failing, home, messages, policy, records, views
from bot.listeners.intake import Intake

SURFACES = (
    messages.register, messages.register_mentions, actions.register, decisions.register, records.register_dossiers, records.register_reports,
    records.register_cases, views.register_options, views.register, commands.register, commands.register_own, home.register, desk.register,
    messages.register_channels, policy.register, failing.register,
)  # fmt: skip


def register(app: AsyncApp, intake: Intake) -> None:
    """Put every listener on the app."""
    for surface in SURFACES:
        surface(app, intake)
