"""The short forms of the measurements: `make bench` reports, and a crowd is answered within Slack's limits."""

from pathlib import Path

import pytest

from tests.bench import chart, document
from tests.bench.__main__ import PARTS, measure
from tests.bench.figures import SHORT, Figure
from tests.bench.limits import SHOWING, play

TIERED = set(SHOWING) - {"response_url"}


async def test_the_benchmark_reports(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each figure is printed beside its bare peer, and written with a chart as they come."""
    found: list[Figure] = []
    for part in ("click", "reading", "queue"):
        await measure(PARTS[part], SHORT, found)
    printed = capsys.readouterr().out
    assert "click → next question on screen" in printed
    assert "CPU of reading one sentence: loan" in printed
    assert "the queue's first page, 200 open requests" in printed
    assert all(f.ours.p50 > 0 for f in found)
    assert found[0].peer and found[0].peer.p50 > 0
    chart.save(found, tmp_path / "bench.png")
    assert (tmp_path / "bench.png").stat().st_size > 0
    assert "click → next question on screen" in document.as_json(found)


async def test_a_crowd_is_answered_within_slacks_limits(tmp_path: Path) -> None:
    """Ten people file at the rate of a hundred in ten minutes; all are answered, and each message shows what was written last for it.

    They act ten times as fast as people, with Slack's tiers as much faster. Slack takes a post a second in a conversation, so an act may cost
    less than one call that a tier counts; how long they wait is for `make bench` to say, beside what the machine is.
    """
    played = await play(tmp_path, people=10, pace=10)
    assert played.wrong == []
    assert (played.dead, played.given_up, played.alive) == (0, 0, 0)
    assert len(played.waits) >= 60
    assert sum(n for (method, _), n in played.calls.items() if method in TIERED) < 0.75 * len(played.waits)
