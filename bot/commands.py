"""What the commands do, from start to end."""

import asyncio
import signal
from contextlib import suppress
from datetime import datetime
from pathlib import Path

import typer

from bot import export as exporting
from bot import logs
from bot.data_rights.erasure import Eraser
from bot.keys import person_key
from bot.local import make_sandbox, sandboxed
from bot.report.table import render_table
from bot.root import build, load_workflows, make_cache, make_key, make_store, make_tokens
from bot.sandbox.server import Sandbox
from bot.scenarios.report import play_all
from bot.settings import Settings, Wrong
from state.draft.stages import mermaid
from state.form.problems import FormError, render_problem
from state.stores.chain import verify_all


class CommandFailed(Exception):
    """Trouble that is told in one sentence, to the person at the terminal."""


async def on_slack(settings: Settings) -> int:
    """Serve real Slack until a signal ends it."""
    logs.configure()
    port = settings.holdfast_port
    bot = await build(settings, port=port)
    try:
        await bot.start()
        typer.echo(f"Holdfast is connected to Slack. Health and metrics: http://127.0.0.1:{bot.web.port}/healthz")
        await _until_stopped()
    finally:
        await bot.stop()
    return 0


async def on_sandbox(settings: Settings) -> int:
    """Serve the sandbox's page, with the bot in the same process."""
    logs.configure("WARNING")
    beside = settings.holdfast_port and settings.holdfast_port + 1
    serves = beside if settings.holdfast_chat_tokens else None
    async with sandboxed(settings, settings.holdfast_port, serves=serves) as (sandbox, bot):
        typer.echo("No Slack tokens are set, so Holdfast runs on its own local Slack.")
        typer.echo(f"Open {sandbox.url} and say hello. Ctrl+C stops it.")
        reader = (
            settings.anthropic_model if settings.anthropic_api_key else "the rule-based reader (no ANTHROPIC_API_KEY)"
        )
        typer.echo(f"Words are read by {reader}.")
        if serves is not None:
            typer.echo(f"Callers with a token: POST http://127.0.0.1:{bot.web.port}/chat")
        await _until_stopped()
    return 0


async def sandbox_alone(settings: Settings) -> int:
    """Serve the local Slack with no bot in it."""
    sandbox: Sandbox = make_sandbox(settings)
    await sandbox.start(port=settings.holdfast_port)
    try:
        typer.echo(f"A local Slack without a bot: {sandbox.url}")
        typer.echo(f"SLACK_API_URL={sandbox.api_url}")
        typer.echo(f"SLACK_BOT_TOKEN={sandbox.bot_token}\nSLACK_APP_TOKEN={sandbox.app_token}")
        await _until_stopped()
    finally:
        await sandbox.stop()
    return 0


async def scenarios(settings: Settings, workflow: str) -> int:
    """Play scenarios and print a line each; 1 where one failed."""
    logs.configure("ERROR")
    workflows = load_workflows(settings)
    if workflow and workflow not in workflows:
        raise CommandFailed(f"There is no workflow {workflow!r}. There are: {', '.join(workflows)}.")
    return await play_all(settings, {n: w for n, w in workflows.items() if not workflow or n == workflow}, typer.echo)


def check(settings: Settings) -> int:
    """Load everything that can be wrong, and say so line by line (1 where anything is); draw the stages of what is right."""
    try:
        workflows = load_workflows(settings)
        make_key(settings)
        make_tokens(settings, workflows)
    except FormError as wrong:
        for problem in wrong.problems:
            typer.echo(render_problem(problem), err=True)
        return 1
    except Wrong as wrong:
        for sentence in wrong.problems:
            typer.echo(sentence, err=True)
        return 1
    for name, workflow in workflows.items():
        typer.echo(f"{name}: {len(workflow.form.fields)} fields, {len(workflow.scenarios)} scenarios. Good.")
        if workflow.form.stages:
            typer.echo(f"\n```mermaid\n{mermaid(workflow.form)}```\n")
    return 0


async def export(settings: Settings, workflow: str, kind: str, output: Path | None) -> int:
    """Write a workflow's records to a file or the terminal."""
    if workflow not in load_workflows(settings):
        raise CommandFailed(f"There is no workflow {workflow!r}.")
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


async def verify(settings: Settings) -> int:
    """Check every draft's chain of events; 1 where one is broken."""
    store = make_store(settings)
    await store.start()
    try:
        checked, broken = await verify_all(store)
        dead = await store.dead()
    finally:
        await store.stop()
    for sentence in broken:
        typer.echo(sentence, err=True)
    for queue, row, name in dead:
        typer.echo(f"Dead letter in the {queue}: row {row} of {name}.", err=True)
    typer.echo(f"{checked} drafts checked, {len(broken)} broken, {len(dead)} dead letters.")
    return 1 if broken or dead else 0


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


async def erase(settings: Settings, team: str, user: str) -> int:
    """Erase a person, and say what went and what stays; 1 where nothing was held."""
    workflows, cache = load_workflows(settings), await make_cache(settings)
    store = make_store(settings, cache.client)
    await store.start()
    try:
        erasure = await Eraser(store, workflows, settings.channels).erase(person_key(team, user))
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
        retain = workflows[one.form].form.retain
        typer.echo(f"Kept: {one.number} until {one.until:%Y-%m-%d}. {retain.why if retain else ''}")
    return 0


async def _until_stopped() -> None:
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        with suppress(NotImplementedError):
            loop.add_signal_handler(number, stopped.set)
    await stopped.wait()
