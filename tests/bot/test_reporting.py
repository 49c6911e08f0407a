"""The report: each alert at its limit, the table, the chart, and the command that prints both."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from bot.report.chart import draw, png
from bot.report.metrics import METRICS
from bot.report.table import render_table
from state.stores.figures import Figures, Group
from tests.command import holdfast
from tests.whole.steps import file_request
from tests.world import world

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
REPEATED, INSISTENT, LOOPS, ROLLBACK, STUCK = (m.name for m in METRICS)
LIMITS: list[tuple[dict[str, Any], set[str]]] = [
    ({}, set()),
    ({"filed": 95, "idempotent": 5}, set()),
    ({"filed": 94, "idempotent": 6}, {REPEATED}),
    ({"filed": 81, "idempotent": 19}, {REPEATED}),
    ({"filed": 80, "idempotent": 20}, {REPEATED, ROLLBACK}),
    ({"conversations": 100, "repeated": 1}, set()),
    ({"conversations": 100, "repeated": 2}, {INSISTENT}),
    ({"loops": {"2026-11-20": 1}}, {LOOPS}),
    ({"stuck": 1}, {STUCK}),
]


@pytest.mark.parametrize(("given", "alerts"), LIMITS)
def test_alerts_fire_beyond_their_limits(given: dict[str, Any], alerts: set[str]) -> None:
    """Five per cent idempotent, one per cent insistent, no loop, twenty per cent for a rollback, nothing stuck."""
    figures = Figures(**given)
    assert {m.name for m in METRICS if m.fires(figures)} == alerts
    lines = [line for line in render_table(figures, None, NOW).splitlines() if line.endswith("ALERT")]
    assert len(lines) == len(alerts)


BUSY = Figures(
    (Group("set_trade", "ok", "", 7), Group("set_trade", "rejected", "lock", 3), Group("book", "error", "", 2)),
    conversations=4, filed=3, loops={"2026-11-20": 2}, pending=1, pending_since=datetime(2026, 11, 1, tzinfo=UTC),
)  # fmt: skip


def test_the_table_says_what_was_counted() -> None:
    """Calls by tool, rejections by reason, loops by day, errors, and how long the oldest case waits."""
    table = render_table(BUSY, datetime(2026, 11, 1, tzinfo=UTC), NOW)
    for words in ("since 2026-11-01", "12 tool calls in 4 conversations", "set_trade  10", "lock  3", "2026-11-20  2"):
        assert words in table, words
    assert "Tool errors             2" in table and "the oldest for 20 days" in table


def test_the_chart_shows_the_same_figures() -> None:
    """Four panels whose bars are the figures, as a PNG file."""
    figure = draw(BUSY, "Holdfast")
    limits, tools, reasons, loops = figure.axes
    assert [bar.get_width() for bar in tools.patches] == [2, 10]
    assert [bar.get_width() for bar in reasons.patches] == [3]
    assert [bar.get_width() for bar in loops.patches] == [2]
    assert max(bar.get_width() for bar in limits.patches) == 2
    assert png(figure).startswith(b"\x89PNG\r\n\x1a\n")
    assert png(draw(Figures(), "Nothing yet")).startswith(b"\x89PNG")


async def test_the_command_prints_and_draws(tmp_path: Path) -> None:
    """`holdfast report` after a filed request: its calls in the table, no alert, a picture where one was asked for."""
    async with world(tmp_path, kept=True) as w:
        await file_request(w)
    told = holdfast("report", "--since", "2026-01-01", "--output", str(tmp_path / "chart.png"), var=tmp_path)
    assert told.returncode == 0, told.stderr
    assert "1 records filed" in told.stdout and "set_trade" in told.stdout and "ALERT" not in told.stdout
    assert (tmp_path / "chart.png").read_bytes().startswith(b"\x89PNG")
