"""Every conversation that ships with a workflow comes out as it says."""

from pathlib import Path

import pytest

from bot import workflows
from bot.sandbox.scenarios.player import play
from state.workflow.load import Workflow
from state.workflow.scenario import read_scenario
from tests.shipped import shipped
from tests.world import settings

WALKS = Path(__file__).parents[2] / "docs" / "walks"
NAMES = sorted(form.parent.name for folder in workflows.__path__ for form in Path(folder).glob("*/form.toml"))
SHIPPED = [(workflow, file) for workflow in map(shipped, NAMES) for file in workflow.scenarios]


@pytest.mark.parametrize(
    ("workflow", "scenario"), SHIPPED, ids=lambda given: given.stem if isinstance(given, Path) else given.form.name
)
async def test_a_shipped_scenario_plays(workflow: Workflow, scenario: Path, tmp_path: Path) -> None:
    """As `holdfast test` plays it: step by step through the local Slack, each expectation held against what is there; a walk as its page shows it."""
    read = read_scenario(scenario, workflow.form)
    page = await play(settings(tmp_path), workflow, read)
    kept = WALKS / workflow.form.name / f"{scenario.stem}.md"
    if read.walk:
        assert page == kept.read_text(encoding="utf-8"), (
            f"holdfast test {workflow.form.name} --transcript docs/walks writes it anew"
        )


def test_every_page_is_a_walk() -> None:
    """No page is left of a scenario that is gone or no walk any more, and the page that leads to them names each."""
    walks = {f"{w.form.name}/{f.stem}" for w, f in SHIPPED if read_scenario(f, w.form).walk}
    pages = {f"{file.parent.name}/{file.stem}" for file in WALKS.glob("*/*.md")}
    told = (WALKS / "README.md").read_text(encoding="utf-8")
    assert pages == walks and all(f"({page}.md)" in told for page in pages)
