"""`holdfast report`: what the log of tool calls says, by workflow or call by call; `--retention`: what goes when, what is held, who read what."""

import asyncio
import json
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path

import typer

from bot.exports.erasure import Due, due_of
from bot.exports.export import Wanted, wanted_records
from bot.operations.charts import DARK, LIGHT
from bot.operations.evidence import Noted, Reading, note, on_this_machine, readings, text_hash
from bot.operations.report import draw, render_table
from bot.root.installation import load_workflows, opened_store
from bot.settings import Settings, Wrong
from state.extras import lacking
from state.stores.proof import LegalHold
from state.stores.rows import ToolLogEntry


async def report(settings: Settings, since: datetime | None, output: Path | None, dark: bool = False) -> int:
    """Print the figures, and draw them into a PNG file where one is named."""
    if output is not None and (missing := lacking("charts", "A chart (--output)")):
        raise Wrong([missing])
    async with opened_store(settings) as store:
        figures, now = await store.figures(since), await store.now()
    typer.echo(render_table(figures, since, now), nl=False)
    if output is not None:
        picture = draw(figures, f"Holdfast until {now:%Y-%m-%d}", now, DARK if dark else LIGHT).png()
        await asyncio.to_thread(output.write_bytes, picture)
    return 0


async def report_calls(settings: Settings, conversation: str) -> int:
    """Print the tool calls of a conversation that the report named."""
    async with opened_store(settings) as store:
        known, calls = await store.draft(conversation), await store.tool_calls(conversation)
        if known is None:
            raise Wrong([f"There is no conversation {conversation!r}."])
        told = (line for call in calls for line in _lines(call))
        text, asked = "\n".join((f"{conversation}: {len(calls)} tool calls", *told, "")), {"draft": conversation}
        await note(store, Reading(on_this_machine(), "calls", len(calls), text_hash(text), asked))
    typer.echo(text, nl=False)
    return 0


def _lines(call: ToolLogEntry) -> Iterator[str]:
    """Yield a call in a line, with its arguments and its result below; those of an erased person are gone."""
    marks = [call.status, *([call.reason] if call.reason else []), *(["idempotent"] if call.idempotent else [])]
    at = f"{call.at:%Y-%m-%d %H:%M:%S}" if call.at else "-"
    yield f"{at} turn {call.turn} {call.tool}: {', '.join(marks)} ({call.reader})"
    if call.erased:
        yield "  erased"
        return
    for part in ("arguments", "result"):
        yield f"  {part} {json.dumps(call.body.get(part, {}), ensure_ascii=False, sort_keys=True)}"


SOON = 90
"""Days ahead for which what is due is named."""


async def report_retention(settings: Settings, since: datetime | None) -> int:
    """Print it; readings from `since` on."""
    workflows = load_workflows(settings)
    async with opened_store(settings) as store:
        now, holds = await store.now(), await store.holds(standing=False)
        held, due = await store.holds(), []
        for name, workflow in workflows.items():
            async for record in wanted_records(store, Wanted(name)):
                if not record.erased:
                    due.append(due_of(workflow.form, record, held))
        due.sort(key=lambda one: (one.at, one.number))
        read = [one for one in await readings(store, limit=1_000_000) if since is None or one.at >= since]
    typer.echo("\n".join([*_classes(due), *_soon(due, now), *_held(holds), *_read(read)]))
    return 0


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
