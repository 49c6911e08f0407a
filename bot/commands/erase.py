"""`holdfast erase`: everything that is held of a person goes, but what the law wants kept."""

import typer

from bot.commands.check import OPERATORS, written_sinks
from bot.data_rights.erasure import MOST, Eraser
from bot.evidence.checkpointer import HEADS, sign
from bot.installation import load_workflows
from bot.keys import person_key
from bot.settings import Settings
from bot.sinks.erasing import sinks_to_tell
from bot.storage import make_cache, make_store
from state.stores.evidence.heads import HeadsFile


async def erase(settings: Settings, team: str, user: str) -> int:
    """Erase a person, and say what went and what stays; 1 where nothing was held."""
    workflows, cache = load_workflows(settings), await make_cache(settings)
    store = make_store(settings, cache.client)
    await store.start()
    try:
        person = person_key(team, user)
        written = written_sinks(settings, workflows)
        sinks = sinks_to_tell(lambda: written, workflows, settings.channels.get(OPERATORS, ""))
        passed = list(sinks.passed_on(await store.records_of(person, limit=MOST)))
        erasure = await Eraser(store, workflows, settings.channels, sinks).erase(person)
        await sign(store, HeadsFile(settings.holdfast_var / HEADS, store.place))
    finally:
        await store.stop()
        if cache.stop:
            await cache.stop()
    if erasure is None:
        typer.echo("Nothing is held of this person.")
        return 1
    gone = erasure.tombstone
    drafts, records = sum(gone.drafts.values()), sum(gone.records.values())
    typer.echo(f"Erased: {drafts} drafts, {gone.events} events, {gone.tool_calls} tool calls, {records} records.")
    for one in erasure.kept:
        why = workflows[one.form].form.why_kept(one.state) if one.form in workflows else ""
        hold = " A legal hold keeps it until that is lifted." if one.held else ""
        typer.echo(f"Kept: {one.number} until {one.until:%Y-%m-%d}. {why}{hold}".rstrip())
    for name, numbers in passed:
        typer.echo(f"May have left for the sink {name}, to be erased there: {', '.join(numbers)}.")
    return 0
