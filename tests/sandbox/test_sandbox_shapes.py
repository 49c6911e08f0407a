"""The sandbox's answers and payloads have the shapes of Slack's own."""

import asyncio
import json
from pathlib import Path

from slack_screens import HOME, asking, button
from slack_sdk.web.async_client import AsyncWebClient
from slack_shapes import unlike
from slack_socket import RawSocket, connected

from bot.sandbox.people import Person
from bot.sandbox.server import Sandbox
from bot.sandbox.workspace import Json

METADATA = {"event_type": "outbox", "event_payload": {"id": "1"}}
BUTTON = button("go", "Go", value="1")
MODAL = {**asking(), "notify_on_close": True}

IN_EVERY_EVENT = {
    "context_team_id": "sent since 2024; in the FileSharedPayload sample",
    "context_enterprise_id": "sent since 2024; in the FileSharedPayload sample",
}
APP_ID = "a bot's message names its app, as in the sample of chat.postMessage"
NEWER: dict[str, dict[str, str]] = {
    "MessagePayload": {
        "event.app_id": APP_ID,
        "event.metadata": "event_type and event_payload, as in the sample of chat.postMessage",
    },
    "conversations.replies": {"messages[].client_msg_id": "people's messages have one, as in conversations.history"},
    "MessageChangedPayload": {"event.message.app_id": APP_ID, "event.previous_message.app_id": APP_ID},
    "MessageDeletedPayload": {"event.previous_message.app_id": APP_ID},
    "MessageFileSharePayload": {
        "event.team": "every message names its team, as in the MessagePayload sample",
        "event.files[].file_access": "in the sample of files.info",
    },
    "SlashCommandPayload": {"is_enterprise_install": 'a form\'s values are strings: "false"'},
    "ViewSubmissionPayload": {"response_urls": "documented for view_submission payloads"},
}


def check(samples: Path, name: str, emitted: Json) -> None:
    """Fail with every difference from Slack's shape."""
    sample = json.loads((samples / f"{name}.json").read_text())
    extra = NEWER.get(name, {}) | (IN_EVERY_EVENT if "event" in emitted else {})
    assert unlike(emitted, sample, extra) == []


def block(text: str = "words") -> Json:
    """A message's blocks with a button."""
    return {"text": text, "blocks": [{"type": "actions", "block_id": "b", "elements": [BUTTON]}]}


async def test_answers_have_slacks_shape(client: AsyncWebClient, sandbox: Sandbox, alex: Person, samples: Path) -> None:
    """Every method answers as Slack does: posting and reading, the directory, the assistant's lines, uploads."""

    async def answers(name: str, **args: object) -> Json:
        answer = (await client.api_call(name, json=args)).data
        check(samples, name, answer)
        return answer

    dm = {"channel": "D0ALEX"}
    parent = await alex.say("hello")
    posted = await answers("chat.postMessage", **dm, metadata=METADATA, **block())
    await answers("chat.postMessage", **dm, thread_ts=parent, metadata=METADATA, **block())
    await answers("chat.update", **dm, ts=posted["ts"], text="other")
    await answers("chat.postEphemeral", **dm, user="U0ALEX", text="psst")
    await alex.upload("note.txt", b"hello", "text/plain")
    await answers("conversations.history", **dm)
    await answers("conversations.replies", **dm, ts=parent, include_all_metadata=True)
    await answers("conversations.open", users="U0ALEX", return_im=True)
    await answers("chat.delete", **dm, ts=posted["ts"])
    await answers("auth.test")
    await answers("users.info", user="U0ALEX", include_locale=True)
    await answers("users.info", user="U0HOLDFAST")
    await answers("users.list")
    await answers("usergroups.users.list", usergroup="S0COMPLIANCE")
    thread = {"channel_id": "D0ALEX", "thread_ts": parent}
    await answers("assistant.threads.setStatus", **thread, status="…")
    await answers("assistant.threads.setSuggestedPrompts", **thread, prompts=[{"title": "Help", "message": "help"}])
    place = await answers("files.getUploadURLExternal", filename="a.txt", length=1)
    await answers("files.completeUploadExternal", files=[{"id": place["file_id"]}], channel_id="D0ALEX")
    await answers("files.info", file=place["file_id"])
    opened = await client.apps_connections_open(app_token=sandbox.app_token)
    check(samples, "apps.connections.open", opened.data)


