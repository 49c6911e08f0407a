"""Speak as a person: words, edits, files, slash commands, as Slack's message box sends them; open the app's home."""

import re
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from bot.sandbox import chat, messages, payloads, shapes
from bot.sandbox.slack import Slack
from bot.sandbox.tickets import new_id
from bot.sandbox.workspace import ActError, Channel, Json, Message, StoredFile, Undelivered, Workspace

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
    return _post(slack, channel, _words(slack, person, words) | _thread(channel, thread_ts)).ts


def _post(slack: Slack, channel: Channel, body: Json) -> Message:
    message = messages.post(slack, channel, body)
    if channel.kind != "dm" and f"<@{slack.workspace.bot.user_id}>" in message.body["text"]:
        payloads.announce(slack, channel, payloads.mention(channel, message))
    return message


def _words(slack: Slack, person: str, words: str) -> Json:
    parts = list(parts_of(words, slack.workspace))
    return {
        "user": person,
        "client_msg_id": str(uuid.uuid4()),
        "text": wire(parts),
        "team": slack.workspace.team.id,
        "blocks": [rich_text(parts)],
    }


def _thread(channel: Channel, thread_ts: str | None) -> Json:
    if thread_ts is None:
        return {}
    parent = channel.messages.get(thread_ts)
    if parent is None:
        raise ActError("That thread is not here any more.")
    return {"thread_ts": parent.thread_ts or parent.ts}


def edit(slack: Slack, person: str, channel_id: str, ts: str, words: str) -> None:
    """Change one's own message. Raises ActError when it is not there or not theirs."""
    message = _own(slack, person, channel_id, ts)
    fresh = _words(slack, person, words)
    kept = {**message.body, "text": fresh["text"], "blocks": fresh["blocks"]}
    messages.change(slack, message, kept | {"edited": {"user": person, "ts": slack.clock.ts()}})


def delete(slack: Slack, person: str, channel_id: str, ts: str) -> None:
    """Delete one's own message. Raises ActError when it is not there or not theirs."""
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
        chat.respond(slack, payload["response_url"].rpartition("/")[2], answer, method="ack:slash_command")


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
    files = keep(slack, person, uploads)
    wordless = {"user": person, "text": "", "team": slack.workspace.team.id}
    said = _words(slack, person, words) if words.strip() else wordless
    shared = {"subtype": "file_share", "files": files, "upload": True, "display_as_bot": False}
    message = _post(slack, channel, {**said, **shared, **_thread(channel, thread_ts)})
    for file in files:
        payloads.announce(slack, channel, payloads.file_shared(slack, channel, person, file["id"]))
    return message.ts


def keep(slack: Slack, person: str, uploads: Sequence[Upload]) -> list[Json]:
    """Take a person's files, shared nowhere yet; gives Slack's objects of them.

    Raises ActError where one is too large for the sandbox.
    """
    known(slack, person)
    if any(len(upload.content) > MOST_FILE_BYTES for upload in uploads):
        raise ActError("The sandbox takes files of up to 20 MB.")
    created, files = slack.clock.seconds(), []
    for upload in uploads:
        name = upload.name
        stored = StoredFile(new_id("F0"), name, upload.mimetype, upload.content, person, created, title=name)
        slack.workspace.keep_file(stored)
        files.append(shapes.file(slack, stored))
    return files


def known(slack: Slack, person: str) -> str:
    """Return the person's id, if there is such a person. Raises ActError otherwise."""
    if person not in slack.workspace.people:
        raise ActError("There is no such person in this workspace.")
    return person


def entered(slack: Slack, person: str, channel_id: str) -> Channel:
    """Return a conversation that the person is in. Raises ActError otherwise."""
    known(slack, person)
    channel = slack.workspace.channels.get(channel_id)
    if channel is None or person not in channel.members:
        raise ActError("That person is not in this conversation.")
    return channel


URL = r"https?://[^\s<>|]+[^\s<>|.,;:!?)\]'\"]"
Part = tuple[str, str]
"""A piece of what a person typed: "text", "user", "broadcast" or "link", and its value."""
WIRE = {"text": "{}", "user": "<@{}>", "broadcast": "<!{}>", "link": "<{}>"}
"""How each piece is written in the `text` of a message."""
RICH = {"text": "text", "user": "user_id", "broadcast": "range", "link": "url"}
"""The key of its value in rich text."""


def parts_of(text: str, workspace: Workspace) -> Iterator[Part]:
    """Yield what Slack's message box makes of typed words: mentions by id or name, @channel, links, and plain text."""
    people = workspace.people.values() if "@" in text else ()
    names = {name.lower(): person.id for person in people for name in (person.name, person.real_name)}
    names[workspace.bot.name.lower()] = workspace.bot.user_id
    ids = "|".join([workspace.bot.user_id, *(person.id for person in people)])
    called = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    pattern = re.compile(
        rf"<@(?P<id>{ids})>|(?<!\w)@(?P<name>{called})(?!\w)|(?<!\w)@(?P<range>channel|here|everyone)\b|(?P<url>{URL})",
        re.IGNORECASE,
    )
    end = 0
    for match in pattern.finditer(text):
        if match.start() > end:
            yield "text", text[end : match.start()]
        if match["url"]:
            yield "link", match["url"]
        elif match["range"]:
            yield "broadcast", match["range"].lower()
        else:
            yield "user", match["id"].upper() if match["id"] else names[match["name"].lower()]
        end = match.end()
    if end < len(text):
        yield "text", text[end:]


def wire(parts: Sequence[Part]) -> str:
    """Return the `text` of a message made of these parts."""
    return "".join(WIRE[kind].format(escape(value, quote=False)) for kind, value in parts)


def rich_text(parts: Sequence[Part]) -> Json:
    """Return the rich_text block that Slack's own client sends for these parts."""
    section = {"type": "rich_text_section", "elements": [{"type": kind, RICH[kind]: value} for kind, value in parts]}
    return {"type": "rich_text", "block_id": new_id("", 5), "elements": [section]}
