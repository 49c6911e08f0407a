"""Set up what a scenario needs: its day, its people, roles, tokens for calls over HTTP, files and models."""

from base64 import b64decode
from collections import deque
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from io import BytesIO
from pathlib import Path
from time import monotonic
from typing import Any
from zoneinfo import ZoneInfo

import aiohttp

from bot.http.tokens import digest_of
from bot.model.protocol import Away, ModelAway, ModelRefused
from bot.model.reading import reply_of
from bot.root.lifecycle import Bot
from bot.sandbox.models.answers import ModelMessage, message_of
from bot.sandbox.models.scripts import Play
from bot.sandbox.server import Sandbox
from bot.settings import Settings
from prompts.request import Request
from state.draft.reply import Reply, ToolCall
from state.workflow.load import Workflow
from state.workflow.scenario import PEOPLE, Chat, ModelReply, Paper, Scenario, Someone

TEAM = "T0HOLDFAST"
MINUTE = timedelta(minutes=1)


class Clock:
    """The scenario's time, a minute later with each step and running on in it; the machine's own where the scenario states none."""

    def __init__(self, scenario: Scenario) -> None:
        self._begins = scenario.begins
        self._steps, self._since = 0, monotonic()
        self.hours = 0
        """Hours that steps have waited."""

    def tick(self) -> None:
        """A step begins."""
        self._steps, self._since = self._steps + 1, monotonic()

    def __call__(self) -> datetime:
        passed = timedelta(seconds=min(monotonic() - self._since, 59))  # a slow machine is in no later minute
        now = self._begins + self._steps * MINUTE + passed if self._begins else datetime.now(UTC)
        return now + timedelta(hours=self.hours)


def set_up(settings: Settings, workflow: Workflow, scenario: Scenario, var: Path) -> Settings:
    """Return settings without a model or a limit to pace, with the scenario's roles and tokens in files below `var`."""
    given: dict[str, Any] = {
        "holdfast_var": var,
        "anthropic_api_key": None,
        "anthropic_base_url": None,
        "holdfast_pace": 0,  # it is played faster than any rate limit would let people be answered
    }
    if laid := _laid(workflow, scenario, var):
        given["holdfast_workflows"] = ",".join(filter(None, (settings.holdfast_workflows, laid)))
    if any(step.chat for step in scenario.steps):
        file, written = var / "tokens.toml", []
        for name in PEOPLE:
            someone = scenario.people.get(name, Someone())
            roles = ", ".join(f'"{role}"' for role in someone.roles)
            written.append(
                f'[[tokens]]\nsha256 = "{digest_of(name)}"\ntenant = "{TEAM}"\nuser = "{user_of(name)}"\n'
                f'roles = [{roles}]\nzone = "{someone.zone or "UTC"}"\n'
            )
        file.write_text("".join(written), encoding="utf-8")
        given["holdfast_chat_tokens"] = file
    return settings.model_copy(update=given)


def introduce(sandbox: Sandbox, scenario: Scenario, now: datetime) -> None:
    """Give the people of the workspace the languages and time zones that they have here at this time."""
    people = sandbox.slack.workspace.people
    for name in PEOPLE:
        someone, was = scenario.people.get(name, Someone()), people[user_of(name)]
        language = someone.language or (scenario.language if name == PEOPLE[0] else "")
        offset = was.tz_offset
        if someone.zone:
            offset = int((now.astimezone(ZoneInfo(someone.zone)).utcoffset() or timedelta()).total_seconds())
        people[user_of(name)] = replace(
            was,
            locale=language or was.locale,
            tz=someone.zone or was.tz,
            tz_offset=offset,
            phone=someone.phone or was.phone,
        )


def user_of(name: str) -> str:
    """Slack's id of one of the people."""
    return f"U0{name.upper()}"


def _laid(workflow: Workflow, scenario: Scenario, var: Path) -> str:
    """Return a folder that lays the scenario's files and roles over the workflow's own; empty where there are none."""
    files = {**_roles(scenario), **scenario.files}
    folder = var / "laid" / workflow.form.name
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return str(folder.parent) if files else ""


def _roles(scenario: Scenario) -> dict[str, str]:
    held: dict[str, list[str]] = {}
    for name, someone in scenario.people.items():
        for role in someone.roles:
            held.setdefault(role, []).append(user_of(name))
    rows = (f"{role} = {users!r}".replace("'", '"') for role, users in held.items())
    return {"roles.toml": "\n".join((f"[{TEAM}]", *rows))} if held else {}


@dataclass
class Calls:
    """Calls of `/chat` in a scenario; each caller clicks the proposal that they were given last."""

    bot: Bot
    last: tuple[int, dict[str, Any]] = (0, {})
    _proposals: dict[str, str] = field(default_factory=dict)
    _session: aiohttp.ClientSession | None = None

    async def call(self, name: str, chat: Chat) -> tuple[int, dict[str, Any]]:
        """Status and body of the answer."""
        confirm = {"confirm": {"proposal": self._proposals.get(chat.of or name, "")}} if chat.confirm else {}
        body = {**({"message": chat.message} if chat.message is not None else {}), **confirm, **(chat.body or {})}
        self._session = self._session or aiohttp.ClientSession()
        url = f"http://127.0.0.1:{self.bot.web.port}/chat"
        async with self._session.post(url, json=body, headers={"Authorization": f"Bearer {name}"}) as response:
            self.last = response.status, await response.json()
        if proposal := self.last[1].get("proposalId"):
            self._proposals[name] = proposal
        return self.last

    async def close(self) -> None:
        """Close the connection, if there is one."""
        if self._session is not None:
            await self._session.close()


