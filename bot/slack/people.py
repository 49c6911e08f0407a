"""People's profiles in Slack, remembered for an hour; and courtesies: the thinking status and the suggested prompts."""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import aiohttp
import structlog
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from blocks.messages import FILLING, Thinking, suggested_prompts, thinking, waiting
from blocks.phrases import Phrasebook, spoken
from bot.slack.client import PROMPTS, STATUS, Budget, ClientFor
from bot.slack.errors import Later, code_of
from bot.slack.places import Place, origin, person_key, place
from state.draft.draft import Draft
from state.stores.rows import OutboxRow
from state.understanding.wishes import likeliest
from state.workflow.load import Workflow

log = structlog.get_logger("holdfast.people")

LATE = 5
"""Seconds of waiting for Slack of which a person is told."""
KEPT, FRESH, FRESH_NOTHING = 10_000, 3600.0, 60.0
"""People remembered, and for how long, in seconds; a profile that could not be had, or that a role hangs on, is asked for again sooner."""
AWAY = (":palm_tree:", ":face_with_thermometer:")
"""Slack's own statuses "Vacationing" and "Out sick"."""
NOBODY = frozenset({"user_not_found", "user_not_visible"})
"""Slack's words for somebody whom this workspace does not know."""
LIMIT = 1.0
"""Seconds: Slack waits three for the answer to a click."""


@dataclass(frozen=True)
class Profile:
    """Empty strings where Slack does not say. `zone` is an IANA name."""

    zone: str = ""
    phone: str = ""
    name: str = ""
    locale: str = ""
    """The language that the person has set in Slack ("it-IT")."""
    teams: frozenset[str] | None = None
    """The workspaces that they belong to, none once their account is closed; None where Slack did not answer."""
    away: bool = False


class People:
    """Profiles by team and user, through `users.info`; without an answer, an empty one."""

    def __init__(self, client_for: ClientFor) -> None:
        self.client_for = client_for
        self._known: OrderedDict[tuple[str, str], tuple[float, Profile]] = OrderedDict()
        self._workspaces: dict[str, str] = {}

    async def zone(self, team: str, user: str) -> str:
        """Return the person's time zone."""
        return (await self.profile(team, user)).zone

    async def locale(self, team: str, user: str) -> str:
        """Return the language that the person has set in Slack; empty where that is not known."""
        return (await self.profile(team, user)).locale

    async def belongs(self, team: str, user: str) -> bool | None:
        """Return True if they have an account of this workspace, as of a minute ago at most; None if Slack did not answer."""
        teams = (await self.profile(team, user, FRESH_NOTHING)).teams
        return None if teams is None else team in teams

    async def away(self, team: str, user: str) -> bool:
        """Return True if their status in Slack says that they are on holiday or ill."""
        return (await self.profile(team, user)).away

    async def profile(self, team: str, user: str, fresh: float = FRESH) -> Profile:
        """Return the person's profile, no older than so many seconds."""
        asked, profile = self._known.get((team, user), (-FRESH, Profile()))
        if time.monotonic() - asked < (fresh if profile.zone else FRESH_NOTHING):
            return profile
        profile = await self._asked(team, user)
        self._known[team, user] = (time.monotonic(), profile)
        if len(self._known) > KEPT:
            self._known.popitem(last=False)
        return profile

    async def workspace(self, team: str) -> str:
        """Return the address of the team's Slack ("https://acme.slack.com/"); empty where it cannot be had."""
        if team not in self._workspaces:
            try:
                client = await self.client_for(team)
                answer = await asyncio.wait_for(client.auth_test(), LIMIT)
            except (SlackApiError, TimeoutError, aiohttp.ClientError) as problem:
                log.info("workspace_unknown", kind=type(problem).__name__)
                return ""
            self._workspaces[team] = str(answer.get("url") or "")
        return self._workspaces[team]

    def forget(self, person: str) -> None:
        """Remember nothing more of a person ("team:user")."""
        team, _, user = person.partition(":")
        self._known.pop((team, user), None)

    async def _asked(self, team: str, user: str) -> Profile:
        try:
            client = await self.client_for(team)
            answer = await asyncio.wait_for(client.users_info(user=user, include_locale=True), LIMIT)
        except (SlackApiError, TimeoutError, aiohttp.ClientError) as problem:
            log.info("profile_unknown", kind=type(problem).__name__)
            nobody = isinstance(problem, SlackApiError) and code_of(problem) in NOBODY
            return Profile(teams=frozenset() if nobody else None)
        found = answer.get("user") or {}
        return Profile(
            str(found.get("tz") or ""),
            str((found.get("profile") or {}).get("phone") or ""),
            str(found.get("real_name") or ""),
            str(found.get("locale") or ""),
            _teams(found),
            (found.get("profile") or {}).get("status_emoji") in AWAY,
        )


def _teams(found: Mapping[str, Any]) -> frozenset[str]:
    """Return their own workspace, and in an organisation each that they are in. https://docs.slack.dev/reference/objects/user-object"""
    if found.get("deleted"):
        return frozenset()
    return frozenset(map(str, (found.get("team_id"), *((found.get("enterprise_user") or {}).get("teams") or ()))))


