"""The month as a chart: a bar per category, the month before beside it, each currency on a scale of its own."""

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

NOW, BEFORE = "#1f3a36", "#a8bdb8"
WIDTH, PER_BAR, HEAD = 8.0, 0.42, 1.3
"""Inches."""


@dataclass(frozen=True)
class Bar:
    """A category, and per currency what was spent in the month and in the one before."""

    label: str
    sums: Mapping[str, tuple[Decimal, Decimal]]


def draw(title: str, bars: Sequence[Bar], legend: tuple[str, str]) -> bytes:
    """A PNG. `legend` names the month and the one before; an empty second name leaves its bars out."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg  # noqa: PLC0415  slow to import, and rarely needed
    from matplotlib.figure import Figure  # noqa: PLC0415

    codes = sorted({code for bar in bars for code in bar.sums})
    rows = {code: [bar for bar in bars if code in bar.sums] for code in codes}
    heights = [HEAD + PER_BAR * len(rows[code]) for code in codes]
    figure = Figure(figsize=(WIDTH, sum(heights)), layout="constrained")
    FigureCanvasAgg(figure)
    figure.suptitle(_plain(title))
    for axes, code in zip(figure.subplots(len(codes), squeeze=False, height_ratios=heights)[:, 0], codes, strict=True):
        places = range(len(rows[code]))
        axes.barh(
            [p - 0.2 for p in places], [float(b.sums[code][0]) for b in rows[code]], 0.4, color=NOW, label=legend[0]
        )
        if legend[1]:
            then = [float(b.sums[code][1]) for b in rows[code]]
            axes.barh([p + 0.2 for p in places], then, 0.4, color=BEFORE, label=legend[1])
        axes.set_yticks(list(places), [_plain(b.label) for b in rows[code]])
        axes.invert_yaxis()
        axes.set_xlabel(code)
        axes.spines[["top", "right"]].set_visible(False)
    figure.axes[0].legend(frameon=False)
    out = io.BytesIO()
    figure.savefig(out, format="png", dpi=110)
    return out.getvalue()


def _plain(text: str) -> str:
    """Text in which nothing is taken for a formula."""
    return text.replace("$", r"\$")
