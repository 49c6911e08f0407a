"""The report as a picture. Drawn without a screen and without matplotlib's global state."""

from collections.abc import Mapping
from io import BytesIO

from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from bot.report.metrics import METRICS
from state.stores.figures import Figures

SIZE, DOTS = (12.0, 8.0), 100
"""Inches, and dots an inch."""
CALM, LOUD, PLAIN = "#2f6f5e", "#b3261e", "#5b7c99"
MOST = 12
"""Bars of one panel; the rest is one bar."""
ROOM = 1.2
"""How far the axis goes beyond what it shows."""


def draw(figures: Figures, title: str) -> Figure:
    """Four panels: metrics against their limits, calls by tool, rejections by reason, loop escalations by day."""
    figure = Figure(figsize=SIZE, dpi=DOTS, layout="constrained")
    FigureCanvasAgg(figure)
    figure.suptitle(title)
    (limits, tools), (reasons, loops) = figure.subplots(2, 2)
    _limits(limits, figures)
    _bars(tools, "Calls by tool", figures.by_tool)
    _bars(reasons, "Rejections by reason", figures.by_reason)
    _bars(loops, "Loop escalations by day", figures.loops)
    return figure


def png(figure: Figure) -> bytes:
    """The picture as a PNG file."""
    out = BytesIO()
    figure.savefig(out, format="png")
    return out.getvalue()


def _limits(axes: Axes, figures: Figures) -> None:
    """Each metric beside its limit: red where its alert fires."""
    shown = list(reversed(METRICS))
    values = [m.measure(figures) for m in shown]
    colours = [LOUD if m.fires(figures) else CALM for m in shown]
    axes.barh([m.name for m in shown], values, color=colours)
    for place, (metric, value) in enumerate(zip(shown, values, strict=True)):
        axes.plot([metric.limit, metric.limit], [place - 0.4, place + 0.4], color="black", linestyle="--", linewidth=1)
        axes.annotate(
            f" {metric.shown(value)} ({metric.rule})", (max(value, metric.limit), place), va="center", fontsize=8
        )
    axes.set_xlim(0, ROOM * 2 * max(*values, *(m.limit for m in shown), 1))
    axes.set_title("Metrics and their limits")
    axes.tick_params(labelsize=8)


def _bars(axes: Axes, title: str, counted: Mapping[str, int]) -> None:
    names, numbers = list(counted)[:MOST], list(counted.values())[:MOST]
    if len(counted) > MOST:
        names, numbers = [*names, "others"], [*numbers, sum(list(counted.values())[MOST:])]
    axes.set_title(title)
    axes.tick_params(labelsize=8)
    if not names:
        axes.set_axis_off()
        axes.text(0.5, 0.5, "none", ha="center", va="center", transform=axes.transAxes)
        return
    bars = axes.barh(names[::-1], numbers[::-1], color=PLAIN)
    axes.bar_label(bars, padding=3, fontsize=8)
    axes.set_xlim(0, ROOM * max(numbers))
