"""`holdfast erase --hold` and `--lift`: what may not go, by whom and why."""

import typer

from bot.commands.trouble import Sentence
from bot.evidence.checkpointer import HEADS, sign
from bot.keys import person_key
from bot.proof.reading import on_this_machine
from bot.settings import Settings
from bot.storage import make_store
from state.stores.evidence.heads import HeadsFile
from state.stores.proof import Scope
from state.stores.store import Store

WHAT = "Say what: --record NUMBER, or --team T… --user U… for everything of a person."
WHY = "Say why: --reason “…”. It is kept with the hold, and read by whoever reports on it."


async def hold(settings: Settings, record: str, team: str, user: str, reason: str, *, lift: bool) -> int:
    """Hold a record or a person, or end such a hold; 1 where there was nothing to do."""
    if bool(record) == bool(team and user):
        raise Sentence(WHAT)
    if not reason.strip():
        raise Sentence(WHY)
    scope: Scope = "record" if record else "person"
    store = make_store(settings)
    await store.start()
    try:
        if record and await store.record(record) is None:
            raise Sentence(f"There is no record {record!r}.")
        done = await _done(store, scope, record or person_key(team, user), reason.strip(), lift)
        await sign(store, HeadsFile(settings.holdfast_var / HEADS, store.place))
        return done
    finally:
        await store.stop()


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
