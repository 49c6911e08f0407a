"""The watched metrics: what each is, from which figures it comes, when it raises an alert, and which conversations stand behind it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from state.stores.figures import Behind, Figures

PERCENT = 100


@dataclass(frozen=True)
class Metric:
    """A figure with its limit. The alert fires above the limit; with `reaching`, at the limit already."""

    name: str
    unit: Literal["%", ""]
    limit: float
    measure: Callable[[Figures], float]
    behind: Callable[[Figures], Behind]
    reaching: bool = False

    def fires(self, figures: Figures) -> bool:
        """Whether the alert is up."""
        value = self.measure(figures)
        return value >= self.limit if self.reaching else value > self.limit

    def shown(self, value: float) -> str:
        """A value in the metric's unit."""
        return f"{value:.1f} %" if self.unit else f"{value:.0f}"

    @property
    def act(self) -> str:
        """What is to be done beyond the limit."""
        return "roll back" if self.reaching else "alert"

    @property
    def rule(self) -> str:
        """The limit as it is read: "> 5.0 %"."""
        return f"{'≥' if self.reaching else '>'} {self.shown(self.limit)}"


@dataclass(frozen=True)
class Alert:
    """Metrics that fire for a workflow, all over the same measure."""

    metrics: tuple[Metric, ...]
    figures: Figures

    @property
    def behind(self) -> Behind:
        """The conversations that it is about."""
        return self.metrics[0].behind(self.figures)


def alerts(every: Sequence[Figures]) -> list[Alert]:
    """All that fire, workflow by workflow."""
    found = [Alert(tuple(m for m in same if m.fires(figures)), figures) for figures in every for same in measured()]
    return [alert for alert in found if alert.metrics]


def measured() -> list[tuple[Metric, ...]]:
    """The metrics, those over the same measure together."""
    measures = dict.fromkeys(metric.measure for metric in METRICS)
    return [tuple(m for m in METRICS if m.measure is measure) for measure in measures]


def repeated_share(figures: Figures) -> float:
    """Of all finalisations, those of what was filed already, in per cent."""
    return _share(figures.idempotent, figures.filed + figures.idempotent)


def insistent_share(figures: Figures) -> float:
    """Of all conversations, those with more than one call to finalise, in per cent."""
    return _share(figures.insistent.count, figures.conversations)


def worst_day(figures: Figures) -> float:
    """Hand-overs because of a loop on the day that had most."""
    return float(max(figures.loops.values(), default=0))


def stuck(figures: Figures) -> float:
    """Cases that wait for review and were not completed."""
    return float(figures.stuck.count)


def unfiled(figures: Figures) -> float:
    """Cases that are submitted and have no record."""
    return float(figures.unfiled.count)


def _share(part: int, whole: int) -> float:
    return PERCENT * part / whole if whole else 0.0


METRICS = (
    Metric("Idempotent finalisations", "%", 5, repeated_share, lambda f: f.repeated),
    Metric(
        "Sign to roll back (idempotent finalisations)", "%", 20, repeated_share, lambda f: f.repeated, reaching=True
    ),
    Metric("Conversations with more than one finalise call", "%", 1, insistent_share, lambda f: f.insistent),
    Metric("Loop escalations on the worst day", "", 0, worst_day, lambda f: f.looped),
    Metric("Stuck cases (in review, not completed)", "", 0, stuck, lambda f: f.stuck),
    Metric("Submitted without a record", "", 0, unfiled, lambda f: f.unfiled),
)
