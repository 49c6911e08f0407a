"""users.* and usergroups.*: who is in the workspace."""

from bot.sandbox import shapes
from bot.sandbox.errors import SlackError
from bot.sandbox.params import Params
from bot.sandbox.slack import Slack
from bot.sandbox.web.types import Method, page
from bot.sandbox.workspace import Json


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


METHODS: dict[str, Method] = {"users.info": info, "users.list": everyone, "usergroups.users.list": group_members}
