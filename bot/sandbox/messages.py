"""Messages come, change and go: the one place that keeps them, counts replies, tells the app and the page."""

from bot.sandbox import payloads, shapes
from bot.sandbox.slack import Slack
from bot.sandbox.workspace import Channel, Json, Message

THREAD_KEYS = (
    "thread_ts", "reply_count", "reply_users_count", "latest_reply", "reply_users", "is_locked", "subscribed",
)  # fmt: skip


def post(
    slack: Slack,
    channel: Channel,
    body: Json,
    *,
    metadata: Json | None = None,
    notifies: tuple[str, ...] = (),
    streaming: bool = False,
) -> Message:
    """Put a new message into a conversation; `body` is Slack's object without `type` and `ts`."""
    stamped = {"type": "message", **body, "ts": slack.clock.ts()}
    message = Message(channel.id, stamped, metadata, notifies, streaming)
    parent = channel.messages.get(message.thread_ts or "")
    if parent is not None:
        message.body["parent_user_id"] = parent.body.get("user", slack.workspace.bot.user_id)
    channel.keep(message)
    tell(slack, message)
    if parent is not None:
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
    parent = channel.messages.get(message.thread_ts or "")
    if parent is not None:
        _count_replies(slack, channel, parent)
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


def unwhisper(slack: Slack, person: str, message: Message) -> None:
    """Take a private message away."""
    slack.workspace.ephemerals[person].remove(message)
    slack.changes.publish("ephemeral", person=person, channel=message.channel, ts=message.ts, deleted=True)


def whispered(slack: Slack, person: str, ts: str | None) -> Message | None:
    """Return a private message of one person by its timestamp."""
    return next((found for found in slack.workspace.ephemerals.get(person, []) if found.ts == ts), None)


def _count_replies(slack: Slack, channel: Channel, parent: Message) -> None:
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
