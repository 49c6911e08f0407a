"""`holdfast manifest`: Slack's manifest, with the commands of the forms that are loaded."""

from pathlib import Path

import typer

from bot.commands.trouble import Sentence
from bot.manifest import MOST, as_yaml, manifest_of, over_http
from bot.root.installation import load_workflows
from bot.settings import Settings


def manifest(settings: Settings, output: Path | None, url: str = "") -> int:
    """Print it, or write it into a file; with a `url`, for an app that Slack reaches there over HTTP."""
    made = manifest_of(w.form for w in load_workflows(settings).values())
    if url and not url.startswith("https://"):
        raise Sentence("Slack reaches an app over https alone: write --url https://…, the address of your proxy.")
    made = over_http(made, url) if url else made
    commands = made["features"]["slash_commands"]
    if len(commands) > MOST:
        raise Sentence(
            f"Slack takes {MOST} slash commands, and these are {len(commands)}. Take `command` out of some forms."
        )
    if output is None:
        typer.echo(as_yaml(made), nl=False)
        return 0
    output.write_text(as_yaml(made), encoding="utf-8")
    typer.echo(f"{output} has {len(commands)} commands. Paste it into your app's settings, under App Manifest.")
    return 0
