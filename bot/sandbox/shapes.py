"""Slack's JSON for what the workspace holds: people, conversations, messages, files, views."""

from urllib.parse import quote

from bot.sandbox.slack import Slack
from bot.sandbox.workspace import Channel, Json, Message, Profile, StoredFile

EPOCH = 1_700_000_000
PICTURE = "https://northmoor.example/picture.png"
PAGE_ONLY = "notifies"


def bot_profile(slack: Slack) -> Json:
    """Return the `bot_profile` of the app's own messages."""
    bot = slack.workspace.bot
    icons = {f"image_{size}": PICTURE for size in (36, 48, 72)}
    return {
        "id": bot.bot_id,
        "app_id": bot.app_id,
        "name": bot.name,
        "icons": icons,
        "deleted": False,
        "updated": EPOCH,
        "team_id": slack.workspace.team.id,
    }


def message(found: Message, *, metadata: bool = False) -> Json:
    """Return a message as the Web API gives it; with its metadata only where that was asked for."""
    extra = {"metadata": found.metadata} if metadata and found.metadata else {}
    return {**found.body, **extra}


def for_page(found: Message) -> Json:
    """Return a message for the sandbox's own page: with metadata, and whom it alerted."""
    alerted = {PAGE_ONLY: list(found.notifies)} if found.notifies else {}
    return {**message(found, metadata=True), **alerted}


def channel_name(channel: Channel) -> str:
    """Return the name that interaction payloads give a conversation."""
    return "directmessage" if channel.kind == "dm" else channel.name


def direct(slack: Slack, found: Channel) -> Json:
    """Return a direct message as conversations.open gives it."""
    return {
        "id": found.id,
        "created": found.created,
        "is_archived": False,
        "is_im": True,
        "is_org_shared": False,
        "context_team_id": slack.workspace.team.id,
        "updated": found.created,
        "user": found.members[0],
        "last_read": "0000000000.000000",
        "is_open": True,
        "priority": 0,
    }


def user(slack: Slack, person: Profile) -> Json:
    """Return a person as users.info gives them."""
    return _user(slack, person, {"email": f"{person.name}@northmoor.example"}, is_bot=False)


def bot_user(slack: Slack) -> Json:
    """Return the app's bot user as users.info gives it."""
    bot = slack.workspace.bot
    known = {"api_app_id": bot.app_id, "bot_id": bot.bot_id, "always_active": False}
    return _user(slack, Profile(bot.user_id, bot.name.lower(), bot.name), known, is_bot=True)


def _user(slack: Slack, person: Profile, more: Json, *, is_bot: bool) -> Json:
    first, _, last = person.real_name.partition(" ")
    names = ("real_name", "real_name_normalized", "display_name", "display_name_normalized")
    profile = {
        "title": person.title,
        "phone": person.phone,
        **dict.fromkeys(names, person.real_name),
        **dict.fromkeys(("skype", "status_text"), ""),
        "status_emoji": person.status_emoji,
        "status_expiration": 0,
        "avatar_hash": "g00000000000",
        "first_name": first,
        "last_name": last,
        **{f"image_{size}": PICTURE for size in (24, 32, 48, 72, 192, 512)},
        "team": slack.workspace.team.id,
    }
    roles = ("is_admin", "is_owner", "is_primary_owner", "is_restricted", "is_ultra_restricted", "is_app_user")
    return {
        "id": person.id,
        "team_id": person.team or slack.workspace.team.id,
        "name": person.name,
        "deleted": person.deleted,
        "color": "4bbe2e",
        "real_name": person.real_name,
        "tz": person.tz,
        "tz_label": person.tz_label,
        "tz_offset": person.tz_offset,
        "profile": profile | more,
        **dict.fromkeys(roles, False),
        "is_bot": is_bot,
        "updated": EPOCH,
        "is_email_confirmed": not is_bot,
    }


def file(slack: Slack, stored: StoredFile) -> Json:
    """Return a file as messages and files.info give it."""
    address = f"{slack.url}/files/{stored.id}/{quote(stored.name, safe='')}"
    extension = stored.name.rpartition(".")[2].lower() if "." in stored.name else "binary"
    return {
        "id": stored.id,
        "created": stored.created,
        "timestamp": stored.created,
        "name": stored.name,
        "title": stored.title,
        "mimetype": stored.mimetype,
        "filetype": extension,
        "pretty_type": extension.upper(),
        "user": stored.user,
        "user_team": slack.workspace.team.id,
        "editable": False,
        "size": len(stored.content),
        "mode": "hosted",
        "is_external": False,
        "external_type": "",
        "is_public": False,
        "public_url_shared": False,
        "display_as_bot": stored.user == slack.workspace.bot.user_id,
        "username": "",
        "url_private": address,
        "url_private_download": address,
        "permalink": address,
        "file_access": "visible",
        **({"alt_txt": stored.alt} if stored.alt else {}),
    }
