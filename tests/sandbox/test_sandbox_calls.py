"""How a call reaches the Web API: its forms, its token, its name."""

import json

import pytest
from aiohttp import ClientSession
from slack_errors import error_of
from slack_sdk.web.async_client import AsyncWebClient

from bot.sandbox.people import Person
from bot.sandbox.server import Sandbox
from bot.sandbox.tickets import Clock
from bot.sandbox.workspace import Json

POST = "chat.postMessage"
WORDS = {"channel": "D0ALEX", "text": "hello"}


def bearer(sandbox: Sandbox) -> dict[str, str]:
    """The header that proves who calls."""
    return {"Authorization": f"Bearer {sandbox.bot_token}"}


@pytest.mark.parametrize(
    "form",
    [
        {"method": "GET", "params": WORDS},
        {"method": "POST", "params": WORDS},
        {"method": "POST", "data": WORDS},
        {"method": "POST", "json": WORDS},
    ],
    ids=["GET", "POST with a query string", "form", "JSON"],
)
async def test_every_form_of_a_call_is_understood(
    form: Json, sandbox: Sandbox, browser: ClientSession, alex: Person
) -> None:
    """A call may come as GET, query string, form or JSON."""
    request = {key: value for key, value in form.items() if key != "method"}
    async with browser.request(form["method"], sandbox.api_url + POST, headers=bearer(sandbox), **request) as response:
        assert (await response.json())["ok"] is True
    assert [message["text"] for message in alex.messages()] == ["hello"]


async def test_blocks_in_a_form_are_json(sandbox: Sandbox, browser: ClientSession, alex: Person) -> None:
    """Blocks that come as a string in a form are read as JSON."""
    blocks = json.dumps([{"type": "divider"}])
    async with browser.post(
        sandbox.api_url + POST, headers=bearer(sandbox), data={**WORDS, "blocks": blocks}
    ) as response:
        assert (await response.json())["ok"] is True
    assert alex.messages()[0]["blocks"][0]["type"] == "divider"


@pytest.mark.parametrize(("body", "error"), [("{", "invalid_json"), ("[1]", "json_not_object")])
async def test_a_broken_json_body_is_named(body: str, error: str, sandbox: Sandbox, browser: ClientSession) -> None:
    """A body that is no JSON, or no object, is refused with Slack's own errors, also at a response_url."""
    headers = {**bearer(sandbox), "Content-Type": "application/json;charset=utf-8"}
    for address in (sandbox.api_url + POST, f"{sandbox.url}/response/T0HOLDFAST/x"):
        async with browser.post(address, headers=headers, data=body) as response:
            assert await response.json() == {"ok": False, "error": error}


@pytest.mark.parametrize(
    ("headers", "error"),
    [
        ({}, "not_authed"),
        ({"Authorization": "Bearer xoxb-somebody-elses"}, "invalid_auth"),
        ({"Authorization": "Bearer xapp-sandbox-holdfast"}, "not_allowed_token_type"),
    ],
)
async def test_a_call_needs_the_bots_token(
    headers: dict[str, str], error: str, sandbox: Sandbox, browser: ClientSession, alex: Person
) -> None:
    """No token, a wrong one or the app-level one is refused, and nothing is posted."""
    async with browser.post(sandbox.api_url + POST, headers=headers, json=WORDS) as response:
        assert await response.json() == {"ok": False, "error": error}
    assert alex.messages() == []


async def test_a_token_may_come_as_a_parameter(sandbox: Sandbox, browser: ClientSession) -> None:
    """A token in the form is as good as one in the header, and is not kept in the records."""
    for headers in ({}, bearer(sandbox)):
        data = {**WORDS, "token": sandbox.bot_token}
        async with browser.post(sandbox.api_url + POST, headers=headers, data=data) as response:
            assert (await response.json())["ok"] is True
        assert sandbox.sent[-1].args == WORDS


async def test_sockets_need_the_app_level_token(sandbox: Sandbox, client: AsyncWebClient) -> None:
    """The bot's token opens no socket."""
    assert await error_of(client.apps_connections_open(app_token=sandbox.bot_token)) == "not_allowed_token_type"


async def test_an_unknown_method_is_named(client: AsyncWebClient) -> None:
    """A method that does not exist is answered with unknown_method."""
    assert await error_of(client.api_call("chat.shout", json=WORDS)) == "unknown_method"


async def test_every_call_is_recorded_with_its_answer(client: AsyncWebClient, sandbox: Sandbox) -> None:
    """The records hold method, arguments and answer of each call in order."""
    await client.auth_test()
    posted = await client.chat_postMessage(**WORDS)
    assert [call.method for call in sandbox.sent] == ["auth.test", POST]
    assert sandbox.sent[-1].args == WORDS
    assert sandbox.sent[-1].answer["ts"] == posted["ts"]
    assert sandbox.sent[-1].ok


def test_a_clock_that_stands_still_gives_new_timestamps() -> None:
    """Timestamps increase even when time does not, and when it goes back."""
    times = iter([1_700_000_000.0, 1_700_000_000.0, 1_600_000_000.0])
    clock = Clock(lambda: next(times))
    assert [clock.ts() for _ in range(3)] == ["1700000000.000000", "1700000000.000001", "1700000000.000002"]


async def test_records_are_bounded(sandbox: Sandbox) -> None:
    """Only the newest 5,000 calls are kept."""
    for number in range(5_003):
        sandbox.slack.records.add(POST, {"number": number}, {"ok": True})
    assert len(sandbox.sent) == 5_000
    assert sandbox.sent[-1].args == {"number": 5_002}


async def test_the_directory_knows_people_and_the_bot(client: AsyncWebClient) -> None:
    """People, the bot user and the members of a group can be looked up."""
    assert (await client.users_info(user="U0DANA"))["user"]["profile"]["title"] == "Compliance officer"
    assert (await client.users_info(user="U0HOLDFAST"))["user"]["is_bot"] is True
    assert [one["id"] for one in (await client.users_list())["members"]] == [
        "U0ALEX",
        "U0DANA",
        "U0ROBIN",
        "U0SASHA",
        "U0HOLDFAST",
    ]
    assert (await client.usergroups_users_list(usergroup="S0COMPLIANCE"))["users"] == ["U0DANA"]
    assert (await client.auth_test())["user_id"] == "U0HOLDFAST"


async def test_long_lists_come_in_pages(client: AsyncWebClient) -> None:
    """A cursor leads through a list, page by page, to its end."""
    seen: list[str] = []
    async for page in await client.users_list(limit=3):
        seen += [member["id"] for member in page["members"]]
    assert len(seen) == len(set(seen)) == 5
    assert await error_of(client.users_list(cursor="nonsense")) == "invalid_cursor"
