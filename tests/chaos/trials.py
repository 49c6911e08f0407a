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
    run: str = ""
    """When, on which commit and on what machine, in words; whoever writes the page says it."""

    @property
    def rate(self) -> str:
        """Return what bounds the rate of violations with 95 % confidence where none was seen: three in `n`."""
        if self.broken or self.n < 3:
            return ""
        return f"1 in {self.n // 3:,}"

    def cells(self) -> tuple[str, ...]:
        """Return the columns of the table."""
        broken = f"{self.broken:,} {'✗' if self.broken else '✓'}"
        return self.what, f"{self.n:,}", broken, self.rate, f"{self.seconds:,.0f}", self.note
