"""Messages of the app: checked against Slack's limits, then kept, changed and removed; who is alerted, and the page and the app told."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from bot.sandbox import inputs, limits, payloads, shapes
from bot.sandbox.slack import Params, Slack
from bot.sandbox.tickets import new_id
from bot.sandbox.workspace import Channel, Json, Message, Refusal, SlackError

BLOCK_ID_LENGTH = 5
THREAD_KEYS = (
    "thread_ts", "reply_count", "reply_users_count", "latest_reply", "reply_users", "is_locked", "subscribed",
)  # fmt: skip


def post(
    slack: Slack, channel: Channel, body: Json, *, metadata: Json | None = None, notifies: tuple[str, ...] = ()
) -> Message:
    """Put a new message into a conversation; `body` is Slack's object without `type` and `ts`."""
    message = Message(channel.id, {"type": "message", **body, "ts": slack.clock.ts()}, metadata, notifies)
    parent = channel.messages.get(message.thread_ts or "")
    if parent is not None:
        message.body["parent_user_id"] = parent.body.get("user", slack.workspace.bot.user_id)
    channel.keep(message)
    tell(slack, message)
    _count_replies(slack, channel, parent)
    payloads.announce(slack, channel, payloads.message_posted(channel, message))
    return message


def change(slack: Slack, message: Message, body: Json) -> None:
    """Replace a message's content; its place, author and thread stay."""
    channel = slack.workspace.channels[message.channel]
    before = dict(message.body)
    message.body = body
    tell(slack, message)
    payloads.announce(slack, channel, payloads.message_changed(slack, channel, message, before))


def remove(slack: Slack, message: Message) -> None:
    """Take a message away; a parent with replies leaves a tombstone, as in Slack."""
    channel = slack.workspace.channels[message.channel]
    if channel.thread(message.ts):
        kept = {key: message.body[key] for key in ("type", "ts", *THREAD_KEYS) if key in message.body}
        change(slack, message, {**kept, "subtype": "tombstone", "text": "This message was deleted.", "hidden": True})
        return
    del channel.messages[message.ts]
    slack.workspace.typed.pop(message.ts, None)
    slack.changes.publish("message", channel=channel.id, ts=message.ts, deleted=True)
    _count_replies(slack, channel, channel.messages.get(message.thread_ts or ""))
    payloads.announce(slack, channel, payloads.message_deleted(slack, channel, message))


def tell(slack: Slack, message: Message) -> None:
    """Show a message on the page as it is now."""
    slack.changes.publish("message", channel=message.channel, message=shapes.for_page(message))


def whisper(slack: Slack, channel: Channel, person: str, body: Json) -> Message:
    """Show a message to one person only; it is in no history and ends with the session."""
    message = Message(channel.id, {"type": "message", **body, "ts": slack.clock.ts()})
    slack.workspace.keep_ephemeral(person, message)
    tell_whisper(slack, person, message)
    return message


def tell_whisper(slack: Slack, person: str, message: Message) -> None:
    """Show a private message on the page as it is now."""
    slack.changes.publish("ephemeral", person=person, channel=message.channel, message=shapes.for_page(message))


def whispered(slack: Slack, person: str, ts: str | None) -> Message | None:
    """Return a private message of one person by its timestamp."""
    return next((found for found in slack.workspace.ephemerals.get(person, []) if found.ts == ts), None)


def _count_replies(slack: Slack, channel: Channel, parent: Message | None) -> None:
    if parent is None:
        return
    replies = channel.thread(parent.ts)
    for key in THREAD_KEYS:
        parent.body.pop(key, None)
    if replies:
        authors = list(dict.fromkeys(reply.body.get("user", reply.body.get("bot_id", "")) for reply in replies))
        parent.body |= {
            "thread_ts": parent.ts,
            "reply_count": len(replies),
            "reply_users_count": len(authors),
            "latest_reply": replies[-1].ts,
            "reply_users": authors,
            "is_locked": False,
            "subscribed": True,
        }
    tell(slack, parent)


@dataclass(frozen=True)
class Content:
    """The checked content of an app's message; None means that the app did not mention it."""

    text: str | None
    blocks: list[Json] | None
    attachments: list[Json] | None
    metadata: Json | None
    notifies: tuple[str, ...] = ()

    def body(self, slack: Slack) -> Json:
        """Return the body of a new message by the app."""
        bot = slack.workspace.bot
        known: Json = {
            "user": bot.user_id,
            "bot_id": bot.bot_id,
            "app_id": bot.app_id,
            "text": self.text or "",
            "team": slack.workspace.team.id,
            "bot_profile": shapes.bot_profile(slack),
        }
        shown = {"blocks": self.blocks, "attachments": self.attachments}
        return known | {key: value for key, value in shown.items() if value}


