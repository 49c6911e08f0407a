"""`holdfast retry --sink NAME`: a sink is sent again, or for the first time, what became of records."""

import uuid
from datetime import datetime

import typer

from bot.commands.check import written_sinks
from bot.commands.trouble import Sentence
from bot.installation import load_workflows
from bot.settings import Settings
from bot.sinks.replay import replay as send
from bot.storage import make_store


async def replay(settings: Settings, name: str, since: datetime | None) -> int:
    """Put it out; a running bot finds it within seconds."""
    workflows = load_workflows(settings)
    sinks = written_sinks(settings, workflows)
    if name not in sinks:
        raise Sentence(f"sinks.toml has no sink {name!r}. It has: {', '.join(sinks) or 'none'}.")
    store = make_store(settings)
    await store.start()
    try:
        day = since.date().isoformat() if since else ""
        came = await send(store, workflows, name, sinks[name], day, uuid.uuid4().hex[:8])
    finally:
        await store.stop()
    left = f" {came.left_out} records were erased or emptied by now, and are left out." if came.left_out else ""
    typer.echo(f"{came.steps} steps of records are sent to {name}, as soon as the bot runs.{left}")
    return 0
