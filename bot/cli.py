"""The command line: `holdfast run | sandbox | test | check | new | manifest | phrases | token | export | show | verify | report | status | retry |
erase | backup | restore | rotate-key`.

A command imports what it needs, and no more.
"""

import asyncio
import atexit
import errno
import gc
import re
import sys
from collections.abc import Callable, Coroutine
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, NoReturn

import typer

if TYPE_CHECKING:
    from bot.settings import Settings

PORTS = {
    errno.EADDRINUSE: "{port} is in use. Stop what uses it, or set HOLDFAST_PORT to another one.",
    errno.EACCES: "{port} may not be used by this user. Set HOLDFAST_PORT to one above 1023.",
}
COLLECTED = 20_000, 50, 100
"""Objects that wait for the collector, and its rounds: a turn makes thousands that live no longer than it does."""
app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    help="Fills in forms by conversation, exactly.",
)


def _new_file(path: Path | None) -> Path | None:
    """Return a file that is to be written; stop where there is one of that name."""
    if path is not None and path.is_file():
        _stop(f"{path} is there already. Name a new file.")
    return path


def _id(given: str) -> str:
    """Return an id without blanks and quotation marks that were left around it; stop where that is none."""
    name = given.strip().strip("\"'“”‘’").strip()
    if not re.fullmatch(r"[A-Za-z0-9_-]{0,64}", name):
        _stop(f"{given!r} is no id: write it as Slack shows it, in letters and digits alone.")
    return name


def _number(given: str) -> str:
    return given.strip().upper()


def _utc(given: datetime | None) -> datetime | None:
    return given and given.replace(tzinfo=UTC)


def _day(told: str) -> Any:
    return typer.Option(formats=["%Y-%m-%d"], metavar="YYYY-MM-DD", callback=_utc, help=told)


def _version(asked: bool) -> None:
    if asked:
        from importlib.metadata import version

        typer.echo(f"holdfast {version('holdfast')}")
        raise typer.Exit


@app.callback()
def holdfast(
    _: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")] = False,
) -> None:
    """Take what stands before a command."""


@app.command()
def run() -> None:
    """Start the bot: on Slack when tokens are set, else on the local sandbox with its web page."""
    typer.echo("Starting Holdfast …")
    from bot.commands.serve import on_sandbox, on_slack, until_signalled

    settings = _settings()
    _go(until_signalled(on_slack(settings) if settings.on_slack else on_sandbox(settings)))


@app.command()
def sandbox() -> None:
    """Start the local Slack alone, for a bot in another process."""
    from bot.commands.serve import sandbox_alone, until_signalled

    _go(until_signalled(sandbox_alone(_settings())))


@app.command()
def test(
    workflow: Annotated[str, typer.Argument(help="Only this workflow.")] = "",
    transcript: Annotated[
        Path | None, typer.Option(help="A folder: what people see in each walk, as <workflow>/<walk>.md.")
    ] = None,
) -> None:
    """Replay the scenarios of each workflow through the local Slack and report like a test runner."""
    from bot.commands.serve import scenarios

    _go(scenarios(_settings(), workflow, transcript))


@app.command()
def check(
    workflow: Annotated[str, typer.Argument(help="Only this workflow.")] = "",
    draw: Annotated[bool, typer.Option("--draw", help="Draw its stages as Mermaid diagrams as well.")] = False,
) -> None:
    """Say whether settings and forms are good, and what is wrong with them, with the line to mend."""
    from bot.commands.check import check as work

    _done(lambda: work(workflow, draw=draw))


@app.command()
def new(
    name: Annotated[str, typer.Argument(help="The form's name, which is its folder's: travel_request.")],
    title: Annotated[str | None, typer.Option(help="What people call it.")] = None,
    command: Annotated[str | None, typer.Option(help="Its slash command: /travel.")] = None,
    language: Annotated[str | None, typer.Option(help="The language it speaks: en, de, it, es.")] = None,
    asks: Annotated[
        str | None, typer.Option(help="What is asked, with commas between: “title, amount, date of purchase, why”.")
    ] = None,
    decides: Annotated[
        str | None, typer.Option(help="Who decides: nobody, or roles, “manager, then compliance”.")
    ] = None,
    source: Annotated[
        Path | None, typer.Option("--from", help="A JSON Schema, or a CSV file with label, kind and choices.")
    ] = None,
) -> None:
    """Make a new form: asks for what no option says, and writes a folder that can be checked, tested and filled in at once."""
    from bot.commands.new.command import Wishes
    from bot.commands.new.command import new as work

    _done(lambda: work(_settings(), name, Wishes(title, command, language, asks, decides), source))


