"""HTTP mode: signed requests to an unmodified Bolt app behind its own address."""

from collections.abc import AsyncIterator
from dataclasses import dataclass, field

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer
from slack_bolt.async_app import AsyncApp
from slack_screens import actions, button
from slack_sdk.signature import SignatureVerifier
from slack_sdk.web.async_client import AsyncWebClient

from bot.sandbox.people import Person
from bot.sandbox.server import Sandbox
from bot.sandbox.workspace import ActError, Json

BLOCKS = actions(button("go", "Go"))


@pytest.fixture
def app(sandbox: Sandbox, client: AsyncWebClient) -> AsyncApp:
    """A bot in HTTP mode: it verifies every signature."""
    return AsyncApp(name="app", client=client, signing_secret=sandbox.signing_secret)


@pytest.fixture
async def address(app: AsyncApp) -> AsyncIterator[str]:
    """The bot's own server."""
    async with TestServer(app.web_app("/slack/events")) as server:
        yield str(server.make_url("/slack/events"))


async def test_bolt_accepts_the_signed_requests(
    app: AsyncApp, address: str, sandbox: Sandbox, alex: Person, client: AsyncWebClient
) -> None:
    """Handshake, event, click and command all pass Bolt's signature check and reach their listeners."""
    heard: list[str] = []

    @app.event("message")
    async def said(event: Json) -> None:
        heard.append(f"event {event['text']}")

    @app.action("go")
    async def clicked(ack: object, body: Json) -> None:
        await ack()  # type: ignore[operator]
        heard.append(f"click {body['user']['id']}")

    @app.command("/pa")
    async def commanded(ack: object, command: Json) -> None:
        heard.append(f"command {command['text']}")
        await ack("answered")  # type: ignore[operator]

    await sandbox.deliver_to(address)
    await alex.say("hello")
    await sandbox.until(lambda: heard == ["event hello"])
    await client.chat_postMessage(channel="D0ALEX", text="q", blocks=BLOCKS)
    await alex.click("Go")
    await alex.command("/pa", "status")
    assert heard[1:] == ["click U0ALEX", "command status"]
    assert alex.ephemerals()[0]["text"] == "answered"


@dataclass
class Endpoint:
    """A plain receiver that keeps requests and answers with a status."""

    secret: str
    status: int = 200
    echoes: bool = False
    requests: list[tuple[dict[str, str], str]] = field(default_factory=list)
    signed: list[bool] = field(default_factory=list)

    async def take(self, request: web.Request) -> web.Response:
        """Keep one request."""
        body = await request.text()
        self.signed.append(SignatureVerifier(self.secret).is_valid_request(body, dict(request.headers)))
        self.requests.append((dict(request.headers), body))
        return web.Response(status=self.status, text=body if self.echoes else "ok")


@pytest.fixture
async def endpoint(sandbox: Sandbox) -> AsyncIterator[tuple[Endpoint, str]]:
    """A receiver and its address."""
    receiver = Endpoint(sandbox.signing_secret)
    application = web.Application()
    application.router.add_post("/", receiver.take)
    async with TestServer(application) as server:
        yield receiver, str(server.make_url("/"))


async def test_a_failing_app_gets_three_retries_with_slacks_headers(
    endpoint: tuple[Endpoint, str], sandbox: Sandbox, alex: Person
) -> None:
    """An event answered with an error comes three times more, numbered; each request is signed."""
    receiver, url = endpoint
    receiver.echoes = True
    await sandbox.deliver_to(url)
    receiver.status = 500
    await alex.say("hello")
    await sandbox.until(lambda: sandbox.slack.delivery.failed)
    assert [headers.get("X-Slack-Retry-Num") for headers, _ in receiver.requests] == [None, None, "1", "2", "3"]
    assert receiver.requests[2][0]["X-Slack-Retry-Reason"] == "http_error"
    assert all(receiver.signed)


async def test_an_address_that_does_not_know_the_challenge_is_refused(
    endpoint: tuple[Endpoint, str], sandbox: Sandbox
) -> None:
    """The url_verification handshake fails unless the challenge comes back."""
    with pytest.raises(ActError, match="challenge"):
        await sandbox.deliver_to(endpoint[1])
