"""A line of the table of guards."""

from dataclasses import dataclass

GUARDS = "guards"


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
