"""`holdfast test`: the scenarios of each workflow, played through the local Slack."""

import time
from collections.abc import Callable, Mapping
from pathlib import Path

import typer

from bot.commands.trouble import Sentence
from bot.operations import logs
from bot.root.installation import load_workflows
from bot.sandbox.scenarios.player import Fell, play
from bot.settings import Settings
from state.form.source import meant
from state.workflow.load import Workflow
from state.workflow.scenario import read_scenario


async def play_all(
    settings: Settings, workflows: Mapping[str, Workflow], say: Callable[[str], None], pages: Path | None = None
) -> int:
    """Play, say a line per scenario and a summary; 0 where all passed, 1 where any fell short or there were none.

    `pages`: a folder into which the transcripts of walks go, `<workflow>/<walk>.md`.
    """
    began, passed, failed = time.monotonic(), 0, 0
    for name, workflow in workflows.items():
        for file in workflow.scenarios:
            scenario = read_scenario(file, workflow.form)
            try:
                page = await play(settings, workflow, scenario)
            except Fell as fell:
                failed += 1
                say(f"FAILED {name}/{file.stem}: {fell}")
            else:
                passed += 1
                if pages is not None and scenario.walk:
                    _keep(pages / name / f"{file.stem}.md", page)
                say(f"passed {name}/{file.stem}: {scenario.title}")
    say(f"{passed} passed, {failed} failed in {time.monotonic() - began:.1f} s")
    return 0 if passed and not failed else 1


def _keep(file: Path, page: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(page, encoding="utf-8")


async def scenarios(settings: Settings, workflow: str, transcript: Path | None = None) -> int:
    """Play scenarios and print a line each; 1 where one failed. `transcript`: the folder for the pages of walks."""
    logs.configure("ERROR")
    workflows = load_workflows(settings)
    if workflow and workflow not in workflows:
        raise Sentence(
            f"There is no workflow {workflow!r}. There are: {', '.join(workflows)}.{meant(workflow, workflows)}"
        )
    wanted = {n: w for n, w in workflows.items() if not workflow or n == workflow}
    return await play_all(settings, wanted, typer.echo, transcript)
