"""The report: each alert at its limit with the conversations behind it, the table, the chart, and the command that prints both."""

import re
import shutil
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.operations.charts import BAR, DASHED, LIGHT, Canvas
from bot.operations.report import METRICS, draw, panels, render_table
from bot.sandbox.models.answers import Answer, call, text, tools
from state.stores.figures import Behind, Conversation, Figures, Group
from tests.command import Ran, holdfast
from tests.whole.steps import file_request
from tests.whole.test_vehicle_case import FINALIZE, after
from tests.whole.vehicle_steps import ONLY, SEND, from_photos, to_photos
from tests.world import world

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
REPEATED, ROLLBACK, INSISTENT, LOOPS, STUCK, UNFILED = (m.name for m in METRICS)


def behind(*names: str, count: int = 0) -> Behind:
    """Conversations of these names, the first begun longest ago."""
    first = tuple(Conversation(name, f"R-{name}", 1, NOW - timedelta(days=9 - n)) for n, name in enumerate(names))
    return Behind(count or len(names), first)


ONE, TWO = behind("a1"), behind("a1", "b2")
LIMITS: list[tuple[dict[str, Any], set[str]]] = [
    ({}, set()),
    ({"filed": 95, "idempotent": 5, "repeated": ONE}, set()),
    ({"filed": 94, "idempotent": 6, "repeated": ONE}, {REPEATED}),
    ({"filed": 81, "idempotent": 19, "repeated": ONE}, {REPEATED}),
    ({"filed": 80, "idempotent": 20, "repeated": ONE}, {REPEATED, ROLLBACK}),
    ({"conversations": 100, "insistent": ONE}, set()),
    ({"conversations": 100, "insistent": TWO}, {INSISTENT}),
    ({"loops": {"2026-11-20": 1}, "looped": ONE}, {LOOPS}),
    ({"stuck": ONE}, {STUCK}),
    ({"unfiled": ONE}, {UNFILED}),
]


@pytest.mark.parametrize(("given", "fired"), LIMITS)
def test_alerts_fire_beyond_their_limits(given: dict[str, Any], fired: set[str]) -> None:
    """Five per cent idempotent, one per cent insistent, no loop, twenty per cent for a rollback, nothing stuck, nothing lost."""
    figures = Figures("vehicle_case", **given)
    assert {m.name for m in METRICS if m.fires(figures)} == fired
    table = render_table([figures], None, NOW)
    assert len([line for line in table.splitlines() if line.endswith("ALERT")]) == len(fired)
    assert ("a1 R-a1, 9 days ago" in table) == bool(fired)


BUSY = Figures(
    "pa_dealing",
    (Group("set_trade", "ok", "", 7), Group("set_trade", "rejected", "lock", 3), Group("book", "error", "", 2)),
    conversations=4, filed=3, loops={"2026-11-20": 2}, looped=TWO, pending=1, pending_since=datetime(2026, 11, 1, tzinfo=UTC),
)  # fmt: skip
CASES = Figures(
    "vehicle_case", (Group("set_trade", "ok", "", 1),), conversations=50, filed=3, idempotent=1, repeated=ONE, insistent=ONE,
    stuck=behind("v1", "v2", count=40), pending=40,
)  # fmt: skip
CALM = Figures("loan", (Group("set_income", "ok", "", 4),), conversations=2, filed=1)


def test_the_table_says_what_was_counted_of_each_workflow() -> None:
    """Calls by tool, rejections by reason, loops by day, errors, and how long the oldest case waits: none is a sum of two workflows."""
    table = render_table([BUSY, CASES], datetime(2026, 11, 1, tzinfo=UTC), NOW)
    dealing, case = table.split("pa_dealing: ")[-1].split("vehicle_case: ")
    for words in ("12 tool calls in 4 conversations, 3 records filed", "set_trade  10", "lock  3", "2026-11-20  2"):
        assert words in dealing and words not in case, words
    assert "Tool errors             2" in dealing and "the oldest for 20 days" in dealing
    assert "1 tool call in 50 conversations, 3 records filed" in case and "since 2026-11-01" in table
    assert "5 alerts in 2 workflows" in table


def test_every_alert_names_its_conversations() -> None:
    """Above all figures stand the alerts, each with its workflow, its value, its limits, and whom to look at; the rest is counted."""
    head = render_table([CALM, BUSY, CASES], None, NOW).split("\nloan: ")[0]
    assert (
        "pa_dealing · Loop escalations on the worst day: 2 (alert > 0)\n  a1 R-a1, 9 days ago\n  b2 R-b2, 8 days ago"
        in head
    )
    assert "vehicle_case · Idempotent finalisations: 25.0 % (alert > 5.0 %, roll back ≥ 20.0 %)\n  a1 R-a1" in head
    assert "  v1 R-v1, 9 days ago\n  v2 R-v2, 8 days ago\n  and 38 more" in head
    assert "Nothing has happened." in render_table([], None, NOW)


