"""The report as a picture: rates and counts in panels of their own, a bar per workflow, limits as lines, names behind alerts."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime

from bot.charts.canvas import Canvas
from bot.charts.card import draw_panel, draw_title
from bot.charts.panel import BODY, GAP, HEADING, LIGHT, MARGIN, SMALL, Limit, Look, Panel, Row
from bot.operations.report import Alert, Metric, about, alerts, counted, measured, named, unnamed
from state.stores.figures import Figures

WIDTH = 1200.0
MOST = 12
"""Bars of a panel that counts; the rest is one bar."""
APART = "  ·  "
LINE, MOST_LINES = 21.0, 3
"""The height of a line of names, and how many an alert gets."""


def draw(every: Sequence[Figures], title: str, now: datetime, look: Look = LIGHT) -> Canvas:
    """Return the card, 1200 pixels wide at twice their density."""
    canvas = Canvas(look, WIDTH)
    fired = alerts(every)
    y = draw_title(canvas, title)
    summed_up = f"{counted(sum(len(alert.metrics) for alert in fired), 'alert')} in {counted(len(every), 'workflow')}"
    canvas.text(MARGIN, y + LINE / 2, summed_up, BODY, look.loud if fired else look.quiet, bold=bool(fired))
    y = _side_by_side(canvas, y + LINE, ("Rates", panels(every, "%")), ("Counts", panels(every, "")))
    y = _behind(canvas, fired, now, y + GAP)
    tools = ranking("Calls by tool", every, lambda f: f.by_tool)
    reasons = ranking("Rejections by reason", every, lambda f: f.by_reason)
    days = [ranking("Loop escalations by day", every, lambda f: f.loops)] if any(f.loops for f in every) else []
    y = _side_by_side(canvas, y, ("What was called", [tools]), ("What was refused", [reasons, *days]))
    canvas.close(y + MARGIN - GAP)
    return canvas


def panels(every: Sequence[Figures], unit: str) -> list[Panel]:
    """Return a panel for each thing that is measured in this unit; metrics that measure the same share one, with a line each."""
    return [_measured(metrics, every) for metrics in measured() if metrics[0].unit == unit]


def ranking(title: str, every: Sequence[Figures], counts: Callable[[Figures], Mapping[str, int]]) -> Panel:
    """Return what was counted, the most frequent first, each beside its workflow; what is beyond the panel is one bar."""
    found = sorted(
        ((n, f"{f.form} · {name}") for f in every for name, n in counts(f).items()), key=lambda r: (-r[0], r[1])
    )
    rows = [Row(name, n, str(n)) for n, name in found[:MOST]]
    if len(found) > MOST:
        others = sum(n for n, _ in found[MOST:])
        rows.append(Row(f"{len(found) - MOST} others", others, str(others)))
    return Panel(title, rows, "" if rows else "none")


def _measured(metrics: Sequence[Metric], every: Sequence[Figures]) -> Panel:
    first = metrics[0]
    rows = [_row(metrics, figures) for figures in every]
    limits = [Limit(m.limit, f"{m.act} {m.rule}") for m in metrics]
    return Panel(first.name, rows, limits=limits)


def _row(metrics: Sequence[Metric], figures: Figures) -> Row:
    value, fired = metrics[0].measure(figures), [m.act for m in metrics if m.fires(figures)]
    return Row(figures.form, value, metrics[0].shown(value), f"◀ {', '.join(fired)}" if fired else "", loud=bool(fired))


def _behind(canvas: Canvas, fired: Sequence[Alert], now: datetime, y: float) -> float:
    """Return each alert with the conversations behind it."""
    for alert in fired:
        canvas.text(MARGIN, y + LINE / 2, about(alert), SMALL, canvas.look.loud, bold=True)
        y += LINE
        for line in _names(canvas, alert, now):
            canvas.text(MARGIN, y + LINE / 2, line, SMALL)
            y += LINE
        y += GAP / 2
    return y


def _names(canvas: Canvas, alert: Alert, now: datetime) -> Iterable[str]:
    """As many names as there are lines for, none of them cut, and how many are left."""
    room, lines, shown = canvas.width - 2 * MARGIN, [""], 0
    for one in alert.behind.first:
        name = named(one, now)
        longer = f"{lines[-1]}{APART}{name}".removeprefix(APART)
        if canvas.measure(f"{longer}{APART}{unnamed(alert.behind, 0)}", SMALL) <= room:
            lines[-1] = longer
        elif len(lines) < MOST_LINES:
            lines.append(name)
        else:
            break
        shown += 1
    return [*lines[:-1], f"{lines[-1]}{APART}{unnamed(alert.behind, shown)}".removesuffix(APART)]


def _side_by_side(canvas: Canvas, y: float, *columns: tuple[str, Sequence[Panel]]) -> float:
    """Return columns of panels, each under its name; the y below the longer one."""
    width = (canvas.width - 2 * MARGIN - (len(columns) - 1) * MARGIN) / len(columns)
    ends = []
    for n, (name, drawn) in enumerate(columns):
        x, below = MARGIN + n * (width + MARGIN), y + GAP
        canvas.text(x, below + LINE / 2, name, HEADING * 1.15, canvas.look.quiet, bold=True)
        below += LINE + GAP / 2
        for panel in drawn:
            below = draw_panel(canvas, panel, x, below + GAP / 2, width) + GAP
        ends.append(below)
    return max(ends)
