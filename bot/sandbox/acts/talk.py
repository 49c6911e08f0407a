"""Saying, editing, deleting, sharing files, slash commands, and opening the app's home."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from bot.sandbox import messages, payloads, replies, shapes, text
from bot.sandbox.clock import new_id
from bot.sandbox.errors import ActError, Undelivered
from bot.sandbox.slack import Slack
from bot.sandbox.workspace import Channel, Json, Message, StoredFile

MOST_CHARACTERS = 40_000
MOST_FILE_BYTES = 20 * 1024 * 1024


async def say(slack: Slack, person: str, channel_id: str, words: str, thread_ts: str | None = None) -> str | None:
    """Type words and press Enter; gives the message's ts, or None when it was a slash command.

    Raises ActError when Slack would not send it.
    """
    channel = entered(slack, person, channel_id)
    name, _, rest = words.partition(" ")
    if name in slack.commands and thread_ts is None:
        await command(slack, person, channel_id, name, rest.strip())
        return None
    if not words.strip():
        raise ActError("An empty message is not sent.")
    if len(words) > MOST_CHARACTERS:
        raise ActError(f"A message has at most {MOST_CHARACTERS:,} characters.")
    return _posted(slack, person, channel, words, thread_ts).ts


def _posted(slack: Slack, person: str, channel: Channel, words: str, thread_ts: str | None) -> Message:
    body = _words(slack, person, words) | _thread(channel, thread_ts)
    message = messages.post(slack, channel, body)
    _announce_mention(slack, channel, message)
    return message


def _announce_mention(slack: Slack, channel: Channel, message: Message) -> None:
    if channel.kind != "dm" and f"<@{slack.workspace.bot.user_id}>" in message.body["text"]:
        payloads.announce(slack, channel, payloads.mention(channel, message))


def _words(slack: Slack, person: str, words: str) -> Json:
    parts = text.typed(words, slack.workspace)
    return {
        "user": person,
        "client_msg_id": str(uuid.uuid4()),
        "text": text.wire(parts),
        "team": slack.workspace.team.id,
        "blocks": [text.rich_text(parts)],
    }


def _thread(channel: Channel, thread_ts: str | None) -> Json:
    if thread_ts is None:
        return {}
    parent = channel.messages.get(thread_ts)
    if parent is None:
        raise ActError("That thread is not here any more.")
    return {"thread_ts": parent.thread_ts or parent.ts}


def edit(slack: Slack, person: str, channel_id: str, ts: str, words: str) -> None:
    """Change one's own message.

    Raises ActError when it is not there or not theirs.
    """
    message = _own(slack, person, channel_id, ts)
    fresh = _words(slack, person, words)
    kept = {**message.body, "text": fresh["text"], "blocks": fresh["blocks"]}
    messages.change(slack, message, kept | {"edited": {"user": person, "ts": slack.clock.ts()}})


def delete(slack: Slack, person: str, channel_id: str, ts: str) -> None:
    """Delete one's own message.

    Raises ActError when it is not there or not theirs.
    """
    messages.remove(slack, _own(slack, person, channel_id, ts))


def _own(slack: Slack, person: str, channel_id: str, ts: str) -> Message:
    message = entered(slack, person, channel_id).messages.get(ts)
    if message is None or message.body.get("subtype") == "tombstone":
        raise ActError("That message is not here any more.")
    if message.body.get("user") != person:
        raise ActError("Only its author can change a message.")
    return message


async def command(slack: Slack, person: str, channel_id: str, name: str, rest: str) -> None:
    """Use a slash command; what the app answers at once is shown to the person.

    Raises ActError with Slack's words when no app took it.
    """
    channel = entered(slack, person, channel_id)
    if name not in slack.commands:
        raise ActError(f"{name} is not a command of this workspace.")
    payload = payloads.slash_command(slack, person, channel, name, rest)
    try:
        answer = await slack.delivery.interact("slash_commands", payload, accepts_response=True)
    except Undelivered as lost:
        raise ActError(f"{name} failed. {lost}") from lost
    if answer:
        secret = payload["response_url"].rpartition("/")[2]
        replies.respond_to_ack(slack, secret, answer)


def open_home(slack: Slack, person: str, tab: str) -> None:
    """Look at the app's home or messages tab."""
    if tab not in {"home", "messages"}:
        raise ActError("The tab is home or messages.")
    payloads.send(slack, payloads.app_home_opened(slack, known(slack, person), tab))


@dataclass(frozen=True)
class Upload:
    """A file as a person picks it."""

    name: str
    content: bytes
    mimetype: str = "application/octet-stream"


def share(
    slack: Slack, person: str, channel_id: str, uploads: Sequence[Upload], words: str = "", thread_ts: str | None = None
) -> str:
    """Share files in one message, with words or without; gives the message's ts.

    Raises ActError where there is none, or one is too large for the sandbox.
    """
    channel = entered(slack, person, channel_id)
    if not uploads:
        raise ActError("There is no file to share.")
    if any(len(upload.content) > MOST_FILE_BYTES for upload in uploads):
        raise ActError("The sandbox takes files of up to 20 MB.")
    stored = [_stored(slack, person, upload) for upload in uploads]
    files = [shapes.file(slack, one) for one in stored]
    said = (
        _words(slack, person, words) if words.strip() else {"user": person, "text": "", "team": slack.workspace.team.id}
    )
    shared = {"subtype": "file_share", "files": files, "upload": True, "display_as_bot": False}
    message = messages.post(slack, channel, {**said, **shared, **_thread(channel, thread_ts)})
    _announce_mention(slack, channel, message)
    for one in stored:
        payloads.announce(slack, channel, payloads.file_shared(slack, channel, one))
    return message.ts


def keep(slack: Slack, person: str, uploads: Sequence[Upload]) -> list[Json]:
    """Take files for an input of a modal, shared nowhere; gives Slack's objects of them. Raises ActError."""
    if any(len(upload.content) > MOST_FILE_BYTES for upload in uploads):
        raise ActError("The sandbox takes files of up to 20 MB.")
    return [shapes.file(slack, _stored(slack, known(slack, person), upload)) for upload in uploads]


def _stored(slack: Slack, person: str, upload: Upload) -> StoredFile:
    seconds = slack.clock.seconds()
    stored = StoredFile(new_id("F0"), upload.name, upload.mimetype, upload.content, person, seconds, title=upload.name)
    slack.workspace.keep_file(stored)
    return stored


def known(slack: Slack, person: str) -> str:
    """Return the person's id, if there is such a person.

    Raises ActError otherwise.
    """
    if person not in slack.workspace.people:
        raise ActError("There is no such person in this workspace.")
    return person


def entered(slack: Slack, person: str, channel_id: str) -> Channel:
    """Return a conversation that the person is in.

    Raises ActError otherwise.
    """
    known(slack, person)
    channel = slack.workspace.channels.get(channel_id)
    if channel is None or person not in channel.members:
        raise ActError("That person is not in this conversation.")
    return channel
