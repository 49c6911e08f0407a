"""Socket Mode on the wire: hello, envelopes, retries, waiting, disconnects, ten connections."""

from contextlib import AsyncExitStack

import aiohttp
import pytest
from aiohttp import ClientSession, WSMsgType
from sandbox_types import IMPATIENT, Connect, Seen
from slack_bolt.async_app import AsyncApp
from slack_socket import address, connected, opened

from bot.sandbox.people import Person
from bot.sandbox.server import Sandbox
from bot.sandbox.workspace import ActError, Json


async def test_hello_names_the_app(sandbox: Sandbox) -> None:
    """The first frame says which app is connected and how often."""
    async with opened(sandbox) as raw:
        hello = await raw.frame()
    assert hello["type"] == "hello"
    assert hello["connection_info"] == {"app_id": "A0HOLDFAST"}
    assert hello["num_connections"] == 1


async def test_an_event_comes_in_an_envelope(sandbox: Sandbox, alex: Person) -> None:
    """An event's envelope is a first attempt that accepts no answer."""
    async with connected(sandbox) as raw:
        await alex.say("hello")
        frame = await raw.take()
    assert (frame["type"], frame["retry_attempt"], frame["retry_reason"]) == ("events_api", 0, "")
    assert frame["accepts_response_payload"] is False
    assert frame["payload"]["event"]["text"] == "hello"


@IMPATIENT
async def test_an_event_without_ack_comes_three_times_more(sandbox: Sandbox, alex: Person) -> None:
    """Retries carry the same event id, a new envelope, their number and the reason; then Slack gives up."""
    async with connected(sandbox) as raw:
        await alex.say("hello")
        frames = [await raw.frame() for _ in range(4)]
        await sandbox.until(lambda: sandbox.slack.delivery.failed)
    assert [frame["retry_attempt"] for frame in frames] == [0, 1, 2, 3]
    assert [frame["retry_reason"] for frame in frames] == ["", "timeout", "timeout", "timeout"]
    assert len({frame["payload"]["event_id"] for frame in frames}) == 1
    assert len({frame["envelope_id"] for frame in frames}) == 4


async def test_an_ack_ends_the_retries(sandbox: Sandbox, alex: Person) -> None:
    """An event that was acked does not come again."""
    async with connected(sandbox) as raw:
        await alex.say("hello")
        await raw.ack(await raw.frame())
        assert await raw.quiet()
    assert sandbox.slack.delivery.under_way == 0


async def test_events_wait_for_a_connection(sandbox: Sandbox, alex: Person) -> None:
    """What happened while nobody was connected comes later, marked as a retry."""
    await alex.say("hello")
    async with connected(sandbox) as raw:
        frame = await raw.take()
    assert (frame["payload"]["event"]["text"], frame["retry_attempt"]) == ("hello", 1)


async def test_an_event_outlives_a_lost_connection(sandbox: Sandbox, alex: Person) -> None:
    """An envelope that was not acked when its connection broke is at once due for the next one."""
    async with connected(sandbox) as first:
        await alex.say("hello")
        lost = await first.frame()
    await sandbox.until(lambda: sandbox.slack.delivery.waiting)
    async with connected(sandbox) as second:
        again = await second.take()
    assert again["payload"]["event_id"] == lost["payload"]["event_id"]
    assert again["retry_attempt"] == 1


async def test_an_address_is_good_for_one_connection(sandbox: Sandbox, browser: ClientSession) -> None:
    """The address of a connection cannot be used twice."""
    url = await address(sandbox)
    async with browser.ws_connect(url):
        with pytest.raises(aiohttp.WSServerHandshakeError):
            await browser.ws_connect(url)


async def test_the_eleventh_connection_is_sent_away(sandbox: Sandbox) -> None:
    """An app has ten connections at most."""
    async with AsyncExitStack() as stack:
        for _ in range(10):
            await stack.enter_async_context(connected(sandbox))
        eleventh = await stack.enter_async_context(opened(sandbox))
        assert (await eleventh.frame())["reason"] == "too_many_websockets"
        assert await eleventh.closed()
        assert sandbox.connected == 10


