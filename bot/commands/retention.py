"""`holdfast report --retention`: what goes when and by which rule, what is held, and who read what."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

import typer

from bot.data_rights.due import Due, due_of
from bot.installation import load_workflows
from bot.proof.export import Wanted, wanted_records
from bot.proof.reading import Noted, readings
from bot.settings import Settings
from bot.storage import make_store
from state.stores.proof import LegalHold
from state.stores.store import Store
from state.workflow.load import Workflow

SOON = 90
"""Days ahead for which what is due is named."""


async def report_retention(settings: Settings, since: datetime | None) -> int:
    """Print it; readings from `since` on."""
    workflows, store = load_workflows(settings), make_store(settings)
    await store.start()
    try:
        now, holds = await store.now(), await store.holds(standing=False)
        due = await _due(store, workflows, now)
        read = [one for one in await readings(store, limit=1_000_000) if since is None or one.at >= since]
    finally:
        await store.stop()
    typer.echo("\n".join([*_classes(due), *_soon(due, now), *_held(holds), *_read(read)]))
    return 0


async def _due(store: Store, workflows: Mapping[str, Workflow], now: datetime) -> list[Due]:
    held = await store.holds()
    found = []
    for name, workflow in workflows.items():
        async for record in wanted_records(store, Wanted(name)):
            if not record.erased:
                found.append(due_of(workflow.form, record, held))
    return sorted(found, key=lambda one: (one.at, one.number))


def _classes(due: Sequence[Due]) -> Iterator[str]:
    yield "Records by class (form, state): how many, kept for how long, and why"
    for key in sorted({(one.form, one.state) for one in due}):
        mine = [one for one in due if (one.form, one.state) == key]
        yield f"  {key[0]}, {key[1]}: {len(mine)}, {mine[0].months} months from filing. {mine[0].why}".rstrip()
    if not due:
        yield "  none"


def _soon(due: Sequence[Due], now: datetime) -> Iterator[str]:
    yield f"Due within {SOON} days"
    soon = [one for one in due if (one.at - now).days < SOON]
    yield from (
        f"  {one.at:%Y-%m-%d} {one.number} ({one.state}){', held: it stays' if one.held else ''}" for one in soon
    )
    if not soon:
        yield "  nothing"


def _held(holds: Sequence[LegalHold]) -> Iterator[str]:
    yield "Legal holds"
    for one in holds:
        lifted = f"; lifted {one.lifted_at:%Y-%m-%d} by {one.lifted_by}: {one.lifted_why}" if one.lifted_at else ""
        yield f"  {one.id}. {one.scope} {one.name}, {one.at:%Y-%m-%d} by {one.by}: {one.reason}{lifted}"
    if not holds:
        yield "  none"


def _read(read: Sequence[Noted]) -> Iterator[str]:
    yield "Who read what others filed"
    for one in read:
        told = one.reading
        asked = ", ".join(f"{name} {text}" for name, text in told.filters.items())
        yield f"  {one.at:%Y-%m-%d %H:%M:%S} {told.by} {told.what}: {asked}; {told.rows} rows, {told.hash}"
    if not read:
        yield "  nobody"