async def test_view_answers_and_payloads_have_slacks_shape(
    client: AsyncWebClient, sandbox: Sandbox, alex: Person, samples: Path
) -> None:
    """Opening, stacking, changing, submitting and closing modals look as in Slack."""
    async with connected(sandbox) as raw:
        opened = await client.views_open(trigger_id=await trigger(raw, alex), view=MODAL)
        check(samples, "views.open", opened.data)
        check(samples, "views.push", (await client.views_push(trigger_id=await trigger(raw, alex), view=MODAL)).data)
        check(samples, "views.update", (await client.views_update(view_id=opened["view"]["id"], view=MODAL)).data)
        _, submitted = await asyncio.gather(alex.submit(values={"why": "because"}), raw.take())
        check(samples, "ViewSubmissionPayload", submitted["payload"])
        _, closed = await asyncio.gather(alex.close(), raw.take())
        check(samples, "ViewClosedPayload", closed["payload"])


async def test_home_answers_and_events_have_slacks_shape(
    client: AsyncWebClient, sandbox: Sandbox, alex: Person, samples: Path
) -> None:
    """Publishing a home view and looking at it are told as Slack tells them."""
    check(samples, "views.publish", (await client.views_publish(user_id="U0ALEX", view=HOME)).data)
    async with connected(sandbox) as raw:
        await alex.open_home()
        check(samples, "AppHomeOpenedPayload", (await raw.take())["payload"])


async def test_message_events_have_slacks_shape(
    client: AsyncWebClient, sandbox: Sandbox, alex: Person, samples: Path
) -> None:
    """Words, threads, changes, deletions and the app's own messages come as Slack sends them."""
    async with connected(sandbox) as raw:
        parent = await alex.say("hello @Holdfast")
        check(samples, "MessagePayload", (await raw.take())["payload"])
        own = await client.chat_postMessage(channel="D0ALEX", thread_ts=parent, metadata=METADATA, **block())
        check(samples, "MessagePayload", (await raw.take())["payload"])
        await client.chat_update(channel="D0ALEX", ts=own["ts"], text="other")
        check(samples, "MessageChangedPayload", (await raw.take())["payload"])
        await client.chat_delete(channel="D0ALEX", ts=own["ts"])
        check(samples, "MessageDeletedPayload", (await raw.take())["payload"])


async def test_mention_and_file_events_have_slacks_shape(sandbox: Sandbox, alex: Person, samples: Path) -> None:
    """A mention in a channel and a shared file come as the two events that Slack sends."""
    async with connected(sandbox) as raw:
        await alex.say("@Holdfast hello", channel="C0GENERAL")
        check(samples, "MessagePayload", (await raw.take())["payload"])
        check(samples, "AppMentionPayload", (await raw.take())["payload"])
        await alex.upload("note.txt", b"hello", "text/plain")
        check(samples, "MessageFileSharePayload", (await raw.take())["payload"])
        check(samples, "FileSharedPayload", (await raw.take())["payload"])


async def test_click_and_command_payloads_have_slacks_shape(
    client: AsyncWebClient, sandbox: Sandbox, alex: Person, samples: Path
) -> None:
    """Clicks in messages, threads and views, and slash commands, come as Slack sends them."""
    parent = await alex.say("hello")
    await client.chat_postMessage(channel="D0ALEX", thread_ts=parent, metadata=METADATA, **block())
    sandbox.slack.delivery.waiting.clear()
    async with connected(sandbox) as raw:
        _, clicked = await asyncio.gather(alex.click("Go"), raw.take())
        check(samples, "BlockActionPayload", clicked["payload"])
        _, typed = await asyncio.gather(alex.command("/pa", "status"), raw.take())
        check(samples, "SlashCommandPayload", typed["payload"])
        await client.views_publish(user_id="U0ALEX", view={**HOME, "blocks": block()["blocks"]})
        _, clicked = await asyncio.gather(alex.click("Go", alex.home), raw.take())
        check(samples, "BlockActionPayload", clicked["payload"])


async def trigger(raw: RawSocket, alex: Person) -> str:
    """A fresh trigger id, from a slash command."""
    _, frame = await asyncio.gather(alex.command("/pa", "x"), raw.take())
    return str(frame["payload"]["trigger_id"])
