"""Many workspaces: each installs the app by itself, is answered with its own token, and takes it back when it likes."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import aiohttp
import pytest
from pydantic import SecretStr

from bot.root.assembly import build
from bot.root.lifecycle import Bot
from bot.sandbox import tickets
from bot.sandbox.delivery import signature
from bot.sandbox.server import Sandbox
from bot.settings import Wrong, load
from bot.slack.places import of_team
from tests.world import in_memory, settings

SHORT, LONG = 3600, 43_200
"""Seconds of a token that is to be renewed at once, and of one that is not."""
NORTH, SOUTH = "T0NORTH", "T0SOUTH"


@asynccontextmanager
async def served(var: Path, lifetime: int = 0) -> AsyncIterator[tuple[Sandbox, Bot]]:
    """A bot that workspaces install by themselves, behind HTTP, and a Slack that grants."""
    sandbox = Sandbox()
    await sandbox.start()
    sandbox.slack.grants.lifetime = lifetime
    made = settings(
        var,
        slack_client_id=tickets.CLIENT_ID,
        slack_client_secret=SecretStr(tickets.CLIENT_SECRET),
        slack_signing_secret=SecretStr(sandbox.signing_secret),
        slack_api_url=sandbox.api_url,
        channels={"pa_dealing": f"{NORTH}:C0COMPLIANCE"},
    )
    bot = await build(made, port=0, store=in_memory(), host="127.0.0.1")
    try:
        await bot.start()
        sandbox.slack.grants.redirect = f"{address(bot)}/slack/oauth_redirect"
        yield sandbox, bot
    finally:
        await bot.stop()
        await sandbox.stop()


@asynccontextmanager
async def replica(bot: Bot) -> AsyncIterator[Bot]:
    """One more bot over the same store and Slack."""
    other = await build(bot.settings, port=0, store=bot.store, host="127.0.0.1")
    try:
        await other.start()
        yield other
    finally:
        await other.engine.stop()
        await other.web.stop()
        for close in other.closing:
            await close()


def address(bot: Bot) -> str:
    """Where the bot listens."""
    return f"http://127.0.0.1:{bot.web.port}"


async def install(bot: Bot, team: str) -> tuple[int, str]:
    """A person's browser: the bot's page, Slack's, and back."""
    async with aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as browser:
        async with browser.get(f"{address(bot)}/slack/install?team={team}") as page:
            link, cookie = link_of(await page.text()), page.headers["Set-Cookie"].partition(";")[0]
        async with browser.get(link, allow_redirects=False) as agreed:
            there = agreed.headers["Location"]
        async with browser.get(there, headers={"Cookie": cookie}) as back:
            return back.status, await back.text()


def link_of(page: str) -> str:
    """Where the button of the bot's page leads."""
    return page.partition('<a href="')[2].partition('"')[0].replace("&amp;", "&")


async def told(bot: Bot, sandbox: Sandbox, team: str, event: dict[str, Any]) -> int:
    """Slack tells the bot of an event in a workspace."""
    body = {"type": "event_callback", "team_id": team, "api_app_id": "A0", "event": event, "event_id": f"Ev{id(event)}"}
    sent = json.dumps(body)
    headers = {"Content-Type": "application/json", **signature(sandbox.signing_secret, sent)}
    async with (
        aiohttp.ClientSession() as http,
        http.post(f"{address(bot)}/slack/events", data=sent, headers=headers) as answer,
    ):
        return answer.status


def said(text: str, ts: str = "1795000000.000100") -> dict[str, Any]:
    """A person's message in their direct message."""
    return {"type": "message", "channel": "D0ALEX", "channel_type": "im", "user": "U0ALEX", "text": text, "ts": ts}


def posts(sandbox: Sandbox, team: str) -> list[str]:
    """What was posted with a workspace's token."""
    return [str(one.args["text"]) for one in sandbox.sent if one.method == "chat.postMessage" and one.team == team]


async def test_each_workspace_is_answered_with_its_own_token(tmp_path: Path) -> None:
    """Two workspaces install the app; the same person's words in each begin a draft of that workspace, and no token crosses over."""
    async with served(tmp_path) as (sandbox, bot):
        assert [(await install(bot, team))[0] for team in (NORTH, SOUTH)] == [200, 200]
        for team in (NORTH, SOUTH):
            assert await told(bot, sandbox, team, said("I'd like to buy 100 Tesco")) == 200
        await bot.engine.idle()
        assert posts(sandbox, NORTH) and posts(sandbox, SOUTH) and not posts(sandbox, "")
        drafts = [await bot.store.drafts_of(f"{team}:U0ALEX") for team in (NORTH, SOUTH)]
        assert [len(of) for of in drafts] == [1, 1] and drafts[0][0].id != drafts[1][0].id


