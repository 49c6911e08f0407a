"""*Your first form* is followed to the letter: each step is written as the page says, checked, played, and looks as the page shows."""

import re
from collections.abc import Iterator
from pathlib import Path

from bot.sandbox.scenarios.player import play
from state.workflow.load import load_folder
from state.workflow.scenario import read_scenario
from tests.command import holdfast
from tests.world import settings

PAGE = (Path(__file__).parents[2] / "docs" / "tutorial" / "first_form.md").read_text("utf-8")
FILE = re.compile(r"^(Write|Add to) `(workflows/\S+)`:\n\n```\w+\n(.*?)^```", re.MULTILINE | re.DOTALL)
SHOWN = re.compile(r"^```text\n(.*?)^```", re.MULTILINE | re.DOTALL)


def steps() -> Iterator[str]:
    """The page's numbered steps, in order."""
    yield from re.split(r"^## (?=\d)", PAGE.partition("## Where to go")[0], flags=re.MULTILINE)[1:]


async def test_the_page_is_followed_step_by_step(tmp_path: Path) -> None:
    """After each step the form is good, its scenarios pass, and people see what the page shows."""
    for step in steps():
        for act, name, text in FILE.findall(step):
            file = tmp_path / name
            assert file.exists() == (act == "Add to"), name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text((file.read_text("utf-8") if file.exists() else "") + text, "utf-8")
        mine = tmp_path / "workflows"
        checked = holdfast("check", "equipment", var=tmp_path / "var", HOLDFAST_WORKFLOWS=str(mine))
        assert checked.returncode == 0, checked.stderr
        workflow = load_folder(mine / "equipment")
        here = settings(tmp_path / "var", holdfast_workflows=str(mine))
        seen = "".join([await play(here, workflow, read_scenario(f, workflow.form)) for f in workflow.scenarios])
        for shown in SHOWN.findall(step):
            assert shown in seen, seen
    assert len(workflow.scenarios) == 2
    assert all(f"{kind} = " in PAGE for kind in ("when", "together", "lookup", "decide"))
