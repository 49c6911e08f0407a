"""`holdfast export`: what was filed, for auditors."""

import asyncio
from pathlib import Path

import typer

from bot import export as exporting
from bot.commands.trouble import Sentence
from bot.installation import load_workflows
from bot.settings import Settings
from bot.storage import make_store
from state.form.near import meant


async def export(settings: Settings, workflow: str, kind: str, output: Path | None) -> int:
    """Write a workflow's records to a file or the terminal."""
    workflows = load_workflows(settings)
    if workflow not in workflows:
        raise Sentence(f"There is no workflow {workflow!r}.{meant(workflow, workflows)}")
    store = make_store(settings)
    await store.start()
    try:
        text = await exporting.export(store, workflow, kind)
    finally:
        await store.stop()
    if output is None:
        typer.echo(text, nl=False)
    else:
        await asyncio.to_thread(output.write_text, text, "utf-8", newline="")
    return 0
