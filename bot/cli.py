"""The command line: `holdfast run | sandbox | test | check | token | export | verify | report | erase`."""

import asyncio
import errno
import sys
from collections.abc import Coroutine
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, Literal, NoReturn

import typer

from bot import commands as running
from bot.chat.tokens import digest_of, make_token
from bot.settings import Settings, Wrong, load
from state.form.problems import FormError, render_problem
from state.stores.errors import StoreError

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    help="Fills in forms by conversation, exactly.",
)


@app.command()
def run() -> None:
    """Start the bot: on Slack when tokens are set, else on the local sandbox with its web page."""
    settings = _settings()
    _go(running.on_slack(settings) if settings.on_slack else running.on_sandbox(settings))


@app.command()
def sandbox() -> None:
    """Start the local Slack alone, for a bot in another process."""
    _go(running.sandbox_alone(_settings()))


@app.command()
def test(workflow: Annotated[str, typer.Argument(help="Only this workflow.")] = "") -> None:
    """Replay the scenarios of each workflow through the local Slack and report like a test runner."""
    raise typer.Exit(_go(running.scenarios(_settings(), workflow)))


@app.command()
def check() -> None:
    """Say what is wrong with settings and forms, with the line to mend."""
    raise typer.Exit(running.check(_settings()))


@app.command()
def token(
    tenant: Annotated[str, typer.Option(help="The Slack team's id.")],
    user: Annotated[str, typer.Option(help="The Slack user's id.")],
    role: Annotated[list[str] | None, typer.Option(help="A role beyond member; may be given several times.")] = None,
) -> None:
    """Make a token for `POST /chat`, and the lines for the file of HOLDFAST_CHAT_TOKENS. It is shown once."""
    made = make_token()
    roles = ", ".join(f'"{name}"' for name in role or [])
    typer.echo(f"Token (shown once): {made}", err=True)
    typer.echo(f'[[tokens]]\nsha256 = "{digest_of(made)}"\ntenant = "{tenant}"\nuser = "{user}"\nroles = [{roles}]')


@app.command()
def export(
    workflow: Annotated[str, typer.Option(help="Whose records.")],
    kind: Annotated[
        Literal["json", "csv"], typer.Option("--format", help="json holds everything; csv has one row a value.")
    ] = "json",
    output: Annotated[Path | None, typer.Option(help="A file instead of the terminal.")] = None,
) -> None:
    """Write the records of a workflow, with the provenance of every value."""
    _go(running.export(_settings(), workflow, kind, output))


@app.command()
def verify() -> None:
    """Check that no stored event was changed, left out or put in later."""
    raise typer.Exit(_go(running.verify(_settings())))


@app.command()
def report(
    since: Annotated[datetime | None, typer.Option(formats=["%Y-%m-%d"], help="Count from this day on (UTC).")] = None,
    output: Annotated[Path | None, typer.Option(help="Draw a chart into this PNG file as well.")] = None,
) -> None:
    """Print what the log of tool calls says: metrics, their thresholds, and which alerts fire."""
    _go(running.report(_settings(), since and since.replace(tzinfo=UTC), output))


@app.command()
def erase(
    team: Annotated[str, typer.Option(help="The Slack workspace's id (T…).")],
    user: Annotated[str, typer.Option(help="The person's Slack id (U…).")],
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Erase everything that is held of a person, for ever; records that the law wants kept stay as long as it wants."""
    if not yes:
        typer.confirm(f"Erase everything that is held of {user} in {team}, for ever?", abort=True)
    raise typer.Exit(_go(running.erase(_settings(), team, user)))


def main() -> None:
    """The entry point."""
    app()


def _settings() -> Settings:
    try:
        return load()
    except Wrong as wrong:
        _stop(*wrong.problems)


def _go(work: Coroutine[Any, Any, int]) -> int:
    """Run until done or interrupted; trouble that a person can mend becomes a sentence."""
    try:
        return asyncio.run(work)
    except KeyboardInterrupt:
        return 0
    except FormError as wrong:
        _stop(*map(render_problem, wrong.problems))
    except Wrong as wrong:
        _stop(*wrong.problems)
    except (running.CommandFailed, StoreError) as wrong:
        _stop(str(wrong))
    except OSError as problem:
        if problem.errno != errno.EADDRINUSE:
            raise
        _stop("The port is in use. Set HOLDFAST_PORT to another one.")


def _stop(*sentences: str) -> NoReturn:
    for sentence in sentences:
        typer.echo(sentence, err=True)
    sys.exit(2)


if __name__ == "__main__":
    main()
