"""Downloads: the bot's token goes to Slack alone, and what comes is counted while it comes."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import pytest
from aiohttp import web
from slack_sdk.web.async_client import AsyncWebClient

from bot.slack.downloads import Fetched, Fetcher, TryAgain, may_have_token
from state.draft.documents import Sent
from tests.documents.files import pdf

TOKEN = "xoxb-1"
API = "https://slack.com/api/"


@dataclass
class Host:
    """A web server on this machine, and the tokens that it was shown."""

    url: str = ""
    tokens: list[str] = field(default_factory=list)
    info: dict[str, object] = field(default_factory=dict)

    async def file(self, request: web.Request) -> web.StreamResponse:
        """Answers by the name that is asked for."""
        self.tokens.append(request.headers.get("Authorization", ""))
        name = request.match_info["name"]
        if name.startswith("to:"):
            raise web.HTTPFound(request.query["there"])
        if name.isdigit():
            return web.Response(status=int(name))
        page = name == "login"
        return web.Response(body=b"<html>Sign in" if page else pdf(), content_type="text/html" if page else "x/y")

    async def endless(self, _: web.Request) -> web.Response:
        """More than anybody wants, without saying how much."""

        async def chunks() -> AsyncIterator[bytes]:
            while True:
                yield bytes(65536)

        return web.Response(body=chunks())

    async def files_info(self, _: web.Request) -> web.Response:
        """The Web API's files.info."""
        return web.json_response(
            {"ok": True, "file": self.info} if self.info else {"ok": False, "error": "file_deleted"}
        )


@asynccontextmanager
async def hosted() -> AsyncIterator[Host]:
    """A host that runs."""
    host, app = Host(), web.Application()
    app.add_routes([web.get("/files/{name}", host.file), web.get("/endless", host.endless)])
    app.router.add_route("*", "/api/files.info", host.files_info)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    host.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
    try:
        yield host
    finally:
        await runner.cleanup()


@pytest.fixture
async def slack() -> AsyncIterator[Host]:
    """The host that serves the Web API too."""
    async with hosted() as host:
        yield host


@pytest.fixture
async def stranger() -> AsyncIterator[Host]:
    """A host that is not Slack's."""
    async with hosted() as host:
        yield host


async def fetched(slack: Host, url: str, **more: object) -> Fetched:
    """The outcome of a file at this address."""
    client = AsyncWebClient(TOKEN, base_url=f"{slack.url}/api/")

    async def client_for(_team: str) -> AsyncWebClient:
        return client

    return await Fetcher(client_for, most=100_000).fetch("T1", Sent("F1", "a.pdf", url=url, **more))  # type: ignore[arg-type]


async def test_a_file_is_fetched_with_the_bots_token(slack: Host) -> None:
    """Slack gives a file to the bot's token, whole."""
    assert (await fetched(slack, f"{slack.url}/files/a.pdf")).content[:5] == b"%PDF-"
    assert slack.tokens == [f"Bearer {TOKEN}"]


async def test_nobody_else_is_shown_the_token(slack: Host, stranger: Host) -> None:
    """An address elsewhere, and a redirect that leads there, are not followed."""
    assert (await fetched(slack, f"{stranger.url}/files/a.pdf")).problem == "external"
    assert (await fetched(slack, f"{slack.url}/files/to:?there={stranger.url}/files/a.pdf")).problem == "external"
    assert stranger.tokens == []


@pytest.mark.parametrize(
    ("address", "may"),
    [
        ("https://files.slack.com/files-pri/T1-F1/a.pdf", True),
        ("https://acme.enterprise.slack.com/files/a.pdf", True),
        ("http://files.slack.com/files-pri/a.pdf", False),
        ("https://files.slack.com.example.org/a.pdf", False),
        ("https://notslack.com/a.pdf", False),
        ("https://files.slack.com@example.org/a.pdf", False),
        ("https://u:p@files.slack.com/a.pdf", False),
        ("https://files.slack.com:8443/a.pdf", False),
        ("ftp://slack.com/a.pdf", False),
        ("/a.pdf", False),
        ("", False),
    ],
)
def test_slacks_hosts_are_known_over_https(address: str, may: bool) -> None:
    """The token goes to Slack's hosts and those below them, over HTTPS at its own port."""
    assert may_have_token(address, API) is may


async def test_a_redirect_within_slack_is_followed(slack: Host) -> None:
    """A file that has moved is fetched where it is now; one that moves for ever is not."""
    assert (await fetched(slack, f"{slack.url}/files/to:?there=/files/a.pdf")).content
    assert (
        await fetched(slack, f"{slack.url}/files/to:?there=/files/to:%3Fthere=/files/to:%3Fthere=x")
    ).problem == "away"


@pytest.mark.parametrize(
    ("name", "problem"), [("login", "away"), ("403", "away"), ("401", "away"), ("404", "gone"), ("410", "gone")]
)
async def test_what_slack_refuses_is_told(slack: Host, name: str, problem: str) -> None:
    """The login page in a file's place means that the scope is missing; a file that is gone is gone."""
    assert (await fetched(slack, f"{slack.url}/files/{name}")).problem == problem


@pytest.mark.parametrize("name", ["500", "503", "429"])
async def test_trouble_that_may_pass_is_tried_again(slack: Host, name: str) -> None:
    """Slack's own trouble is no answer about the file."""
    with pytest.raises(TryAgain):
        await fetched(slack, f"{slack.url}/files/{name}")


async def test_a_file_that_is_too_large_is_cut_off_while_it_comes(slack: Host) -> None:
    """Neither a size that Slack tells nor one that it keeps to itself fills the memory."""
    assert (await fetched(slack, f"{slack.url}/files/a.pdf", size=200_000)).problem == "large"
    assert slack.tokens == []
    assert (await fetched(slack, f"{slack.url}/endless")).problem == "large"


async def test_a_file_of_another_organisation_is_asked_for(slack: Host) -> None:
    """Where the event only says that there is a file, its address is asked of Slack; one that is gone is told."""
    assert (await fetched(slack, "", access="check_file_info")).problem == "gone"
    slack.info = {"id": "F1", "name": "a.pdf", "size": 900, "url_private_download": f"{slack.url}/files/a.pdf"}
    assert (await fetched(slack, "", access="check_file_info")).content


async def test_a_file_that_lies_elsewhere_is_not_fetched(slack: Host) -> None:
    """A link to another service is no upload."""
    assert (await fetched(slack, "https://drive.example.org/a", external=True)).problem == "external"