def read(slack: Slack, params: Params) -> Content:
    """Return the content in a call's parameters.

    Raises SlackError no_text, msg_too_long, invalid_blocks, invalid_metadata_format and their kin.
    """
    blocks, attachments = params.blocks("blocks"), params.blocks("attachments")
    words, markdown = params.text("text"), params.text("markdown_text")
    if markdown is not None and (words or blocks):
        raise SlackError("markdown_text_conflict")
    if markdown:
        words, blocks = markdown, [{"type": "markdown", "text": markdown}]
    limits.check_message(words, blocks, attachments, markdown=markdown is not None)
    lost = [
        f"invalid slack file [json-pointer:/blocks/{index}]"
        for index, block in enumerate(blocks or [])
        if (name := block.get("slack_file", {}).get("id")) and name not in slack.workspace.files
    ]
    if lost:
        raise Refusal("invalid_blocks", lost)
    return Content(
        text=None if words is None else from_bot(words),
        blocks=None if blocks is None else with_ids(blocks),
        attachments=attachments,
        metadata=params.metadata(),
        notifies=alerted(words or "", blocks or [], link_names=params.flag("link_names")),
    )


def with_ids(blocks: list[Json]) -> list[Json]:
    """Return blocks as Slack keeps them: each has a `block_id`, each interactive element an `action_id`."""
    return [
        _named_inside({**block, "block_id": block.get("block_id") or new_id("", BLOCK_ID_LENGTH)}) for block in blocks
    ]


def _named_inside(block: Json) -> Json:
    named: Json = {key: _named(value) if key in ("accessory", "element") else value for key, value in block.items()}
    for key in ("child_blocks", "elements") if block["type"] in ("container", "carousel") else ():
        if key in named:
            named[key] = with_ids(named[key])
    for key in ("elements", "actions") if block["type"] in ("actions", "context_actions", "card") else ():
        if key in named:
            named[key] = [_named(element) for element in named[key]]
    return named


def _named(element: Json) -> Json:
    if element["type"] not in inputs.ACTION_KEYS:
        return element
    return {**element, "action_id": element.get("action_id") or new_id("", BLOCK_ID_LENGTH)}


STRAY_AMPERSAND = re.compile(r"&(?!(?:amp|lt|gt);)")
MARKUP = re.compile(r"(<(?:[@#!]|https?:|mailto:|tel:)[^<>]*>)")
CONTROL = re.compile(
    r"<!(?P<range>channel|here|everyone)(?:\|[^<>]*)?>"
    r"|<!subteam\^(?P<group>[A-Z0-9]+)(?:\|[^<>]*)?>"
    r"|<@(?P<user>[UW][A-Z0-9]+)(?:\|[^<>]*)?>"
)
READS_CONTROL = ("mrkdwn", "markdown")
"""Objects in whose text Slack reads control sequences; never plain_text."""
MENTIONS = {"broadcast": "range", "user": "user_id", "usergroup": "usergroup_id"}
"""Elements of rich text that notify, and what names whom."""
LINKED_NAME = re.compile(r"(?<![\w@])@(channel|here|everyone)\b")


def from_bot(text: str) -> str:
    """Return a bot's text as Slack keeps it: stray reserved characters become entities, control sequences stay."""
    pieces = MARKUP.split(STRAY_AMPERSAND.sub("&amp;", text))
    pieces[::2] = [piece.replace("<", "&lt;").replace(">", "&gt;") for piece in pieces[::2]]
    return "".join(pieces)


def alerted(text: str, blocks: list[Json], *, link_names: bool = False) -> tuple[str, ...]:
    """Return whom a bot's message really notifies: "channel", "here", "everyone", ids of groups and people; each once."""
    objects = list(_objects(blocks))
    read = [one["text"] for one in objects if one.get("type") in READS_CONTROL and isinstance(one.get("text"), str)]
    found = [match[match.lastgroup or 0] for markup in (text, *read) for match in CONTROL.finditer(markup)]
    named = [one.get(MENTIONS.get(str(one.get("type")), "")) for one in objects]
    found += [one for one in named if isinstance(one, str)]
    found += LINKED_NAME.findall(text) if link_names else []
    return tuple(dict.fromkeys(found))


def _objects(node: object) -> Iterator[Json]:
    """Yield every object in a list of blocks, the outer before the inner."""
    if isinstance(node, dict):
        yield node
    inner = node.values() if isinstance(node, dict) else node if isinstance(node, list) else ()
    for one in inner:
        if isinstance(one, dict | list):
            yield from _objects(one)
