"""Faults on demand: each knob does what it says, as often as it says, and nothing else."""

import asyncio
import time

import pytest
from sandbox_types import Connect
from slack_bolt.async_app import AsyncApp
from slack_screens import BLOCKS
from slack_sdk.errors import SlackApiError
from slack_sdk.http_retry.builtin_async_handlers import AsyncRateLimitErrorRetryHandler
from slack_sdk.web.async_client import AsyncWebClient
from slack_socket import connected

from bot.sandbox.people import Person
from bot.sandbox.server import Sandbox
from bot.sandbox.workspace import ActError, Json
from tests.patience import PATIENCE

POST = "chat.postMessage"
WORDS = {"channel": "D0ALEX", "text": "hello"}


async def test_a_rate_limit_says_when_to_come_back(client: AsyncWebClient, sandbox: Sandbox, alex: Person) -> None:
    """The next calls of one method get 429 with Retry-After and do nothing; then all is well."""
    sandbox.knobs.rate_limit[POST] = 1
    with pytest.raises(SlackApiError) as limited:
        await client.chat_postMessage(**WORDS)
    assert (limited.value.response.status_code, limited.value.response["error"]) == (429, "ratelimited")
    assert limited.value.response.headers["Retry-After"] == "1"
    assert alex.messages() == []
    assert (await client.chat_postMessage(**WORDS))["ok"]


async def test_the_sdks_retry_handler_gets_through(sandbox: Sandbox, alex: Person) -> None:
    """The SDK's own handler waits as told and posts once."""
    sandbox.knobs.turn({"rate_limit": {POST: 1}, "retry_after": 0})
    patient = AsyncWebClient(
        sandbox.bot_token, base_url=sandbox.api_url, retry_handlers=[AsyncRateLimitErrorRetryHandler()]
    )
    await patient.chat_postMessage(**WORDS)
    assert len(alex.messages()) == 1


async def test_failures_come_in_turn(client: AsyncWebClient, sandbox: Sandbox, alex: Person) -> None:
    """A list of failures is used up in order: HTTP statuses and Slack's errors."""
    sandbox.knobs.fail[POST] = [503, "fatal_error"]
    with pytest.raises(SlackApiError) as first:
        await client.chat_postMessage(**WORDS)
    with pytest.raises(SlackApiError) as second:
        await client.chat_postMessage(**WORDS)
    assert first.value.response.status_code == 503
    assert second.value.response["error"] == "fatal_error"
    assert alex.messages() == []
    assert [call.ok for call in sandbox.sent] == [False, False]
    assert (await client.chat_postMessage(**WORDS))["ok"]


@pytest.mark.parametrize(("outage", "error"), [(502, "http"), ("page", "http"), ("token_revoked", "token_revoked")])
async def test_an_outage_lasts_until_it_is_over(
    client: AsyncWebClient, sandbox: Sandbox, alex: Person, outage: int | str, error: str
) -> None:
    """For one method or for all, every call fails in the same way and does nothing, until the knob is turned back."""
    sandbox.knobs.outage = {"*": outage}
    for _ in range(2):
        with pytest.raises(SlackApiError):
            await client.chat_postMessage(**WORDS)
    assert alex.messages() == [] and str(sandbox.sent[-1].answer["error"]).startswith(error)
    sandbox.knobs.outage = {"auth.test": outage}
    assert (await client.chat_postMessage(**WORDS))["ok"]


async def test_who_comes_into_a_channel_is_told_to_the_app(sandbox: Sandbox) -> None:
    """An app that is let in, and a channel that is brought back, come as Slack's events; an archived channel takes no message."""
    sandbox.remove_bot("C0COMPLIANCE")
    async with connected(sandbox) as raw:
        sandbox.invite_bot("C0COMPLIANCE")
        joined = (await raw.take())["payload"]["event"]
        sandbox.archive("C0COMPLIANCE")
        sandbox.unarchive("C0COMPLIANCE")
        back = (await raw.take())["payload"]["event"]
    assert (joined["type"], joined["user"], joined["channel"]) == (
        "member_joined_channel",
        "U0HOLDFAST",
        "C0COMPLIANCE",
    )
    assert (back["type"], back["channel"]) == ("channel_unarchive", "C0COMPLIANCE")


