"""The app in many workspaces: OAuth, a token for each, renewed before it ends, and what a workspace takes back."""

import asyncio
import secrets
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from urllib.parse import urljoin

import structlog
from slack_bolt.authorization import AuthorizeResult
from slack_bolt.oauth.async_oauth_flow import AsyncOAuthFlow
from slack_bolt.oauth.async_oauth_settings import AsyncOAuthSettings
from slack_sdk.errors import SlackTokenRotationError
from slack_sdk.oauth.installation_store import Bot, Installation
from slack_sdk.oauth.installation_store.async_installation_store import AsyncInstallationStore
from slack_sdk.oauth.state_store.async_state_store import AsyncOAuthStateStore
from slack_sdk.oauth.token_rotation.async_rotator import AsyncTokenRotator
from slack_sdk.web.async_client import AsyncWebClient

from bot.slack.client import SlackAvailability, SlackClient
from state.stores.rows import Body
from state.stores.store import Store

log = structlog.get_logger("holdfast.workspaces")

STATE_SECONDS = 600.0
"""How long a person has to agree."""
RENEW_MINUTES = 120
"""Slack's tokens that end do so after twelve hours: they are renewed this long before."""
RENEWING = 30.0
KEPT, FRESH = 1_000, 60.0
"""Workspaces whose token is remembered, and for how long, in seconds: another replica may have renewed it."""


@dataclass(frozen=True)
class States(AsyncOAuthStateStore):
    """OAuth states, each of which counts once, whichever replica the person comes back to."""

    store: Store

    async def async_issue(self, *_: Any, **__: Any) -> str:
        """Return a new state."""
        state = secrets.token_urlsafe(32)
        await self.store.issue_state(state, STATE_SECONDS)
        return state

    async def async_consume(self, state: str) -> bool:
        """Return True if it is one of ours that nobody has used."""
        return bool(state) and await self.store.consume_state(state)


@dataclass(frozen=True)
class Grants(AsyncInstallationStore):
    """The SDK's installation store over ours; of a grant only the bot's part is kept."""

    store: Store
    changed: Callable[[str], Awaitable[None]]

    async def async_save(self, installation: Installation) -> None:
        """Keep what a workspace granted. Raises ValueError for an installation in a whole organisation."""
        await self.async_save_bot(installation.to_bot())

    async def async_save_bot(self, bot: Bot) -> None:
        """The same, of the bot alone."""
        if not bot.team_id:
            raise ValueError("Install the app in a workspace, not in a whole organisation.")
        await self.store.install(bot.team_id, _stored(bot))
        await self.changed(bot.team_id)


