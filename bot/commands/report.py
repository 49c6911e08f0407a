"""`holdfast report`: what the log of tool calls says."""

import asyncio
from datetime import datetime
from pathlib import Path

import typer

from bot.report.table import render_table
from bot.settings import Settings
from bot.storage import make_store


async def report(settings: Settings, since: datetime | None, output: Path | None) -> int:
    """Print the figures, and draw them into a PNG file where one is named."""
    store = make_store(settings)
    await store.start()
    try:
        figures, now = await store.figures(since), await store.now()
    finally:
        await store.stop()
    typer.echo(render_table(figures, since, now), nl=False)
    if output is not None:
        from bot.report.chart import draw, png  # noqa: PLC0415  a second that no other command should wait for

        picture = png(draw(figures, f"Holdfast until {now:%Y-%m-%d}"))
        await asyncio.to_thread(output.write_bytes, picture)
    return 0
