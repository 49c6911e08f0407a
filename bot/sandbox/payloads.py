"""Payloads of the Events API, of interactivity and of slash commands, as Slack words them."""

import base64
import json

from bot.sandbox import shapes
from bot.sandbox.slack import VERIFICATION_TOKEN, Slack
from bot.sandbox.tickets import new_id
from bot.sandbox.workspace import Channel, Json, Message, View


def send(slack: Slack, event: Json) -> None:
    """Wrap an event in its envelope and deliver it to the app."""
    slack.delivery.event(callback(slack, event))


def announce(slack: Slack, channel: Channel, event: Json) -> None:
    """Deliver an event of a conversation, if the bot is in it."""
    if slack.workspace.bot.user_id in channel.members:
        send(slack, event)


def callback(slack: Slack, event: Json) -> Json:
    """Return the outer `event_callback`; its `event_id` is the same in every delivery."""
    workspace = slack.workspace
    context = {
        "et": event["type"],
        "tid": workspace.team.id,
        "aid": workspace.bot.app_id,
        "cid": event.get("channel", ""),
    }
    authorization = {
        "enterprise_id": None,
        "team_id": workspace.team.id,
        "user_id": workspace.bot.user_id,
        "is_bot": True,
        "is_enterprise_install": False,
    }
    return {
        "token": VERIFICATION_TOKEN,
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
        "event_context": "4-" + base64.urlsafe_b64encode(json.dumps(context).encode()).decode().rstrip("="),
    }


def message_posted(channel: Channel, message: Message) -> Json:
    """Return a `message` event: somebody's words, the app's own message, or a shared file."""
    place = {"channel": channel.id, "event_ts": message.ts, "channel_type": channel.type}
    return {**shapes.message(message, metadata=True), **place}


def mention(channel: Channel, message: Message) -> Json:
    """Return an `app_mention` event for the same message."""
    kept = ("user", "ts", "client_msg_id", "text", "team", "thread_ts", "blocks", "files")
    known = {key: message.body[key] for key in kept if key in message.body}
    return {**known, "type": "app_mention", "channel": channel.id, "event_ts": message.ts}


def message_changed(slack: Slack, channel: Channel, message: Message, before: Json) -> Json:
    """Return a `message_changed` event; `before` is the message's earlier body."""
    shown = {"message": shapes.message(message), "previous_message": before}
    return _hidden(slack, channel, "message_changed") | shown


def message_deleted(slack: Slack, channel: Channel, message: Message) -> Json:
    """Return a `message_deleted` event."""
    gone = {"previous_message": shapes.message(message), "deleted_ts": message.ts}
    return _hidden(slack, channel, "message_deleted") | gone


def _hidden(slack: Slack, channel: Channel, subtype: str) -> Json:
    ts = slack.clock.ts()
    about = {"type": "message", "subtype": subtype, "channel": channel.id, "hidden": True}
    return {**about, "ts": ts, "event_ts": ts, "channel_type": channel.type}


def app_home_opened(slack: Slack, person: str, tab: str) -> Json:
    """Return an `app_home_opened` event; the published view comes with the home tab."""
    home = slack.workspace.homes.get(person)
    view = {"view": home.body} if home and tab == "home" else {}
    return {
        "type": "app_home_opened",
        "user": person,
        "channel": slack.workspace.dms.get(person),
        "tab": tab,
        **view,
        "event_ts": slack.clock.ts(),
    }


def file_shared(slack: Slack, channel: Channel, person: str, file_id: str) -> Json:
    """Return a `file_shared` event."""
    return {
        "type": "file_shared",
        "file_id": file_id,
        "user_id": person,
        "file": {"id": file_id},
        "channel_id": channel.id,
        "event_ts": slack.clock.ts(),
    }


COPIED = ("text", "value", "style", "url", "placeholder", "confirm", "min_query_length")