def drawn(every: Sequence[Figures]) -> tuple[Canvas, str]:
    """A report's chart, and all its words."""
    canvas = draw(every, "Holdfast", NOW)
    return canvas, "\n".join(word.text for word in canvas.words)


def test_rates_and_counts_have_panels_of_their_own() -> None:
    """No panel has shares and numbers on one scale; each has a bar per workflow and a line per limit."""
    rates, counts = panels([BUSY, CASES], "%"), panels([BUSY, CASES], "")
    assert [p.heading for p in rates] == [REPEATED, INSISTENT] and [p.heading for p in counts] == [
        LOOPS,
        STUCK,
        UNFILED,
    ]
    assert [[limit.value for limit in p.limits] for p in (*rates, *counts)] == [[5, 20], [1], [0], [0], [0]]
    assert all([row.label for row in p.rows] == ["pa_dealing", "vehicle_case"] for p in (*rates, *counts))
    assert all(row.shown.endswith("%") for p in rates for row in p.rows)
    assert not any("%" in row.shown for p in counts for row in p.rows)


def test_an_alert_has_a_bar_that_is_seen_and_marked() -> None:
    """As many loud bars as alerts over a measure, each wide enough to be seen; the picture names the conversations behind them."""
    canvas, words = drawn([BUSY, CASES, CALM])
    loud = [s.box for s in canvas.shapes if (s.kind, s.colour) == (BAR, LIGHT.loud)]
    assert len(loud) == 4 and all(right - left > 10 for left, _, right, _ in loud)
    assert words.count("◀") == 4 and "◀ alert, roll back" in words
    for name in ("a1 R-a1", "b2 R-b2", "v1 R-v1", "v2 R-v2", "and 38 more", "5 alerts in 3 workflows"):
        assert name in words, name
    assert len([s for s in canvas.shapes if s.kind == DASHED]) == 6


def test_a_chart_without_alerts_or_figures_is_one_too() -> None:
    """Nothing loud where nothing fires, and a card that says so where nothing happened."""
    for every in ([CALM], []):
        canvas, words = drawn(every)
        assert "0 alerts" in words and "◀" not in words and "none" in words
        assert canvas.png().startswith(b"\x89PNG\r\n\x1a\n")


async def test_the_command_prints_and_draws(tmp_path: Path) -> None:
    """`holdfast report` after a filed request: its calls in the table, no alert, a picture where one was asked for."""
    async with world(tmp_path, kept=True) as w:
        await file_request(w)
    told = reported(tmp_path, "--since", "2026-01-01", "--output", str(tmp_path / "chart.png"))
    assert "1 record filed" in told.stdout and "set_trade" in told.stdout and "ALERT" not in told.stdout
    light = (tmp_path / "chart.png").read_bytes()
    reported(tmp_path, "--dark", "--output", str(tmp_path / "chart.png"))
    assert light.startswith(b"\x89PNG") and (tmp_path / "chart.png").read_bytes() != light


def reported(var: Path, *words: str) -> Ran:
    """`holdfast report` with these options, which went well."""
    told = holdfast("report", *words, var=var)
    assert told.returncode == 0, told.stderr
    return told


def finalising(request: dict[str, Any]) -> Answer:
    """A model that finalises when it is greeted and when it is thanked."""
    return tools(call(FINALIZE)) if re.search("hola|Gracias", after(request)) else text("Muy bien.")


async def test_the_report_answers_for_a_case(tmp_path: Path) -> None:
    """One that came too early is no duplicate; one after filing is, answered or refused; a case in review is stuck; each by name."""
    async with world(tmp_path / "filed", finalising, ONLY, kept=True) as w:
        await to_photos(w)
        await w.say("hola, buenas")
        await from_photos(w)
        await w.say("Gracias, lo he leído todo")
        await w.click(SEND)
        name, (record,) = (await w.draft()).id, await w.records()
    for friendly, fired in (
        (None, {STUCK}),
        (True, {REPEATED, ROLLBACK, INSISTENT, STUCK}),
        (False, {INSISTENT, STUCK}),
    ):
        var = shutil.copytree(tmp_path / "filed", tmp_path / f"{friendly}")
        if friendly is not None:
            async with world(var, finalising, ONLY, kept=True, finalize_idempotency=friendly) as w:
                await w.say("Gracias")
        told = reported(var).stdout
        metrics = [line for line in told.splitlines() if line.endswith("ALERT")]
        assert {m.name for m in METRICS if any(line.strip().startswith(m.name) for line in metrics)} == fired
        assert f"{name} {record.number}" in told.split("\nvehicle_case: ")[0]
        calls = reported(var, "--conversation", name).stdout
        assert f"{FINALIZE}: rejected, submit" in calls and f"{FINALIZE}: waiting" in calls
        assert (f"{FINALIZE}: success, idempotent" in calls) == bool(friendly)
        assert '"already_finalized": true' in calls or not friendly
    assert holdfast("report", "--conversation", "nobody", var=tmp_path / "filed").returncode == 2
