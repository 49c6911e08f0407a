"""Set up what a scenario needs: its day, its people, roles, tokens for calls over HTTP, and the models that play in it."""

from collections import deque
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from time import monotonic
from typing import Any
from zoneinfo import ZoneInfo

import aiohttp

from bot.http.tokens import digest_of
from bot.model.protocol import Away, ModelAway, ModelRefused
from bot.model.reading import reply_of
from bot.root.lifecycle import Bot
from bot.sandbox.models.answers import Said
from bot.sandbox.models.rendering import message_of
from bot.sandbox.models.scripts import Play
from bot.sandbox.server import Sandbox
from bot.settings import Settings
from prompts.request import Request
from state.draft.reply import Reply, ToolCall
from state.workflow.load import Workflow
from state.workflow.scenario import PEOPLE, Chat, ModelReply, Name, Scenario

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
        given["holdfast_chat_tokens"] = _tokens(scenario, var)
    return settings.model_copy(update=given)


def introduce(sandbox: Sandbox, scenario: Scenario, now: datetime) -> None:
    """Give the people of the workspace the languages and time zones that they have here at this time."""
    people = sandbox.slack.workspace.people
    for name in PEOPLE:
        someone = scenario.people.get(name)
        own = scenario.language if name == PEOPLE[0] else ""
        language, zone = (someone.language or own, someone.zone) if someone else (own, "")
        was = people[user_of(name)]
        offset = (
            int((now.astimezone(ZoneInfo(zone)).utcoffset() or timedelta()).total_seconds()) if zone else was.tz_offset
        )
        phone = someone.phone if someone else ""
        people[user_of(name)] = replace(
            was, locale=language or was.locale, tz=zone or was.tz, tz_offset=offset, phone=phone or was.phone
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


def _tokens(scenario: Scenario, var: Path) -> Path:
    """Return a token for each of the people, as an operator would write them."""
    file = var / "tokens.toml"
    file.write_text("".join(_token(name, scenario) for name in PEOPLE), encoding="utf-8")
    return file


def _token(name: Name, scenario: Scenario) -> str:
    someone = scenario.people.get(name)
    zone, roles = (someone.zone, list(someone.roles)) if someone else ("", [])
    told = f'tenant = "{TEAM}"\nuser = "{user_of(name)}"\nroles = {roles!r}\nzone = "{zone or "UTC"}"\n'.replace(
        "'", '"'
    )
    return f'[[tokens]]\nsha256 = "{digest_of(name)}"\n{told}'


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
        """What to answer from now on."""
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
        if not isinstance(said, Said):
            raise ModelAway(Away.OVERLOADED)
        reply = reply_of(message_of(said, {"model": self.name, **body}, self._calls), self.name)
        if reply.stop == "refusal":
            raise ModelRefused
        return reply
