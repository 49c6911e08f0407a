"""`holdfast report`: what the log of tool calls says, workflow by workflow, or call by call for one conversation."""

import asyncio
from datetime import datetime
from pathlib import Path

import typer

from bot.charts.look import DARK, LIGHT
from bot.commands.trouble import Sentence
from bot.officers.readings import Reading, note, on_this_machine, text_hash
from bot.report.calls import render_calls
from bot.report.table import render_table
from bot.settings import Settings
from bot.storage import make_store


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
        from bot.report.chart import draw  # noqa: PLC0415  a second that no other command should wait for

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
