"""`holdfast check`: everything that can be wrong before the bot runs; `holdfast manifest`: Slack's manifest with the commands of the forms."""

import asyncio
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryFile

import typer

from bot.commands.status import away
from bot.exports.sink_delivery import lacks
from bot.officers.index import posts_of
from bot.officers.roles import FILE, RolesFile
from bot.operations.files import MANAGER, refusals, taken_managers
from bot.operations.report import counted
from bot.root import installation
from bot.settings import Settings, Wrong, load, strangers
from bot.slack.manifest import MOST, as_yaml, lacking, manifest_of, over_http, written
from state.draft.stages import mermaid
from state.draft.working_days import calendar
from state.extras import lacking as lacking_extra
from state.fields import kind_of
from state.form import Form
from state.form.source import FormError, Problem, meant
from state.stores.delivery import FormCounts, held_by_form
from state.stores.errors import Unavailable, WrongKey
from state.stores.opener import database_address
from state.workflow.load import Workflow

KEYS = "Each key, with an example: the page “Form reference” of the documentation."
PATIENCE = 3.0
"""Seconds for the database: what is checked is the configuration."""


def check(workflow: str = "", *, draw: bool = False) -> int:
    """Say whether all is good, then what is not, a line each with its place (1 where anything is wrong); then the stages, if asked."""
    try:
        settings = load()
        every = installation.load_workflows(settings)
        installation.require_workflow(workflow or next(iter(every)), every)
        with installation.writable(settings.holdfast_var):
            settings.holdfast_var.mkdir(parents=True, exist_ok=True)
            TemporaryFile(dir=settings.holdfast_var).close()
        held, unreached = asyncio.run(_held(settings))
        installation.make_tokens(settings, every)
        roles, sinks = installation.written_roles(settings), installation.written_sinks(settings, every)
    except FormError as wrong:
        return _refused(
            _lines(p for p in wrong.problems if not workflow or workflow in p.file.parts), len(wrong.problems), KEYS
        )
    except Wrong as wrong:
        return _refused(wrong.problems, len(wrong.problems))
    except WrongKey as wrong:
        return _refused([str(wrong)], 1)
    wanted = {workflow: every[workflow]} if workflow else every
    warnings = [*unreached, *_warnings(settings, wanted, roles), *_channels(settings, every)]
    warnings += [told for name, sink in sinks.items() for told in lacks(name, sink, settings.holdfast_var)]
    warnings += [away(form, counts) for form, counts in held.items() if form not in every]
    beside = f", with {counted(len(warnings), 'warning')}" if warnings else ""
    scenarios = counted(sum(len(w.scenarios) for w in wanted.values()), "scenario")
    typer.echo(f"Good{beside}: {counted(len(wanted), 'form')}, {scenarios}.")
    for warning in warnings:
        typer.echo(warning)
    for name, one in wanted.items() if draw else ():
        typer.echo(_drawn(name, one))
    return 0


def _refused(lines: list[str], problems: int, see: str = "") -> int:
    """Say what is wrong; where none of it concerns the workflow that was asked for, how much there is elsewhere."""
    typer.echo(f"{counted(len(lines) or problems, 'problem')}:", err=True)
    elsewhere = f"None of them is in this workflow, but the bot does not start before they are mended ({problems})."
    for line in (*(lines or [elsewhere]), *([see] if see else ())):
        typer.echo(line, err=True)
    return 1


def _warnings(settings: Settings, workflows: Mapping[str, Workflow], roles: RolesFile) -> Iterator[str]:
    """Yield what the bot runs with all the same: figures that are over, commands that Slack does not know."""
    yield from _lines(problem for w in workflows.values() for problem in w.outdated(datetime.now().astimezone().date()))
    yield from _lines(refusals(settings.holdfast_var, workflows))
    for name, workflow in workflows.items():
        place = workflow.form.filing.holidays
        if place and calendar(place) is None:  # here alone: a bot that starts need not load every calendar there is
            yield (
                f'{name}: there is no calendar of holidays for "{place}", so weekends alone are left out. '
                'Write a country ("IT", "GB-SCT") or an exchange ("XLON").'
            )
    yield from filter(None, _extras(settings, workflows))
    known = [name.upper() for name in Settings.model_fields]
    yield from (f"{name} is no setting, and nothing reads it.{meant(name, known)}" for name in strangers())
    yield from _deciders(settings, workflows, roles)
    file = written(Path.cwd())
    for command in lacking(file, (w.form for w in workflows.values())) if file is not None else ():
        line = f"`- command: {command}`, with its description, below slash_commands"
        yield f"{file and file.name} lacks {command}: run `holdfast manifest`, or add {line}."


def _takes_pdf(form: Form) -> bool:
    """Return True if a PDF is asked for: by a field, an operation, or after the filing."""
    operations = (field for operation in form.operations.values() for field in operation.fields.values())
    files = [field for field in (*form.fields.values(), *operations) if kind_of(field).by_file]
    return form.filing.note is not None or any("pdf" in (field.accept or ("pdf",)) for field in files)


