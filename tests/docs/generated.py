"""Pages and parts of pages that are made from the code: commands, settings, one request to a model, what a model costs."""

import ast
import json
import re
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

import typer

from bot.cli import app
from bot.sandbox.models.answers import ModelMessage, call, tools
from bot.settings import Settings
from state.stores.opener import memory_store
from tests.docs.pages import ROOT
from tests.pages import replaced
from tests.whole.steps import OPENING
from tests.world import world

DOCS = ROOT / "docs"
DATA, COST = DOCS / "explanation" / "data.md", DOCS / "explanation" / "cost.md"
MADE = "<!-- Made by `make docs`: edit what it is made from. -->"
WRITTEN = 60
"""Tokens that a model writes an act, as a guess."""
DAY = datetime(2026, 11, 20, 12, tzinfo=UTC)


async def generated() -> dict[Path, str]:
    """Return each page that holds something generated, as it is to be."""
    return {
        DOCS / "reference" / "commands.md": commands(),
        DOCS / "reference" / "settings.md": settings(),
        DATA: replaced(DATA.read_text("utf-8"), "request", await request()),
        COST: replaced(COST.read_text("utf-8"), "tokens", tokens()),
    }


def commands() -> str:
    """Build the page of commands from the command line's own description."""
    begin = "`holdfast COMMAND --help` prints the same. Settings come from the environment and from `.env` ([settings](settings.md))."
    return "\n\n".join(("# Commands", MADE, begin, *(_command(name, one) for name, one in tree().items()))) + "\n"


def tree() -> dict[str, Any]:
    """Return the commands of `holdfast`, by name."""
    return dict(vars(typer.main.get_command(app))["commands"])


def _command(name: str, command: Any) -> str:
    context = command.context_class(command, info_name=name)
    told = [param.get_help_record(context) for param in command.get_params(context)]
    rows = [
        "| `{}` | {} |".format(names.replace("|", "\\|"), _cell(meaning))
        for names, meaning in filter(None, told)
        if "--help" not in names
    ]
    table = ["", "| | |", "|---|---|", *rows] if rows else []
    usage = " ".join(("holdfast", name, *command.collect_usage_pieces(context))).replace("[[", "[").replace("]]", "]")
    return "\n".join((f"## holdfast {name}", "", f"`{usage}`", "", _cell(command.help), *table))


def settings() -> str:
    """Build the page of settings from `bot/settings.py`: what it says below each, and the example of `.env.sample`."""
    examples = dict(re.findall(r"^#?([A-Z_]+)=(.*)$", (ROOT / ".env.sample").read_text("utf-8"), re.MULTILINE))
    told = _told()
    rows = [
        f"| `{shown}` | {_default(name)} | {_cell(told[name])}{f' Example: `{example}`' if example else ''} |"
        for name in Settings.model_fields
        for shown, first in [_shown(name)]
        for example in [examples.get(first, "").removesuffix(str(Settings.model_fields[name].default))]
    ]
    begin = f"""# Settings

{MADE}

From the environment, or from `.env` in the folder in which the bot is started ([.env.sample](../../.env.sample)).
`holdfast check` says what is wrong with them, and which it does not know.

| setting | default | meaning |
|---|---|---|"""
    return "\n".join((begin, *rows)) + "\n"


def _shown(name: str) -> tuple[str, str]:
    """Return a setting's name as people write it, and the one that has the example."""
    return ("HOLDFAST_CHANNEL_<NAME>", "HOLDFAST_CHANNEL_PA_DEALING") if name == "channels" else (name.upper(),) * 2


def _default(name: str) -> str:
    value = Settings.model_fields[name].default
    if name == "channels" or value is None or value == "":
        return "none"
    return f"`{str(value).lower() if isinstance(value, bool) else value}`"


def _told() -> dict[str, str]:
    """Return what stands below each setting in its source."""
    tree = ast.parse((ROOT / "bot" / "settings.py").read_text("utf-8"))
    (body,) = (node.body for node in tree.body if isinstance(node, ast.ClassDef) and node.name == "Settings")
    pairs = pairwise(body)
    return {
        field.target.id: ast.literal_eval(below.value)
        for field, below in pairs
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name)
        if isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant)
    }


def _cell(text: str) -> str:
    return re.sub(r"\s+", " ", text).replace("|", "\\|").replace("<", "&lt;").strip()


async def request() -> str:
    """Return the last request of a short conversation, as the local Messages API received it."""
    with tempfile.TemporaryDirectory() as var:
        options: dict[str, Any] = {"clock": DAY.timestamp, "store": memory_store(lambda: DAY)}
        async with world(Path(var), _reads_the_security, options) as w:
            await w.say(OPENING)
            await w.click("Use all of it")
            await w.click("Use this")
            await w.say("My sister-in-law works there. Is she a connected person?")
            assert w.model is not None
            body = w.model.requests[-1]
    offered = [json.dumps(tool, ensure_ascii=False) for tool in body.pop("tools")]
    rest = json.dumps({**body, "tools": []}, indent=1, ensure_ascii=False).removesuffix("[]\n}")
    return "\n".join(("```json", rest + "[", ",\n".join(f"  {tool}" for tool in offered), " ]", "}", "```"))


def _reads_the_security(body: dict[str, Any]) -> ModelMessage:
    """Read the security in a first request; say nothing after that."""
    if any(tool["name"] == "set_security" for tool in body["tools"]):
        return tools(call("set_security", security="Tesco", words="Tesco"))
    return tools(call("say", act="explain", about="is_related_party", readings=[]))


def tokens() -> str:
    """Return what was measured of tokens, a row each, and how many are written for a request."""
    measured = json.loads((DOCS / "performance.json").read_text("utf-8"))
    sent = {row["what"]: row["ours"]["p50"] for row in measured if row["part"] == "tokens"}
    rows = (f"| {what} | {n:,.0f} |" for what, n in sent.items())
    acts = next(int(found[1]) for what in sent if (found := re.search(r"(\d+) acts", what)))
    written = f"Written for that PA request: {acts * WRITTEN:,}, at {WRITTEN} tokens an act, a tool call or two."
    return "\n".join(("| sent for | tokens |", "|---|---|", *rows, "", written))


def figures() -> Iterator[str]:
    """Give the rows of README's table: those of the comparison that it shows."""
    comparison = (DOCS / "comparison.md").read_text("utf-8")
    yield from re.findall(
        r"^\|.*\|$", comparison.partition("<!-- hostile -->")[2].partition("<!-- end -->")[0], re.MULTILINE
    )
