"""How much is measured: enough for a p99, or a taste of it, for the tests."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Scale:
    """Counts and seconds of one run."""

    requests: int = 12
    """PA requests that one person plays for the figures of a single act."""
    waits: int = 12
    """Sentences that wait for a slow model."""
    model_seconds: float = 1.0
    crowd: int = 40
    crowd_seconds: float = 15.0
    rounds: int = 3
    hang_seconds: float = 30.0
    hang_clicks: int = 5
    traces: int = 3
    reading_rounds: int = 40
    starts: int = 3
    idle_seconds: float = 10.0
    stored: tuple[int, ...] = (10, 10_000, 1_000_000)
    turns: tuple[int, ...] = (1, 100, 1_000)
    messages: tuple[int, int] = (200, 3_000)
    """After how many messages the bot's memory is compared."""
    window: int = 40
    """Acts measured at each point of growth."""
    filing: int = 100
    """People who file within ten minutes; fewer file in proportionally less time, at the same rate."""
    filing_pace: int = 1
    """How many times as fast as people's own these minutes pass, and with them Slack's rate limits and the bot's budget."""
    waiting: int = 10_000
    """Open requests in the officers' queue."""
    looks: int = 30
    """How often each page and search is looked at."""
    talk: int = 200
    """Turns of the conversation whose tokens are counted."""


FULL = Scale()
SHORT = Scale(
    requests=1, waits=1, model_seconds=0.05, crowd=3, crowd_seconds=0.3, rounds=1, hang_seconds=2.0, hang_clicks=1, traces=1,
    reading_rounds=1, starts=1, idle_seconds=0.3, stored=(10, 100), turns=(1, 10), messages=(2, 6), window=3, talk=5, filing=10,
    filing_pace=10, waiting=200, looks=2,
)  # fmt: skip
