"""The tables of docs/reference/sandbox.md, made by playing what stands in them.

`PYTHONPATH=. .venv/bin/python tests/sandbox/reference.py` writes them anew.
"""

import ast
import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from slack_clock import Hand
from slack_limit_cases import IN_MESSAGES, IN_VIEWS
from slack_screens import MODAL, actions, button
from slack_socket import connected
from web_api_calls import CALLS, CONTENT, HOME, MESSAGE_ERRORS, VIEW_ERRORS

import bot.sandbox
from bot.sandbox import chat
from bot.sandbox.inputs import ACTION_KEYS, STATE_KEYS
from bot.sandbox.knobs import A_MINUTE
from bot.sandbox.limits import blocks
from bot.sandbox.people import Person
from bot.sandbox.routes import METHODS
from bot.sandbox.server import Sandbox
from bot.sandbox.slack import Params, Slack
from bot.sandbox.talk import Upload, keep
from bot.sandbox.workspace import Json, SlackError
from tests.pages import replaced

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "sandbox.md"


class Read(dict[str, Any]):
    """Arguments of a call that note which of them were looked at."""

    def __init__(self, given: Json) -> None:
        super().__init__(given)
        self.names: set[str] = set()

    def get(self, key: str, default: object = None) -> object:
        """The argument, noted."""
        self.names.add(key)
        return super().get(key, default)


def call(slack: Slack, method: str, **args: object) -> Json:
    """Make a call that is granted."""
    return METHODS[method](slack, Params(args))


async def prepared() -> tuple[Slack, dict[str, str]]:
    """A workspace with one of everything, and what the words with "$" of a call stand for."""
    hand = Hand()
    slack = Sandbox(clock=hand).slack
    slack.workspace.add_channel("C0FOREIGN", "foreign", ["U0ALEX"])
    slack.workspace.add_channel("C0OLD", "old", ["U0ALEX", slack.workspace.bot.user_id])
    slack.workspace.channels["C0OLD"].archived = True
    late, secrets = slack.tickets.trigger("U0ALEX"), [slack.tickets.reply("U0ALEX", "D0ALEX") for _ in range(2)]
    expired, theirs = slack.tickets.reply("U0ALEX", "D0ALEX"), await Person(slack, "U0ALEX").say("hello")
    own = call(slack, "chat.postMessage", channel="D0ALEX", text="hello")["ts"]
    hand.now += 31 * 60
    slack.tickets.replies[secrets[0]].until = slack.tickets.replies[secrets[1]].until = hand.now + 60
    slack.tickets.replies[secrets[1]].uses = 5
    clicked = slack.tickets.reply("U0ALEX", "D0ALEX", message_ts=own)
    gone = slack.tickets.reply("U0ALEX", "D0ALEX", message_ts="1.1")
    opened = {name: slack.tickets.trigger(f"U0{name.upper()}") for name in ("alex", "robin", "sasha")}
    view = call(slack, "views.open", trigger_id=opened["alex"], view=MODAL)["view"]
    call(slack, "views.open", trigger_id=opened["sasha"], view={**MODAL, "external_id": "taken"})
    call(slack, "views.open", trigger_id=opened["robin"], view=MODAL)
    for _ in range(2):
        call(slack, "views.push", trigger_id=slack.tickets.trigger("U0ROBIN"), view=MODAL)
    call(slack, "views.publish", user_id="U0ALEX", view=HOME)
    return slack, {
        "$theirs": str(theirs), "$own": own, "$file": keep(slack, "U0ALEX", [Upload("a.txt", b"x")])[0]["id"],
        "$trigger": slack.tickets.trigger("U0ALEX"), "$late": late, "$used": opened["alex"],
        "$dana": slack.tickets.trigger("U0DANA"), "$stacked": slack.tickets.trigger("U0ROBIN"),
        "$view": view["id"], "$hash": view["hash"], "$secret": secrets[0], "$spent": secrets[1], "$clicked": clicked,
        "$gone": gone, "$expired": expired,
    }  # fmt: skip


