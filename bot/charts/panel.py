"""What is drawn, and how it looks: bars on one scale under a heading, colours, and sizes in pixels of a screen at its plain density."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Look:
    """A card's colours. `quiet` is for what stands beside, `loud` for what asks for a look."""

    card: str
    edge: str
    text: str
    quiet: str
    rule: str
    bar: str
    before: str
    loud: str
    limit: str


LIGHT = Look("#ffffff", "#d9dee0", "#1c2426", "#5b676b", "#c3cbcd", "#20756a", "#76a099", "#c0352b", "#8a5a00")
DARK = Look("#1d2326", "#3a4448", "#eef2f3", "#a3b0b4", "#4a565a", "#4fb3a3", "#3f8479", "#ff7a6b", "#e3b04b")

WIDTH, LEAST_HEIGHT = 800.0, 160.0
MARGIN, GAP = 28.0, 10.0
TITLE, HEADING, BODY, SMALL = 22.0, 16.0, 15.0, 13.0
"""Sizes of letters."""


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
