"""The report: its metrics with their limits, the table of all figures with the conversations behind the alerts, and the same as a picture."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from bot.operations import charts
from state.stores.figures import Behind, Conversation, Figures

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
        """Return True if the alert is up."""
        value = self.measure(figures)
        return value >= self.limit if self.reaching else value > self.limit

    def shown(self, value: float) -> str:
        """Return a value in the metric's unit."""
        return f"{value:.1f} %" if self.unit else f"{value:.0f}"

    @property
    def act(self) -> str:
        """The action beyond the limit."""
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
    """Return the metrics, those over the same measure together."""
    measures = dict.fromkeys(metric.measure for metric in METRICS)
    return [tuple(m for m in METRICS if m.measure is measure) for measure in measures]


def _share(part: int, whole: int) -> float:
    return PERCENT * part / whole if whole else 0.0


def repeated_share(figures: Figures) -> float:
    """Of all finalisations, those of what was filed already, in per cent."""
    return _share(figures.idempotent, figures.filed + figures.idempotent)


METRICS = (
    Metric("Idempotent finalisations", "%", 5, repeated_share, lambda f: f.repeated),
    Metric(
        "Sign to roll back (idempotent finalisations)", "%", 20, repeated_share, lambda f: f.repeated, reaching=True
    ),
    Metric(
        "Conversations with more than one finalise call",
        "%",
        1,
        lambda f: _share(f.insistent.count, f.conversations),
        lambda f: f.insistent,
    ),
    Metric("Loop escalations on the worst day", "", 0, lambda f: max(f.loops.values(), default=0), lambda f: f.looped),
    Metric("Stuck cases (in review, not completed)", "", 0, lambda f: f.stuck.count, lambda f: f.stuck),
    Metric("Submitted without a record", "", 0, lambda f: f.unfiled.count, lambda f: f.unfiled),
)


def render_table(every: Sequence[Figures], since: datetime | None, now: datetime) -> str:
    """Return every figure, a line each, with thresholds and alerts, and the conversations behind these."""
    return "\n".join(_lines(every, since, now)) + "\n"


def _lines(every: Sequence[Figures], since: datetime | None, now: datetime) -> Iterator[str]:
    began = f"since {since:%Y-%m-%d}" if since else "since the beginning"
    fired = alerts(every)
    yield f"Holdfast, {began} until {now:%Y-%m-%d %H:%M} UTC"
    up = counted(sum(len(alert.metrics) for alert in fired), "alert")
    yield f"{up} in {counted(len(every), 'workflow')}" if every else "Nothing has happened."
    for alert in fired:
        names = [named(one, now) for one in alert.behind.first]
        yield from ("", about(alert), *(f"  {name}" for name in (*names, unnamed(alert.behind, len(names))) if name))
    for figures in every:
        yield from ("", *_workflow(figures, now))


def _workflow(figures: Figures, now: datetime) -> Iterator[str]:
    done = counted(figures.made, "tool call"), counted(figures.conversations, "conversation")
    yield f"{figures.form}: {done[0]} in {done[1]}, {counted(figures.filed, 'record')} filed"
    metrics = [(m.name, m.shown(m.measure(figures)), m.rule, "ALERT" if m.fires(figures) else "-") for m in METRICS]
    yield from _columns([("Metric", "Value", "Alert when", "Alert"), *metrics])
    for title, counts in (
        ("Calls by tool", figures.by_tool),
        ("Rejections by reason", figures.by_reason),
        ("Loop escalations by day", figures.loops),
    ):
        rows = [(name, str(n)) for name, n in counts.items()] or [("none", "")]
        yield from (f"  {title}", *(f"  {line}" for line in _columns(rows)))
    age = f", the oldest for {(now - figures.pending_since).days} days" if figures.pending_since else ""
    yield from _columns([("Tool errors", str(figures.errors)), ("Waiting for a decision", f"{figures.pending}{age}")])


