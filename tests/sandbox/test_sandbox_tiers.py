"""Slack's rate limits in the sandbox: so many calls of a method a minute, about one post a second in a conversation."""

from collections.abc import AsyncIterator

import pytest
from sandbox_types import Connect
from slack_bolt.async_app import AsyncApp
from slack_clock import Hand, on_clock
from slack_screens import actions, button
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.webhook.async_client import AsyncWebhookClient

from bot.sandbox.people import Person
from bot.sandbox.server import Sandbox


@pytest.fixture
async def sandbox(hand: Hand) -> AsyncIterator[Sandbox]:
    """A sandbox on our clock."""
    async for running in on_clock(hand):
        yield running


async def granted(call: object) -> float:
    """0 for a call that is granted, else the seconds that Slack asks to wait."""
    try:
        await call  # type: ignore[misc]
    except SlackApiError as refused:
        assert (refused.response.status_code, refused.response["error"]) == (429, "ratelimited")
        return float(refused.response.headers["Retry-After"])
    return 0.0


async def posted(client: AsyncWebClient, channel: str = "D0ALEX") -> str:
    """A message that may be changed."""
    return str((await client.chat_postMessage(channel=channel, text="x"))["ts"])


async def test_a_message_is_changed_fifty_times_a_minute(client: AsyncWebClient, hand: Hand) -> None:
    """The fifty-first chat.update of a minute is refused, with the seconds until the first of them is a minute old."""
    ts = await posted(client)
    for n in range(50):
        hand.now += 0.5
        assert not await granted(client.chat_update(channel="D0ALEX", ts=ts, text=str(n)))
    assert await granted(client.chat_update(channel="D0ALEX", ts=ts, text="x")) == 36
    hand.now += 36
    assert not await granted(client.chat_update(channel="D0ALEX", ts=ts, text="last"))


async def test_the_tiers_are_those_of_each_method(client: AsyncWebClient, sandbox: Sandbox) -> None:
    """A method that is used up says nothing of the others."""
    ts = await posted(client)
    waits = [await granted(client.chat_update(channel="D0ALEX", ts=ts, text="x")) for _ in range(51)]
    assert [w > 0 for w in waits] == [False] * 50 + [True]
    assert not await granted(client.conversations_history(channel="D0ALEX"))
    views = [await granted(client.users_info(user="U0ALEX")) for _ in range(101)]
    assert [w > 0 for w in views] == [False] * 100 + [True]
    assert [sent.method for sent in sandbox.sent if not sent.ok] == ["chat.update", "users.info"]


async def test_a_conversation_takes_five_posts_at_once_and_then_one_a_second(
    client: AsyncWebClient, alex: Person, hand: Hand
) -> None:
    """What one conversation has used up does not count for another."""
    waits = [await granted(client.chat_postMessage(channel="D0ALEX", text="x")) for _ in range(6)]
    assert waits == [0, 0, 0, 0, 0, 1]
    assert len(alex.messages()) == 5
    assert not await granted(client.chat_postMessage(channel="C0GENERAL", text="x"))
    hand.now += 1
    waits = [await granted(client.chat_postMessage(channel="D0ALEX", text="x")) for _ in range(2)]
    assert waits == [0, 1]


@pytest.mark.parametrize(("knob", "after"), [(30, 2.0), (0, 0.0)])
async def test_the_knob_speeds_the_minutes_up_or_takes_them_off(
    client: AsyncWebClient, sandbox: Sandbox, hand: Hand, knob: int, after: float
) -> None:
    """With 30 a minute has two seconds; with 0 there are no limits."""
    sandbox.knobs.turn({"tiers": knob})
    ts = await posted(client)
    for _ in range(50):
        await client.chat_update(channel="D0ALEX", ts=ts, text="x")
    hand.now += after
    assert not await granted(client.chat_update(channel="D0ALEX", ts=ts, text="x"))


async def test_a_click_brings_an_address_that_no_tier_counts(
    client: AsyncWebClient, app: AsyncApp, connect: Connect, sandbox: Sandbox, alex: Person, hand: Hand
) -> None:
    """When chat.update is used up, the clicked message is still replaced through its response_url, five times, with `ok`."""
    came: list[str] = []

    async def note(ack: object, body: dict[str, object]) -> None:
        came.append(str(body["response_url"]))
        await ack()  # type: ignore[operator]

    app.action("go")(note)
    await connect(app)
    ts = str((await client.chat_postMessage(channel="D0ALEX", text="q", blocks=actions(button("go", "Go"))))["ts"])
    for _ in range(50):
        await client.chat_update(channel="D0ALEX", ts=ts, text="q", blocks=actions(button("go", "Go")))
    await alex.click("Go")
    webhook = AsyncWebhookClient(came[0])
    for n in range(5):
        hand.now += 1
        answer = await webhook.send(text=str(n), blocks=actions(button("go", str(n))), replace_original=True)
        assert (answer.status_code, answer.body) == (200, "ok")
        assert [(m["ts"], m["text"]) for m in alex.messages()] == [(ts, str(n))]
    assert (await webhook.send(text="6", replace_original=True)).status_code == 404
    assert await granted(client.chat_update(channel="D0ALEX", ts=ts, text="x")) > 0
