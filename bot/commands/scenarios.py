"""`holdfast test`: the scenarios of each workflow, played through the local Slack."""

from pathlib import Path

import typer

from bot.commands.trouble import Sentence
from bot.operations import logs
from bot.root.installation import load_workflows
from bot.sandbox.scenarios.report import play_all
from bot.settings import Settings
from state.form.near import meant


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
