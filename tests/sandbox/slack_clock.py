"""A local Slack on a clock that moves only when told."""

from collections.abc import AsyncIterator

from bot.sandbox.server import Sandbox
from tests.patience import PATIENCE


class Hand:
    """The time, which is ours."""

    def __init__(self) -> None:
        self.now = 1_700_000_000.0

    def __call__(self) -> float:
        return self.now


async def on_clock(hand: Hand) -> AsyncIterator[Sandbox]:
    """A running sandbox on this clock."""
    running = Sandbox(clock=hand, ack_timeout=PATIENCE)
    await running.start()
    yield running
    await running.stop()
