"""The short form of `make bench` runs and reports; no time is asserted."""

from pathlib import Path

import pytest

from tests.bench.__main__ import measure
from tests.bench.figures import SHORT


async def test_the_benchmark_reports(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each figure is printed beside its bare peer, and written with a chart as they come."""
    found = await measure(["click", "reading", "queue"], SHORT, tmp_path)
    printed = capsys.readouterr().out
    assert "click → next question on screen" in printed
    assert "CPU of reading one sentence: loan" in printed
    assert "the queue's first page, 200 open requests" in printed
    assert all(f.ours.p50 > 0 for f in found)
    assert found[0].peer and found[0].peer.p50 > 0
    for name in ("bench.json", "bench.png"):
        assert (tmp_path / name).stat().st_size > 0
