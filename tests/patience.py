"""How long a test waits for what will come."""

from typing import Final

PATIENCE: Final = 90.0
"""Seconds, enough for the busiest machine: what comes is taken when it comes, and only what never comes takes this long."""
