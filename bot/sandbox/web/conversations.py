"""conversations.* and reactions.*: finding conversations and reading what was said."""

from bot.sandbox import messages, shapes
from bot.sandbox.clock import new_id
from bot.sandbox.errors import SlackError
from bot.sandbox.params import Method, Params, page
from bot.sandbox.slack import Slack
from bot.sandbox.workspace import Channel, Json, Message


def open_(slack: Slack, params: Params) -> Json:
    """conversations.open: one person gives the direct message, several a group."""
    channel = _named(slack, params)
    if params.flag("return_im"):
        return {"ok": True, "no_op": True, "already_open": True, "channel": shapes.channel(slack, channel)}
    return {"ok": True, "no_op": True, "already_open": True, "channel": {"id": channel.id}}


def _named(slack: Slack, params: Params) -> Channel:
    if params.text("channel"):
        return slack.channel(params.text("channel"))
    people = params.names("users")
    if not people:
        raise SlackError("users_list_not_supplied")
    if slack.workspace.bot.user_id in people:
        raise SlackError("cannot_dm_bot")
    if not set(people) <= set(slack.workspace.people):
        raise SlackError("user_not_found")
    return slack.channel(people[0]) if len(people) == 1 else _group(slack, people)


def _group(slack: Slack, people: list[str]) -> Channel:
    members = {*people, slack.workspace.bot.user_id}
    groups = [channel for channel in slack.workspace.channels.values() if channel.kind == "group"]
    known = next((group for group in groups if set(group.members) == members), None)
    if known:
        return known
    names = "--".join(slack.workspace.people[person].name for person in people)
    made = Channel(new_id("G0"), f"mpdm-{names}-1", "group", sorted(members), slack.clock.seconds())
    slack.workspace.channels[made.id] = made
    slack.changes.publish("channel", channel=made.id)
    return made


def info(slack: Slack, params: Params) -> Json:
    """conversations.info."""
    channel = slack.channel(params.text("channel"))
    return {"ok": True, "channel": shapes.channel(slack, channel, num_members=params.flag("include_num_members"))}


def members(slack: Slack, params: Params) -> Json:
    """conversations.members."""
    channel = slack.channel(params.text("channel"))
    found, cursor = page(channel.members, params)
    return {"ok": True, "members": found, "response_metadata": {"next_cursor": cursor}}


def history(slack: Slack, params: Params) -> Json:
    """conversations.history: newest first, without replies in threads."""
    channel = slack.joined(params.text("channel"))
    top = [message for message in channel.messages.values() if not message.is_reply]
    found, cursor = page(_between(top, params)[::-1], params)
    return _messages(found, cursor, params) | {"pin_count": 0}


def replies(slack: Slack, params: Params) -> Json:
    """conversations.replies: the parent, then the replies, oldest first."""
    channel = slack.joined(params.text("channel"))
    named = channel.messages.get(params.text("ts") or "")
    if named is None:
        raise SlackError("thread_not_found")
    parent = channel.messages.get(named.thread_ts or named.ts, named)
    found, cursor = page([parent, *_between(channel.thread(parent.ts), params)], params)
    return _messages(found, cursor, params)


def _between(found: list[Message], params: Params) -> list[Message]:
    oldest, latest = params.text("oldest") or "0", params.text("latest") or "9999999999"
    inclusive = params.flag("inclusive")
    return [
        message for message in found if oldest < message.ts < latest or (inclusive and message.ts in (oldest, latest))
    ]


def _messages(found: list[Message], cursor: str, params: Params) -> Json:
    metadata = params.flag("include_all_metadata")
    answer: Json = {
        "ok": True,
        "messages": [shapes.message(message, metadata=metadata) for message in found],
        "has_more": bool(cursor),
    }
    return answer | ({"response_metadata": {"next_cursor": cursor}} if cursor else {})


def react(slack: Slack, params: Params) -> Json:
    """reactions.add."""
    channel = slack.joined(params.text("channel"))
    message = slack.message(channel, params.text("timestamp"))
    name = params.needed("name", "invalid_name").strip(":")
    user = slack.workspace.bot.user_id
    reactions = [dict(reaction) for reaction in message.body.get("reactions", [])]
    given = next((reaction for reaction in reactions if reaction["name"] == name), None)
    if given is None:
        given = {"name": name, "users": [], "count": 0}
        reactions.append(given)
    if user in given["users"]:
        raise SlackError("already_reacted")
    given |= {"users": [*given["users"], user], "count": given["count"] + 1}
    message.body = {**message.body, "reactions": reactions}
    messages.tell(slack, message)
    return {"ok": True}


METHODS: dict[str, Method] = {
    "conversations.open": open_,
    "conversations.info": info,
    "conversations.members": members,
    "conversations.history": history,
    "conversations.replies": replies,
    "reactions.add": react,
}
