"""`holdfast run`, `sandbox` and `test`: serve until a signal ends it, or play the scenarios of each workflow through the local Slack."""

import asyncio
import gc
import signal
import time
from collections.abc import Callable, Coroutine, Mapping
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

import structlog
import typer

from bot.operations import logs
from bot.root.assembly import build
from bot.root.installation import load_workflows, require_workflow
from bot.root.lifecycle import Bot
from bot.sandbox.local import make_sandbox, sandboxed
from bot.sandbox.scenarios.player import Fell, play
from bot.sandbox.scenarios.staging import sends_paper
from bot.settings import Settings, manner
from bot.turns.routing import aside, begun_in, route
from state.advance import advance, begin
from state.engine.codec import ADAPTERS, KINDS, decode_draft, decode_event, encode
from state.engine.events import MessageReceived
from state.engine.unread import read_fresh
from state.extras import lacking
from state.fields.base import Context
from state.workflow.load import Workflow
from state.workflow.scenario import read_scenario

SIGNALS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
CONVERSATIONS = "sandbox.db"
"""The sandbox's conversations, beside the bot's own files."""
SAID = "hello, I'd like 20 of these on Monday, for about €300"
"""Words at which every reader looks."""
NOBODY, WHEN = "nobody", "2026-01-05T09:00:00+00:00"
log = structlog.get_logger("holdfast")


async def on_slack(settings: Settings) -> None:
    """Serve real Slack until a signal ends it."""
    _logging(settings, "info")
    typer.echo("Loading the workflows …")
    bot = await build(settings, port=settings.holdfast_port, host=settings.holdfast_port.host, say=typer.echo)
    try:
        await bot.start()
        typer.echo(
            f"Holdfast is connected to Slack. Health and metrics: http://{settings.holdfast_port.host}:{bot.web.port}/readyz"
        )
        await _for_ever(bot)
    finally:
        await bot.stop()


async def on_sandbox(settings: Settings) -> None:
    """Serve the sandbox's page, with the bot in the same process."""
    _logging(settings, "warning")
    beside = settings.holdfast_port and settings.holdfast_port + 1
    serves = beside if settings.holdfast_chat_tokens else None
    keep = settings.holdfast_var / CONVERSATIONS
    async with sandboxed(settings, settings.holdfast_port, serves=serves, say=typer.echo, watches=True, keep=keep) as (
        sandbox,
        bot,
    ):
        typer.echo("No Slack tokens are set, so Holdfast runs on its own local Slack.")
        typer.echo(f"Open {sandbox.url} and say hello. Ctrl+C stops it.")
        reader = (
            settings.anthropic_model if settings.anthropic_api_key else "the rule-based reader (no ANTHROPIC_API_KEY)"
        )
        typer.echo(f"Words are read by {reader}.")
        if serves is not None:
            typer.echo(f"Callers with a token: POST http://127.0.0.1:{bot.web.port}/chat")
        await _for_ever(bot)


async def sandbox_alone(settings: Settings) -> None:
    """Serve the local Slack with no bot in it."""
    sandbox = make_sandbox(settings, keep=settings.holdfast_var / CONVERSATIONS, say=typer.echo)
    await sandbox.serve(settings.holdfast_port, typer.echo)


async def until_signalled(work: Coroutine[Any, Any, None]) -> int:
    """Serve until a signal ends it, at whatever moment it comes: a start that is under way is let go of in order too."""
    task, loop = asyncio.ensure_future(work), asyncio.get_running_loop()
    for number in SIGNALS:
        with suppress(NotImplementedError):
            loop.add_signal_handler(number, _once(task.cancel))
    try:
        await task
    except asyncio.CancelledError:
        typer.echo("Holdfast has stopped.")
    return 0


def _logging(settings: Settings, usual: str) -> None:
    """As HOLDFAST_LOG says; else at the level that is usual here, in the form that suits the place."""
    wanted = manner(settings.holdfast_log)
    logs.configure(wanted.level or usual, wanted.form)
    logs.watch(asyncio.get_running_loop())


def _once(act: Callable[[], object]) -> Callable[[], None]:
    """Who presses Ctrl+C twice does not interrupt the stopping."""
    acts = [act]

    def pressed() -> None:
        if acts:
            acts.pop()()

    return pressed


async def _for_ever(bot: Bot) -> None:
    """Serve until cancelled. A full collection while people wait need not walk what was loaded by now."""
    await asyncio.to_thread(warm, bot.workflows)
    gc.collect()
    gc.freeze()
    await asyncio.Event().wait()


def warm(workflows: Mapping[str, Workflow]) -> None:
    """Make ready, beside the start, what the first person would otherwise wait for: patterns, schemas of what is stored, calendars.

    A draft of each form is begun with some words, and nothing of it is kept; it may run on another thread. What fails is logged.
    """
    try:
        for kind in KINDS:
            ADAPTERS.__getitem__(kind)  # which builds it
        said = decode_event(encode(MessageReceived("warming", WHEN, NOBODY, SAID, "1.0")))
        for workflow in workflows.values():
            form = begun_in(workflow, SAID, "")
            outcome = advance(form, workflow.rules, begin(form, "warming", "", NOBODY, "", WHEN), said)
            draft = decode_draft(encode(outcome.draft))
            read_fresh(form, draft, Context(form.language, WHEN[:10]))
            for about in (None, draft):
                aside(workflows, about, said, direct=True)
            route({name: w.form_of(draft) for name, w in workflows.items()}, draft, said)
        import_module("holidays.financial")  # with every country's: the slowest import there is
    except Exception:
        log.exception("warming_failed")


async def play_all(
    settings: Settings, workflows: Mapping[str, Workflow], say: Callable[[str], None], pages: Path | None = None
) -> int:
    """Play, say a line per scenario and a summary; 0 where all passed, 1 where any fell short or there were none.

    Those in which files are read are left out, and counted, where the extra that reads them is not installed.
    `pages`: a folder into which the transcripts of walks go, `<workflow>/<walk>.md`.
    """
    began, passed, failed, skipped = time.monotonic(), 0, 0, 0
    missing = lacking("pdf", "A scenario in which files are read")
    for name, workflow in workflows.items():
        for file in workflow.scenarios:
            scenario = read_scenario(file, workflow.form)
            if missing and sends_paper(scenario):
                skipped += 1
                say(f"skipped {name}/{file.stem}: {missing}")
                continue
            try:
                page = await play(settings, workflow, scenario)
            except Fell as fell:
                failed += 1
                say(f"FAILED {name}/{file.stem}: {fell}")
            else:
                passed += 1
                if pages is not None and scenario.walk:
                    _keep(pages / name / f"{file.stem}.md", page)
                say(f"passed {name}/{file.stem}: {scenario.title}")
    left_out = f", {skipped} skipped" if skipped else ""
    say(f"{passed} passed, {failed} failed{left_out} in {time.monotonic() - began:.1f} s")
    return 0 if passed + skipped and not failed else 1


def _keep(file: Path, page: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(page, encoding="utf-8")


async def scenarios(settings: Settings, workflow: str, transcript: Path | None = None) -> int:
    """Play scenarios and print a line each; 1 where one failed. `transcript`: the folder for the pages of walks."""
    logs.configure("ERROR")
    workflows = load_workflows(settings)
    require_workflow(workflow or next(iter(workflows)), workflows)
    wanted = {n: w for n, w in workflows.items() if not workflow or n == workflow}
    return await play_all(settings, wanted, typer.echo, transcript)
