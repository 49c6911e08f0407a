"""An unmodified Bolt app lives on the sandbox: events, commands, files, home."""

from typing import Any

import pytest
from sandbox_types import Connect, Seen
from slack_bolt.async_app import AsyncApp
from slack_sdk.web.async_client import AsyncWebClient

from bot.sandbox.people import Person
from bot.sandbox.server import Sandbox
from bot.sandbox.workspace import ActError, Json

Handler = Any


async def test_words_reach_the_app_and_its_answer_the_person(
    app: AsyncApp, connect: Connect, sandbox: Sandbox, alex: Person
) -> None:
    """A message event carries who, where and what, escaped; say() answers there."""

    @app.event("message")
    async def answer(event: Json, say: Handler, context: Json) -> None:
        await say(f"{context['user_id']} {event['channel_type']} {event['text']}")

    await connect(app)
    await alex.say("5 < 6 & <!channel>")
    await sandbox.until(lambda: len(alex.messages()) == 2)
    assert alex.messages()[1]["text"] == "U0ALEX im 5 &lt; 6 &amp; &lt;!channel&gt;"


async def test_a_mention_is_heard_twice_as_in_slack(sandbox: Sandbox, alex: Person, events: Seen) -> None:
    """A mention in a channel comes as a message and as an app_mention with one timestamp."""
    await alex.say("@Holdfast hello", channel="C0GENERAL")
    await sandbox.until(lambda: len(events) == 2)
    assert {event["type"] for event in events} == {"message", "app_mention"}
    assert events[0]["ts"] == events[1]["ts"]
    assert events[0]["text"] == "<@U0HOLDFAST> hello"


async def test_the_bots_own_messages_come_back_and_bolt_ignores_them(
    sandbox: Sandbox, client: AsyncWebClient, alex: Person, events: Seen
) -> None:
    """The app's own posts and their changes are events too, and Bolt drops them."""
    ts = (await client.chat_postMessage(channel="D0ALEX", text="hello"))["ts"]
    await client.chat_update(channel="D0ALEX", ts=ts, text="other")
    await alex.say("mine")
    await sandbox.until(lambda: events and not sandbox.slack.delivery.under_way)
    assert [event["text"] for event in events] == ["mine"]
    assert not sandbox.slack.delivery.failed


async def test_edits_and_deletions_are_told(sandbox: Sandbox, alex: Person, events: Seen) -> None:
    """A person's edit and deletion come as message_changed and message_deleted."""
    ts = await alex.say("hello")
    await alex.edit(ts, "hallo")
    await alex.delete(ts)
    await sandbox.until(lambda: len(events) == 3)
    by_kind = {event.get("subtype"): event for event in events}
    changed, deleted = by_kind["message_changed"], by_kind["message_deleted"]
    assert (changed["message"]["text"], changed["previous_message"]["text"]) == ("hallo", "hello")
    assert changed["message"]["edited"]["user"] == "U0ALEX"
    assert deleted["deleted_ts"] == ts


async def test_home_is_opened_and_published(
    app: AsyncApp, connect: Connect, sandbox: Sandbox, alex: Person, seen: Seen
) -> None:
    """Opening the home tab tells the app, with the published view from the second time on."""

    @app.event("app_home_opened")
    async def publish(event: Json, client: AsyncWebClient) -> None:
        seen.append(event)
        await client.views_publish(user_id=event["user"], view={"type": "home", "blocks": [{"type": "divider"}]})

    await connect(app)
    await alex.open_home()
    await sandbox.until(lambda: alex.home)
    await alex.open_home()
    await sandbox.until(lambda: len(seen) == 2)
    assert [event["tab"] for event in seen] == ["home", "home"]
    assert "view" not in seen[0]
    assert seen[1]["view"]["id"] == alex.home["id"]


async def test_a_command_answers_in_its_ack(app: AsyncApp, connect: Connect, alex: Person, seen: Seen) -> None:
    """What a command's ack says is seen by the person alone, or by all with in_channel."""

    @app.command("/pa")
    async def answer(ack: Handler, body: Json) -> None:
        seen.append(body)
        await ack({"text": body["text"], "response_type": body["text"]})

    await connect(app)
    await alex.say("/pa in_channel", channel="C0GENERAL")
    await alex.command("/pa", "ephemeral", channel="C0GENERAL")
    assert [message["text"] for message in alex.messages("C0GENERAL")] == ["in_channel"]
    assert [message["text"] for message in alex.ephemerals("C0GENERAL")] == ["ephemeral"]
    assert (seen[0]["command"], seen[0]["channel_name"], seen[0]["user_name"]) == ("/pa", "general", "alex.reed")


async def test_commands_are_known_and_not_for_threads(sandbox: Sandbox, alex: Person) -> None:
    """An unknown command is plain words, and in a thread every command is."""
    ts = await alex.say("/unknown thing")
    assert alex.messages()[0]["text"] == "/unknown thing"
    assert await alex.say("/pa status", thread_ts=ts) is not None
    with pytest.raises(ActError, match="not a command"):
        await alex.command("/unknown")
    with pytest.raises(ActError, match="/pa failed"):
        await alex.command("/pa")


async def test_a_shared_file_is_told(sandbox: Sandbox, alex: Person, events: Seen) -> None:
    """A file comes with a file_share message and a file_shared event that name the same file."""
    await alex.upload("note.txt", b"hello", "text/plain")
    await sandbox.until(lambda: len(events) == 2)
    shared = next(event for event in events if event["type"] == "message")
    assert (shared["subtype"], shared["files"][0]["mimetype"]) == ("file_share", "text/plain")
    assert {event.get("file_id", shared["files"][0]["id"]) for event in events} == {shared["files"][0]["id"]}


async def test_several_connections_share_the_work(
    client: AsyncWebClient, connect: Connect, sandbox: Sandbox, alex: Person
) -> None:
    """With two connections each event reaches one of them, and both get some."""
    heard: list[list[str]] = [[], []]
    for mine in heard:
        app = AsyncApp(name="app", client=client)
        app.event("message")(_noting(mine))
        await connect(app)
    for number in range(6):
        await alex.say(str(number))
    await sandbox.until(lambda: len(heard[0]) + len(heard[1]) == 6)
    assert len(heard[0]) == len(heard[1]) == 3


def _noting(mine: list[str]) -> Handler:
    async def note(event: Json) -> None:
        mine.append(event["text"])

    return note