async def test_pings_come_back_with_their_data(sandbox: Sandbox, browser: ClientSession) -> None:
    """The SDK's own ping is echoed as it was."""
    async with browser.ws_connect(await address(sandbox), autoping=False) as socket:
        await socket.receive()
        await socket.ping(b"sdk-ping-pong:1.5")
        pong = await socket.receive()
    assert (pong.type, bytes(pong.data)) == (WSMsgType.PONG, b"sdk-ping-pong:1.5")


async def test_a_warning_leaves_the_connection_open(sandbox: Sandbox, alex: Person) -> None:
    """A warning is only a frame; a refresh ends the connection."""
    async with connected(sandbox) as raw:
        await sandbox.disconnect("warning")
        assert (await raw.frame())["reason"] == "warning"
        await alex.say("hello")
        await raw.take()
        await sandbox.disconnect("refresh_requested")
        assert (await raw.frame())["reason"] == "refresh_requested"
        assert await raw.closed()


async def test_an_unknown_reason_is_refused(sandbox: Sandbox) -> None:
    """Only Slack's own reasons send an app away."""
    with pytest.raises(ActError, match="refresh_requested"):
        await sandbox.disconnect("boredom")


async def test_the_sdk_comes_back_after_a_refresh(sandbox: Sandbox, alex: Person, events: Seen) -> None:
    """The real handler reconnects on a disconnect and misses nothing said meanwhile."""
    await sandbox.disconnect("refresh_requested")
    await sandbox.until(lambda: not sandbox.connected)
    await alex.say("meanwhile")
    await sandbox.until(lambda: [event["text"] for event in events] == ["meanwhile"])


async def test_the_app_hears_nothing_where_its_bot_is_not(sandbox: Sandbox, alex: Person) -> None:
    """Words, mentions and files in a channel without the bot stay there."""
    sandbox.workspace.add_channel("C0PRIVATE", "private", ["U0ALEX"])
    async with connected(sandbox) as raw:
        await alex.say("@Holdfast psst", channel="C0PRIVATE")
        await alex.upload("note.txt", b"x", channel="C0PRIVATE")
        assert await raw.quiet()


async def test_nonsense_on_the_wire_is_ignored(sandbox: Sandbox, alex: Person) -> None:
    """Frames that are no acks do no harm."""
    async with connected(sandbox) as raw:
        for nonsense in ("{", "[]", '{"envelope_id": "none"}'):
            await raw.socket.send_str(nonsense)
        await alex.say("hello")
        await raw.take()


async def test_a_sandbox_that_was_away_comes_back_with_all_it_held(
    app: AsyncApp, connect: Connect, sandbox: Sandbox, alex: Person
) -> None:
    """After a stop and a start messages are there, the SDK reconnects, and unacked events come as retries."""
    heard: list[str] = []

    @app.event("message")
    async def note(event: Json) -> None:
        heard.append(event["text"])

    port = int(sandbox.url.rpartition(":")[2])
    async with connected(sandbox) as raw:
        await alex.say("hello")
        await raw.frame()
        await sandbox.stop()
    await sandbox.start(port=port)
    await connect(app)
    await sandbox.until(lambda: heard == ["hello"])
    assert [message["text"] for message in alex.messages()] == ["hello"]


async def test_an_event_between_two_attempts_outlives_a_restart() -> None:
    """An event that is waiting for its next attempt when the sandbox stops comes after the next start."""
    sandbox = Sandbox(ack_timeout=0.05, retry_delays=(60.0,))
    await sandbox.start()
    async with connected(sandbox) as raw:
        await sandbox.person("U0ALEX").say("hello")
        lost = await raw.frame()
        assert await raw.quiet()
        await sandbox.stop()
    await sandbox.start()
    async with connected(sandbox) as raw:
        assert (await raw.take())["payload"]["event_id"] == lost["payload"]["event_id"]
    await sandbox.stop()