@dataclass
class Workspaces:
    """A client for each workspace that has installed the app. `client` makes one for a token, over what is known of the way there."""

    store: Store
    client: Callable[[str, SlackAvailability], SlackClient]
    reach: Callable[[], SlackAvailability]
    rotator: AsyncTokenRotator
    _reach: OrderedDict[str, SlackAvailability] = field(default_factory=OrderedDict)
    _known: OrderedDict[str, tuple[float, Bot | None]] = field(default_factory=OrderedDict)
    _renewing: dict[str, asyncio.Lock] = field(default_factory=dict)

    async def client_for(self, team: str) -> SlackClient:
        """Return the workspace's client; one without a token, which Slack refuses, where the app is not installed."""
        bot, reach = await self.bot(team), self._way_to(team)
        made = self.client(bot.bot_token if bot else "", reach)
        reach.ask = made.auth_test
        return made

    def _way_to(self, team: str) -> SlackAvailability:
        """Return an outage of one workspace makes no other one wait."""
        known = self._reach.setdefault(team, self.reach())
        known.team = team
        if len(self._reach) > KEPT:
            self._reach.popitem(last=False)
        return known

    def reaches(self) -> list[SlackAvailability]:
        """Of every workspace that something was sent in lately."""
        return list(self._reach.values())

    async def bot(self, team: str) -> Bot | None:
        """Return what a workspace granted, with a token that holds."""
        until, known = self._known.get(team, (0.0, None))
        if until > time.monotonic():
            return known
        bot = await self._stored(team)
        if bot is not None and _ends_soon(bot):
            bot = await self._renewed(team, bot)
        self._known[team] = (time.monotonic() + FRESH, bot)
        if len(self._known) > KEPT:
            self._known.popitem(last=False)
        return bot

    async def changed(self, team: str) -> None:
        """A workspace installed the app, or took it back: what was held up there is tried again."""
        self._known.pop(team, None)
        self._reach.pop(team, None)
        await self.store.try_blocked()
        log.info("workspace_changed")

    async def taken_back(self, team: str) -> None:
        """The workspace revoked the token or uninstalled the app: what it granted is destroyed."""
        if await self.store.uninstall(team):
            log.warning("workspace_left")
        await self.changed(team)

    async def _stored(self, team: str) -> Bot | None:
        body = await self.store.installation(team) if team else None
        return Bot(**body) if body else None

    async def _renewed(self, team: str, bot: Bot) -> Bot | None:
        """A refresh token counts once: one replica renews, the others go on with the token that still holds."""
        async with self._renewing.setdefault(team, asyncio.Lock()):
            lease = await self.store.take(f"installation:{team}", RENEWING)
            if lease is None:
                return bot
            try:
                return await self._renew(team)
            except SlackTokenRotationError:
                log.exception("token_not_renewed")
                return bot
            finally:
                await self.store.release(lease)

    async def _renew(self, team: str) -> Bot | None:
        """Under the lease: whoever held it before may have renewed it already."""
        bot = await self._stored(team)
        if bot is None or not _ends_soon(bot):
            return bot
        fresh = await self.rotator.perform_bot_token_rotation(bot=bot, minutes_before_expiration=RENEW_MINUTES)
        if fresh is not None:
            await self.store.install(team, _stored(fresh))
        return fresh or bot


def make_authorize(workspaces: Workspaces) -> Callable[..., Awaitable[Any]]:
    """For Bolt, which looks at the names of the arguments: who the app is in the workspace of an event, without asking Slack."""

    async def authorize(team_id: str | None, enterprise_id: str | None) -> AuthorizeResult | None:
        """None where the app is not installed."""
        bot = await workspaces.bot(team_id or "")
        if bot is None:
            return None
        who = {"bot_id": bot.bot_id, "bot_user_id": bot.bot_user_id, "bot_token": bot.bot_token}
        return AuthorizeResult(enterprise_id=enterprise_id, team_id=team_id, **who)

    return authorize


def make_flow(workspaces: Workspaces, api: str, client: AsyncWebClient, scopes: tuple[str, ...]) -> AsyncOAuthFlow:
    """Slack's OAuth for this app; whoever begins it in one browser cannot end it in another."""
    rotator, grants = workspaces.rotator, Grants(workspaces.store, workspaces.changed)
    settings = AsyncOAuthSettings(
        client_id=rotator.client_id,
        client_secret=rotator.client_secret,
        scopes=scopes,
        installation_store=grants,
        installation_store_bot_only=True,
        state_store=States(workspaces.store),
        state_expiration_seconds=int(STATE_SECONDS),
        authorization_url=urljoin(api, "/oauth/v2/authorize"),
    )
    return AsyncOAuthFlow(client=client, settings=settings)


def _stored(bot: Bot) -> Body:
    """As plain JSON; `Bot` reads times as ISO 8601 too."""
    told = bot.to_dict_for_copying()
    return {name: value.isoformat() if isinstance(value, datetime) else value for name, value in told.items()}


def _ends_soon(bot: Bot) -> bool:
    ends: int | None = bot.bot_token_expires_at
    return ends is not None and ends < time.time() + RENEW_MINUTES * 60
