"""Messages of the app: chat.*, the lines and prompts of assistant.*, and answers to an interaction by its response_url."""

from bot.sandbox import messages, shapes
from bot.sandbox.slack import Method, Params, Slack
from bot.sandbox.tickets import Reply
from bot.sandbox.workspace import Channel, Json, Message, SlackError

CONTENT = ("text", "blocks", "attachments", "markdown_text")
NOT_IN_UPDATES = ("ts", "parent_user_id", *messages.THREAD_KEYS)
WAY = "response_url"
"""The method's name, for an answer through a response_url, in the records and in faults on demand."""
ENDED = ("not_found", "used_url", "expired_url", "message_not_found")
"""Errors that Slack gives with a 404: the address, or the message, does not exist any more."""


def post_message(slack: Slack, params: Params) -> Json:
    """chat.postMessage; the answer in a thread ends its "is thinking" line."""
    channel = slack.postable(params.needed("channel", "channel_not_found"))
    wanted = messages.read(slack, params)
    body = wanted.body(slack) | thread(channel, params)
    message = messages.post(slack, channel, body, metadata=wanted.metadata or None, notifies=wanted.notifies)
    if slack.workspace.status.pop(f"{channel.id}|{message.thread_ts}", None) is not None:
        slack.changes.publish("status", channel=channel.id, thread_ts=message.thread_ts, status="", loading_messages=[])
    return _answer(message)


def update(slack: Slack, params: Params) -> Json:
    """chat.update: content that is not named stays, but a text without blocks takes the blocks away."""
    message = _own(slack, params, "cant_update_message")
    metadata = params.metadata()
    only_metadata = metadata is not None and all(params.given.get(name) is None for name in CONTENT)
    body = message.body if only_metadata else _rewritten(slack, message, messages.read(slack, params))
    if metadata is not None:
        message.metadata = metadata or None
    message.notifies = ()
    messages.change(slack, message, body)
    shown = {key: value for key, value in shapes.message(message, metadata=True).items() if key not in NOT_IN_UPDATES}
    return _answer(message) | {"text": message.body["text"], "message": shown}


def _rewritten(slack: Slack, message: Message, wanted: messages.Content) -> Json:
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
    message = _own(slack, params, "cant_delete_message")
    messages.remove(slack, message)
    return {"ok": True, "channel": message.channel, "ts": message.ts}


def post_ephemeral(slack: Slack, params: Params) -> Json:
    """chat.postEphemeral."""
    channel = slack.postable(params.needed("channel", "channel_not_found"))
    person = params.needed("user", "user_not_in_channel")
    if person not in channel.members:
        raise SlackError("user_not_in_channel")
    body = messages.read(slack, params).body(slack) | thread(channel, params)
    return {"ok": True, "message_ts": messages.whisper(slack, channel, person, body).ts}


def _own(slack: Slack, params: Params, refusal: str) -> Message:
    """Return the app's own message that a call names by `channel` and `ts`.

    Raises SlackError channel_not_found, message_not_found or `refusal`.
    """
    channel = slack.postable(params.needed("channel", "channel_not_found"))
    message = channel.messages.get(params.text("ts") or "")
    if message is None:
        raise SlackError("message_not_found")
    if message.body.get("bot_id") != slack.workspace.bot.bot_id:
        raise SlackError(refusal)
    return message


def thread(channel: Channel, params: Params) -> Json:
    """Return where in the conversation a new message goes; a reply's reply belongs to the same thread."""
    named = params.text("thread_ts")
    if not named:
        return {}
    parent = channel.messages.get(named)
    return {"thread_ts": parent.thread_ts or named if parent else named}


def _answer(message: Message) -> Json:
    return {"ok": True, "channel": message.channel, "ts": message.ts, "message": shapes.message(message, metadata=True)}


MOST_PROMPTS = 4
MOST_LOADING_MESSAGES = 10
LONGEST_LOADING_MESSAGE = 50


def set_status(slack: Slack, params: Params) -> Json:
    """assistant.threads.setStatus; an empty status takes the line away."""
    channel, thread_ts = slack.joined(params.text("channel_id")), params.needed("thread_ts")
    status, loading = params.text("status") or "", params.json("loading_messages") or []
    if not isinstance(loading, list) or len(loading) > MOST_LOADING_MESSAGES:
        raise _refused(f"no more than {MOST_LOADING_MESSAGES} items allowed [json-pointer:/loading_messages]")
    for index, words in enumerate(loading):
        if len(str(words)) > LONGEST_LOADING_MESSAGE:
            limit = LONGEST_LOADING_MESSAGE + 1
            raise _refused(f"must be less than {limit} characters [json-pointer:/loading_messages/{index}]")
    shown = {"status": status, "loading_messages": [str(words) for words in loading]}
    key = f"{channel.id}|{thread_ts}"
    slack.workspace.status.pop(key, None)
    if status:
        slack.workspace.keep_for_thread(slack.workspace.status, key, shown)
    slack.changes.publish("status", channel=channel.id, thread_ts=thread_ts, **shown)
    return {"ok": True}


