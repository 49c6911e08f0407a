"""The persona test: twenty-four turns with a model that drifts, and nothing of the drift reaches the person."""

import sys
from pathlib import Path

import pytest

from tests.persona import play
from tests.workflows.requirements_cases import FEATURE, GATHERED


@pytest.mark.parametrize(("seed", "rate"), [(0, 0.4), (1, 0.8)])
async def test_no_drift_is_sent_in_twenty_four_turns(seed: int, rate: float, tmp_path: Path) -> None:
    """However much a model drifts, nothing sent is a violation, nothing answered is asked again, the record holds all that was told.

    The report's line holds both rates and the facts.
    """
    played = await play(tmp_path, seed, rate)
    sys.stdout.write(f"\n{played.line}\n")
    assert played.wrong == []
    assert played.again == ()
    assert len(played.sent) >= len(FEATURE) // 2
    assert played.filed == GATHERED
    assert "violations sent 0 of" in played.line and "raw drift" in played.line
    assert played.model.drifted / played.model.replies > rate / 2