@app.command()
def manifest(
    write: Annotated[Path | None, typer.Option(help="A file instead of the terminal.")] = None,
    url: Annotated[str, typer.Option(help="Where Slack reaches the app over HTTP: https://…")] = "",
) -> None:
    """Print Slack's manifest, with the commands of the forms that are loaded."""
    from bot.commands.check import manifest as work

    _done(lambda: work(_settings(), write, url))


@app.command()
def phrases(language: Annotated[str, typer.Option(help="One of them: it.")] = "") -> None:
    """Print every word that people read, by language and section: the catalogue's, then each form's."""
    from bot.commands.phrases import phrases as work

    _done(lambda: work(_settings(), language))


@app.command()
def token(
    tenant: Annotated[str, typer.Option(callback=_id, help="The Slack team's id.")],
    user: Annotated[str, typer.Option(callback=_id, help="The Slack user's id.")],
    role: Annotated[list[str] | None, typer.Option(help="A role beyond member; may be given several times.")] = None,
) -> None:
    """Make a token for `POST /chat`, and the lines for the file of HOLDFAST_CHAT_TOKENS. It is shown once."""
    import secrets

    from bot.http.tokens import digest_of

    held = [_id(name) for name in role or ()]
    if not all((tenant, user, *held)):
        _stop("Say whose it is: --tenant T… --user U…, and --role with a name where there is one.")
    made, roles = f"hf_{secrets.token_urlsafe(32)}", ", ".join(f'"{name}"' for name in held)
    typer.echo(f"Token (shown once): {made}", err=True)
    typer.echo(f'[[tokens]]\nsha256 = "{digest_of(made)}"\ntenant = "{tenant}"\nuser = "{user}"\nroles = [{roles}]')


@app.command()
def export(
    workflow: Annotated[str, typer.Option(help="Whose records.")] = "",
    kind: Annotated[
        Literal["json", "csv", "pdf", "evidence", "public-key"],
        typer.Option(
            "--format",
            help="json holds everything; csv has one row a value; pdf is to read, with the json beside it. evidence holds the links and signed "
            "heads of all workflows, and public-key what verifies them.",
        ),
    ] = "json",
    output: Annotated[
        Path | None,
        typer.Option(help="A folder or a .zip, with a signed manifest; a .json or .csv alone; left out: the terminal."),
    ] = None,
    record: Annotated[str, typer.Option(callback=_number, help="Only this one, by its number.")] = "",
    since: Annotated[datetime | None, _day("Filed on this day or later (UTC).")] = None,
    until: Annotated[datetime | None, _day("Filed on this day or earlier (UTC).")] = None,
    state: Annotated[str, typer.Option(help="In this state now.")] = "",
) -> None:
    """Write the records of a workflow, or one, with everything that proves them; or the evidence that nothing was changed."""
    narrowed = workflow or since or until or state
    if (record or kind in {"evidence", "public-key"}) and narrowed:
        _stop(
            "--workflow, --since, --until and --state choose among records: they do not go with --record, evidence or public-key."
        )
    if since and until and since > until:
        _stop("--since is after --until: nothing is between them.")
    if kind == "evidence" or kind == "public-key":  # noqa: PLR1714  what is left is a kind of records
        from bot.commands.evidence import export_evidence, export_public_key

        _go((export_evidence if kind == "evidence" else export_public_key)(_settings(), output))
    if not workflow and not record:
        _stop("Name the workflow whose records you want: --workflow NAME; or one of them: --record NUMBER.")
    from bot.commands.records import export as work
    from bot.exports.export import Wanted

    wanted = Wanted(workflow, record, since, until and until + timedelta(days=1), state)
    _go(work(_settings(), wanted, kind, output))


