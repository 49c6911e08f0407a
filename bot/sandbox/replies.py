"""Answers to an interaction without a token: through a `response_url`, or in a slash command's ack."""

from bot.sandbox import content, messages
from bot.sandbox.errors import SlackError
from bot.sandbox.params import Params
from bot.sandbox.slack import Slack
from bot.sandbox.tickets import Reply
from bot.sandbox.workspace import Json, Message

WAY = "response_url"
"""The method's name, for an answer through a response_url, in the records and in faults on demand."""
ENDED = ("not_found", "used_url", "expired_url", "message_not_found")
"""What Slack answers with a 404: the address, or the message, is no more."""


def respond(slack: Slack, secret: str, args: Json, failure: str | None = None) -> Json:
    """Carry out one answer through a response_url and record it; gives the body of the HTTP answer. `failure` is one on demand."""
    return _recorded(slack, WAY, args, secret, failure)


def respond_to_ack(slack: Slack, secret: str, payload: Json) -> None:
    """Carry out the message in a slash command's ack and record it."""
    _recorded(slack, "ack:slash_command", payload, secret)


def _recorded(slack: Slack, method: str, args: Json, secret: str, failure: str | None = None) -> Json:
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
    original = _original(slack, reply)
    if original is None and reply.message_ts and (params.flag("delete_original") or params.flag("replace_original")):
        raise SlackError("message_not_found")
    if params.flag("delete_original"):
        if original is not None:
            _delete(slack, reply, original)
        return
    wanted = content.read(slack, params)
    if params.flag("replace_original") and original is not None:
        _replace(slack, reply, original, wanted)
    else:
        _new(slack, reply, params, wanted)


def _original(slack: Slack, reply: Reply) -> Message | None:
    if reply.ephemeral:
        return messages.whispered(slack, reply.person, reply.message_ts)
    return slack.workspace.channels[reply.channel].messages.get(reply.message_ts or "")


def _delete(slack: Slack, reply: Reply, original: Message) -> None:
    if reply.ephemeral:
        messages.unwhisper(slack, reply.person, original)
    else:
        messages.remove(slack, original)


def _replace(slack: Slack, reply: Reply, original: Message, wanted: content.Content) -> None:
    place = {
        key: original.body[key]
        for key in ("type", "ts", "parent_user_id", *messages.THREAD_KEYS)
        if key in original.body
    }
    body = wanted.body(slack) | place
    if reply.ephemeral:
        original.body = body
        messages.tell_whisper(slack, reply.person, original)
    else:
        original.notifies = wanted.notifies
        messages.change(slack, original, body)


def _new(slack: Slack, reply: Reply, params: Params, wanted: content.Content) -> None:
    channel = slack.workspace.channels[reply.channel]
    thread_ts = params.text("thread_ts") or reply.thread_ts
    body = wanted.body(slack) | ({"thread_ts": thread_ts} if thread_ts else {})
    if params.text("response_type") == "in_channel":
        messages.post(slack, channel, body, metadata=wanted.metadata, notifies=wanted.notifies)
    else:
        messages.whisper(slack, channel, reply.person, body)