def _columns(rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield "  " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()


def counted(n: int, what: str) -> str:
    """ "1 record", "2 records"."""
    return f"{n} {what}{'' if n == 1 else 's'}"


def named(conversation: Conversation, now: datetime) -> str:
    """ "3f2a90c1d2e4 EXP-2026-000001 ×2, 12 days ago"."""
    times = f" ×{conversation.times}" if conversation.times > 1 else ""
    days = (now - conversation.at).days if conversation.at else None
    ago = "" if days is None else ", today" if days < 1 else f", {counted(days, 'day')} ago"
    return f"{f'{conversation.name} {conversation.record}'.strip()}{times}{ago}"


def unnamed(behind: Behind, shown: int) -> str:
    """ "and 5 more"; empty where all are named."""
    more = behind.count - shown
    return f"and {more} more" if more > 0 else ""


def about(alert: Alert) -> str:
    """ "vehicle_case · Idempotent finalisations: 21.0 % (alert > 5.0 %, roll back ≥ 20.0 %)"."""
    first = alert.metrics[0]
    rules = ", ".join(f"{metric.act} {metric.rule}" for metric in alert.metrics)
    return f"{alert.figures.form} · {first.name}: {first.shown(first.measure(alert.figures))} ({rules})"


WIDTH = 1200.0
MOST = 12
"""Bars of a panel that counts; the rest is one bar."""
APART = "  ·  "
LINE, MOST_LINES = 21.0, 3
"""The height of a line of names, and how many an alert gets."""


def draw(every: Sequence[Figures], title: str, now: datetime, look: charts.Look = charts.LIGHT) -> charts.Canvas:
    """Return the card, 1200 pixels wide at twice their density."""
    canvas = charts.Canvas(look, WIDTH)
    fired = alerts(every)
    y = charts.draw_title(canvas, title)
    summed_up = f"{counted(sum(len(alert.metrics) for alert in fired), 'alert')} in {counted(len(every), 'workflow')}"
    canvas.text(
        charts.MARGIN, y + LINE / 2, summed_up, charts.BODY, look.loud if fired else look.quiet, bold=bool(fired)
    )
    y = _side_by_side(canvas, y + LINE, ("Rates", panels(every, "%")), ("Counts", panels(every, "")))
    y = _draw_alerts(canvas, fired, now, y + charts.GAP)
    tools = ranking("Calls by tool", every, lambda f: f.by_tool)
    reasons = ranking("Rejections by reason", every, lambda f: f.by_reason)
    days = [ranking("Loop escalations by day", every, lambda f: f.loops)] if any(f.loops for f in every) else []
    y = _side_by_side(canvas, y, ("What was called", [tools]), ("What was refused", [reasons, *days]))
    canvas.close(y + charts.MARGIN - charts.GAP)
    return canvas


def panels(every: Sequence[Figures], unit: str) -> list[charts.Panel]:
    """Return a panel for each thing that is measured in this unit; metrics that measure the same share one, with a line each."""
    found = [metrics for metrics in measured() if metrics[0].unit == unit]
    return [
        charts.Panel(
            metrics[0].name,
            [_bar(metrics, f) for f in every],
            limits=[charts.Limit(m.limit, f"{m.act} {m.rule}") for m in metrics],
        )
        for metrics in found
    ]


def ranking(title: str, every: Sequence[Figures], counts: Callable[[Figures], Mapping[str, int]]) -> charts.Panel:
    """Return what was counted, the most frequent first, each beside its workflow; what is beyond the panel is one bar."""
    found = sorted(
        ((n, f"{f.form} · {name}") for f in every for name, n in counts(f).items()), key=lambda r: (-r[0], r[1])
    )
    rows = [charts.Row(name, n, str(n)) for n, name in found[:MOST]]
    if len(found) > MOST:
        others = sum(n for n, _ in found[MOST:])
        rows.append(charts.Row(f"{len(found) - MOST} others", others, str(others)))
    return charts.Panel(title, rows, "" if rows else "none")


def _bar(metrics: Sequence[Metric], figures: Figures) -> charts.Row:
    value, fired = metrics[0].measure(figures), [m.act for m in metrics if m.fires(figures)]
    return charts.Row(
        figures.form, value, metrics[0].shown(value), f"◀ {', '.join(fired)}" if fired else "", loud=bool(fired)
    )


def _draw_alerts(canvas: charts.Canvas, fired: Sequence[Alert], now: datetime, y: float) -> float:
    """Return each alert with the conversations behind it."""
    for alert in fired:
        canvas.text(charts.MARGIN, y + LINE / 2, about(alert), charts.SMALL, canvas.look.loud, bold=True)
        y += LINE
        for line in _fitting_names(canvas, alert, now):
            canvas.text(charts.MARGIN, y + LINE / 2, line, charts.SMALL)
            y += LINE
        y += charts.GAP / 2
    return y


def _fitting_names(canvas: charts.Canvas, alert: Alert, now: datetime) -> Iterable[str]:
    """As many names as there are lines for, none of them cut, and how many are left."""
    room, lines, shown = canvas.width - 2 * charts.MARGIN, [""], 0
    for one in alert.behind.first:
        name = named(one, now)
        longer = f"{lines[-1]}{APART}{name}".removeprefix(APART)
        if canvas.measure(f"{longer}{APART}{unnamed(alert.behind, 0)}", charts.SMALL) <= room:
            lines[-1] = longer
        elif len(lines) < MOST_LINES:
            lines.append(name)
        else:
            break
        shown += 1
    return [*lines[:-1], f"{lines[-1]}{APART}{unnamed(alert.behind, shown)}".removesuffix(APART)]


def _side_by_side(canvas: charts.Canvas, y: float, *columns: tuple[str, Sequence[charts.Panel]]) -> float:
    """Return columns of panels, each under its name; the y below the longer one."""
    width = (canvas.width - 2 * charts.MARGIN - (len(columns) - 1) * charts.MARGIN) / len(columns)
    ends = []
    for n, (name, drawn) in enumerate(columns):
        x, below = charts.MARGIN + n * (width + charts.MARGIN), y + charts.GAP
        canvas.text(x, below + LINE / 2, name, charts.HEADING * 1.15, canvas.look.quiet, bold=True)
        below += LINE + charts.GAP / 2
        for panel in drawn:
            below = charts.draw_panel(canvas, panel, x, below + charts.GAP / 2, width) + charts.GAP
        ends.append(below)
    return max(ends)
