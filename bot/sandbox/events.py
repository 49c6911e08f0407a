"""Payloads of the Events API, as Slack words them."""

import base64
import json

from bot.sandbox import shapes
from bot.sandbox.clock import new_id
from bot.sandbox.slack import Slack
from bot.sandbox.workspace import Channel, Json, Message, StoredFile


def send(slack: Slack, event: Json) -> None:
    """Wrap an event in its envelope and deliver it to the app."""
    slack.delivery.event(callback(slack, event))


def announce(slack: Slack, channel: Channel, event: Json) -> None:
    """Deliver an event of a conversation, if the bot is in it."""
    if slack.workspace.bot.user_id in channel.members:
        send(slack, event)


def callback(slack: Slack, event: Json) -> Json:
    """The outer `event_callback`; its `event_id` is the same in every delivery."""
    workspace = slack.workspace
    authorization = {
        "enterprise_id": None,
        "team_id": workspace.team.id,
        "user_id": workspace.bot.user_id,
        "is_bot": True,
        "is_enterprise_install": False,
    }
    return {
        "token": slack.credentials.verification_token,
        "team_id": workspace.team.id,
        "context_team_id": workspace.team.id,
        "context_enterprise_id": None,
        "api_app_id": workspace.bot.app_id,
        "event": event,
        "type": "event_callback",
        "event_id": new_id("Ev0"),
        "event_time": slack.clock.seconds(),
        "authorizations": [authorization],
        "is_ext_shared_channel": False,
        "event_context": _context(slack, event),
    }


def _context(slack: Slack, event: Json) -> str:
    known = {
        "et": event["type"],
        "tid": slack.workspace.team.id,
        "aid": slack.workspace.bot.app_id,
        "cid": event.get("channel", ""),
    }
    return "4-" + base64.urlsafe_b64encode(json.dumps(known).encode()).decode().rstrip("=")


def message_posted(channel: Channel, message: Message) -> Json:
    """A `message` event: somebody's words, the app's own message, or a shared file."""
    return {
        **shapes.message(message, metadata=True),
        "channel": channel.id,
        "event_ts": message.ts,
        "channel_type": channel.type,
    }


def mention(channel: Channel, message: Message) -> Json:
    """An `app_mention` event for the same message."""
    kept = ("user", "ts", "client_msg_id", "text", "team", "thread_ts", "blocks", "files")
    known = {key: message.body[key] for key in kept if key in message.body}
    return {**known, "type": "app_mention", "channel": channel.id, "event_ts": message.ts}


def message_changed(slack: Slack, channel: Channel, message: Message, before: Json) -> Json:
    """A `message_changed` event; `before` is the message's earlier body."""
    ts = slack.clock.ts()
    return {
        "type": "message",
        "subtype": "message_changed",
        "message": shapes.message(message),
        "previous_message": before,
        "channel": channel.id,
        "hidden": True,
        "ts": ts,
        "event_ts": ts,
        "channel_type": channel.type,
    }


def message_deleted(slack: Slack, channel: Channel, message: Message) -> Json:
    """A `message_deleted` event."""
    ts = slack.clock.ts()
    return {
        "type": "message",
        "subtype": "message_deleted",
        "previous_message": shapes.message(message),
        "channel": channel.id,
        "hidden": True,
        "deleted_ts": message.ts,
        "event_ts": ts,
        "ts": ts,
        "channel_type": channel.type,
    }


def app_home_opened(slack: Slack, person: str, tab: str) -> Json:
    """An `app_home_opened` event; the published view comes with the home tab."""
    home = slack.workspace.homes.get(person)
    view = {"view": home.body} if home and tab == "home" else {}
    return {
        "type": "app_home_opened",
        "user": person,
        "channel": slack.workspace.dm_of(person),
        "tab": tab,
        **view,
        "event_ts": slack.clock.ts(),
    }


def file_shared(slack: Slack, channel: Channel, stored: StoredFile) -> Json:
    """A `file_shared` event."""
    return {
        "type": "file_shared",
        "file_id": stored.id,
        "user_id": stored.user,
        "file": {"id": stored.id},
        "channel_id": channel.id,
        "event_ts": slack.clock.ts(),
    }
