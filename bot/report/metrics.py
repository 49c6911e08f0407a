"""The watched metrics: what each is, from which figures it comes, and when it raises an alert."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from state.stores.figures import Figures

PERCENT = 100


@dataclass(frozen=True)
class Metric:
    """A figure with its limit. The alert fires above the limit; with `reaching`, at the limit already."""

    name: str
    unit: Literal["%", ""]
    limit: float
    measure: Callable[[Figures], float]
    reaching: bool = False

    def fires(self, figures: Figures) -> bool:
        """Whether the alert is up."""
        value = self.measure(figures)
        return value >= self.limit if self.reaching else value > self.limit

    def shown(self, value: float) -> str:
        """A value in the metric's unit."""
        return f"{value:.1f} %" if self.unit else f"{value:.0f}"

    @property
    def rule(self) -> str:
        """The limit as it is read: "> 5.0 %"."""
        return f"{'≥' if self.reaching else '>'} {self.shown(self.limit)}"


def repeated_share(figures: Figures) -> float:
    """Of all finalisations, those of what was filed already, in per cent."""
    return _share(figures.idempotent, figures.filed + figures.idempotent)


def insistent_share(figures: Figures) -> float:
    """Of all conversations, those with more than one call to finalise, in per cent."""
    return _share(figures.repeated, figures.conversations)


def worst_day(figures: Figures) -> float:
    """Hand-overs because of a loop on the day that had most."""
    return float(max(figures.loops.values(), default=0))


def stuck(figures: Figures) -> float:
    """Cases that are submitted and were never completed."""
    return float(figures.stuck)


def _share(part: int, whole: int) -> float:
    return PERCENT * part / whole if whole else 0.0


METRICS = (
    Metric("Idempotent finalisations", "%", 5, repeated_share),
    Metric("Conversations with more than one finalise call", "%", 1, insistent_share),
    Metric("Loop escalations on the worst day", "", 0, worst_day),
    Metric("Sign to roll back (idempotent finalisations)", "%", 20, repeated_share, reaching=True),
    Metric("Stuck cases", "", 0, stuck),
)
