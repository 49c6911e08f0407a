"""Slack: clients, workspaces, and the Bolt app."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import aiohttp
from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler
from slack_bolt.async_app import AsyncApp
from slack_bolt.authorization import AuthorizeResult
from slack_sdk.errors import SlackApiError, SlackClientError
from slack_sdk.http_retry.builtin_async_handlers import AsyncRateLimitErrorRetryHandler
from slack_sdk.oauth.token_rotation.async_rotator import AsyncTokenRotator
from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.web.async_slack_response import AsyncSlackResponse

from bot.operations import logs
from bot.operations.logs import TOKEN_REFUSED, slack_answer
from bot.settings import Settings, Wrong
from bot.slack.client import ClientFor, SlackAvailability, SlackClient
from bot.slack.workspaces import Workspaces
from state.stores.store import Store

Authorize = Callable[..., Awaitable[Any]]
TRIES, TIMEOUT = 3, 15
"""Refusals for a rate that a listener waits out; seconds for an answer of Slack's."""


def make_client(settings: Settings, tries: int, reach: SlackAvailability, token: str = "") -> SlackClient:
    """Return a Web API client, which waits out so many refusals for its rate; a broken connection is the poster's, never blindly repeated."""
    own = settings.slack_bot_token.get_secret_value() if settings.slack_bot_token else None
    handlers = [AsyncRateLimitErrorRetryHandler(max_retry_count=tries)]
    given = token or own
    return SlackClient(given, base_url=settings.slack_api_url, timeout=TIMEOUT, retry_handlers=[*handlers], reach=reach)


def make_clients(settings: Settings, session: aiohttp.ClientSession) -> tuple[SlackClient, SlackClient]:
    """One for listeners, which wait out refusals for a rate, and one for the performer, which does not; they share connections."""
    reach = SlackAvailability(settings.holdfast_pace)
    listening, client = make_client(settings, TRIES, reach), make_client(settings, 0, reach)
    reach.ask = client.auth_test
    listening.session = client.session = session
    return listening, client


def make_workspaces(settings: Settings, store: Store, client: AsyncWebClient) -> Workspaces | None:
    """Where workspaces install the app by themselves, a client for each of them. All share the connections of `client`."""
    if not (settings.slack_client_id and settings.slack_client_secret):
        return None

    def client_of(token: str, reach: SlackAvailability) -> SlackClient:
        made = make_client(settings, 0, reach, token)
        made.session = client.session
        return made

    secret = settings.slack_client_secret.get_secret_value()
    rotator = AsyncTokenRotator(client_id=settings.slack_client_id, client_secret=secret, client=client)
    return Workspaces(store, client_of, lambda: SlackAvailability(settings.holdfast_pace), rotator)


def for_every(client: SlackClient) -> ClientFor:
    """One client, whichever the workspace."""

    async def one(_team: str) -> SlackClient:
        return client

    return one


def make_app(settings: Settings, client: AsyncWebClient, authorize: Authorize | None = None) -> AsyncApp:
    """Return the Bolt app: an event is answered only after its listener has stored it. Bolt would look for a name through every loaded module."""
    secret = settings.slack_signing_secret.get_secret_value() if settings.slack_signing_secret else ""
    told = logging.getLogger("slack_bolt.app")
    told.setLevel(
        logging.ERROR
    )  # it warns that the client's token counts, as it should, where the environment has one too
    app = AsyncApp(
        name="holdfast", client=client, signing_secret=secret, process_before_response=True, logger=told,
        authorize=authorize or _authorize(client),
    )  # fmt: skip
    for logger in (told, app.logger):
        logger.setLevel(logging.NOTSET)
    app.middleware(_afresh)
    return app


def _authorize(client: AsyncWebClient) -> Authorize:
    """For Bolt: whose the token is, asked once. Bolt's own way acknowledges and drops an event while Slack does not say; it is stored here."""
    known: list[AuthorizeResult] = []

    async def authorize(team_id: str | None, enterprise_id: str | None) -> AuthorizeResult:
        token = str(client.token)
        with suppress(SlackClientError, aiohttp.ClientError, TimeoutError):
            if not known:
                answer = await client.auth_test()
                known.append(AuthorizeResult.from_auth_test_response(bot_token=token, auth_test_response=answer))
        return known[0] if known else AuthorizeResult(enterprise_id=enterprise_id, team_id=team_id, bot_token=token)

    return authorize


async def _afresh(next_: Callable[[], Awaitable[None]]) -> None:
    """Keep the id of one request out of the log lines of another."""
    logs.forget()
    await next_()


ELSEWHERE = "Slack cannot be reached at {url} ({why}). Check the network, a proxy, and SLACK_API_URL."
BOT_REFUSED = "Slack refuses SLACK_BOT_TOKEN ({why}). Copy the Bot User OAuth Token anew from “OAuth & Permissions”."
APP_REFUSED = (
    "Slack refuses SLACK_APP_TOKEN ({why}). Make a new one with connections:write in “Basic Information”, and see that "
    "Socket Mode is on."
)
NO_SOCKET = (
    "Slack takes SLACK_APP_TOKEN, and its address for Socket Mode cannot be reached. Let the network, or a proxy, through "
    "to wss://*.slack.com."
)
PATIENCE = 25.0
"""Seconds for the socket: the SDK tries again every ten."""
NO_ANSWER = "no answer of Slack's"
UNWELL = "Slack answers at {url}, but with an error ({why}). Check SLACK_API_URL, or try again later."


async def identify(client: AsyncWebClient) -> AsyncSlackResponse:
    """Who the bot is to Slack. Raises Wrong."""
    with _slack(client, BOT_REFUSED):
        identity = await client.auth_test()
    if not (isinstance(identity.data, dict) and identity.data.get("team_id")):
        raise Wrong([UNWELL.format(url=client.base_url, why=NO_ANSWER)])
    return identity


async def check_app_token(client: AsyncWebClient, token: str) -> None:
    """Raises Wrong: Slack's own SDK would try a refused token again for ever, and say nothing."""
    with _slack(client, APP_REFUSED):
        await client.apps_connections_open(app_token=token)


async def connected(handler: AsyncSocketModeHandler, client: AsyncWebClient, patience: float = PATIENCE) -> None:
    """Connect the socket. Raises Wrong after `patience` seconds: the SDK would try for ever, and nobody would know why nothing starts."""
    try:
        async with asyncio.timeout(patience):
            await handler.connect_async()  # type: ignore[no-untyped-call]  # Bolt has no types here
    except TimeoutError:
        await check_app_token(client, handler.app_token)
        raise Wrong([NO_SOCKET]) from None


@contextmanager
def _slack(client: AsyncWebClient, refused: str) -> Iterator[None]:
    try:
        yield
    except SlackApiError as refusal:
        why = slack_answer(refusal)[0]
        sentence = refused if why in TOKEN_REFUSED else UNWELL
        raise Wrong([sentence.format(why=why or NO_ANSWER, url=client.base_url)]) from None
    except (AttributeError, KeyError, TypeError):  # of the SDK's: what came is JSON, and not an object
        raise Wrong([UNWELL.format(url=client.base_url, why=NO_ANSWER)]) from None
    except (SlackClientError, aiohttp.ClientError, OSError, TimeoutError, ValueError) as problem:
        raise Wrong([ELSEWHERE.format(url=client.base_url, why=type(problem).__name__)]) from None
