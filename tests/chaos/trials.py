"""The lines of the page on reliability: what a part of `make chaos` tried, and a guard that `make mutants` took out."""

from dataclasses import dataclass

GUARDS = "guards"


@dataclass(frozen=True)
class Trials:
    """How often a promise was tried.

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


@dataclass(frozen=True)
class Guard:
    """A guard that was taken out: the invariants that it serves, how many tests fell for it, and the first of them, or why none ran."""

    guard: str
    keeps: tuple[int, ...]
    falls: int
    first: str
    part: str = GUARDS
    run: str = ""

    def cells(self) -> tuple[str, ...]:
        """Return the columns of the table."""
        return self.guard, ", ".join(map(str, self.keeps)), f"{self.falls} {'✓' if self.falls else '✗'}", self.first
