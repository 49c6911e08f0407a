"""chat.*: posting, changing and deleting messages; startStream, appendStream, stopStream: a message that grows while the app writes it."""

from bot.sandbox import content, limits, messages, shapes, text
from bot.sandbox.errors import SlackError
from bot.sandbox.params import Method, Params
from bot.sandbox.slack import Slack
from bot.sandbox.workspace import Channel, Json, Message

TASK_KEYS = ("title", "status", "details", "output", "sources")


def start(slack: Slack, params: Params) -> Json:
    """chat.startStream: always in a thread; in a channel it must say who the reader is."""
    channel = slack.joined(params.needed("channel", "channel_not_found"))
    params.needed("thread_ts")
    if channel.kind != "dm":
        params.needed("recipient_team_id", "missing_recipient_team_id")
        params.needed("recipient_user_id", "missing_recipient_user_id")
    body = content.Content("", None, None, None).body(slack) | thread(channel, params)
    message = messages.post(slack, channel, _grown(body, params), streaming=True)
    clear_status(slack, message)
    return {"ok": True, "channel": channel.id, "ts": message.ts}


def append(slack: Slack, params: Params) -> Json:
    """chat.appendStream."""
    message = _streaming(slack, params)
    if params.text("markdown_text") is None and not params.json("chunks"):
        raise SlackError("no_text")
    message.body = _grown(message.body, params)
    messages.tell(slack, message)
    return {"ok": True, "channel": message.channel, "ts": message.ts}


def stop(slack: Slack, params: Params) -> Json:
    """chat.stopStream: the last words, then blocks beneath them."""
    message = _streaming(slack, params)
    extra = params.blocks("blocks") or []
    limits.check_message("…", extra or None, None)
    metadata = params.metadata()
    grown = _grown(message.body, params)
    shown = [*grown.get("blocks", []), *content.with_ids(extra)]
    message.streaming = False
    message.metadata = metadata or message.metadata
    message.notifies = text.alerted(grown["text"], shown)
    messages.change(slack, message, {**grown, "blocks": shown})
    body = shapes.message(message, metadata=True) | {"streaming_state": "completed"}
    return {"ok": True, "channel": message.channel, "ts": message.ts, "message": body}


def _streaming(slack: Slack, params: Params) -> Message:
    message = own(slack, params, "message_not_owned_by_app")
    if not message.streaming:
        raise SlackError("message_not_in_streaming_state")
    return message


def _grown(body: Json, params: Params) -> Json:
    """Return a message's body with the words and chunks of one call added."""
    chunks = params.blocks("chunks") or []
    words = (params.text("markdown_text") or "") + "".join(
        str(chunk.get("text", "")) for chunk in chunks if chunk.get("type") == "markdown_text"
    )
    written = body["text"] + words
    limits.check_markdown(written)
    blocks = [block for block in body.get("blocks", []) if block["type"] != "markdown"]
    for chunk in chunks:
        blocks = _with_chunk(blocks, chunk)
    said = [{"type": "markdown", "text": written, "block_id": "stream"}] if written else []
    return {**body, "text": written, "blocks": said + blocks}


def _with_chunk(blocks: list[Json], chunk: Json) -> list[Json]:
    if chunk.get("type") == "task_update":
        card = {key: chunk[key] for key in TASK_KEYS if key in chunk}
        card |= {"type": "task_card", "task_id": str(chunk.get("id")), "block_id": f"task-{chunk.get('id')}"}
        return [*(block for block in blocks if block["block_id"] != card["block_id"]), card]
    if chunk.get("type") == "blocks":
        return [*blocks, *content.with_ids(list(chunk.get("blocks", [])))]
    return blocks


CONTENT = ("text", "blocks", "attachments", "markdown_text")
STATUS_KEY = "{}|{}"
NOT_IN_UPDATES = ("ts", "parent_user_id", "reactions", *messages.THREAD_KEYS)


