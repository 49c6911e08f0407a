"""What a part of `make chaos` tells: how often something was tried, and how often a promise broke."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Trials:
    """One line of the page on reliability.

    `what` was tried `n` times in `seconds`, and an invariant broke `broken` times. `note` says what else was counted.
    """

    part: str
    what: str
    n: int
    broken: int
    seconds: float
    note: str = ""

    @property
    def rate(self) -> float:
        """Return what bounds the rate of violations with 95 % confidence where none was seen: three in `n`."""
        return 3 / self.n
