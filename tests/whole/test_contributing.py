"""CONTRIBUTING.md is true to the letter: its example is a workflow that loads, runs and plays."""

import re
from pathlib import Path

from bot.sandbox.scenarios.player import play
from state.workflow.load import load_folder
from state.workflow.scenario import read_scenario
from tests.world import settings, world

PAGE = Path(__file__).parents[2] / "CONTRIBUTING.md"
BLOCKS = re.compile(r"```toml\n(.*?)```", re.DOTALL)


def example(folder: Path) -> Path:
    """The example's files as the page says to write them; gives the folder of workflows."""
    form, scenario = (
        "\n".join(line.removeprefix("   ") for line in b.splitlines()) for b in BLOCKS.findall(PAGE.read_text("utf-8"))
    )
    made = folder / "mine" / "holiday"
    (made / "scenarios").mkdir(parents=True)
    (made / "form.toml").write_text(form, "utf-8")
    (made / "scenarios" / "plain.toml").write_text(scenario, "utf-8")
    return folder / "mine"


async def test_the_example_is_filed_in_the_sandbox(tmp_path: Path) -> None:
    """A folder from outside the repository brings a form of its own, chosen by its words beside the shipped one."""
    mine = example(tmp_path)
    async with world(tmp_path / "var", holdfast_workflows=str(mine)) as w:
        await w.say("I need a holiday")
        assert "From which day?" in w.last()
        await w.say("3 March 2027")
        await w.say("5")
        await w.click("Yes")
        await w.click("Submit")
        (record,) = await w.records()
        assert record.number.startswith("HOL-")
        assert {n: v["data"] for n, v in record.body["values"].items()} == {
            "first_day": "2027-03-03",
            "days": 5,
            "handed_over": True,
        }


async def test_the_examples_scenario_passes(tmp_path: Path) -> None:
    """What the page says to keep beside a form plays as written."""
    mine = example(tmp_path)
    workflow = load_folder(mine / "holiday")
    (file,) = workflow.scenarios
    await play(settings(tmp_path / "var", holdfast_workflows=str(mine)), workflow, read_scenario(file, workflow.form))


async def test_with_several_forms_the_person_chooses(tmp_path: Path) -> None:
    """Words that name no form bring the choice; a click begins the form."""
    async with world(tmp_path / "var", holdfast_workflows=str(example(tmp_path))) as w:
        await w.say("good morning")
        assert "What would you like to begin?" in w.last()
        await w.click("Holiday request")
        assert "From which day?" in w.last()