async def test_where_it_is_not_installed_nothing_is_read(tmp_path: Path) -> None:
    """An event of a workspace that has not installed the app, or has taken it back, begins nothing and calls nothing."""
    async with served(tmp_path) as (sandbox, bot):
        await told(bot, sandbox, NORTH, said("I'd like to buy 100 Tesco"))
        await install(bot, NORTH)
        revoked = {"type": "tokens_revoked", "tokens": {"bot": ["U0HOLDFAST"]}}
        assert await told(bot, sandbox, NORTH, revoked) == 200
        assert await told(bot, sandbox, NORTH, {"type": "app_uninstalled"}) == 200
        await told(bot, sandbox, NORTH, said("I'd like to buy 100 Tesco", "1795000000.000200"))
        await bot.engine.idle()
        assert posts(sandbox, NORTH) == [] and await bot.store.installed() == 0
        await install(bot, NORTH)
        await told(bot, sandbox, NORTH, said("I'd like to buy 100 Tesco", "1795000000.000300"))
        await bot.engine.idle()
        assert posts(sandbox, NORTH)


async def test_a_token_is_renewed_before_it_ends_once(tmp_path: Path) -> None:
    """Of two replicas at the same moment one renews; both go on with a token that holds."""
    async with served(tmp_path, lifetime=SHORT) as (sandbox, bot), replica(bot) as other:
        await install(bot, NORTH)
        sandbox.slack.grants.lifetime = LONG
        words = [said("I'd like to buy 100 Tesco", f"1795000000.00{n}000") for n in range(1, 5)]
        await asyncio.gather(*(told((bot, other)[n % 2], sandbox, NORTH, one) for n, one in enumerate(words)))
        for one in (bot, other, bot, other):
            await one.engine.idle()
        renewed = [one for one in sandbox.sent if one.args.get("grant_type") == "refresh_token"]
        assert len(renewed) == 1 and posts(sandbox, NORTH)
        assert [one for one in sandbox.sent if not one.ok] == []


async def test_a_token_that_cannot_be_renewed_serves_until_it_ends(tmp_path: Path) -> None:
    """Where Slack refuses to renew, people are still answered."""
    async with served(tmp_path, lifetime=SHORT) as (sandbox, bot):
        await install(bot, NORTH)
        sandbox.slack.grants.refreshes.clear()
        await told(bot, sandbox, NORTH, said("I'd like to buy 100 Tesco"))
        await bot.engine.idle()
        assert posts(sandbox, NORTH)


@pytest.mark.parametrize("broken", ["no cookie", "state of another", "used twice", "no code"])
async def test_an_installation_that_another_began_is_refused(tmp_path: Path, broken: str) -> None:
    """Who comes back without the cookie, with a state that is not theirs or was used, or without a code, installs nothing."""
    async with (
        served(tmp_path) as (sandbox, bot),
        aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as browser,
    ):
        async with browser.get(f"{address(bot)}/slack/install") as page:
            cookie = page.headers["Set-Cookie"].partition(";")[0]
        state = cookie.partition("=")[2]
        asked = {"code": sandbox.slack.grants.code(NORTH), "state": state}
        headers = {"Cookie": cookie}
        if broken == "no cookie":
            headers = {}
        elif broken == "state of another":
            asked["state"] = "x" * len(state)
        elif broken == "used twice":
            async with browser.get(f"{address(bot)}/slack/oauth_redirect", params={"state": state}, headers=headers):
                pass
        else:
            del asked["code"]
        async with browser.get(f"{address(bot)}/slack/oauth_redirect", params=asked, headers=headers) as back:
            assert back.status in (400, 401), await back.text()
        assert await bot.store.installed() == 0


async def test_the_address_of_slack_asks_for_what_the_manifest_says(tmp_path: Path) -> None:
    """The way to Slack's own page names the app, the bot's scopes and a state."""
    async with served(tmp_path) as (sandbox, bot), aiohttp.ClientSession() as browser:
        async with browser.get(f"{address(bot)}/slack/install") as page:
            link = link_of(await page.text())
        asked = parse_qs(urlsplit(link).query)
        assert link.startswith(f"{sandbox.url}/oauth/v2/authorize?") and asked["client_id"] == [tickets.CLIENT_ID]
        assert "chat:write" in asked["scope"][0].split(",") and asked["state"][0]


def test_a_channel_belongs_to_its_workspace() -> None:
    """What is announced in one workspace is never announced in another; a channel alone is that of every one."""
    channels = {"pa_dealing": "T0NORTH:C1, T0SOUTH:C2", "loan": "C3", "expenses": "T0NORTH:C4"}
    assert of_team(channels, NORTH) == {"pa_dealing": "C1", "loan": "C3", "expenses": "C4"}
    assert of_team(channels, SOUTH) == {"pa_dealing": "C2", "loan": "C3"}
    assert of_team(channels, "T0WEST") == {"loan": "C3"}


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"slack_client_id": "1.2"}, "belong together"),
        (
            {
                "slack_client_id": "1.2",
                "slack_client_secret": "s",
                "slack_bot_token": "xoxb-1",
                "slack_signing_secret": "s",
            },
            "take one of them out",
        ),
        ({"slack_client_id": "1.2", "slack_client_secret": "s"}, "SLACK_SIGNING_SECRET"),
    ],
)
def test_settings_that_cannot_go_together_are_told(given: dict[str, Any], sentence: str) -> None:
    """Half of the pair, a token beside it, or no signing secret: each is a sentence that says what to do."""
    with pytest.raises(Wrong, match=sentence):
        load(_env_file=None, **given)
