"""A figure: what was measured, its bare peer in the same run, what is to be reached, what bounds it; and how much is measured."""

import math
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal


@dataclass(frozen=True)
class Sample:
    """Median, 99th percentile, largest, and how many were measured."""

    p50: float
    p99: float
    most: float
    n: int


def sample(measured: Sequence[float]) -> Sample:
    """What a series comes to; the 99th percentile is the nearest rank."""
    ordered = sorted(measured)
    rank = max(0, math.ceil(0.99 * len(ordered)) - 1)
    return Sample(statistics.median(ordered), ordered[rank], ordered[-1], len(ordered))


def single(value: float) -> Sample:
    """One measurement."""
    return sample([value])


@dataclass(frozen=True)
class Target:
    """A target: at most `most`, or at least `least`, or at most `times` × the peer (`plus` something)."""

    most: float | None = None
    times: float | None = None
    plus: float = 0.0
    least: float | None = None
    of: Literal["p50", "p99"] = "p50"

    def met(self, ours: float, peer: float | None) -> bool | None:
        """Return True if it is reached; None where there is no peer to say so."""
        if self.most is not None:
            return ours <= self.most
        if self.least is not None:
            return ours >= self.least
        if peer is None:
            return None
        return ours <= (self.times or 0.0) * peer + self.plus

    def shown(self, unit: str) -> str:
        """In words."""
        return self._shown(unit) if self.of == "p50" else f"{self.of} {self._shown(unit)}"

    def _shown(self, unit: str) -> str:
        if self.most is not None:
            return f"≤ {self.most:g} {unit}"
        if self.least is not None:
            return f"≥ {self.least:g} {unit}"
        return f"≤ {self.times:g} × peer" + (f" + {self.plus:g} {unit}" if self.plus else "")


@dataclass(frozen=True)
class Figure:
    """One line of the table. `bound`: what keeps the figure from being smaller, as a sentence."""

    part: str
    what: str
    unit: str
    ours: Sample
    peer: Sample | None = None
    target: Target | None = None
    bound: str = ""
    peer_is: str = "bare"
    curves: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    """Name to what was measured one after the other, where that is drawn."""
    run: str = ""
    """When, on which commit and on what machine, in words."""

    @property
    def ratio(self) -> float | None:
        """Our median to the peer's."""
        return self.ours.p50 / self.peer.p50 if self.peer and self.peer.p50 else None

    @property
    def met(self) -> bool | None:
        """Return True if the target is reached; None where there is none, or no peer."""
        if self.target is None:
            return None
        ours, peer = (getattr(one, self.target.of, None) for one in (self.ours, self.peer))
        return self.target.met(ours or 0.0, peer)

    def as_json(self) -> dict[str, Any]:
        """Everything, for a file."""
        return {**asdict(self), "ratio": self.ratio, "met": self.met}


HEAD = ("what", "p50", "p99", "peer p50", "peer p99", "× peer", "to reach", "n")
MARKS = {True: " ✓", False: " ✗", None: ""}


def cells(figure: Figure) -> tuple[str, ...]:
    """The figure as the columns of HEAD."""
    peer = figure.peer
    return (
        figure.what if figure.peer_is == "bare" or peer is None else f"{figure.what} (peer: {figure.peer_is})",
        f"{number(figure.ours.p50)} {figure.unit}",
        number(figure.ours.p99) if figure.ours.n > 1 else "",
        f"{number(peer.p50)}" if peer else "",
        number(peer.p99) if peer and peer.n > 1 else "",
        f"{figure.ratio:.2f}" if figure.ratio is not None else "",
        (figure.target.shown(figure.unit) + MARKS[figure.met]) if figure.target else "",
        str(figure.ours.n),
    )


def number(value: float) -> str:
    """Three significant digits, whole above a hundred."""
    if abs(value) >= 100 or value == int(value):
        return f"{value:,.0f}"
    return f"{value:.3g}"


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
    readers: int = 120
    """People at once who read for a second before each act."""
    rounds: int = 3
    hang_seconds: float = 30.0
    hang_clicks: int = 5
    traces: int = 3
    reading_rounds: int = 40
    starts: int = 3
    idle_seconds: float = 10.0
    stored: tuple[int, ...] = (10, 10_000, 1_000_000)
    turns: tuple[int, ...] = (1, 100, 1_000)
    hour: tuple[int, int] = (100, 500)
    """After how many conversations of an hour the bot's memory is looked at, each time; and how many there are."""
    window: int = 40
    """Acts measured at each point of growth."""
    filing: int = 100
    """People who file within ten minutes; fewer file in proportionally less time, at the same rate."""
    filing_pace: int = 4
    """How many times as fast as people's own these minutes pass, and with them Slack's rate limits and the bot's budget."""
    hurried_seconds: float = 60.0
    """For how long the readers act within Slack's limits."""
    waiting: int = 10_000
    """Open requests in the officers' queue."""
    looks: int = 30
    """How often each page and search is looked at."""
    talk: int = 200
    """Turns of the conversation whose tokens are counted."""


FULL = Scale()
SHORT = Scale(
    requests=1, waits=1, model_seconds=0.05, crowd=3, crowd_seconds=0.3, readers=2, rounds=1, hang_seconds=2.0, hang_clicks=1, traces=1,
    reading_rounds=1, starts=1, idle_seconds=0.3, stored=(10, 100), turns=(1, 10), hour=(2, 4), window=3, talk=5, filing=10,
    filing_pace=10, hurried_seconds=0.3, waiting=200, looks=2,
)  # fmt: skip
