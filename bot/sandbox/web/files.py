"""files.*: the three steps of an upload, and what is known of a file."""

from dataclasses import replace
from mimetypes import guess_type

from bot.sandbox import messages, shapes, text
from bot.sandbox.clock import new_id
from bot.sandbox.errors import SlackError
from bot.sandbox.params import Method, Params
from bot.sandbox.slack import Slack
from bot.sandbox.web.chat import thread
from bot.sandbox.workspace import Channel, Json, StoredFile


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
    for channel_id in [*params.names("channels"), *params.names("channel_id")]:
        _share(slack, slack.joined(channel_id), uploaded, params)
    return {"ok": True, "files": [shapes.file(slack, stored) for stored in uploaded]}


def _titled(slack: Slack, wanted: object) -> StoredFile:
    stored = slack.workspace.files.get(str(wanted.get("id"))) if isinstance(wanted, dict) else None
    if stored is None or not isinstance(wanted, dict):
        raise SlackError("file_not_found")
    titled = replace(stored, title=str(wanted.get("title") or stored.name))
    slack.workspace.keep_file(titled)
    return titled


def _share(slack: Slack, channel: Channel, uploaded: list[StoredFile], params: Params) -> None:
    bot = slack.workspace.bot
    body: Json = {
        "subtype": "file_share",
        "user": bot.user_id,
        "bot_id": bot.bot_id,
        "text": text.from_bot(params.text("initial_comment") or ""),
        "files": [shapes.file(slack, stored) for stored in uploaded],
        "upload": True,
        "display_as_bot": False,
        "team": slack.workspace.team.id,
    }
    messages.post(slack, channel, body | thread(channel, params))


def info(slack: Slack, params: Params) -> Json:
    """files.info."""
    stored = slack.workspace.files.get(params.text("file") or "")
    if stored is None:
        raise SlackError("file_not_found")
    return {"ok": True, "file": shapes.file(slack, stored), "comments": []}


METHODS: dict[str, Method] = {
    "files.getUploadURLExternal": get_upload_url,
    "files.completeUploadExternal": complete_upload,
    "files.info": info,
}
