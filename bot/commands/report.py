"""`holdfast report`: what the log of tool calls says, workflow by workflow, or call by call for one conversation."""

import asyncio
import json
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path

import typer

from bot.charts.panel import DARK, LIGHT
from bot.commands.trouble import Sentence
from bot.officers.readings import Reading, note, on_this_machine, text_hash
from bot.operations.report import render_table
from bot.root.storage import make_store
from bot.settings import Settings
from state.stores.protocol import ToolLogEntry


async def report(settings: Settings, since: datetime | None, output: Path | None, dark: bool = False) -> int:
    """Print the figures, and draw them into a PNG file where one is named."""
    store = make_store(settings)
    await store.start()
    try:
        figures, now = await store.figures(since), await store.now()
    finally:
        await store.stop()
    typer.echo(render_table(figures, since, now), nl=False)
    if output is not None:
        from bot.operations.report_chart import draw  # noqa: PLC0415  a second that no other command should wait for

        picture = draw(figures, f"Holdfast until {now:%Y-%m-%d}", now, DARK if dark else LIGHT).png()
        await asyncio.to_thread(output.write_bytes, picture)
    return 0


async def report_calls(settings: Settings, conversation: str) -> int:
    """Print the tool calls of a conversation that the report named."""
    store = make_store(settings)
    await store.start()
    try:
        known, calls = await store.draft(conversation), await store.tool_calls(conversation)
        if known is None:
            raise Sentence(f"There is no conversation {conversation!r}.")
        text, asked = render_calls(conversation, calls), {"draft": conversation}
        await note(store, Reading(on_this_machine(), "calls", len(calls), text_hash(text), asked))
    finally:
        await store.stop()
    typer.echo(text, nl=False)
    return 0


def render_calls(name: str, calls: Sequence[ToolLogEntry]) -> str:
    """A call a line, with its arguments and its result below; those of an erased person are gone."""
    return "\n".join((f"{name}: {len(calls)} tool calls", *(line for call in calls for line in _lines(call)))) + "\n"


def _lines(call: ToolLogEntry) -> Iterator[str]:
    marks = [call.status, *([call.reason] if call.reason else []), *(["idempotent"] if call.idempotent else [])]
    at = f"{call.at:%Y-%m-%d %H:%M:%S}" if call.at else "-"
    yield f"{at} turn {call.turn} {call.tool}: {', '.join(marks)} ({call.reader})"
    if call.erased:
        yield "  erased"
        return
    for part in ("arguments", "result"):
        yield f"  {part} {json.dumps(call.body.get(part, {}), ensure_ascii=False, sort_keys=True)}"
