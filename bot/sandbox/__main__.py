"""`python -m bot.sandbox`: the local Slack alone, for any Bolt app in a process of its own."""

import asyncio
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import yaml

from bot.sandbox.server import Sandbox


def arguments(given: list[str]) -> Namespace:
    """Read the command line. Exits with a sentence where it is wrong."""
    parser = ArgumentParser("python -m bot.sandbox", description="A local Slack for any Bolt app, with a web page.")
    parser.add_argument("--port", type=int, default=3978, help="on this machine's own address; 0 takes a free one")
    parser.add_argument("--command", action="append", default=[], metavar="/NAME", help="a slash command of the app")
    parser.add_argument("--manifest", type=Path, help="the app's manifest (YAML or JSON): its commands and its name")
    parser.add_argument("--request-url", default="", help="the app's address in HTTP mode; without it, Socket Mode")
    parser.add_argument("--keep", type=Path, help="a file in which conversations outlive a restart")
    found = parser.parse_args(given)
    try:
        found.manifest = yaml.safe_load(found.manifest.read_text("utf-8"))["features"] if found.manifest else {}
    except (OSError, ValueError, yaml.YAMLError, KeyError, TypeError):
        parser.error("the manifest cannot be read, or names no features")
    return found


async def serve(found: Namespace, say: Callable[[str], None] = print) -> None:
    """Serve until cancelled. Raises OSError where the port is taken."""
    listed = [one["command"] for one in found.manifest.get("slash_commands") or []]
    sandbox = Sandbox(commands=tuple(dict.fromkeys([*found.command, *listed])), keep=found.keep, say=say)
    name = found.manifest.get("bot_user", {}).get("display_name", sandbox.workspace.bot.name)
    sandbox.workspace.bot = replace(sandbox.workspace.bot, name=name)
    await sandbox.serve(found.port, say, found.request_url)


if __name__ == "__main__":
    try:
        asyncio.run(serve(arguments(sys.argv[1:])))
    except KeyboardInterrupt:
        sys.exit()
    except OSError as taken:
        sys.exit(f"The sandbox cannot listen ({taken.strerror}). Name another port with --port.")