def _extras(settings: Settings, workflows: Mapping[str, Workflow]) -> Iterator[str]:
    """Yield which forms do less without an extra that is not installed, or nothing for one that is."""
    forms = {name: workflow.form for name, workflow in workflows.items()}
    draw = [n for n, form in forms.items() if "charts" in form.extras or (n in settings.channels and posts_of(form))]
    read = [n for n, form in forms.items() if "pdf" in form.extras or _takes_pdf(form)]
    if draw:
        yield lacking_extra("charts", f"Drawing charts ({', '.join(draw)}; they come in words until then)")
    if read:
        yield lacking_extra("pdf", f"Reading PDFs ({', '.join(read)}; they are kept unread until then)")


async def _held(settings: Settings) -> tuple[Mapping[str, FormCounts], list[str]]:
    """Return what there is of each form in the database, and a sentence where that does not answer. Raises Wrong, WrongKey; see `check_key`."""
    try:
        async with asyncio.timeout(PATIENCE):
            await installation.check_key(settings)
            return await installation.looked_at(settings, held_by_form, {}), []
    except (Unavailable, TimeoutError) as problem:
        return {}, [installation.database_sentence(database_address(settings.database), problem)]


def _channels(settings: Settings, workflows: Mapping[str, Workflow]) -> Iterator[str]:
    tells = {
        rule.tell: name for name, w in workflows.items() for rule in w.form.filing.rules if isinstance(rule.tell, str)
    }
    known = {*workflows, *tells, installation.OPERATORS}
    for name in settings.channels:
        if name not in known:
            told = f"HOLDFAST_CHANNEL_{name.upper()} is no workflow's channel."
            yield told + meant(f"HOLDFAST_CHANNEL_{name.upper()}", [f"HOLDFAST_CHANNEL_{one.upper()}" for one in known])
    for tell, form in tells.items():
        if tell and tell not in settings.channels:
            yield f"{form} tells “{tell}”: set HOLDFAST_CHANNEL_{tell.upper()}, or the form's own channel is told."


def _deciders(settings: Settings, workflows: Mapping[str, Workflow], roles: RolesFile) -> Iterator[str]:
    """Yield what lacks where somebody decides or keeps lists: a channel, and people who hold the role; without Slack, a sentence for all."""
    held = {role for role, holders in roles.roles.items() if holders.users or holders.groups}
    held |= {MANAGER} if taken_managers(settings.holdfast_var).is_file() else set()
    if not settings.on_slack:
        wanted = [role for w in workflows.values() for role in w.form.filing.roles if role not in held]
        if tables := ", ".join(dict.fromkeys(f"[roles.{role}]" for role in wanted)):
            yield f"Only the sandbox's people can decide yet. For Slack, write {tables} into {settings.holdfast_var / FILE}."
        return
    for name, workflow in workflows.items():
        wanted = list(workflow.form.filing.roles)
        keep = dict.fromkeys(table.by for table in workflow.form.lists.values() if table.by not in wanted)
        if wanted and name not in settings.channels:
            yield f"{name} waits for verdicts, and nobody sees them: set HOLDFAST_CHANNEL_{name.upper()}."
        lacking = {role: f"{name} waits for the role {role}" for role in wanted}
        lacking |= {role: f"{name} has lists that the role {role} keeps" for role in keep}
        for role, told in lacking.items():
            if role not in held:
                yield f"{told}, which nobody holds: write [roles.{role}] into {settings.holdfast_var / FILE}."


def _lines(problems: Iterable[Problem]) -> list[str]:
    """Return problems with their place, by a path that one may open from here."""
    here = Path.cwd()
    files = ((p.file.relative_to(here) if p.file.is_relative_to(here) else p.file, p) for p in problems)
    return [f"{file}:{problem.line}: {problem.text}" for file, problem in files]


def _drawn(name: str, workflow: Workflow) -> str:
    told = f"\n{name}: {counted(len(workflow.form.fields), 'field')}, {counted(len(workflow.scenarios), 'scenario')}."
    if not workflow.form.stages:
        return f"{told} No stages: what is asked stands in the order of the file."
    return f"{told}\n\n```mermaid\n{mermaid(workflow.form)}```"


def manifest(settings: Settings, output: Path | None, url: str = "") -> int:
    """Print it, or write it into a file; with a `url`, for an app that Slack reaches there over HTTP."""
    made = manifest_of(w.form for w in installation.load_workflows(settings).values())
    if url and not url.startswith("https://"):
        raise Wrong(["Slack reaches an app over https alone: write --url https://…, the address of your proxy."])
    made = over_http(made, url) if url else made
    commands = made["features"]["slash_commands"]
    if len(commands) > MOST:
        raise Wrong(
            [f"Slack takes {MOST} slash commands, and these are {len(commands)}. Take `command` out of some forms."]
        )
    if output is None:
        typer.echo(as_yaml(made), nl=False)
        return 0
    output.write_text(as_yaml(made), encoding="utf-8")
    typer.echo(f"{output} has {len(commands)} commands. Paste it into your app's settings, under App Manifest.")
    return 0
