"""`holdfast test`: the scenarios of each workflow, played through the local Slack."""

import typer

from bot import logs
from bot.commands.trouble import Sentence
from bot.installation import load_workflows
from bot.scenarios.report import play_all
from bot.settings import Settings
from state.form.near import meant


async def scenarios(settings: Settings, workflow: str) -> int:
    """Play scenarios and print a line each; 1 where one failed."""
    logs.configure("ERROR")
    workflows = load_workflows(settings)
    if workflow and workflow not in workflows:
        raise Sentence(
            f"There is no workflow {workflow!r}. There are: {', '.join(workflows)}.{meant(workflow, workflows)}"
        )
    return await play_all(settings, {n: w for n, w in workflows.items() if not workflow or n == workflow}, typer.echo)
