"""users.*, usergroups.*, auth.* and team.*: who is in the workspace, who the app is and where it is installed."""

from bot.sandbox import shapes
from bot.sandbox.errors import SlackError
from bot.sandbox.params import Method, Params, page
from bot.sandbox.slack import Slack
from bot.sandbox.workspace import Json


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


def team_info(slack: Slack, _: Params) -> Json:
    """team.info."""
    team = slack.workspace.team
    icon = {f"image_{size}": shapes.PICTURE for size in (34, 44, 68, 88, 102, 132, 230)}
    described = {
        "id": team.id,
        "name": team.name,
        "url": f"{slack.url}/",
        "domain": team.domain,
        "email_domain": "northmoor.example",
        "icon": {**icon, "image_default": True},
        "is_verified": False,
        "avatar_base_url": "https://northmoor.example/",
    }
    return {"ok": True, "team": described}


def info(slack: Slack, params: Params) -> Json:
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
    return {
        "ok": True,
        "members": found,
        "cache_ts": slack.clock.seconds(),
        "response_metadata": {"next_cursor": cursor},
    }


def group_members(slack: Slack, params: Params) -> Json:
    """usergroups.users.list."""
    members = slack.workspace.usergroups.get(params.text("usergroup") or "")
    if members is None:
        raise SlackError("no_such_subteam")
    return {"ok": True, "users": list(members)}


METHODS: dict[str, Method] = {
    "auth.test": test, "team.info": team_info, "users.info": info, "users.list": everyone, "usergroups.users.list": group_members,
}  # fmt: skip
