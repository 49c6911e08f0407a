"""The report as text for a terminal."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from bot.report.metrics import METRICS, Metric
from state.stores.figures import Figures

NOTHING = "none"


def render_table(figures: Figures, since: datetime | None, now: datetime) -> str:
    """Every figure, a line each, with thresholds and alerts."""
    return "\n".join(_lines(figures, since, now)) + "\n"


def _lines(figures: Figures, since: datetime | None, now: datetime) -> Iterator[str]:
    began = f"since {since:%Y-%m-%d}" if since else "since the beginning"
    calls = sum(figures.by_tool.values())
    yield f"Holdfast, {began} until {now:%Y-%m-%d %H:%M} UTC"
    yield f"{calls} tool calls in {figures.conversations} conversations, {figures.filed} records filed"
    yield ""
    yield from _columns([("Metric", "Value", "Alert when", "Alert"), *(_metric(m, figures) for m in METRICS)])
    yield from ("", "Calls by tool", *_columns(_counts(figures.by_tool)))
    yield from ("", "Rejections by reason", *_columns(_counts(figures.by_reason)))
    yield from ("", "Loop escalations by day", *_columns(_counts(figures.loops)))
    yield from ("", *_columns(_rest(figures, now)))


def _metric(metric: Metric, figures: Figures) -> tuple[str, ...]:
    alert = "ALERT" if metric.fires(figures) else "-"
    return metric.name, metric.shown(metric.measure(figures)), metric.rule, alert


def _rest(figures: Figures, now: datetime) -> list[tuple[str, ...]]:
    age = f", the oldest for {(now - figures.pending_since).days} days" if figures.pending_since else ""
    return [("Tool errors", str(figures.errors)), ("Waiting for a decision", f"{figures.pending}{age}")]


def _counts(counted: Mapping[str, int]) -> list[tuple[str, ...]]:
    return [(name, str(n)) for name, n in counted.items()] or [(NOTHING, "")]


def _columns(rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield "  " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
