"""People, conversations and files of the workspace: conversations.*, users.*, usergroups.*, auth.* and files.*."""

from dataclasses import replace
from mimetypes import guess_type

from bot.sandbox import messages, shapes
from bot.sandbox.chat import thread
from bot.sandbox.slack import Method, Params, Slack, page
from bot.sandbox.tickets import new_id
from bot.sandbox.workspace import Json, Message, SlackError, StoredFile


def open_direct(slack: Slack, params: Params) -> Json:
    """conversations.open: the direct message with one person."""
    if params.text("channel"):
        channel = slack.channel(params.text("channel"))
    else:
        people = params.names("users")
        if not people:
            raise SlackError("users_list_not_supplied")
        if slack.workspace.bot.user_id in people:
            raise SlackError("cannot_dm_bot")
        if not set(people) <= set(slack.workspace.people):
            raise SlackError("user_not_found")
        if len(people) > 1:
            raise SlackError("method_not_supported_for_channel_type")
        channel = slack.channel(people[0])
    shown = shapes.direct(slack, channel) if params.flag("return_im") else {"id": channel.id}
    return {"ok": True, "no_op": True, "already_open": True, "channel": shown}


def history(slack: Slack, params: Params) -> Json:
    """conversations.history: newest first, without replies in threads."""
    channel = slack.joined(params.text("channel"))
    top = [message for message in channel.messages.values() if not message.is_reply]
    return _messages(_between(top, params)[::-1], params) | {"pin_count": 0}


def replies(slack: Slack, params: Params) -> Json:
    """conversations.replies: the parent, then the replies, oldest first."""
    channel = slack.joined(params.text("channel"))
    named = channel.messages.get(params.text("ts") or "")
    if named is None:
        raise SlackError("thread_not_found")
    parent = channel.messages.get(named.thread_ts or named.ts, named)
    return _messages([parent, *_between(channel.thread(parent.ts), params)], params)


def _between(found: list[Message], params: Params) -> list[Message]:
    oldest, latest = params.text("oldest") or "0", params.text("latest") or "9999999999"
    ends = (oldest, latest) if params.flag("inclusive") else ()
    return [message for message in found if oldest < message.ts < latest or message.ts in ends]


def _messages(found: list[Message], params: Params) -> Json:
    listed, cursor = page(found, params)
    metadata = params.flag("include_all_metadata")
    shown = [shapes.message(message, metadata=metadata) for message in listed]
    more = {"response_metadata": {"next_cursor": cursor}} if cursor else {}
    return {"ok": True, "messages": shown, "has_more": bool(cursor), **more}


def test(slack: Slack, _: Params) -> Json:
    """auth.test."""
    team, bot = slack.workspace.team, slack.workspace.bot
    return {
        "ok": True,
        "url": f"{slack.url}/",
        "team": team.name,
        "user": bot.name.lower(),
        "team_id": team.id,
        "user_id": bot.user_id,
        "bot_id": bot.bot_id,
        "app_id": bot.app_id,
        "app_name": bot.name,
        "is_enterprise_install": False,
    }


def user_info(slack: Slack, params: Params) -> Json:
    """users.info."""
    wanted = params.text("user") or ""
    if wanted == slack.workspace.bot.user_id:
        return {"ok": True, "user": shapes.bot_user(slack)}
    person = slack.workspace.people.get(wanted)
    if person is None:
        raise SlackError("user_not_found")
    locale = {"locale": person.locale} if params.flag("include_locale") else {}
    return {"ok": True, "user": shapes.user(slack, person) | locale}


def everyone(slack: Slack, params: Params) -> Json:
    """users.list."""
    members = [*(shapes.user(slack, person) for person in slack.workspace.people.values()), shapes.bot_user(slack)]
    found, cursor = page(members, params)
    cached = {"cache_ts": slack.clock.seconds(), "response_metadata": {"next_cursor": cursor}}
    return {"ok": True, "members": found, **cached}


def group_members(slack: Slack, params: Params) -> Json:
    """usergroups.users.list."""
    members = slack.workspace.usergroups.get(params.text("usergroup") or "")
    if members is None:
        raise SlackError("no_such_subteam")
    return {"ok": True, "users": list(members)}


def get_upload_url(slack: Slack, params: Params) -> Json:
    """files.getUploadURLExternal: a file with no content yet, and where to post it."""
    name = params.needed("filename")
    if params.number("length", 0) <= 0:
        problem = "[ERROR] must be greater than 0 [json-pointer:/length]"
        raise SlackError("invalid_arguments", response_metadata={"messages": [problem]})
    user, created = slack.workspace.bot.user_id, slack.clock.seconds()
    kind = guess_type(name)[0] or "application/octet-stream"
    stored = StoredFile(new_id("F0"), name, kind, b"", user, created, title=name, alt=params.text("alt_txt") or "")
    slack.workspace.keep_file(stored)
    return {"ok": True, "upload_url": f"{slack.url}/upload/v1/{stored.id}", "file_id": stored.id}


def complete_upload(slack: Slack, params: Params) -> Json:
    """files.completeUploadExternal: name the uploaded files, and share them where asked."""
    wanted = params.json("files")
    if not isinstance(wanted, list) or not wanted:
        raise SlackError("invalid_arguments")
    uploaded = [_titled(slack, one) for one in wanted]
    files, bot = [shapes.file(slack, stored) for stored in uploaded], slack.workspace.bot
    body: Json = {
        "subtype": "file_share",
        "user": bot.user_id,
        "bot_id": bot.bot_id,
        "text": messages.from_bot(params.text("initial_comment") or ""),
        "files": files,
        "upload": True,
        "display_as_bot": False,
        "team": slack.workspace.team.id,
    }
    for channel_id in [*params.names("channels"), *params.names("channel_id")]:
        channel = slack.joined(channel_id)
        messages.post(slack, channel, body | thread(channel, params))
    return {"ok": True, "files": files}


def _titled(slack: Slack, wanted: object) -> StoredFile:
    stored = slack.workspace.files.get(str(wanted.get("id"))) if isinstance(wanted, dict) else None
    if stored is None or not isinstance(wanted, dict):
        raise SlackError("file_not_found")
    titled = replace(stored, title=str(wanted.get("title") or stored.name))
    slack.workspace.keep_file(titled)
    return titled


def file_info(slack: Slack, params: Params) -> Json:
    """files.info."""
    stored = slack.workspace.files.get(params.text("file") or "")
    if stored is None:
        raise SlackError("file_not_found")
    return {"ok": True, "file": shapes.file(slack, stored), "comments": []}


METHODS: dict[str, Method] = {
    "auth.test": test,
    "conversations.open": open_direct,
    "conversations.history": history,
    "conversations.replies": replies,
    "users.info": user_info,
    "users.list": everyone,
    "usergroups.users.list": group_members,
    "files.getUploadURLExternal": get_upload_url,
    "files.completeUploadExternal": complete_upload,
    "files.info": file_info,
}
