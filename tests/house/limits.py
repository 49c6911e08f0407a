"""What each count may be at most (or at least, where more is better), and where it is to go."""

import tomllib
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Limit:
    """What was reached, a little above, and the goal."""

    now: float
    goal: float
    more: bool = False
    """True where more is better."""

    def holds(self, n: float) -> bool:
        """Return True if a count is on the right side of what was reached."""
        return n >= self.now if self.more else n <= self.now


LIMITS = {
    name: Limit(**limit)
    for name, limit in tomllib.loads(Path(__file__).with_name("limits.toml").read_text("utf-8")).items()
}