def envelope(slack: Slack, kind: str, person: str) -> Json:
    """Return what every interaction payload carries."""
    team = slack.workspace.team
    profile = slack.workspace.people[person]
    return {
        "type": kind,
        "user": {"id": person, "username": profile.name, "name": profile.name, "team_id": profile.team or team.id},
        "api_app_id": slack.workspace.bot.app_id,
        "token": VERIFICATION_TOKEN,
        "team": {"id": team.id, "domain": team.domain},
        "enterprise": None,
        "is_enterprise_install": False,
    }


def in_message(channel: Channel, message: Message, *, ephemeral: bool) -> Json:
    """Return where a click in a message happened; a private message's content is not part of it."""
    thread = {"thread_ts": message.thread_ts} if message.thread_ts else {}
    container = {
        "type": "message",
        "message_ts": message.ts,
        "channel_id": channel.id,
        "is_ephemeral": ephemeral,
        **thread,
    }
    shown = {} if ephemeral else {"message": shapes.message(message, metadata=True)}
    return {"container": container, "channel": {"id": channel.id, "name": shapes.channel_name(channel)}, **shown}


def in_view(view: View, state: Json) -> Json:
    """Return where a click in a view happened."""
    return {"container": {"type": "view", "view_id": view.id}, "view": {**view.body, "state": {"values": state}}}


def action(slack: Slack, block_id: str, element: Json, chosen: Json) -> Json:
    """One entry of `actions`: the element as it is shown, and what was chosen in it."""
    copied = {key: element[key] for key in COPIED if key in element}
    initial = {key: value for key, value in element.items() if key.startswith("initial_")}
    return {
        "type": element["type"],
        "action_id": element["action_id"],
        "block_id": block_id,
        **copied,
        **initial,
        **chosen,
        "action_ts": slack.clock.ts(),
    }


def block_actions(slack: Slack, person: str, where: Json, state: Json, action: Json) -> Json:
    """Return a `block_actions` payload; a click in a message brings a `response_url`."""
    payload = envelope(slack, "block_actions", person) | where
    payload |= {"trigger_id": slack.tickets.trigger(person), "actions": [action]}
    if "channel" not in where:
        return payload
    container = where["container"]
    secret = slack.tickets.reply(
        person,
        container["channel_id"],
        message_ts=container["message_ts"],
        thread_ts=container.get("thread_ts"),
        ephemeral=container["is_ephemeral"],
    )
    return payload | {"state": {"values": state}, "response_url": response_url(slack, secret)}


def block_suggestion(slack: Slack, person: str, where: Json, block_id: str, action_id: str, value: str) -> Json:
    """Return a `block_suggestion` payload: somebody types into an external select."""
    asked = {"block_id": block_id, "action_id": action_id, "value": value}
    return envelope(slack, "block_suggestion", person) | where | asked


def view_submission(slack: Slack, person: str, view: View, state: Json) -> Json:
    """Return a `view_submission` payload."""
    return envelope(slack, "view_submission", person) | {
        "trigger_id": slack.tickets.trigger(person),
        "view": {**view.body, "state": {"values": state}},
        "response_urls": [],
    }


def view_closed(slack: Slack, person: str, view: View, *, cleared: bool) -> Json:
    """Return a `view_closed` payload; `cleared` when the whole stack went."""
    return envelope(slack, "view_closed", person) | {"view": view.body, "is_cleared": cleared}


def slash_command(slack: Slack, person: str, channel: Channel, command: str, text: str) -> Json:
    """Return a slash command's fields; all are strings, as in the form that HTTP mode posts."""
    workspace = slack.workspace
    secret = slack.tickets.reply(person, channel.id)
    return {
        "token": VERIFICATION_TOKEN,
        "team_id": workspace.team.id,
        "team_domain": workspace.team.domain,
        "channel_id": channel.id,
        "channel_name": shapes.channel_name(channel),
        "user_id": person,
        "user_name": workspace.people[person].name,
        "command": command,
        "text": text,
        "api_app_id": workspace.bot.app_id,
        "is_enterprise_install": "false",
        "response_url": response_url(slack, secret),
        "trigger_id": slack.tickets.trigger(person),
    }


def response_url(slack: Slack, secret: str) -> str:
    """Return the address that an answer may be posted to."""
    return f"{slack.url}/response/{slack.workspace.team.id}/{secret}"