async def test_a_call_may_be_carried_out_and_never_answered(sandbox: Sandbox, alex: Person) -> None:
    """The message is there although the caller heard nothing."""
    sandbox.knobs.timeout_after_delivery[POST] = 1
    hasty = AsyncWebClient(sandbox.bot_token, base_url=sandbox.api_url, timeout=0.2)
    with pytest.raises(asyncio.TimeoutError):
        await hasty.chat_postMessage(**WORDS)
    await sandbox.until(lambda: len(alex.messages()) == 1)
    assert sandbox.sent[-1].ok


async def test_the_sdk_repeats_a_call_whose_connection_broke(sandbox: Sandbox, alex: Person) -> None:
    """The SDK's default retry posts twice when the connection breaks after the first: what bots must expect."""
    sandbox.knobs.disconnect_after_delivery[POST] = 1
    default = AsyncWebClient(sandbox.bot_token, base_url=sandbox.api_url)
    await default.chat_postMessage(**WORDS)
    assert len(alex.messages()) == 2


async def test_calls_may_be_slow(client: AsyncWebClient, sandbox: Sandbox) -> None:
    """A delayed method takes its time; others overtake it."""
    sandbox.knobs.delay[POST] = 0.15
    started = asyncio.get_running_loop().time()
    slow = asyncio.create_task(client.chat_postMessage(**WORDS))
    await client.auth_test()
    assert not slow.done()
    await slow
    assert asyncio.get_running_loop().time() - started >= 0.15
    assert [call.method for call in sandbox.sent] == ["auth.test", POST]


async def test_events_may_come_more_than_once(sandbox: Sandbox, alex: Person) -> None:
    """Every event is delivered as often as told, with one event id."""
    sandbox.knobs.redeliver = 2
    async with connected(sandbox) as raw:
        await alex.say("hello")
        frames = [await raw.take() for _ in range(3)]
    assert len({frame["payload"]["event_id"] for frame in frames}) == 1
    assert [frame["retry_attempt"] for frame in frames] == [0, 1, 2]


async def test_a_lost_ack_brings_the_event_again(sandbox: Sandbox, alex: Person) -> None:
    """An ack that is lost on its way counts for nothing."""
    sandbox.knobs.drop_acks = 1
    async with connected(sandbox) as raw:
        await alex.say("hello")
        first, second = await raw.take(), await raw.take()
        assert await raw.quiet()
    assert first["payload"]["event_id"] == second["payload"]["event_id"]


async def test_a_nervous_finger_clicks_twice(
    app: AsyncApp, connect: Connect, client: AsyncWebClient, sandbox: Sandbox, alex: Person
) -> None:
    """A doubled click arrives twice, with its own time and trigger each, on the message as it was."""
    seen: list[Json] = []

    @app.action("go")
    async def note(ack: object, body: Json) -> None:
        await ack()  # type: ignore[operator]
        seen.append(body)
        await client.chat_update(channel="D0ALEX", ts=body["message"]["ts"], text="done")

    await connect(app)
    await client.chat_postMessage(**WORDS, blocks=BLOCKS)
    sandbox.knobs.duplicate_clicks = 1
    await alex.click("Go")
    await sandbox.until(lambda: len(seen) == 2)
    assert seen[0]["message"] == seen[1]["message"]
    assert len({click["actions"][0]["action_ts"] for click in seen}) == 2
    assert len({click["trigger_id"] for click in seen}) == 2


@pytest.mark.parametrize(
    "given",
    [
        {"gremlins": 1},
        {"redeliver": -1},
        {"redeliver": True},
        {"rate_limit": 3},
        {"rate_limit": {POST: "often"}},
        {"fail": {POST: 503}},
        {"delay": {POST: -1}},
        {"outage": {POST: [500]}},
    ],
)
def test_a_wrong_knob_changes_nothing(given: Json) -> None:
    """An unknown knob or a value of another kind is refused whole."""
    sandbox = Sandbox()
    before = sandbox.knobs.as_json()
    with pytest.raises(ActError):
        sandbox.knobs.turn({"drop_acks": 1, **given})
    assert sandbox.knobs.as_json() == before


async def test_a_wait_ends_with_its_time_though_something_changes_at_that_moment(sandbox: Sandbox) -> None:
    """Whoever waits for what never comes hears so in time, also where something else comes just then."""

    def busy() -> None:
        time.sleep(0.2)
        sandbox.slack.changes.tick()

    asyncio.get_running_loop().call_later(0.05, busy)
    with pytest.raises(TimeoutError, match="not within"):
        async with asyncio.timeout(PATIENCE):
            await sandbox.until(lambda: False, timeout=0.1)
