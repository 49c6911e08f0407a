"""How long a test waits for what will come, and how fast time passes for Slack's rate limits."""

from typing import Final

PATIENCE: Final = 90.0
"""Seconds, enough for the busiest machine: what comes is taken when it comes, and only what never comes takes this long."""
PACE: Final = 30
"""A test types thirty times as fast as people do, so a minute of Slack's rate limits lasts two seconds for it and for the bot."""