@app.command()
def show(
    record: Annotated[str, typer.Argument(help="A record's number: PA-2026-000001.")],
    as_of: Annotated[
        str, typer.Option(help="A time: 2026-11-22T14:30Z, 2026-11-22T14:30+01:00, “2026-11-22 14:30 Europe/Rome”.")
    ] = "",
) -> None:
    """Print a record as it is or was: answers with who, when and from which words, rules, verdicts, its story, the cards as they were shown."""
    from bot.commands.records import show as work

    _go(work(_settings(), record, as_of))


@app.command()
def verify(
    heads: Annotated[
        list[Path] | None,
        typer.Option(help="A file of signed heads, instead of the one under HOLDFAST_VAR; may be given several times."),
    ] = None,
    export: Annotated[
        Path | None,
        typer.Option(help="An export, instead of the database: of the evidence, or a folder or ZIP of records."),
    ] = None,
    public_key: Annotated[Path | None, typer.Option(help="The public key that the export is verified with.")] = None,
) -> None:
    """Check that nothing of what was filed, decided, logged and erased was changed, left out, put in, cut off or rolled back."""
    from bot.commands.evidence import verify_database, verify_export

    if export is None and public_key is not None:
        _stop("--public-key goes with --export FILE.")
    if export is None:
        _go(verify_database(_settings(), heads or ()))
    if public_key is None:
        _stop("An export is verified with the public key: add --public-key FILE.")
    _go(verify_export(export, public_key, heads or ()))


@app.command()
def report(
    since: Annotated[datetime | None, _day("Count from this day on (UTC).")] = None,
    output: Annotated[Path | None, typer.Option(help="Draw a chart into this PNG file as well.")] = None,
    dark: Annotated[bool, typer.Option("--dark", help="Draw the chart for a dark page.")] = False,
    conversation: Annotated[
        str, typer.Option(help="Print the tool calls of this one instead, as the log has them.")
    ] = "",
    retention: Annotated[
        bool,
        typer.Option(
            "--retention", help="Say instead what goes when and by which rule, what is held, and who read what."
        ),
    ] = False,
) -> None:
    """Print what the log of tool calls says of each workflow: metrics, thresholds, alerts, and the conversations behind them."""
    from bot.commands.report import report as work
    from bot.commands.report import report_calls

    if retention:
        from bot.commands.report import report_retention

        _go(report_retention(_settings(), since))
    elif conversation:
        _go(report_calls(_settings(), conversation))
    else:
        _go(work(_settings(), since, output, dark))


@app.command()
def status(as_json: Annotated[bool, typer.Option("--json", help="For machines.")] = False) -> None:
    """Say what waits and since when, what cannot be delivered and why, which drafts are open, and whether Slack is reached."""
    from bot.commands.status import status as work

    _go(work(_settings(), as_json=as_json))


@app.command()
def retry(
    name: Annotated[str, typer.Argument(metavar="[ID]", help="A row that `holdfast status` lists.")] = "",
    every: Annotated[bool, typer.Option("--all", help="Every one of them.")] = False,
    sink: Annotated[
        str, typer.Option(help="Send what became of records to this sink of sinks.toml, sent before or not.")
    ] = "",
    since: Annotated[datetime | None, _day("With --sink: only what happened from this day on (UTC).")] = None,
) -> None:
    """Have what is stuck done after all. The bot may run meanwhile."""
    if sink:
        from bot.commands.status import replay

        if name or every:
            _stop("--sink stands alone, or with --since.")
        _go(replay(_settings(), sink, since))
    if since:
        _stop("--since goes with --sink.")
    from bot.commands.status import retry as work

    _go(work(_settings(), name, every=every))