def post_message(slack: Slack, params: Params) -> Json:
    """chat.postMessage."""
    channel = slack.postable(params.needed("channel", "channel_not_found"))
    wanted = content.read(slack, params)
    body = wanted.body(slack) | thread(channel, params)
    message = messages.post(slack, channel, body, metadata=wanted.metadata or None, notifies=wanted.notifies)
    clear_status(slack, message)
    return _answer(message)


def update(slack: Slack, params: Params) -> Json:
    """chat.update: content that is not named stays, but a text without blocks takes the blocks away."""
    message = own(slack, params, "cant_update_message")
    if message.streaming:
        raise SlackError("streaming_state_conflict")
    metadata = params.metadata()
    only_metadata = metadata is not None and all(params.given.get(name) is None for name in CONTENT)
    body = message.body if only_metadata else _rewritten(slack, message, content.read(slack, params))
    if metadata is not None:
        message.metadata = metadata or None
    message.notifies = ()
    messages.change(slack, message, body)
    shown = {key: value for key, value in shapes.message(message, metadata=True).items() if key not in NOT_IN_UPDATES}
    return _answer(message) | {"text": message.body["text"], "message": shown}


def _rewritten(slack: Slack, message: Message, wanted: content.Content) -> Json:
    """Return the message's new body; only a text without blocks is marked as edited."""
    body = dict(message.body)
    if wanted.text is not None:
        body |= {"text": wanted.text, "blocks": wanted.blocks}
    if wanted.blocks is not None:
        body["blocks"] = wanted.blocks
    else:
        body["edited"] = {"user": slack.workspace.bot.bot_id, "ts": slack.clock.ts()}
    if wanted.attachments is not None:
        body["attachments"] = wanted.attachments
    return {key: value for key, value in body.items() if value not in (None, [])}


def delete(slack: Slack, params: Params) -> Json:
    """chat.delete."""
    message = own(slack, params, "cant_delete_message")
    messages.remove(slack, message)
    return {"ok": True, "channel": message.channel, "ts": message.ts}


def post_ephemeral(slack: Slack, params: Params) -> Json:
    """chat.postEphemeral."""
    channel = slack.postable(params.needed("channel", "channel_not_found"))
    person = params.needed("user", "user_not_in_channel")
    if person not in channel.members:
        raise SlackError("user_not_in_channel")
    body = content.read(slack, params).body(slack) | thread(channel, params)
    return {"ok": True, "message_ts": messages.whisper(slack, channel, person, body).ts}


def own(slack: Slack, params: Params, refusal: str) -> Message:
    """Return the app's own message that a call names by `channel` and `ts`.

    Raises SlackError channel_not_found, message_not_found or `refusal`.
    """
    channel = slack.postable(params.needed("channel", "channel_not_found"))
    message = slack.message(channel, params.text("ts"))
    if message.body.get("bot_id") != slack.workspace.bot.bot_id:
        raise SlackError(refusal)
    return message


def thread(channel: Channel, params: Params) -> Json:
    """Where in the conversation a new message goes; a reply's reply belongs to the same thread."""
    named = params.text("thread_ts")
    if not named:
        return {}
    parent = channel.messages.get(named)
    return {"thread_ts": parent.thread_ts or named if parent else named}


def clear_status(slack: Slack, message: Message) -> None:
    """An answer of the app in a thread ends the "is thinking" line there."""
    key = STATUS_KEY.format(message.channel, message.thread_ts)
    if slack.workspace.status.pop(key, None) is not None:
        slack.changes.publish(
            "status", channel=message.channel, thread_ts=message.thread_ts, status="", loading_messages=[]
        )


def _answer(message: Message) -> Json:
    return {"ok": True, "channel": message.channel, "ts": message.ts, "message": shapes.message(message, metadata=True)}


METHODS: dict[str, Method] = {
    "chat.postMessage": post_message,
    "chat.update": update,
    "chat.delete": delete,
    "chat.postEphemeral": post_ephemeral,
    "chat.startStream": start,
    "chat.appendStream": append,
    "chat.stopStream": stop,
}
