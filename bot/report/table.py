"""The report as text for a terminal: a part per workflow, never one sum of several."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from bot.report.metrics import METRICS, Alert, Metric, alerts
from bot.report.naming import about, named, unnamed
from state.stores.figures import Figures

NOTHING = "none"


def render_table(every: Sequence[Figures], since: datetime | None, now: datetime) -> str:
    """Every figure, a line each, with thresholds and alerts, and the conversations behind these."""
    return "\n".join(_lines(every, since, now)) + "\n"


def _lines(every: Sequence[Figures], since: datetime | None, now: datetime) -> Iterator[str]:
    began = f"since {since:%Y-%m-%d}" if since else "since the beginning"
    fired = alerts(every)
    yield f"Holdfast, {began} until {now:%Y-%m-%d %H:%M} UTC"
    up = counted(sum(len(alert.metrics) for alert in fired), "alert")
    yield f"{up} in {counted(len(every), 'workflow')}" if every else "Nothing has happened."
    yield from _behind(fired, now)
    for figures in every:
        yield from ("", *_workflow(figures, now))


def _behind(fired: Sequence[Alert], now: datetime) -> Iterator[str]:
    """Each alert, and below it the conversations that it is about."""
    for alert in fired:
        behind = alert.behind
        names = [named(one, now) for one in behind.first]
        yield from ("", about(alert), *(f"  {name}" for name in (*names, unnamed(behind, len(names))) if name))


def _workflow(figures: Figures, now: datetime) -> Iterator[str]:
    done = counted(figures.made, "tool call"), counted(figures.conversations, "conversation")
    yield f"{figures.form}: {done[0]} in {done[1]}, {counted(figures.filed, 'record')} filed"
    yield from _columns([("Metric", "Value", "Alert when", "Alert"), *(_metric(m, figures) for m in METRICS)])
    for title, rows in (
        ("Calls by tool", figures.by_tool),
        ("Rejections by reason", figures.by_reason),
        ("Loop escalations by day", figures.loops),
    ):
        yield from (f"  {title}", *(f"  {line}" for line in _columns(_counts(rows))))
    yield from _columns(_rest(figures, now))


def counted(n: int, what: str) -> str:
    """ "1 record", "2 records"."""
    return f"{n} {what}{'' if n == 1 else 's'}"


def _metric(metric: Metric, figures: Figures) -> tuple[str, ...]:
    alert = "ALERT" if metric.fires(figures) else "-"
    return metric.name, metric.shown(metric.measure(figures)), metric.rule, alert


def _rest(figures: Figures, now: datetime) -> list[tuple[str, ...]]:
    age = f", the oldest for {(now - figures.pending_since).days} days" if figures.pending_since else ""
    return [("Tool errors", str(figures.errors)), ("Waiting for a decision", f"{figures.pending}{age}")]


def _counts(counts: Mapping[str, int]) -> list[tuple[str, ...]]:
    return [(name, str(n)) for name, n in counts.items()] or [(NOTHING, "")]


def _columns(rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield "  " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
