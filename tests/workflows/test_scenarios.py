"""Every conversation that ships with a workflow comes out as it says."""

from pathlib import Path

import pytest

from bot import workflows
from bot.scenarios.player import play
from state.workflow.load import Workflow
from state.workflow.scenario import read_scenario
from tests.shipped import shipped
from tests.world import settings

NAMES = sorted(form.parent.name for folder in workflows.__path__ for form in Path(folder).glob("*/form.toml"))
SHIPPED = [(workflow, file) for workflow in map(shipped, NAMES) for file in workflow.scenarios]


@pytest.mark.parametrize(
    ("workflow", "scenario"), SHIPPED, ids=lambda given: given.stem if isinstance(given, Path) else given.form.name
)
async def test_a_shipped_scenario_plays(workflow: Workflow, scenario: Path, tmp_path: Path) -> None:
    """As `holdfast test` plays it: step by step through the local Slack, each expectation held against what is there."""
    await play(settings(tmp_path), workflow, read_scenario(scenario, workflow.form))
