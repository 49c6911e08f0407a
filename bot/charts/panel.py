"""What is drawn: bars on one scale under a heading."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """One bar. `shown` is its value in words, `note` stands behind that; `before` is drawn as a slim bar beneath."""

    label: str
    value: float
    shown: str
    note: str = ""
    before: float | None = None
    loud: bool = False


@dataclass(frozen=True)
class Limit:
    """A value at which a line is drawn, and what it is called."""

    value: float
    shown: str


@dataclass(frozen=True)
class Panel:
    """Bars on one scale, under a heading."""

    heading: str
    rows: Sequence[Row]
    beside: str = ""
    limits: Sequence[Limit] = ()
