"""The sandbox's answers and payloads have the shapes of Slack's own."""

import asyncio
import json
from pathlib import Path

from slack_sdk.web.async_client import AsyncWebClient
from slack_shapes import unlike
from slack_socket import RawSocket, connected

from bot.sandbox.people import Person
from bot.sandbox.server import Sandbox
from bot.sandbox.workspace import Json

METADATA = {"event_type": "outbox", "event_payload": {"id": "1"}}
BUTTON = {"type": "button", "action_id": "go", "text": {"type": "plain_text", "text": "Go"}, "value": "1"}
MODAL = {
    "type": "modal",
    "callback_id": "ask",
    "title": {"type": "plain_text", "text": "Title"},
    "submit": {"type": "plain_text", "text": "Send"},
    "notify_on_close": True,
    "blocks": [
        {
            "type": "input",
            "block_id": "why",
            "label": {"type": "plain_text", "text": "Why"},
            "element": {"type": "plain_text_input", "action_id": "words"},
        }
    ],
}
HOME = {"type": "home", "blocks": [{"type": "divider"}]}

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
    "MessageChangedPayload": {
        "event.message.app_id": APP_ID,
        "event.previous_message.app_id": APP_ID,
    },
    "MessageDeletedPayload": {"event.previous_message.app_id": APP_ID},
    "MessageFileSharePayload": {
        "event.team": "every message names its team, as in the MessagePayload sample",
        "event.files[].file_access": "in the sample of files.info",
    },
    "SlashCommandPayload": {"is_enterprise_install": 'a form\'s values are strings: "false"'},
    "ViewSubmissionPayload": {"response_urls": "documented for view_submission payloads"},
    "chat.stopStream": {
        "channel": "documented answer of chat.stopStream",
        "ts": "documented answer of chat.stopStream",
        "message": "documented answer of chat.stopStream",
    },
}


def check(samples: Path, name: str, emitted: Json) -> None:
    """Fail with every difference from Slack's shape."""
    sample = json.loads((samples / f"{name}.json").read_text())
    extra = NEWER.get(name, {}) | (IN_EVERY_EVENT if "event" in emitted else {})
    assert unlike(emitted, sample, extra) == []


def block(text: str = "words") -> Json:
    """A message's blocks with a button."""
    return {"text": text, "blocks": [{"type": "actions", "block_id": "b", "elements": [BUTTON]}]}


async def test_posting_answers_have_slacks_shape(client: AsyncWebClient, samples: Path) -> None:
    """Posting, changing, whispering, reacting and deleting answer as Slack does."""
    posted = await client.chat_postMessage(channel="D0ALEX", metadata=METADATA, **block())
    check(samples, "chat.postMessage", posted.data)
    place = {"channel": "D0ALEX", "ts": posted["ts"]}
    check(samples, "chat.update", (await client.chat_update(**place, text="other")).data)
    check(
        samples,
        "chat.postEphemeral",
        (await client.chat_postEphemeral(channel="D0ALEX", user="U0ALEX", text="psst")).data,
    )
    reacted = await client.reactions_add(channel="D0ALEX", timestamp=posted["ts"], name="ok")
    check(samples, "reactions.add", reacted.data)
    check(samples, "chat.delete", (await client.chat_delete(**place)).data)


async def test_streaming_answers_have_slacks_shape(client: AsyncWebClient, alex: Person, samples: Path) -> None:
    """Starting, growing and ending a stream answer as Slack does."""
    parent = await alex.say("hello")
    started = await client.chat_startStream(channel="D0ALEX", thread_ts=parent, markdown_text="a")
    place = {"channel": "D0ALEX", "ts": started["ts"]}
    check(samples, "chat.startStream", started.data)
    check(samples, "chat.appendStream", (await client.chat_appendStream(**place, markdown_text="b")).data)
    check(samples, "chat.stopStream", (await client.chat_stopStream(**place)).data)


async def test_reading_answers_have_slacks_shape(client: AsyncWebClient, alex: Person, samples: Path) -> None:
    """Conversations, histories and threads are told as Slack tells them."""
    parent = await alex.say("hello")
    await client.chat_postMessage(channel="D0ALEX", thread_ts=parent, metadata=METADATA, **block())
    await alex.upload("note.txt", b"hello", "text/plain")
    check(samples, "conversations.history", (await client.conversations_history(channel="D0ALEX")).data)
    replies = await client.conversations_replies(channel="D0ALEX", ts=parent, include_all_metadata=True)
    check(samples, "conversations.replies", replies.data)
    check(samples, "conversations.open", (await client.conversations_open(users="U0ALEX", return_im=True)).data)
    info = await client.conversations_info(channel="C0GENERAL", include_num_members=True)
    check(samples, "conversations.info", info.data)


async def test_directory_answers_have_slacks_shape(client: AsyncWebClient, sandbox: Sandbox, samples: Path) -> None:
    """The app, the team and its people are told as Slack tells them."""
    check(samples, "auth.test", (await client.auth_test()).data)
    check(samples, "team.info", (await client.team_info()).data)
    check(samples, "users.info", (await client.users_info(user="U0ALEX", include_locale=True)).data)
    check(samples, "users.info", (await client.users_info(user="U0HOLDFAST")).data)
    check(samples, "users.list", (await client.users_list()).data)
    check(samples, "usergroups.users.list", (await client.usergroups_users_list(usergroup="S0COMPLIANCE")).data)
    check(samples, "apps.connections.open", (await client.apps_connections_open(app_token=sandbox.app_token)).data)


async def test_assistant_answers_have_slacks_shape(client: AsyncWebClient, alex: Person, samples: Path) -> None:
    """Status, title and suggested prompts answer as Slack does."""
    place = {"channel_id": "D0ALEX", "thread_ts": await alex.say("hello")}
    check(samples, "assistant.threads.setStatus", (await client.assistant_threads_setStatus(**place, status="…")).data)
    check(samples, "assistant.threads.setTitle", (await client.assistant_threads_setTitle(**place, title="T")).data)
    prompts = [{"title": "Help", "message": "help"}]
    prompted = await client.assistant_threads_setSuggestedPrompts(**place, prompts=prompts)
    check(samples, "assistant.threads.setSuggestedPrompts", prompted.data)


async def test_file_answers_have_slacks_shape(client: AsyncWebClient, alex: Person, samples: Path) -> None:
    """The steps of an upload and what is known of a file are told as Slack tells them."""
    place = await client.files_getUploadURLExternal(filename="a.txt", length=1)
    check(samples, "files.getUploadURLExternal", place.data)
    done = await client.files_completeUploadExternal(files=[{"id": place["file_id"]}], channel_id="D0ALEX")
    check(samples, "files.completeUploadExternal", done.data)
    check(samples, "files.info", (await client.files_info(file=place["file_id"])).data)


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
