"""`holdfast check`: everything that can be wrong before the bot runs. The result first; diagrams where they are asked for."""

import asyncio
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from pathlib import Path

import typer

from bot.commands.status import away
from bot.exports.sinks.delivery import lacks
from bot.exports.sinks.file import FILE as SINKS
from bot.exports.sinks.file import Sink, read_sinks
from bot.manifest import lacking, written
from bot.officers.roles import FILE, RolesFile, read_roles
from bot.operations.references import refusals
from bot.root.installation import load_workflows, make_key, make_tokens
from bot.settings import Settings, Wrong, load, strangers
from state.draft.stages import mermaid
from state.draft.working_days import calendar
from state.form.source import FormError, Problem, meant
from state.stores.delivery import FormCounts, held_by_form
from state.stores.errors import StoreError
from state.stores.opener import database_address
from state.stores.sql.engine import Database
from state.workflow.load import Workflow

OPERATORS = "operators"
PATIENCE = 3.0
"""Seconds for the database: what is checked is the configuration."""


def check(workflow: str = "", *, draw: bool = False) -> int:
    """Say whether all is good, then what is not, a line each with its place (1 where anything is wrong); then the stages, if asked."""
    try:
        settings = load()
        every = load_workflows(settings)
        workflows = _named(every, workflow)
        make_key(settings)
        make_tokens(settings, every)
        written_roles(settings)
        written_sinks(settings, every)
    except FormError as wrong:
        return _refused(_lines(p for p in wrong.problems if not workflow or workflow in p.file.parts), wrong)
    except Wrong as wrong:
        return _refused(wrong.problems, wrong)
    _good(workflows, list(_warnings(settings, workflows, every)))
    for name, one in workflows.items() if draw else ():
        typer.echo(_drawn(name, one))
    return 0


def _named(workflows: Mapping[str, Workflow], name: str) -> Mapping[str, Workflow]:
    if name and name not in workflows:
        raise Wrong([f"There is no workflow {name!r}. There are: {', '.join(workflows)}.{meant(name, workflows)}"])
    return {name: workflows[name]} if name else workflows


def _refused(lines: list[str], wrong: FormError | Wrong) -> int:
    """Return what is wrong; where none of it concerns the workflow that was asked for, how much there is elsewhere."""
    elsewhere = len(wrong.problems)
    told = lines or [
        f"None of them is in this workflow, but the bot does not start before they are mended ({elsewhere})."
    ]
    typer.echo(f"{_counted(len(lines) or elsewhere, 'problem')}:", err=True)
    for line in told:
        typer.echo(line, err=True)
    return 1


def _good(workflows: Mapping[str, Workflow], warnings: list[str]) -> None:
    forms, scenarios = len(workflows), sum(len(w.scenarios) for w in workflows.values())
    beside = f", with {_counted(len(warnings), 'warning')}" if warnings else ""
    typer.echo(f"Good{beside}: {_counted(forms, 'form')}, {_counted(scenarios, 'scenario')}.")
    for warning in warnings:
        typer.echo(warning)


