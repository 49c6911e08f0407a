"""chat.startStream, appendStream, stopStream: a message that grows while the app writes it."""

from bot.sandbox import content, limits, messages, shapes, text
from bot.sandbox.errors import SlackError
from bot.sandbox.params import Method, Params
from bot.sandbox.slack import Slack
from bot.sandbox.web.chat import clear_status, own, thread
from bot.sandbox.workspace import Json, Message

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
    """A message's body with the words and chunks of one call added."""
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


METHODS: dict[str, Method] = {"chat.startStream": start, "chat.appendStream": append, "chat.stopStream": stop}
