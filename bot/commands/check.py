"""`holdfast check`: everything that can be wrong before the bot runs."""

import typer

from bot.installation import load_workflows, make_key, make_tokens
from bot.settings import Settings, Wrong
from state.draft.stages import mermaid
from state.form.problems import FormError, render_problem


def check(settings: Settings) -> int:
    """Load everything that can be wrong, and say so line by line (1 where anything is); draw the stages of what is right."""
    try:
        workflows = load_workflows(settings)
        make_key(settings)
        make_tokens(settings, workflows)
    except FormError as wrong:
        for problem in wrong.problems:
            typer.echo(render_problem(problem), err=True)
        return 1
    except Wrong as wrong:
        for sentence in wrong.problems:
            typer.echo(sentence, err=True)
        return 1
    for name, workflow in workflows.items():
        typer.echo(f"{name}: {len(workflow.form.fields)} fields, {len(workflow.scenarios)} scenarios. Good.")
        if workflow.form.stages:
            typer.echo(f"\n```mermaid\n{mermaid(workflow.form)}```\n")
    return 0