def _counted(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _warnings(settings: Settings, workflows: Mapping[str, Workflow], every: Mapping[str, Workflow]) -> Iterator[str]:
    """Return what the bot runs with all the same: figures that are over, channels of nobody, commands that Slack does not know."""
    yield from _lines(problem for w in workflows.values() for problem in w.outdated(datetime.now().astimezone().date()))
    yield from _lines(refusals(settings.holdfast_var, workflows))
    yield from _places(workflows)
    yield from _strangers()
    yield from _channels(settings, every)
    yield from (
        told
        for name, sink in written_sinks(settings, every).items()
        for told in lacks(name, sink, settings.holdfast_var)
    )
    yield from (_deciders(settings, workflows) if settings.on_slack else ())
    yield from _commands(workflows.values())
    yield from (away(form, held) for form, held in asyncio.run(_held(settings)).items() if form not in every)


async def _held(settings: Settings) -> Mapping[str, FormCounts]:
    """Return what there is of each form in the database, as far as that is there and answers: nothing is made."""
    address = database_address(settings.database)
    if address.get_backend_name() == "sqlite" and not await asyncio.to_thread(Path(address.database or "").exists):
        return {}
    database = Database(address)
    try:
        return await asyncio.wait_for(database.read(held_by_form), PATIENCE)
    except (StoreError, TimeoutError):
        return {}
    finally:
        await database.stop()


def _places(workflows: Mapping[str, Workflow]) -> Iterator[str]:
    """Looked up here alone: a bot that starts need not load every calendar there is."""
    for name, workflow in workflows.items():
        place = workflow.form.filing.holidays
        if place and calendar(place) is None:
            yield (
                f'{name}: there is no calendar of holidays for "{place}", so weekends alone are left out. '
                'Write a country ("IT", "GB-SCT") or an exchange ("XLON").'
            )


def _strangers() -> Iterator[str]:
    known = [name.upper() for name in Settings.model_fields]
    yield from (f"{name} is no setting, and nothing reads it.{meant(name, known)}" for name in strangers())


def _channels(settings: Settings, workflows: Mapping[str, Workflow]) -> Iterator[str]:
    tells = {
        rule.tell: name for name, w in workflows.items() for rule in w.form.filing.rules if isinstance(rule.tell, str)
    }
    known = {*workflows, *tells, OPERATORS}
    for name in settings.channels:
        if name not in known:
            told = f"HOLDFAST_CHANNEL_{name.upper()} is no workflow's channel."
            yield told + meant(f"HOLDFAST_CHANNEL_{name.upper()}", [f"HOLDFAST_CHANNEL_{one.upper()}" for one in known])
    for tell, form in tells.items():
        if tell and tell not in settings.channels:
            yield f"{form} tells “{tell}”: set HOLDFAST_CHANNEL_{tell.upper()}, or the form's own channel is told."


def written_roles(settings: Settings) -> RolesFile:
    """Who holds which role. Raises Wrong with what is to be mended."""
    path = settings.holdfast_var / FILE
    try:
        return read_roles(path) if path.is_file() else RolesFile()
    except ValueError as problem:
        raise Wrong([f"{path}: {problem}"]) from None


def written_sinks(settings: Settings, workflows: Mapping[str, Workflow]) -> Mapping[str, Sink]:
    """Where records go. Raises Wrong with what is to be mended."""
    path = settings.holdfast_var / SINKS
    try:
        return read_sinks(path, {name: w.form for name, w in workflows.items()})
    except (OSError, ValueError) as problem:
        raise Wrong([f"{path}: {problem}"]) from None


def _deciders(settings: Settings, workflows: Mapping[str, Workflow]) -> Iterator[str]:
    """Forms on whose records somebody decides have a channel for it, and people who may."""
    held = written_roles(settings).roles
    for name, workflow in workflows.items():
        wanted = workflow.form.filing.roles
        if wanted and name not in settings.channels:
            yield f"{name} waits for verdicts, and nobody sees them: set HOLDFAST_CHANNEL_{name.upper()}."
        for role in wanted:
            if role not in held or not (held[role].users or held[role].groups):
                yield f"{name} waits for the role {role}, which nobody holds: write [roles.{role}] into {settings.holdfast_var / FILE}."
        for role in dict.fromkeys(table.by for table in workflow.form.lists.values() if table.by not in wanted):
            if role not in held or not (held[role].users or held[role].groups):
                yield f"{name} has lists that the role {role} keeps, which nobody holds: write [roles.{role}] into {settings.holdfast_var / FILE}."


def _commands(workflows: Iterable[Workflow]) -> Iterator[str]:
    file = written(Path.cwd())
    lacks = lacking(file, (w.form for w in workflows)) if file is not None else ()
    for command in lacks:
        line = f"`- command: {command}`, with its description, below slash_commands"
        yield f"{file and file.name} lacks {command}: run `holdfast manifest`, or add {line}."


def _lines(problems: Iterable[Problem]) -> list[str]:
    return [f"{_place(problem.file)}:{problem.line}: {problem.text}" for problem in problems]


def _place(file: Path) -> Path:
    """Return the file as one may open it from here."""
    return file.relative_to(Path.cwd()) if file.is_relative_to(Path.cwd()) else file


def _drawn(name: str, workflow: Workflow) -> str:
    told = f"\n{name}: {_counted(len(workflow.form.fields), 'field')}, {_counted(len(workflow.scenarios), 'scenario')}."
    if not workflow.form.stages:
        return f"{told} No stages: what is asked stands in the order of the file."
    return f"{told}\n\n```mermaid\n{mermaid(workflow.form)}```"