class PlayedModel:
    """Gives the replies of the step under way, one a call; where they run out, it says nothing of use."""

    name = "scenario"

    def __init__(self) -> None:
        self._replies: deque[ModelReply] = deque()
        self._calls = 0

    def play(self, replies: tuple[ModelReply, ...]) -> None:
        """Answer with these from now on."""
        self._replies = deque(replies)

    async def reply(self, request: Request) -> Reply:
        """Return the next reply. Raises ModelAway or ModelRefused where the scenario says so."""
        given = self._replies.popleft() if self._replies else ModelReply()
        if given.fails == "outage":
            raise ModelAway(Away.OUTAGE)
        if given.fails == "refusal":
            raise ModelRefused
        return Reply(given.text, self._made(given), "calls" if given.all_calls else "end", self.name)

    def _made(self, given: ModelReply) -> tuple[ToolCall, ...]:
        self._calls += 1
        return tuple(
            ToolCall(f"call_{self._calls}_{i}", c.tool, dict(c.arguments)) for i, c in enumerate(given.all_calls)
        )


class AwayModel:
    """A model that nobody reaches."""

    name = "away"

    async def reply(self, request: Request) -> Reply:
        """Raises ModelAway, always."""
        raise ModelAway(Away.UNREACHABLE)


class ScriptedModel:
    """Plays a script, with no endpoint between; what is no answer fails as it would there."""

    name = "scripted"

    def __init__(self, script: Play) -> None:
        self._script, self._calls = script, 0

    async def reply(self, request: Request) -> Reply:
        """Return the script's answer. Raises ModelRefused or ModelAway where it gives none."""
        return self.answer(request)

    def answer(self, request: Request) -> Reply:
        """Return the same at once."""
        self._calls += 1
        body = {"messages": list(request.messages), "tools": list(request.tools or request.told)}
        said = self._script(body)
        if not isinstance(said, ModelMessage):
            raise ModelAway(Away.OVERLOADED)
        reply = reply_of(message_of(said, {"model": self.name, **body}, self._calls), self.name)
        if reply.stop == "refusal":
            raise ModelRefused
        return reply


LINE, TOP, LEFT = 16, 42, 56
"""Points between lines, from the top of an A4 page to its first line, and from its left edge."""
A4 = (1240, 1754)
"""Pixels of a page at 150 to the inch."""
LETTERS = 26
"""Height of the letters on a scan."""
PICTURE = b64decode("iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAD0lEQVR4nGP4jwMwDC0JALoev0Ewkwr8AAAAAElFTkSuQmCC")
"""A white PNG of eight pixels by eight."""


def paper(name: str, given: Paper | str) -> bytes:
    """Return the file of that name: a picture for a picture's ending, plain text for .txt, else a PDF with the text in lines or their scan."""
    made = Paper(text=given) if isinstance(given, str) else given
    ending = name.rpartition(".")[2].lower()
    if made.made_as == "photo" or ending in ("png", "jpg", "jpeg"):
        return drawn(made.text, "PNG") if made.text else PICTURE
    if made.made_as == "scan":
        return drawn(made.text, "PDF")
    return made.text.encode() if ending == "txt" else pdf(made.text.splitlines())


def sends_paper(scenario: Scenario) -> bool:
    """Return True if a file is sent that has to be read or drawn: a PDF, a scan, a picture of words."""
    sent = [file for step in scenario.steps for file in (step.send or {}).items()]
    plain = [
        name.endswith(".txt") or (name.endswith((".png", ".jpg", ".jpeg")) and given == "") for name, given in sent
    ]
    return not all(plain)


def drawn(text: str, kind: str) -> bytes:
    """Return a page with the lines drawn on it as pictures of letters: a PNG, or a PDF without any text."""
    from PIL import Image, ImageDraw, ImageFont  # noqa: PLC0415  an extra

    page = Image.new("L", A4, 255)
    ImageDraw.Draw(page).multiline_text((LEFT, LEFT), text, fill=0, font=ImageFont.load_default(LETTERS), spacing=LINE)
    out = BytesIO()
    page.save(out, kind)
    return out.getvalue()


def pdf(lines: list[str]) -> bytes:
    """One page of text in Helvetica, in Windows' Latin letters; the same file for the same text."""
    from fpdf import FPDF  # noqa: PLC0415  an extra

    page = FPDF(unit="pt", format="A4")
    page.core_fonts_encoding = "windows-1252"
    page.set_creation_date(datetime(2026, 1, 1, tzinfo=UTC))
    page.add_page()
    page.set_font("Helvetica", size=12)
    for n, line in enumerate(lines):
        page.text(LEFT, TOP + n * LINE, line.encode("cp1252", "replace").decode("cp1252"))
    return bytes(page.output())