def _meant(given: object, names: Mapping[str, str]) -> object:
    if isinstance(given, dict):
        return {key: _meant(value, names) for key, value in given.items()}
    if isinstance(given, list):
        return [_meant(one, names) for one in given]
    return names.get(given, given) if isinstance(given, str) else given


async def answered(method: str, args: Json) -> tuple[str, set[str]]:
    """The error of a call, "" where it is granted, and the arguments that it looked at."""
    slack, names = await prepared()
    read = Read(_meant(args, names))  # type: ignore[arg-type]
    try:
        if method == chat.WAY:
            return str(chat.respond(slack, read.pop("secret"), read).get("error", "")), read.names
        METHODS[method](slack, Params(read))
    except SlackError as error:
        return error.code, read.names
    return "", read.names


def table(*rows: tuple[str, ...]) -> str:
    """A table of Markdown; the first row is its head."""
    lines = [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join([lines[0], "|" + "---|" * len(rows[0]), *lines[1:]])


def named(words: set[str]) -> str:
    """Words in their order, as code."""
    return " ".join(f"`{word}`" for word in sorted(words))


async def methods() -> str:
    """Each method with the arguments that it holds, the errors that it gives, and its calls a minute."""
    held: dict[str, set[str]] = defaultdict(set)
    errors: dict[str, set[str]] = defaultdict(set)
    for method, args, _ in CALLS:
        error, names = await answered(method, args)
        held[method] |= names
        errors[method] |= {error} - {""}
    content = {*CONTENT, "markdown_text"}
    rows = [("Method", "Arguments held", "Errors given", "Calls a minute")]
    rows.append(("*content* of a message", named(content), named(set(MESSAGE_ERRORS)), ""))
    rows.append(("*view*", "`view`", named(set(VIEW_ERRORS)), ""))
    for method in sorted(held):
        arguments, given = held[method], errors[method]
        parts = []
        for part, its, wrong in (("*content*", content, set(MESSAGE_ERRORS)), ("*view*", {"view"}, set(VIEW_ERRORS))):
            if its <= arguments:
                arguments, given, parts = arguments - its, given - wrong, [*parts, part]
        limit = str(A_MINUTE[method]) if method in A_MINUTE else "any"
        rows.append((f"`{method}`", *(" ".join([named(one), *parts]).strip() for one in (arguments, given)), limit))
    return table(*rows)


def block_kit() -> str:
    """Each block, where it may stand."""
    marks = (
        (f"`{n}`", "yes" if n in blocks.IN_MESSAGES else "", "yes" if n in blocks.IN_VIEWS else "")
        for n in sorted(blocks.BLOCKS)
    )
    return table(("Block", "in messages", "in modals and Home"), *marks)


def elements() -> str:
    """Each element, where it may stand, and what the app is told of it."""
    places = {
        "actions": blocks.IN_ACTIONS,
        "section": blocks.IN_SECTION,
        "input": blocks.IN_INPUT,
        "context_actions": blocks.IN_CONTEXT_ACTIONS,
    }
    rows = [("Element", "in", "an action carries", "kept in `state.values`")]
    for name in sorted(blocks.ELEMENTS):
        where = named({place for place, allowed in places.items() if name in allowed})
        told = (f"`{ACTION_KEYS[name]}`" if name in ACTION_KEYS else "", "yes" if name in STATE_KEYS else "")
        rows.append((f"`{name}`", where, *told))
    return table(*rows)


def sizes() -> str:
    """How large each part may be, by the cases that are held on both sides."""
    return "\n".join(
        f"- {where}: {', '.join(f'{limit.name} {limit.most:,}' for limit in limits)}."
        for where, limits in (
            ("In messages, and where views have them too", IN_MESSAGES),
            ("In modals and Home", IN_VIEWS),
        )
    )


async def events() -> str:
    """Return the event of each act, as an app gets it over a socket."""
    rows = [("What happens", "The app gets")]
    sandbox, heard = Sandbox(retry_delays=()), list[str]()
    await sandbox.start()
    try:
        async with connected(sandbox) as raw:

            async def hear() -> None:
                while True:
                    frame = await raw.frame(60)
                    heard.append(_name(frame))
                    await raw.ack(frame, {"options": []} if "block_suggestion" in heard[-1] else None)

            hearing = asyncio.create_task(hear())
            for words, act in acts(sandbox):
                heard.clear()
                await act()
                await sandbox.until(lambda: not sandbox.under_way)
                rows.append((words, ", then ".join(heard)))
            hearing.cancel()
    finally:
        await sandbox.stop()
    return table(*rows)


def acts(sandbox: Sandbox) -> Iterator[tuple[str, Callable[[], Awaitable[object]]]]:
    """All that the app is told of, in an order in which each has what it needs."""
    alex, slack = sandbox.person("U0ALEX"), sandbox.slack
    menu = {"type": "external_select", "action_id": "menu", "min_query_length": 0}

    async def posts() -> None:
        call(slack, "chat.postMessage", channel="D0ALEX", text="q", blocks=actions(button("go", "Go"), menu))

    async def its(method: str, **args: object) -> None:
        call(slack, method, channel="D0ALEX", ts=alex.messages()[-1]["ts"], **args)

    async def opens(act: Callable[[], Awaitable[object]]) -> None:
        view = {**MODAL, "notify_on_close": True, "blocks": [{"type": "divider"}]}
        call(slack, "views.open", trigger_id=slack.tickets.trigger("U0ALEX"), view=view)
        await act()

    async def now(act: Callable[[str], None]) -> None:
        act("C0GENERAL")

    yield "a person writes to the app", lambda: alex.say("hello")
    yield "edits it", lambda: alex.edit(alex.messages()[0]["ts"], "hello again")
    yield "deletes it", lambda: alex.delete(alex.messages()[0]["ts"])
    yield "names the app in a channel", lambda: alex.say("@Holdfast hello", channel="C0GENERAL")
    yield "sends a file", lambda: alex.upload("a.txt", b"x", "text/plain")
    yield "opens Home", alex.open_home
    yield "uses a slash command", lambda: alex.command("/pa")
    yield "the app posts", posts
    yield "a person clicks or chooses, in a message, modal or Home", lambda: alex.click("Go")
    yield "types into an external select", lambda: alex.options("menu", "x")
    yield "submits a modal", lambda: opens(alex.submit)
    yield "closes a modal with `notify_on_close`", lambda: opens(alex.close)
    yield "the app changes its message", lambda: its("chat.update", text="other")
    yield "deletes it", lambda: its("chat.delete")
    yield "is invited into a channel", lambda: now(sandbox.invite_bot)
    yield "an archived channel comes back", lambda: now(sandbox.unarchive)


def _name(frame: Json) -> str:
    payload = frame["payload"]
    if frame["type"] == "slash_commands":
        return "a slash command"
    event = payload.get("event") or payload
    return f"`{event['type']}`" + (f" (`{event['subtype']}`)" if "subtype" in event else "")


async def tables() -> dict[str, str]:
    """Every table of the page by its name."""
    return {
        "methods": await methods(),
        "blocks": block_kit(),
        "elements": elements(),
        "sizes": sizes(),
        "events": await events(),
    }


async def fresh(text: str) -> str:
    """The page with its tables made anew."""
    for name, made in (await tables()).items():
        text = replaced(text, name, made)
    return text


READING = {"text", "needed", "flag", "number", "json", "blocks", "object", "names"}
RAISING = {"SlackError", "Refusal", "_refusal"}


def written() -> Iterator[str]:
    """Each argument and each error that the local Slack's own source names."""
    for file in Path(bot.sandbox.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Call):
                attribute, name = getattr(node.func, "attr", ""), getattr(node.func, "id", "")
                read = getattr(getattr(node.func, "value", None), "id", "") == "params" and attribute in READING
                told = node.args if read or name in RAISING else []
                words = (one for arg in told for one in ast.walk(arg) if isinstance(one, ast.Constant))
                yield from (one.value for one in words if isinstance(one.value, str))


if __name__ == "__main__":
    PAGE.write_text(asyncio.run(fresh(PAGE.read_text("utf-8"))), "utf-8")
