"""`python -m bot.sandbox`: the local Slack alone, for any bot that speaks to Slack."""

import argparse
import asyncio
import contextlib
import sys

from bot.sandbox.server import Sandbox


async def serve(host: str, port: int, commands: tuple[str, ...]) -> None:
    """Run until interrupted."""
    sandbox = Sandbox(commands=commands)
    await sandbox.start(host, port)
    sys.stdout.write(introduction(sandbox))
    sys.stdout.flush()
    try:
        await asyncio.Event().wait()
    finally:
        await sandbox.stop()


def introduction(sandbox: Sandbox) -> str:
    """Return what a bot needs to connect."""
    return (
        f"Page                  {sandbox.url}/\n"
        f"SLACK_API_URL         {sandbox.api_url}\n"
        f"SLACK_BOT_TOKEN       {sandbox.bot_token}\n"
        f"SLACK_APP_TOKEN       {sandbox.app_token}\n"
        f"SLACK_SIGNING_SECRET  {sandbox.signing_secret}\n"
    )


def main() -> None:
    """Read the command line and serve."""
    parser = argparse.ArgumentParser(prog="python -m bot.sandbox", description="A local Slack.")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=3111)
    parser.add_argument("--command", action="append", help="a slash command of the app, such as /pa; repeatable")
    given = parser.parse_args()
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(serve(given.host, given.port, tuple(given.command or ("/pa",))))


if __name__ == "__main__":
    main()
