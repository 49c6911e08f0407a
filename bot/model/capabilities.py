"""What a model takes in a request, by its name: one table, read by line and version. Other vendors' models get the plain request.

Source: the Messages API's pages on thinking, effort and mid-conversation system messages, November 2026.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from state.draft.reply import Usage

ThinkingOff = Literal["disabled", "between_tools"]


@dataclass(frozen=True)
class Takes:
    """What may be sent.

    `thinking_off` is the `thinking.type` that turns thinking off, None where it is off unasked or cannot be turned off;
    `thinks` says the latter, so that an answer needs room for it.
    """

    system_messages: bool = False
    thinking_off: ThinkingOff | None = None
    effort: bool = False
    thinks: bool = False


PLAIN = Takes()

_TABLE: tuple[tuple[str, tuple[int, int], Takes], ...] = (
    ("haiku", (5, 5), Takes(system_messages=True, thinking_off="disabled", effort=True)),
    ("sonnet", (5, 5), Takes(system_messages=True, thinking_off="between_tools", effort=True)),
    ("sonnet", (5, 0), Takes(thinking_off="disabled", effort=True)),
    ("sonnet", (4, 6), Takes(effort=True)),
    ("opus", (5, 5), Takes(system_messages=True, effort=True, thinks=True)),
    ("opus", (5, 0), Takes(system_messages=True, thinking_off="disabled", effort=True)),
    ("opus", (4, 8), Takes(system_messages=True, effort=True)),
    ("opus", (4, 5), Takes(effort=True)),
    ("fable", (5, 0), Takes(system_messages=True, effort=True, thinks=True)),
)
"""Line, first version, what it takes; newest version of a line first."""

_NAME = re.compile(r"(?:^|[./])claude-(?P<line>[a-z]+)-(?P<major>\d{1,2})(?:-(?P<minor>\d{1,2}))?(?!\d)")


def capabilities(model: str) -> Takes:
    """What the model of this name takes, with or without a cloud's prefix and a date (`us.anthropic.claude-opus-5-20260801`)."""
    found = _NAME.search(model.lower())
    if not found:
        return PLAIN
    version = int(found["major"]), int(found["minor"] or 0)
    rows = (takes for line, since, takes in _TABLE if line == found["line"] and version >= since)
    return next(rows, PLAIN)


PRICES: Mapping[str, tuple[float, float]] = {"claude-haiku-5-5": (0.10, 0.50)}
"""Model to the price of what it reads and of what it writes (https://docs.claude.com/en/docs/about-claude/pricing)."""


def cost(model: str, used: Usage) -> float:
    """Dollars of one call; 0 where the price is not known."""
    reads, writes = PRICES.get(model, (0.0, 0.0))
    return (used.input * reads + used.output * writes) / 1_000_000
