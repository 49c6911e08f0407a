"""`holdfast erase`: everything that is held of a person goes but what the law keeps; `--hold` and `--lift`: what may not go, by whom and why."""

import typer

from bot.commands.check import OPERATORS, written_sinks
from bot.commands.trouble import Sentence
from bot.exports.checkpointer import HEADS, sign
from bot.exports.erasure import MOST, Eraser
from bot.exports.sinks.rows import sinks_to_tell
from bot.officers.readings import on_this_machine
from bot.root.installation import load_workflows
from bot.root.storage import make_cache, make_store, opened_store
from bot.settings import Settings
from bot.slack.places import person_key
from state.stores.evidence.heads import HeadsFile
from state.stores.proof import Scope
from state.stores.store import Store


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


WHAT = "Say what: --record NUMBER, or --team T… --user U… for everything of a person."
WHY = "Say why: --reason “…”. It is kept with the hold, and read by whoever reports on it."


async def hold(settings: Settings, record: str, team: str, user: str, reason: str, *, lift: bool) -> int:
    """Hold a record or a person, or end such a hold; 1 where there was nothing to do."""
    if bool(record) == bool(team and user):
        raise Sentence(WHAT)
    if not reason.strip():
        raise Sentence(WHY)
    scope: Scope = "record" if record else "person"
    async with opened_store(settings) as store:
        if record and await store.record(record) is None:
            raise Sentence(f"There is no record {record!r}.")
        done = await _done(store, scope, record or person_key(team, user), reason.strip(), lift)
        await sign(store, HeadsFile(settings.holdfast_var / HEADS, store.place))
        return done


async def _done(store: Store, scope: Scope, name: str, reason: str, lift: bool) -> int:
    act = store.lift if lift else store.hold
    done = await act(scope, name, on_this_machine(), reason)
    if done is None:
        typer.echo(f"No hold stands on {name}." if lift else f"{name} is held already.")
        return 1
    said = (
        "is lifted: what is due goes with the next day's work"
        if lift
        else "stands: nothing of it goes until it is lifted"
    )
    typer.echo(f"Hold {done.id} on {name} {said}.")
    return 0
