"""What models cost, in dollars per million tokens, where that is known: a model that stands nowhere here is not counted in dollars."""

from collections.abc import Mapping

from state.draft.reply import Usage

PRICES: Mapping[str, tuple[float, float]] = {"claude-haiku-5-5": (0.10, 0.50)}
"""Model to the price of what it reads and of what it writes (https://docs.claude.com/en/docs/about-claude/pricing)."""


def cost(model: str, used: Usage) -> float:
    """Dollars of one call; 0 where the price is not known."""
    reads, writes = PRICES.get(model, (0.0, 0.0))
    return (used.input * reads + used.output * writes) / 1_000_000
