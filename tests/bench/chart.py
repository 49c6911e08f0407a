"""The figures as a picture: each ratio beside what is to be reached, and what goes on along a conversation."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.figure import Figure as Picture

from tests.bench.figures import Figure

REACHED, MISSED, PLAIN = "#2a7f62", "#b5432e", "#7a869a"
COLOURS: Mapping[bool | None, str] = {True: REACHED, False: MISSED, None: PLAIN}
ROW = 0.32
"""Inches of a bar."""


def draw(figures: Sequence[Figure]) -> Picture:
    """Bars of every figure with a peer, longest name and all; below them every curve."""
    compared = [f for f in figures if f.ratio]
    curved = [f for f in figures if f.curves]
    heights = [max(2.0, ROW * len(compared)), *(3.0 for _ in curved)]
    picture = Picture(figsize=(11, sum(heights) + 1), layout="constrained")
    axes = picture.subplots(len(heights), 1, height_ratios=heights, squeeze=False)[:, 0]
    bars(axes[0], compared)
    for axis, figure in zip(axes[1:], curved, strict=True):
        curves(axis, figure)
    return picture


def bars(axis: Axes, figures: Sequence[Figure]) -> None:
    """Medians as multiples of the peer's, on a logarithmic scale; a mark where the target stands."""
    names = [f.what for f in figures]
    axis.barh(names, [f.ratio or 0.0 for f in figures], color=[COLOURS[f.met] for f in figures])
    for place, figure in enumerate(figures):
        wanted = mark(figure)
        if wanted is not None:
            axis.plot([wanted, wanted], [place - 0.4, place + 0.4], color="black", linewidth=2)
    axis.set_xscale("log")
    axis.axvline(1, color=PLAIN, linewidth=0.8)
    axis.invert_yaxis()
    axis.tick_params(labelsize=8)
    axis.set_xlabel("× peer (median); a black mark is what is to be reached")


def mark(figure: Figure) -> float | None:
    """What is to be reached, as a multiple of the peer's median; None where it is not about medians."""
    target, peer = figure.target, figure.peer
    if target is None or peer is None or target.of != "p50" or not peer.p50:
        return None
    if target.most is not None:
        return target.most / peer.p50
    return target.least if target.least is not None else (target.times or 0.0) + target.plus / peer.p50


def curves(axis: Axes, figure: Figure) -> None:
    """What was measured one after the other."""
    for name, values in figure.curves.items():
        axis.plot(range(1, len(values) + 1), values, label=name)
    axis.set_ylabel(figure.unit)
    axis.set_xlabel("turn")
    axis.set_title(figure.what, fontsize=9)
    axis.legend()


def save(figures: Sequence[Figure], path: Path) -> None:
    """The picture as a PNG file."""
    draw(figures).savefig(path, dpi=110)