class Courtesies:
    """Calls that nobody waits for: what Slack refuses is not tried again, and a scope that is missing is logged once a workspace."""

    def __init__(self, client_for: ClientFor) -> None:
        self._client_for = client_for
        self._lacking: set[tuple[str, str]] = set()

    async def call(self, team: str, method: str, send: Callable[[AsyncWebClient], Awaitable[object]]) -> None:
        """Call the method by `send`, unless Slack does not answer just now or has refused it to this workspace for good."""
        client = await self._client_for(team)
        if client.reach.holding or (team, method) in self._lacking:
            return
        try:
            await send(client)
        except (SlackApiError, aiohttp.ClientError, TimeoutError) as problem:
            code = code_of(problem) if isinstance(problem, SlackApiError) else ""
            if code in LACKING:
                self._lacking.add((team, method))
            log.info("courtesy_refused", method=method, kind=type(problem).__name__, error=code)


LACKING = frozenset(
    {"missing_scope", "not_allowed_token_type", "feature_not_enabled", "unknown_method", "method_deprecated"}
)
"""Slack's words for what the app will not be allowed until it is installed anew."""


class ThreadStatus:
    """Slack ends a status by itself when the bot posts; taking it away after a call makes sure of it."""

    def __init__(self, client_for: ClientFor, workflows: Mapping[str, Workflow], budget: Budget) -> None:
        self._courtesies, self._workflows, self._budget = Courtesies(client_for), workflows, budget
        self._late: set[str] = set()
        """Keys of rows whose people were told that they wait for Slack."""

    async def show(self, conversation: str, message: str, draft: Draft | None) -> None:
        """Show that this message is being thought about, in the draft's language; without a draft, no longer."""
        await self._set(place(conversation), message, thinking(self._words(draft)) if draft else None)

    async def wait(self, row: OutboxRow, seconds: float) -> None:
        """Show that the answer to somebody's message waits for Slack, once, where that takes long; with 0 seconds, no longer."""
        kind, *said = origin(row.key).split(":")
        there, late = row.body, round(seconds * self._budget.pace)
        if (row.key in self._late if seconds else row.key not in self._late) or (seconds and late < LATE):
            return
        if row.kind != "post" or kind != "message" or said[:2] != [there["team"], there["channel"]]:
            return
        (self._late.add if seconds else self._late.discard)(row.key)
        words = waiting(self._words(row.draft), late) if seconds else None
        await self._set(Place(there["team"], there["channel"], there["thread"]), said[2], words)

    def _words(self, draft: Draft | None) -> Phrasebook:
        any_ = next(iter(self._workflows.values())).form
        return Phrasebook((self._workflows[draft.form].form_of(draft) if draft else any_).language)

    async def _set(self, there: Place, message: str, words: Thinking | None) -> None:
        shown = {"status": words.status, "loading_messages": list(words.loading_messages)} if words else {"status": ""}
        with suppress(Later):
            self._budget.spend_spare(there.team, STATUS)
            await self._courtesies.call(there.team, STATUS, lambda client: client.assistant_threads_setStatus(
                channel_id=there.channel, thread_ts=there.thread or message, **shown
            ))  # fmt: skip


class Prompts:
    """Sets suggested prompts. `used` gives the forms that a person has begun, the most often begun first."""

    def __init__(
        self,
        people: People,
        workflows: Mapping[str, Workflow],
        used: Callable[[str], Awaitable[list[str]]],
        budget: Budget | None = None,
    ) -> None:
        self._courtesies, self._people, self._workflows = Courtesies(people.client_for), people, workflows
        self._used, self._budget = used, budget

    async def serve(self, row: OutboxRow) -> None:
        """Perform one row: a courtesy, which waits like paint."""
        team, _, user = row.person.partition(":")
        if self._budget is not None:
            self._budget.spend_spare(team, PROMPTS, row.key)
        keys = row.body.get("keys") or (FILLING if row.body.get("form") else ())  # an older row names the form
        await self.show(str(row.body["conversation"]), user, keys, str(row.body.get("language") or ""))

    async def show(self, conversation: str, user: str, keys: Sequence[str] = (), language: str = "") -> None:
        """Suggest what may be said: sentences by their keys, as a form in this language understands them; then forms to begin."""
        there = place(conversation)
        locale, first = await self._people.locale(there.team, user), next(iter(self._workflows.values())).form.language
        words = Phrasebook(spoken(locale, first))
        every = [w.spoken_in(words.language) for w in self._workflows.values()]
        forms = likeliest(every, "", await self._used(person_key(there.team, user)), words.language)
        thread = {"thread_ts": there.thread} if there.thread else {}
        prompts = suggested_prompts(words, forms, keys, language)
        await self._courtesies.call(there.team, PROMPTS, lambda client: client.assistant_threads_setSuggestedPrompts(
            channel_id=there.channel, prompts=prompts, **thread
        ))  # fmt: skip