def set_prompts(slack: Slack, params: Params) -> Json:
    """assistant.threads.setSuggestedPrompts."""
    prompts = params.json("prompts")
    if not isinstance(prompts, list) or not 1 <= len(prompts) <= MOST_PROMPTS:
        raise _refused(f"must have 1 to {MOST_PROMPTS} items [json-pointer:/prompts]")
    for index, prompt in enumerate(prompts):
        if not isinstance(prompt, dict) or not prompt.get("title") or not prompt.get("message"):
            raise _refused(f"missing required field: title or message [json-pointer:/prompts/{index}]")
    channel, thread_ts = slack.joined(params.text("channel_id")), params.text("thread_ts") or ""
    shown = {"title": params.text("title") or "", "prompts": prompts}
    slack.workspace.keep_for_thread(slack.workspace.prompts, f"{channel.id}|{thread_ts}", shown)
    slack.changes.publish("prompts", channel=params.text("channel_id"), thread_ts=thread_ts, **shown)
    return {"ok": True}


def _refused(problem: str) -> SlackError:
    return SlackError("invalid_arguments", response_metadata={"messages": [f"[ERROR] {problem}"]})


def respond(slack: Slack, secret: str, args: Json, failure: str | None = None, method: str = WAY) -> Json:
    """Carry out one answer to an interaction and record it; gives the body of the HTTP answer. `failure` is one on demand.

    It comes through a response_url, or, as `method` says then, in a slash command's ack.
    """
    try:
        if failure is not None:
            raise SlackError(failure)
        _carry_out(slack, slack.tickets.use(secret), Params(args))
    except SlackError as error:
        slack.records.add_error(method, args, error)
        return error.answer()
    finally:
        slack.changes.tick()
    slack.records.add(method, args, {"ok": True})
    return {"ok": True}


def _carry_out(slack: Slack, reply: Reply, params: Params) -> None:
    channel = slack.workspace.channels[reply.channel]
    private = messages.whispered(slack, reply.person, reply.message_ts)
    original = private if reply.ephemeral else channel.messages.get(reply.message_ts or "")
    deletes, replaces = params.flag("delete_original"), params.flag("replace_original")
    if original is None and reply.message_ts and (deletes or replaces):
        raise SlackError("message_not_found")
    if deletes:
        if original is not None:
            _delete(slack, reply, original)
        return
    wanted = messages.read(slack, params)
    if replaces and original is not None:
        _replace(slack, reply, original, wanted)
        return
    thread_ts = params.text("thread_ts") or reply.thread_ts
    body = wanted.body(slack) | ({"thread_ts": thread_ts} if thread_ts else {})
    if params.text("response_type") == "in_channel":
        messages.post(slack, channel, body, metadata=wanted.metadata, notifies=wanted.notifies)
    else:
        messages.whisper(slack, channel, reply.person, body)


def _delete(slack: Slack, reply: Reply, original: Message) -> None:
    if not reply.ephemeral:
        messages.remove(slack, original)
        return
    slack.workspace.ephemerals[reply.person].remove(original)
    slack.changes.publish("ephemeral", person=reply.person, channel=original.channel, ts=original.ts, deleted=True)


def _replace(slack: Slack, reply: Reply, original: Message, wanted: messages.Content) -> None:
    stays = ("type", "ts", "parent_user_id", *messages.THREAD_KEYS)
    body = wanted.body(slack) | {key: original.body[key] for key in stays if key in original.body}
    if reply.ephemeral:
        original.body = body
        messages.tell_whisper(slack, reply.person, original)
    else:
        original.notifies = wanted.notifies
        messages.change(slack, original, body)


METHODS: dict[str, Method] = {
    "chat.postMessage": post_message,
    "chat.update": update,
    "chat.delete": delete,
    "chat.postEphemeral": post_ephemeral,
    "assistant.threads.setStatus": set_status,
    "assistant.threads.setSuggestedPrompts": set_prompts,
}
