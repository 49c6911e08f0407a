"""The short form of `make bench` runs and reports; no time is asserted."""

import asyncio
from pathlib import Path

import pytest

from tests import bench


def test_the_benchmark_reports(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Figures of judging, prompts and turns are printed, with ratios measured in the same run."""
    bench.judging(tmp_path, 5)
    bench.prompts(tmp_path)
    asyncio.run(bench.turns_and_growth(tmp_path, 110, 10))
    printed = capsys.readouterr().out
    for wanted in ("advance()", "tokens", "after 110 messages", "beside 10 other drafts", " x"):
        assert wanted in printed
