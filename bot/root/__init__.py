"""The composition root: the one place that picks real stores, model and Slack client, and puts the bot together."""

from bot.root.assembly import build
from bot.root.slack import make_client

__all__ = ["build", "make_client"]