@app.command()
def erase(
    team: Annotated[str, typer.Option(callback=_id, help="The Slack workspace's id (T…).")] = "",
    user: Annotated[str, typer.Option(callback=_id, help="The person's Slack id (U…).")] = "",
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    hold: Annotated[
        bool,
        typer.Option(
            "--hold", help="The opposite: let nothing of the person, or of --record, go by erasure or retention."
        ),
    ] = False,
    lift: Annotated[bool, typer.Option("--lift", help="End such a hold.")] = False,
    record: Annotated[str, typer.Option(callback=_number, help="The record's number that is held.")] = "",
    reason: Annotated[str, typer.Option(help="Why, for --hold and --lift.")] = "",
) -> None:
    """Erase everything that is held of a person, for ever; records that the law wants kept stay as long as it wants. Or hold what may not go."""
    if (hold and lift) or ((record or reason) and not (hold or lift)):
        _stop(
            "Say which: --hold or --lift, with --record or a person and --reason; or neither of these, to erase a person."
        )
    if hold or lift:
        from bot.commands.records import hold as held

        _go(held(_settings(), record, team, user, reason, lift=lift))
    if not team or not user:
        _stop("Say whom: --team T… --user U…")
    if not yes:
        typer.confirm(f"Erase everything that is held of {user} in {team}, for ever?", abort=True)
    from bot.commands.records import erase as work

    _go(work(_settings(), team, user))


@app.command()
def backup(
    file: Annotated[
        Path | None, typer.Argument(callback=_new_file, help="A new file; left out, one under HOLDFAST_VAR.")
    ] = None,
) -> None:
    """Write everything into one file, without the key, while bots go on."""
    from bot.commands.backup import backup as work

    _go(work(_settings(), file))


@app.command()
def restore(
    file: Annotated[Path, typer.Argument(help="A backup.")],
    replace: Annotated[
        bool, typer.Option("--replace", help="Also where the database is not empty: what is there goes.")
    ] = False,
) -> None:
    """Put a backup into the database of DATABASE_URL, which may be of another kind than the one that it was made of."""
    from bot.commands.backup import restore as work

    _go(work(_settings(), file, replace=replace))


@app.command("rotate-key")
def rotate_key() -> None:
    """Give the installation a new key while bots run; give it again where it was broken off."""
    from bot.commands.backup import rotate_key as work

    _go(work(_settings()))


def main() -> None:
    """The entry point. What a command imports stays to its end: the collector need not walk it, at the start or at the end."""
    gc.disable()
    atexit.register(gc.freeze)
    app()


def _settings() -> "Settings":
    from bot.settings import Wrong, load

    try:
        return load()
    except Wrong as wrong:
        _stop(*wrong.problems)


def _go(work: Coroutine[Any, Any, int]) -> NoReturn:
    """Run until done or interrupted, and exit; trouble that a person can mend becomes a sentence."""
    gc.freeze()
    gc.enable()
    gc.set_threshold(*COLLECTED)
    try:
        with asyncio.Runner(loop_factory=_loop()) as runner:
            sys.exit(runner.run(work))
    except KeyboardInterrupt:
        sys.exit()
    except Exception as problem:
        _told(problem)


def _done(work: Callable[[], int]) -> NoReturn:
    """Do what needs no loop, and exit; trouble that a person can mend becomes a sentence."""
    try:
        sys.exit(work())
    except Exception as problem:
        _told(problem)


def _loop() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """Return what makes the event loop of the extra `fast`; None without it: Python's own."""
    with suppress(ImportError):
        from uvloop import new_event_loop

        return new_event_loop
    return None


def _told(problem: Exception) -> NoReturn:
    """Stop with trouble that a person can mend, as sentences; any other is raised on."""
    from bot.settings import Wrong
    from state.form.source import FormError
    from state.stores.errors import StoreError

    if isinstance(problem, FormError | Wrong):
        _stop(*map(str, problem.problems))
    if isinstance(problem, StoreError):
        _stop(str(problem))
    if isinstance(problem, OSError) and problem.errno in PORTS:
        port = re.search(r", (\d+)\b", problem.strerror or "")  # as asyncio names it: "… ('127.0.0.1', 3978): …"
        _stop(PORTS[problem.errno].format(port=f"Port {port[1]}" if port else "The port"))
    if isinstance(problem, OSError) and problem.filename:
        _stop(f"{problem.filename} cannot be used ({problem.strerror}).")
    raise problem


def _stop(*sentences: str) -> NoReturn:
    for sentence in sentences:
        typer.echo(sentence, err=True)
    sys.exit(2)


if __name__ == "__main__":
    main()
